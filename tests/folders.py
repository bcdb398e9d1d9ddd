"""Folders of tests in which servers of another user work."""

import tempfile
from pathlib import Path


def passable(folder: Path) -> Path:
    """The folder, through which and through those above it in the temporary directory everybody may pass.

    Postgres of root runs as another user. Pytest and `tempfile` close what they make.
    """
    top = Path(tempfile.gettempdir()).resolve()
    for one in (folder.resolve(), *folder.resolve().parents):
        if top in one.parents:
            one.chmod(one.stat().st_mode | 0o011)
    return folder
