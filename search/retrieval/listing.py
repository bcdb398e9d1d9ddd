"""Lists that end: every passage that matches a query, phrases, grouped and ordered, with counts by facet."""

from dataclasses import dataclass
from enum import StrEnum


class Group(StrEnum):
    """What a result is: a passage, or a document with its best passage."""

    PASSAGE = "passage"
    DOCUMENT = "document"


class Sort(StrEnum):
    """The order of results. Documents without a date come last by either date."""

    RELEVANCE = "relevance"
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, kw_only=True)
class Listing:
    """How results are to be listed. Phrases in the query are always minded."""

    group: Group = Group.PASSAGE
    sort: Sort = Sort.RELEVANCE
    facets: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the best passages are asked for, and nothing of the others."""
        return self == Listing()
