"""The findings of a check as a page shows them, and the text with them in it, line by line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from django.utils.translation import pgettext

from answers.checking.commenting import is_to_be_looked_at
from answers.checking.sentences import with_sentences
from answers.checking.verdicts.findings import OUTCOMES, VERDICTS, Outcome, gravest_first, outcome_of
from answers.models import TextCheck
from sources.templatetags.directions import HUNG, direction

_SIGNS = {Outcome.WRONG: "!", Outcome.NOT_JUDGED: "?", Outcome.EXISTS: "·", Outcome.RIGHT: "✓"}
_COLOURS = {  # of the states of jobs
    Outcome.WRONG: "phase-failed",
    Outcome.NOT_JUDGED: "phase-awaiting_review",
    Outcome.EXISTS: "phase-discarded",
    Outcome.RIGHT: "phase-done",
}
OVERRULED = "overruled"  # asked for as an outcome is


@dataclass(frozen=True)
class ShownFinding:
    """A finding as the page lists it. `key` names it to who overrules it, `words` are those of the text."""

    number: int
    key: str
    words: str
    found: Mapping[str, Any]
    outcome: Outcome
    verdict: str
    remark: str

    @property
    def sign(self) -> str:
        return _SIGNS[Outcome.EXISTS if self.remark else self.outcome]

    @property
    def colour(self) -> str:
        return _COLOURS[Outcome.EXISTS if self.remark else self.outcome]

    @property
    def is_marked(self) -> bool:
        """Whether it is marked in the text."""
        return self.outcome is Outcome.WRONG and not self.remark

    @property
    def is_open(self) -> bool:
        """Whether somebody must look at it, so that it is not folded."""
        return not self.remark and is_to_be_looked_at(self.key.partition(":")[0], self.found)

    @property
    def group(self) -> str:
        """What it is counted as."""
        return OVERRULED if self.remark else self.outcome

    @property
    def place(self) -> Mapping[str, Any] | None:
        """The law that is shown beside it."""
        for name in ("at", "to", "cited"):
            if self.found.get(name):
                return dict(self.found[name])
        return None


@dataclass(frozen=True)
class TextPiece:
    """A stretch of the text. `finding` ends behind it, and `colour` is that of what is not right with it."""

    text: str
    finding: ShownFinding | None = None
    colour: str = ""


@dataclass
class TextLine:
    """A line of the text. `number` is that of a paragraph, and hangs beside it as in the law."""

    pieces: list[TextPiece] = field(default_factory=list)
    number: str = ""
    is_hung: bool = False

    @property
    def direction(self) -> str:
        """Its own, as a brief in one language has paragraphs in another. '' without letters."""
        text = "".join(piece.text for piece in self.pieces)
        return direction(text) if any(map(str.isalpha, text)) else ""


def groups() -> list[tuple[str, str, str]]:
    """What findings are counted as: how each is asked for, called and coloured."""
    outcomes = [(outcome.value, str(name), _COLOURS[outcome]) for outcome, name in OUTCOMES.items()]
    return [*outcomes, (OVERRULED, pgettext("finding", "overruled"), _COLOURS[Outcome.EXISTS])]


def shown_findings(one: TextCheck) -> Iterator[ShownFinding]:
    """The findings, the gravest first and numbered so."""
    told = with_sentences(one.report or {}, on_screen=True)
    found = [(kind, place, finding) for kind in VERDICTS for place, finding in enumerate(told.get(kind, ()))]
    found.sort(key=lambda row: gravest_first(row[2]))
    for number, (kind, place, finding) in enumerate(found, 1):
        key, verdict = f"{kind}:{place}", finding["verdict"]
        label = str(VERDICTS[kind](verdict).label)
        words, remark = one.text[finding["start"] : finding["end"]], one.remarks.get(key, "")
        yield ShownFinding(number, key, words, finding, outcome_of(finding), label, remark)


def pieces(text: str, findings: Sequence[ShownFinding], *, only: str = "") -> Iterator[TextPiece]:
    """The text in stretches, with the findings of one group or of any.

    A stretch is marked where the innermost of what is wrong or exists around it is wrong: a statement around its
    quotation, and a word inside of that.
    """
    ending: dict[int, list[ShownFinding]] = {}
    beginning: dict[int, list[tuple[int, bool, int, str]]] = {}  # with the length, so that the innermost is the least
    cuts = {0, len(text)}
    for one in sorted(findings, key=lambda one: int(one.found["start"])):
        is_shown, whole = only in ("", one.group), (one.found["start"], one.found["end"])
        if is_shown:
            ending.setdefault(whole[1], []).append(one)
            cuts.add(whole[1])
        if (is_shown and one.is_marked) or one.outcome in (Outcome.EXISTS, Outcome.RIGHT):
            for first, last in (one.is_marked and one.found.get("differs")) or [whole]:
                colour = one.colour if one.is_marked else ""
                beginning.setdefault(first, []).append((last - first, not colour, last, colour))
                cuts |= {first, last}
    around: list[tuple[int, bool, int, str]] = []
    for start, end in pairwise(sorted(cuts)):
        for mark in beginning.get(start, ()):
            heappush(around, mark)
        while around and around[0][2] <= start:
            heappop(around)
        yield TextPiece(text[start:end], colour=around[0][3] if around else "")
        for one in ending.get(end, ()):
            yield TextPiece("", one)


def lines(stretches: Iterable[TextPiece]) -> list[TextLine]:
    """The stretches line by line. A break inside of one makes two of it, of which the last has its finding."""
    found = [TextLine()]
    for piece in stretches:
        *before, last = piece.text.split("\n")
        for text in before:
            found[-1].pieces.append(TextPiece(f"{text}\n", colour=piece.colour))
            found.append(TextLine())
        if last or piece.finding:
            found[-1].pieces.append(replace(piece, text=last))
    for line in found:
        if not line.pieces:
            continue
        first = line.pieces[0]
        if number := HUNG.match(first.text):
            line.is_hung, line.number = True, number["section"] or ""
            line.pieces[0] = replace(first, text=first.text[number.end("section") :] if line.number else first.text)
    return found
