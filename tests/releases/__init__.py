"""Installations of the releases, packed: every upgrade is tested against them.

One is named by its version. It has the dump of its database and its stored files (`tests.releases.make`).
"""

import io
import subprocess
import tarfile
from pathlib import Path

import psycopg

from tests.servers import PROJECT

FOLDER = Path(__file__).parent
SUFFIX = ".tar.xz"
DUMP = "database.sql"
KEY = "releases." + "k" * 32  # an admin key of each installation


def version_of(installation: Path) -> str:
    return installation.name.removesuffix(SUFFIX)


def packed() -> list[Path]:
    """All of them, the oldest first. An upgrade to the code that is here starts from the last one."""
    return sorted(FOLDER.glob(f"*{SUFFIX}"), key=lambda one: [int(part) for part in version_of(one).split(".")])


def restore(installation: Path, connection: psycopg.Connection, data: Path | None = None) -> None:
    """Put an installation into an empty database, and its files into a data directory."""
    with tarfile.open(installation) as tar:
        dump = tar.extractfile(DUMP)
        if dump is None:
            raise FileNotFoundError(f"{installation} has no {DUMP}.")
        connection.execute(dump.read())
        if data is not None:
            tar.extractall(data, filter="data", members=(one for one in tar if one.name != DUMP))


def unpack_code(installation: Path, directory: Path) -> None:
    """Unpack the code of the release: that of the commit that brought its installation.

    Raises `LookupError` where there is no git, or the history does not have that commit.
    """
    try:
        commit, _, _ = _git("log", "--diff-filter=A", "--format=%H", "--", str(installation)).decode().partition("\n")
        if not commit:
            raise LookupError(f"The history has no commit that brought {installation.name}.")
        with tarfile.open(fileobj=io.BytesIO(_git("archive", commit))) as tar:
            tar.extractall(directory, filter="data")
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        raise LookupError(f"There is no history: {error}") from error


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=PROJECT, capture_output=True, timeout=60, check=True).stdout
