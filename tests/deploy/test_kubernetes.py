"""The manifests are what Kubernetes takes, and hold what the image and the settings promise."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[2]
FILES = sorted((PROJECT / "deploy" / "kubernetes").glob("*.yaml"))
VERSIONS = ("1.31", "1.37")


def objects() -> Iterator[dict[str, Any]]:
    for file in FILES:
        yield from yaml.safe_load_all(file.read_text(encoding="utf-8"))


def pods() -> Iterator[dict[str, Any]]:
    return (one["spec"]["template"]["spec"] for one in objects() if one["kind"] in ("Deployment", "Job"))


@pytest.mark.parametrize("version", VERSIONS)
def test_schema_is_that_of_kubernetes(version: str) -> None:
    kinds = []
    for one in objects():
        kubernetes_validate.validate(one, version, strict=True)
        kinds.append(one["kind"])
    assert sorted(kinds) == sorted(
        ["ConfigMap", "Job", *["Deployment"] * 5, *["Service"] * 2, "PodDisruptionBudget", "Ingress"]
    )


def test_schema_refuses_a_wrong_manifest() -> None:
    broken = next(one for one in objects() if one["kind"] == "Deployment")
    broken["spec"]["replicaCount"] = 2
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, VERSIONS[-1], strict=True)


def test_every_pod_is_as_the_image_promises() -> None:
    for pod in pods():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] == 10001
        [container] = pod["containers"]
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/data", "/scratch", "/tmp"}
        assert container["resources"]["limits"]["memory"]


def test_nothing_is_alone() -> None:
    replicas = {one["metadata"]["name"]: one["spec"]["replicas"] for one in objects() if one["kind"] == "Deployment"}
    assert replicas == dict.fromkeys(("kb-beat", "kb-classifier", "kb-embedder", "kb-web", "kb-worker"), 2)


def test_every_setting_is_one_that_there_is() -> None:
    known = set(
        re.findall(r"^#?([A-Z][A-Z0-9_]+)=", (PROJECT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)
    )
    named = {name for one in objects() if one["kind"] == "ConfigMap" for name in one["data"]}
    named |= {variable["name"] for pod in pods() for variable in pod["containers"][0].get("env", ())}
    assert named
    assert named <= known
