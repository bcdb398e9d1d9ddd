"""Qdrant's own engine in this process (`qdrant_edge`), with the methods of `QdrantClient`: a shard per collection.

    python -m tests.qdrant_edge --port 6333 --dir DIR        # over REST, see tests/qdrant_server.py

It has what the service and its bench call. A shard that is not optimised is slow: `--optimize` does so and ends. The
engine holds Python's lock while it works, so no call is answered meanwhile.
"""

from tests.qdrant_edge.engine import QdrantEdge

__all__ = ["QdrantEdge"]
