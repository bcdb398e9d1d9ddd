"""`python -m tests.qdrant_edge --port 6333 --dir DIR`: Qdrant's REST API over Qdrant's engine."""

import argparse
from contextlib import closing, nullcontext
from pathlib import Path

from tests.qdrant_edge import QdrantEdge
from tests.qdrant_server import serve

parser = argparse.ArgumentParser(prog="python -m tests.qdrant_edge", description=__doc__)
parser.add_argument("--port", type=int, default=0)
parser.add_argument("--dir", type=Path, required=True, help="the folder of the collections")
parser.add_argument("--optimize", action="store_true", help="build the indexes of all collections, and end")
chosen = parser.parse_args()
with closing(QdrantEdge(chosen.dir)) as engine:
    if chosen.optimize:
        engine.optimize()
    else:
        serve(engine, port=chosen.port, lock=nullcontext())
