"""What the commands of bench have in common: arguments, where the data sets are, how they end, what they keep."""

import argparse
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CalledProcessError

from bench.client import ApiError
from bench.datasets import DataMissing
from bench.stack import PROJECT, StackFailed
from kb_project.operations.local_stack import CannotStart
from tests.local_server import ServerFailed

MISSING = (ApiError, CannotStart, DataMissing, FileNotFoundError, ServerFailed, StackFailed, CalledProcessError)


def parser_of(module: str, doc: str) -> argparse.ArgumentParser:
    """The arguments of `python -m module`; the first line of its documentation says what it does.

    Each is given by its whole name: `--data` could be taken for the folder that a service writes to.
    """
    return argparse.ArgumentParser(prog=f"python -m {module}", description=doc.splitlines()[0], allow_abbrev=False)


def add_limit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=int, help="a quick trial: about this many documents or questions of each set")


def add_data_dir(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data-dir", type=Path, help="start the embedded service on this data, and keep it")


def data_sets() -> Path:
    """Where the data sets are. Raises DataMissing."""
    root = Path(os.environ.get("KB_DATA_SETS") or PROJECT / "../shared/data").resolve()
    if not root.is_dir():
        raise DataMissing(f"There is no data folder at {root}: set KB_DATA_SETS to where it is.")
    return root


def run(measure: Callable[[], int]) -> int:
    """The exit code of a command: its own, or 2 when data or a service are missing, which is said.

    Asked to end, it leaves through its `with` blocks, which stop what was started.
    """
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        return measure()
    except MISSING as reason:
        print(reason, file=sys.stderr)
        return 2
