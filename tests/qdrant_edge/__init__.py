"""Qdrant's own engine in this process (`qdrant_edge`), with the methods of `QdrantClient`: a shard per collection.

    python -m tests.qdrant_edge --port 6333 --dir DIR        # over REST, see tests/qdrant_server.py

What a method does not cover it refuses with `ValueError`. A shard that is not optimised is slow: the optimiser runs
some seconds after the last write, after a minute of writes, and when `optimize` is called. The engine holds
Python's lock while it works, so no call is answered while the optimiser runs.
"""

from tests.qdrant_edge.conversion import edge
from tests.qdrant_edge.engine import QdrantEdge

__all__ = ["QdrantEdge", "edge"]
