"""Citations that say no section: clauses of the section that was cited last."""

from collections.abc import Sequence
from dataclasses import replace

from law.references.mentions import Citation

MAX_ASSUMED_LENGTH = 1_500  # characters from a section to a clause without one


def with_sections(mentions: Sequence[Citation]) -> tuple[list[Citation], set[int]]:
    """The mentions, and the places of clauses without a section, which are of the section that was cited last."""
    found: list[Citation] = []
    assumed: set[int] = set()
    last: Citation | None = None
    for one in mentions:
        if one.clauses and not (one.number or one.title or one.identifier or one.divisions or one.unread):
            if last and last.number and one.start - last.end <= MAX_ASSUMED_LENGTH:
                assumed.add(len(found))
                one = replace(last, start=one.start, end=one.end, clauses=one.clauses)
        elif one.number:
            last = one
        found.append(one)
    return found, assumed
