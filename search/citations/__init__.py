"""Citations: what a text refers to, and which passages of the scope that is."""

from search.citations.references import find_references
from search.citations.resolving import resolve

__all__ = ["find_references", "resolve"]
