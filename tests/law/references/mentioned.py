"""Texts with sections, and what is read of them as citations."""

from collections.abc import Sequence
from typing import NamedTuple

from law.references.mentions import Citation, read_references

TITLE = "Piers Act 2031"
ACT = "חוק הגנים, התשמ״ג–1983"


class Section(NamedTuple):
    eid: str
    kind: str
    number: str
    span_start: int
    span_end: int
    heading: str = ""


def sections(*texts: str) -> tuple[str, list[Section]]:
    """A law made of these sections, numbered from 1."""
    text, placed = "", []
    for number, one in enumerate(texts, 1):
        line = f"{number}. {one}"
        placed.append(Section(f"sec_{number}", "section", str(number), len(text), len(text) + len(line)))
        text += line + "\n"
    return text, placed


def shown(text: str, provisions: Sequence[Section] = (), *, title: str = "", kind: str = "law") -> list[str]:
    """What each mention spans, and what it cites."""
    mentions = read_references(text, provisions, title=title, kind=kind)
    for one in mentions:  # whatever is taken to be of an act has its reason, and nothing else has
        assert bool(one.reason) == bool(one.internal or one.title or one.identifier), one
    return [f"{text[one.start : one.end]} → {cited(one)}" for one in mentions]


def cited(mention: Citation) -> str:
    act = "here" if mention.internal else mention.title or mention.identifier or "?"
    divisions = [f"{one.kind} {one.number}".strip() for one in mention.divisions]
    clauses = "".join(f"({clause})" for clause in mention.clauses)
    up_to = mention.last and f"up to {mention.last}"
    return " ".join([act, *filter(None, [mention.number + clauses, up_to]), *divisions])


def unread(text: str, *, kind: str = "law") -> list[str]:
    """The words that were not read, of each mention that is of nothing known."""
    mentions = read_references(text, (), title=TITLE, kind=kind)
    return [one.unread for one in mentions if not (one.internal or one.title or one.identifier)]
