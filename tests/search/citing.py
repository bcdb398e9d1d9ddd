"""Small acts to cite, and searches that say whether a citation was found."""

from dataclasses import replace
from typing import Any

from law.chunking.packing import ChunkDraft
from search.results import SearchHit
from search.retrieval import Retrieval, Scope, retrieve
from sources.models import Source
from tests.search.corpus import add_source, section


def law(title: str, **fields: Any) -> Source:
    """A law whose sections 1, 2, 2א and 3 all speak of the same."""
    drafts = [section(number, f"כותרת {number}", f"הוראה {number} בעניין פלוני") for number in ("1", "2", "2א", "3")]
    return add_source(*drafts, title=title, **fields)


def search(query: str, **scope: Any) -> Retrieval:
    return retrieve(query, scope=Scope(**{"topic_id": 1, **scope}))


def first(query: str, **scope: object) -> SearchHit:
    return search(query, **scope).hits[0]


def in_division(number: str, *path: str) -> ChunkDraft:
    return replace(section(number, "", f"text of {number}"), path=path)
