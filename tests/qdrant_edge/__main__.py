"""`python -m tests.qdrant_edge --port 6333 --dir DIR`: Qdrant's REST API over Qdrant's engine."""

import argparse
from contextlib import nullcontext
from pathlib import Path

from tests.qdrant_edge import QdrantEdge
from tests.qdrant_server import serve

parser = argparse.ArgumentParser(prog="python -m tests.qdrant_edge", description=__doc__)
parser.add_argument("--port", type=int, default=0)
parser.add_argument("--dir", type=Path, required=True, help="the folder of the collections")
parser.add_argument("--api-key", default="")
parser.add_argument("--settle-s", type=float, default=5.0, help="seconds from the last write to the optimiser")
parser.add_argument("--optimize", action="store_true", help="build the indexes of all collections, and end")
chosen = parser.parse_args()
with QdrantEdge(chosen.dir, settle_s=chosen.settle_s) as engine:
    if chosen.optimize:
        for collection in engine.get_collections().collections:
            engine.optimize(collection.name)
    else:
        serve(engine, port=chosen.port, api_key=chosen.api_key, lock=nullcontext())
