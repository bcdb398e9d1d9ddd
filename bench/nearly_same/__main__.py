"""`python -m bench.nearly_same`: how surely a document in another format is recognised, and what that costs.

1,000 different documents are published in one topic, 100 of them as files of a format. Then each of the 1,000 is read
as classification reads it, those 100 from a file of another format, and compared with the topic: the 100 should find
their other file, and nothing else should find anything. `--documents` adds made documents, to see what size costs.
"""

import argparse
import os
import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from bench.nearly_same.documents import make
from bench.nearly_same.result import Result, table
from bench.scale.database import database_alone, in_django, manage

PROJECT = Path(__file__).resolve().parents[2]


def main() -> int:
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    parser = argparse.ArgumentParser(prog="python -m bench.nearly_same", description=__doc__)
    parser.add_argument("--documents", type=int, default=0, help="made documents beside them (%(default)s)")
    parser.add_argument("--data-dir", type=Path, help="keep the data there; without it they are temporary")
    chosen = parser.parse_args()
    root = Path(os.environ.get("KB_DATA_SETS", PROJECT / "../shared/data")).resolve()
    if not root.is_dir():
        print(f"There is no data folder at {root}: set KB_DATA_SETS to where it is.", file=sys.stderr)
        return 2
    with ExitStack() as stack:
        data = chosen.data_dir or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kb-near-")))
        files = data / "files"
        files.mkdir(parents=True, exist_ok=True)
        documents = make(root, files)
        environment = stack.enter_context(database_alone(data / "kb"))
        manage("migrate", "--verbosity", "0", environment=environment)
        result: Result = in_django(
            "bench.nearly_same.stored:measure", documents, made=chosen.documents, environment=environment
        )
    print(table(result))
    print("\nmissed:", *(result.missed or ["none"]), sep="\n  ")
    print("\nwrong:", *(f"{name} with {others}" for name, others in result.wrong.items()), sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
