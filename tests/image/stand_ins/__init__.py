"""Base image and servers made of Debian's packages, for a machine that reaches no container registry."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.image.engine import Engine
from tests.smoke import Failed, say

BASE = "localhost/kb-base"
SUITE = "trixie"  # Python 3.13, Postgres 17
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
LEFT_OUT = ("var/cache/apt/archives", "var/lib/apt/lists", "dev", "proc", "sys")
HERE = Path(__file__).parent


def make(here: Engine) -> str:
    """Make what is missing of the images that compose.yml names; gives the base image's name. Needs root."""
    if not _is_there(here, BASE):
        say(f"stand-ins: making {BASE} of Debian {SUITE}")
        _make_base(here)
    form = ["--format", "docker", "--network", "host"] if here.program == "podman" else []
    for name in ("postgres", "redis", "s3"):  # the engine makes nothing anew that did not change
        tag, file = f"localhost/kb-{name}", str(HERE / f"{name}.Dockerfile")
        say(f"stand-ins: {tag}")
        here.run("build", *form, "--build-arg", f"BASE={BASE}", "--tag", tag, "--file", file, str(HERE))
    return BASE


def _is_there(here: Engine, image: str) -> bool:
    return bool(here.run("images", "--quiet", image).strip())


def _make_base(here: Engine) -> None:
    """As the official Python image: Debian, with `python` and `pip` in /usr/local."""
    if not shutil.which("debootstrap"):
        raise Failed("debootstrap is not here (Debian: apt install debootstrap).")
    with tempfile.TemporaryDirectory(prefix="kb-base-") as name:
        root, archive = Path(name) / "root", Path(name) / "base.tar"
        packages = "ca-certificates,python3,python3-venv,python3-pip"
        for command in (
            ["debootstrap", "--variant=minbase", f"--include={packages}", SUITE, str(root)],
            ["cp", str(CERTIFICATES), str(root / "etc/ssl/certs")],
            ["chroot", str(root), "python3", "-m", "venv", "/usr/local"],
            ["tar", "-C", str(root), *(f"--exclude=./{path}/*" for path in LEFT_OUT), "-cf", str(archive), "."],
        ):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise Failed(f"{' '.join(command)} ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
        here.run("import", "--change", "ENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", str(archive), BASE)
