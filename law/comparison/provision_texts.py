"""A document as the texts that are compared: of each provision what is its own, and not of one inside it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from law.citations.provision_names import PlacedProvision
from law.comparison.wording import Word, normal_forms, words
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.lines.clauses import BEFORE_CLAUSE, MARKER
from law.structure.lines.headings import looks_like_heading
from law.structure.lines.repealed import says_repealed
from law.structure.provisions import ProvisionKind
from law.words.fingerprints import Fingerprint, fingerprint

_FINGERPRINTED = 150  # words and signs
_MAX_HEADINGS = 3  # lines at the end of a section that stand over the next one
_ENDED = regex(r"[.;!?:\])][\"'”“״]*$")
_SECTION_WORD = regex(rf"{either(language.statutes.section_words for language in LANGUAGES)}\s*$")
_MARKS = regex(rf"[ \t]*{BEFORE_CLAUSE}(?:{MARKER}){{1,4}}")
_JOINED_BEFORE = regex(r"[\w.(]$")


@dataclass(frozen=True, eq=False)
class ProvisionText:
    """A provision with the text that is in no provision inside it.

    `text` is as printed, number and heading included. `start` is its first character in the document. What belongs to
    no provision has no `eid`: what stands before the first, a heading over sections, a paragraph. `key` is what it is
    known by in another version, '' for a paragraph.
    """

    key: str
    text: str
    start: int = 0
    eid: str = ""
    number: str = ""
    heading: str = ""
    kind: ProvisionKind = ProvisionKind.PARAGRAPH

    @cached_property
    def words(self) -> list[Word]:
        return words(self.text)

    @cached_property
    def body(self) -> tuple[str, ...]:
        """What it says, without its number."""
        start, end = self._number_span()
        return (*normal_forms(self.text[:start]), *normal_forms(self.text, start=end))

    @property
    def said(self) -> list[Word]:
        """Its words and signs without its number."""
        start, end = self._number_span()
        return [one for one in self.words if one.end <= start or one.start >= end]

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """Of the words with which it begins."""
        return fingerprint(" ".join(self.body[:_FINGERPRINTED]))

    @cached_property
    def is_repealed(self) -> bool:
        """Whether all that it says is that it is repealed: `49. [Repealed, 2024, c. 15]`, `(בוטל)`."""
        rest = self.text[self.after_number :].strip()
        return bool(says_repealed(rest) or says_repealed(without_marks(rest).strip()))

    @property
    def after_number(self) -> int:
        """Where what it says begins, if its number comes first."""
        start, end = self._number_span()
        return end if not self.text[:start].strip() else 0

    def _number_span(self) -> tuple[int, int]:
        """Where the number stands, with the word before it: at the beginning, or behind the heading."""
        longest = 2 * len(self.heading) + len(self.number) + 60
        at = self.text.find(self.number, 0, longest) if self.number else -1
        while at >= 0:
            end = at + len(self.number)
            if not (_JOINED_BEFORE.search(self.text[:at]) or self.text[end : end + 1].isalnum()):
                word = _SECTION_WORD.search(self.text[:at])
                behind = len(self.text) - len(self.text[end:].lstrip(".):"))
                return (word.start() if word else at), behind
            at = self.text.find(self.number, end, longest)
        return 0, 0


def without_marks(text: str) -> str:
    """The text of a clause without `(1)(a)` before it."""
    marks = _MARKS.match(text)
    return text[marks.end() :] if marks else text


def own_texts(text: str, provisions: Sequence[PlacedProvision]) -> list[ProvisionText]:
    """The text of a document in pieces, in order. All of it but white space between them.

    `provisions` are in the order of the text. Without any these are the paragraphs of the text.
    """
    if not provisions:
        return paragraphs(text)
    begins = [one.span_start for one in provisions]
    found = [*_piece("front", text, 0, begins[0])]
    heads: list[ProvisionText] = []
    for one, start, end in zip(provisions, begins, [*begins[1:], len(text)], strict=True):
        found += [
            ProvisionText(f"above {one.eid}", head.text, head.start, kind=ProvisionKind.HEADING) for head in heads
        ]
        cut = _headings_at_end(text[start:end]) if one.kind == ProvisionKind.SECTION else end - start
        found += _piece(one.eid, text, start, start + cut, provision=one)
        heads = list(_piece("", text, start + cut, end))
    return [*found, *heads]


def paragraphs(text: str) -> list[ProvisionText]:
    """The paragraphs of a text."""
    return [ProvisionText("", found[0].rstrip(), found.start()) for found in re.finditer(r"(?m)\S.*$", text)]


def _piece(
    key: str, text: str, start: int, end: int, *, provision: PlacedProvision | None = None
) -> Iterator[ProvisionText]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    if not piece.strip():
        return
    if provision is None:
        yield ProvisionText(key, piece.strip(), start)
        return
    yield ProvisionText(
        key,
        piece.strip(),
        start,
        eid=provision.eid,
        number=provision.number,
        heading=provision.heading,
        kind=ProvisionKind(provision.kind),
    )


def _headings_at_end(text: str) -> int:
    """Where the lines begin, at the end of a section's text, that are headings over what comes next."""
    end = len(text.rstrip())
    for _ in range(_MAX_HEADINGS):
        start = text.rfind("\n", 0, end) + 1
        before = text[:start].rstrip()
        line = text[start:end].strip()
        if not before or not (looks_like_heading(line) and line[0].isalpha() and line[-1].isalnum()):
            break
        if _ENDED.search(before):
            return start
        end = len(before)
    return len(text)
