"""The demo documents: invented ones, queued as an upload would be, and told from others by their content."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from ingest.intake.upload import Metadata, accept_upload, receive_path
from ingest.models import Job
from ingest.similar.duplicates import DuplicateDocument
from topics.models import Topic

FOLDER = Path(__file__).resolve().parents[1] / "demo"


@cache
def manifest() -> tuple[dict[str, Any], ...]:
    """What is known of each: its file and its metadata."""
    return tuple(json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8")))


@cache
def fingerprints() -> tuple[str, ...]:
    """The SHA-256 of each file, as jobs and sources keep it in `content_sha256`."""
    return tuple(hashlib.sha256((FOLDER / entry["file"]).read_bytes()).hexdigest() for entry in manifest())


def queue(entry: dict[str, Any], *, topic: Topic, by: str) -> Job | None:
    """Queue one document of the manifest. Returns None when it is there already."""
    try:
        return accept_upload(
            receive_path(FOLDER / entry["file"]),
            topic=topic,
            kind=entry["kind"],
            metadata=Metadata.of_columns(entry, labels=tuple(entry["labels"])),
            by=by,
        )
    except DuplicateDocument:
        return None
