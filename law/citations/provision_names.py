"""A provision as people cite it, in its document's language: `סעיף 3(ב) לחוק הספריות`, `section 3(b), Loans Act`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from law.languages.scripts import first_letter, language_of
from law.structure.provisions import ProvisionKind


class TitledText(Protocol):
    """The document that a provision is cited from, wherever it comes from."""

    @property
    def title(self) -> str: ...
    @property
    def identifier(self) -> str: ...
    @property
    def kind(self) -> str: ...


class Cited(Protocol):
    """A provision, wherever it comes from."""

    @property
    def kind(self) -> str: ...
    @property
    def number(self) -> str: ...
    @property
    def heading(self) -> str: ...


class PlacedProvision(Cited, Protocol):
    """A provision with its address and its characters of the document's text, stored or as it was recognised."""

    @property
    def eid(self) -> str: ...
    @property
    def span_start(self) -> int: ...
    @property
    def span_end(self) -> int: ...


def citation(provision: Cited, *, source: TitledText, label: str = "", clauses: Sequence[str] = ()) -> str:
    """How the provision is cited, or a clause of it: `clauses` are those it stands in, itself last.

    `label` stands for what has no number of its own kind, as a chapter or a heading: its line as printed.
    """
    title = source.title or source.identifier
    words = language_of(_letter(provision, source)).citations
    place = name_of(provision, source=source, clauses=clauses) or label or provision.heading
    return words.cited_in.format(place=place, title=title) if title and words.cited_in else place


def cited_as(line: Sequence[Cited], *, source: TitledText, label: str = "") -> str:
    """How the last of these is cited, each of which stands in the one before it: a clause with what it stands in."""
    clauses = [one.number for one in line if one.kind == ProvisionKind.CLAUSE]
    return citation(line[-1 - len(clauses)], source=source, label=label, clauses=clauses)


@dataclass(frozen=True, slots=True)
class Numbered:
    """A provision of which only the number is known."""

    kind: str
    number: str
    heading: str = ""


def named_by_number(number: str, *, source: TitledText, of_paragraphs: bool) -> str:
    """What the section, or the paragraph, of that number is called in its document. Without a number ''."""
    return name_of(_numbered(number, of_paragraphs), source=source)


def cited_by_number(number: str, *, source: TitledText, of_paragraphs: bool) -> str:
    """How a passage of the section, or the paragraph, of that number is cited. Without one, as its document is."""
    cited = citation(_numbered(number, of_paragraphs), source=source) if number else ""
    return cited or source.title or source.identifier


def _numbered(number: str, of_paragraphs: bool) -> Numbered:
    return Numbered(ProvisionKind.PARAGRAPH if of_paragraphs else ProvisionKind.SECTION, number)


def name_of(provision: Cited, *, source: TitledText, clauses: Sequence[str] = ()) -> str:
    """What the provision is called in its document: `section 3(b)`, or '' for what has no number of its own kind."""
    if not provision.number:
        return ""
    name = _unit(provision.kind, _letter(provision, source), source.title, source.kind)
    clause = "".join(f"({number})" for number in clauses)
    return f"{name} {provision.number}{clause}" if name else ""


@lru_cache(maxsize=2_000)  # several hits of a search are of one document
def _unit(kind: str, letter: str, title: str, source_kind: str) -> str:
    """What a provision of the kind is called in a document whose words begin with the letter."""
    words = language_of(letter).citations
    name = words.names.get(kind, "")
    if kind == ProvisionKind.SECTION:
        of_title = (unit for pattern, unit in words.counted_in if re.match(pattern, title))
        name = next(of_title, "") or words.names.get(source_kind, name)
    return name


def _letter(provision: Cited, source: TitledText) -> str:
    """The first letter of what its document is called, which says in what language it is cited."""
    return first_letter(f"{source.title or source.identifier} {provision.heading}")
