"""The compose file is one that Compose takes: each image has one service that builds it."""

from pathlib import Path
from typing import Any

import yaml

PROJECT = Path(__file__).resolve().parents[2]
OURS = {"prepare", "web", "worker", "classifier", "embedder", "beat"}


def services() -> dict[str, Any]:
    compose: dict[str, Any] = yaml.safe_load((PROJECT / "docker-compose.yml").read_text(encoding="utf-8"))
    found: dict[str, Any] = compose["services"]
    return found


def test_one_service_builds_the_image_that_the_others_run() -> None:
    ours = {name: service for name, service in services().items() if name in OURS}
    assert set(ours) == OURS
    assert len({service["image"] for service in ours.values()}) == 1
    assert [name for name, service in ours.items() if "build" in service] == ["prepare"]


def test_the_others_start_after_the_one_that_builds() -> None:
    for name in OURS - {"prepare"}:
        assert "prepare" in services()[name]["depends_on"]
