"""What a file held that is an archive or a message: written by a reader's process, read by the application."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

LIST = "members.json"


@dataclass(frozen=True, slots=True)
class Member:
    """A file that was in another, by the end of its name. `within` is what it was in: archives, folders, a message.

    `file` is where its content is, "" for the message that was opened itself. `attached_to` is the place among the
    members of the message that it was attached to. One that cannot be opened has the `code` and a sentence why.
    """

    name: str
    within: str = ""
    file: str = ""
    attached_to: int | None = None
    code: str = ""
    detail: str = ""


def write_members(members: Sequence[Member], directory: Path) -> None:
    """Put the list beside the files."""
    text = json.dumps([asdict(member) for member in members])
    (directory / LIST).write_text(text, encoding="utf-8")


def read_members(directory: Path) -> list[Member]:
    """The list in its order."""
    return [Member(**row) for row in json.loads((directory / LIST).read_text(encoding="utf-8"))]
