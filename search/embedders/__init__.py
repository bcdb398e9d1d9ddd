"""Embedders behind one protocol, chosen by settings."""

from search.embedders.protocol import Embedder, Kind
from search.embedders.registry import configured, embedder_for

__all__ = ["Embedder", "Kind", "configured", "embedder_for"]
