"""What is asked for must be named near the question, else what comes nearest is shown and not called an answer."""

from dataclasses import replace

import pytest

from answers.writing.answerers.extractive import quotes
from answers.writing.protocol import AnswerRequest, RefusalReason
from answers.writing.refusals import MAX_QUOTE_LENGTH, refusal
from search.results import Match
from tests.answers.asking.passages import asked, passage

TAXI = "Every taxi is painted yellow."
TAXI_HE = "כל מונית בעיר תיצבע פעם בשנה ותיבדק בידי פקח."
GATE = "The gate of the pier is closed at nine."


def request(question: str, *rules: str) -> AnswerRequest:
    """The rules lead, and others are far behind them."""
    others = [replace(passage(GATE), score=0.1)] * (5 - len(rules))
    return asked(question, [*map(passage, rules), *others])


@pytest.mark.parametrize(
    ("question", "rule", "word"),
    [
        ("What colour is a taxi?", TAXI, "colour"),
        ("מה שכרו של פקח לחודש?", "לפקח ישולמו 9,000 שקלים חדשים לחודש.", "שכרו"),
        ("What upholstery has a taxi?", TAXI, "upholstery"),
        ("What is the upholstery of a taxi painted?", TAXI, "upholstery"),
        ("מה משקל כל מונית בעיר?", TAXI_HE, "משקל"),
    ],
)
def test_what_nothing_near_names_is_not_answered(question: str, rule: str, word: str) -> None:
    held = request(question, rule)
    assert quotes(held) == []
    said = refusal(held)
    assert said.reason is RefusalReason.NO_SENTENCE
    assert [one.text for one in said.passages] == [rule]
    assert word in said.said
    assert rule in said.said


@pytest.mark.parametrize(
    ("question", "rules"),
    [
        ("What upholstery has a taxi that is painted yellow?", [TAXI, "The upholstery of a bus is blue."]),
        ("What licence has a taxi that is painted?", ["A taxi that is painted needs a permit of the mayor."]),
        ("What duties has a taxi inspector?", ["A taxi inspector reads the meter of each taxi."]),
        ("מה ממליצה העירייה לגבי מוניות?", ["העירייה תמליץ שמוניות ייבדקו בידי פקח."]),
    ],
)
def test_what_is_named_otherwise_or_beside_it_or_in_general_is_answered(question: str, rules: list[str]) -> None:
    assert quotes(request(question, *rules))


def test_who_cites_a_section_is_answered_whatever_it_names() -> None:
    held = request("What upholstery does section 4 prescribe for a taxi?", TAXI)
    cited = replace(held.passages[0], match=Match.CITATION)
    assert quotes(replace(held, passages=(cited, *held.passages[1:])))


def test_a_long_sentence_is_shown_cut() -> None:
    rule = "Every taxi is painted yellow " + "and again " * 60 + "."
    said = refusal(request("What upholstery has a taxi that is painted?", rule)).said
    assert said.endswith(" …”")
    assert len(said) < MAX_QUOTE_LENGTH + 200
