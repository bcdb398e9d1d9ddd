"""Judging provisions: by what a model said of them, or by their sentences where none read them.

Without a model a provision is among the *yes* where a sentence of it says a rule of the kind that is described, or
holds every telling word of the description, and *undecided* where one way found it and no sentence says it.
"""

from bisect import insort
from dataclasses import dataclass, field
from typing import Any

from answers.writing.quotes.pieces import sentences, stripped
from answers.writing.quotes.verify import shortened
from keeping.models import SurveyOutcome, SurveyReading
from keeping.surveys.reading.by_model import SurveyReason
from keeping.surveys.reading.units import Unit
from law.questions.surveyed import SurveyedRules
from law.words.analysis import terms

FOUND = 100  # passages that each way of search finds at most
FIRST_BY_MEANING = 30  # passages whose meaning is nearest: undecided where no sentence says it
ALL, HALF = 0.999, 0.5  # of the telling words
MAX_YES, MAX_UNDECIDED, MAX_NEAR = 2_000, 500, 50


@dataclass
class Lists:
    """What is judged. Each row is one of the API's. `counts` counts those too for which a list has no room."""

    yes: list[dict[str, Any]] = field(default_factory=list)
    undecided: list[dict[str, Any]] = field(default_factory=list)
    near: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    """The nearest, by how near each is."""
    counts: dict[str, int] = field(default_factory=lambda: {"yes": 0, "undecided": 0})
    found: dict[str, int] = field(default_factory=dict)
    """How many *yes* each way found, and `both` ways of search."""
    provisions: int = 0
    passages: int = 0
    read_by_model: int = 0

    def put_yes(self, row: dict[str, Any]) -> None:
        self.counts["yes"] += 1
        self.yes += [row] if len(self.yes) < MAX_YES else []

    def put_undecided(self, row: dict[str, Any]) -> None:
        self.counts["undecided"] += 1
        self.undecided += [row] if len(self.undecided) < MAX_UNDECIDED else []

    def put_near(self, worth: float, row: dict[str, Any]) -> None:
        insort(self.near, (worth, row), key=lambda pair: -pair[0])
        del self.near[MAX_NEAR:]


@dataclass(frozen=True)
class Found:
    """The passages that the two ways of search found, by their ranks from 0. `lacking`: some texts have no vectors."""

    by_words: dict[int, int]
    by_meaning: dict[int, int]
    meaning: dict[str, int | None] | None
    has_meaning: bool

    def ways(self, unit: Unit) -> list[str]:
        ways = (("words", self.by_words), ("meaning", self.by_meaning))
        return [name for name, found in ways if not found.keys().isdisjoint(unit.texts)]

    def rank_by_meaning(self, unit: Unit) -> int:
        return min((self.by_meaning[pk] for pk in unit.texts if pk in self.by_meaning), default=FOUND)


def judge(unit: Unit, rules: SurveyedRules, found: Found, lists: Lists) -> None:
    """Put a provision that no model is to read into the list that it belongs to, if any."""
    ways = found.ways(unit)
    quote, worth = _best_sentence(unit, rules)
    if quote and worth >= ALL:
        _put_yes(unit, [*ways, "read"], quote, lists)
    elif (worth >= HALF and ways) or found.rank_by_meaning(unit) < FIRST_BY_MEANING:
        lists.put_undecided(_row(unit, ways, quote))
    elif ways:
        lists.put_near(worth + 1 / (1 + found.rank_by_meaning(unit)), _row(unit, ways, quote))
    _count(unit, lists)


def judge_read(unit: Unit, reading: SurveyReading | None, rules: SurveyedRules, found: Found, lists: Lists) -> None:
    """Put one that a model read, or should have read, where the model says. What it did not read is undecided."""
    ways = found.ways(unit)
    quote, worth = _best_sentence(unit, rules)
    ways += ["read"] if quote and worth >= ALL else []
    outcome = reading.outcome if reading else SurveyOutcome.FAILED
    if reading and outcome == SurveyOutcome.YES:
        _put_yes(unit, [*ways, "model"], reading.quote, lists)
    elif outcome != SurveyOutcome.NO:
        why = reading.why if reading else SurveyReason.NOT_READ.value
        said = reading.quote if reading else ""
        lists.put_undecided({**_row(unit, ways, said or quote), "why": why})
    elif ways:
        lists.put_near(worth + 1 / (1 + found.rank_by_meaning(unit)), _row(unit, ways, quote))
    lists.read_by_model += outcome != SurveyOutcome.FAILED
    _count(unit, lists)


def _count(unit: Unit, lists: Lists) -> None:
    lists.provisions += 1
    lists.passages += len(unit.texts)


def _put_yes(unit: Unit, ways: list[str], quote: str, lists: Lists) -> None:
    lists.put_yes(_row(unit, ways, quote))
    for way in ways:
        lists.found[way] = lists.found.get(way, 0) + 1
    lists.found["both"] = lists.found.get("both", 0) + ({"words", "meaning"} <= set(ways))


def _row(unit: Unit, ways: list[str], quote: str) -> dict[str, Any]:
    """`place` is the same in another version of its document."""
    return {
        "source_id": unit.source_id,
        "title": unit.title,
        "eid": unit.eid,
        "number": unit.number,
        "heading": unit.heading,
        "page": unit.page,
        "quote": quote,
        "url": unit.url(quote),
        "ways": ways,
        "why": "",
        "place": f"{unit.work}:{unit.eid or quote}",
    }


def _best_sentence(unit: Unit, rules: SurveyedRules) -> tuple[str, float]:
    """The sentence that comes nearest, and how near, from 0 to 1.

    Where kinds of rules are named, a sentence that says one is as near as its provision holds the other words, and any
    other is half as near at most.
    """
    held = frozenset(term.stem for term in terms("\n".join((unit.title, unit.heading, *unit.texts.values()))))
    rest = rules.share_of_rest(held) if rules.rest else 1.0
    if rules.names:
        share = rest if rest >= ALL else rest * HALF
        for text in unit.texts.values():
            for start, end in sentences(text):
                start, end = stripped(text, start, end)
                if rules.is_said(text[start:end]):
                    return shortened(text[start:end]), share
        return "", HALF * rest if rules.is_said(unit.heading) else 0.0
    best, worth = "", 0.0
    if rest < HALF:
        return best, worth
    for text in unit.texts.values():
        for start, end in sentences(text):
            start, end = stripped(text, start, end)
            share = rules.share_of_rest(frozenset(term.stem for term in terms(text[start:end])))
            if share > worth:
                best, worth = shortened(text[start:end]), share
    return best, worth
