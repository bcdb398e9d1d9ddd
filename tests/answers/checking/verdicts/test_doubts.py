"""What a text says beside a citation: that it may be of another act, or is of law that has ended."""

import datetime as dt
from typing import Any

import pytest

from answers.checking.verdicts.check import check
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

CARTS = """1. Carts
A cart that carries a barrel must be drawn by two mules or by an ox of the district.
2. Wheels
(Repealed)
3. Barrels
(1) A barrel may carry—
(a) oil, or
(b) salt.
(2) A cart may carry—
(a) coal,
(b) wool, or
(c) flax."""


@pytest.fixture(autouse=True)
def carts() -> None:
    add_document(CARTS, kind="law", title="Carts Act 1990")


def outcomes(text: str) -> list[tuple[str, str]]:
    report: dict[str, Any] = check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1))).as_json()
    return [(one["text"], one["outcome"]) for kind in ("citations", "quotations") for one in report[kind]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Section 1 of the Carts Act 1990 inserted sections 16A and 16B into the Ferries Act 2019.", "sections 16A"),
        ("By section 1 of the Carts Act 1990 sections 16A and 16B were inserted in the Ferries Act 2019.", "16B"),
        ("The Carts Act 1990 is old. No section 47 report was asked for.", "section 47"),
        ("The Carts Act 1990 is old. It had a section 8 order and section 21 notices.", "section 21"),
        ("The Carts Act 1990 is old. The section 21 notices are no part of it.", "section 21"),
    ],
)
def test_a_section_that_may_be_of_another_act_is_not_accused(text: str, words: str) -> None:
    assert dict(outcomes(text))[words] == "not_judged"


def test_a_bare_section_of_the_act_named_last_is_accused() -> None:
    assert dict(outcomes("The Carts Act 1990 is old. Section 47 is no part of it."))["Section 47"] == "wrong"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Section 2 of the Carts Act 1990 applies.", "wrong"),
        ("Section 2 of the Carts Act 1990, since repealed, is not needed.", "exists"),
        ("The repealed section 2 of the Carts Act 1990 is not needed.", "exists"),
        ("Section 2 of the Carts Act 1990, as it stood in 1995, was of wheels.", "not_judged"),
        ("Section 2 of the Carts Act 1990 repealed nothing.", "wrong"),
        ("Section 7 of the Carts Act 1990 (now repealed) was of wheels.", "not_judged"),
        ("Section 7 of the Carts Act 1990 was of wheels.", "wrong"),
    ],
)
def test_who_says_that_a_section_is_repealed_is_not_told_so_as_an_error(text: str, outcome: str) -> None:
    assert [said for _, said in outcomes(text)] == [outcome]


def test_words_of_an_earlier_version_that_is_not_here_are_not_accused() -> None:
    quoted = "section 1 of the Carts Act 1990 provided that “a cart that carries a barrel must be drawn by four mules”."
    assert outcomes(f"Today {quoted}")[1][1] == "wrong"
    assert outcomes(f"As originally enacted, {quoted}")[1][1] == "not_judged"


@pytest.mark.parametrize(
    "text",
    [
        "As it was snowing, the keeper relied on section {} of the Carts Act 1990.",
        "As they were late, section {} of the Carts Act 1990 was read to them.",
        "Section {} of the Carts Act 1990 asks for an axle before the replacement of a wheel.",
        "The buyer had an earlier version of the map, and section {} of the Carts Act 1990 applies.",
        "They met before the amendment of the contract, and under section {} of the Carts Act 1990 he pays.",
        "Pending the replacement of the bridge, section {} of the Carts Act 1990 lets him wait.",
        "Under section {} of the Carts Act 1990 he pays until the repeal of the toll.",
        "The firm in its former form was free and section {} of the Carts Act 1990 binds it.",
        "The master then provided a cart under section {} of the Carts Act 1990.",
        "Section {} of the Carts Act 1990 has repealed the toll of the bridge.",
        "Section {} of the Carts Act 1990 has since repealed the toll.",
        "Section {} of the Carts Act 1990 was repealed nowhere.",
        "Section {} of the Carts Act 1990, repealed or not, is good law.",
        "Section {} of the Carts Act 1990 is no longer in force only at sea.",
        "The bridge, as it stood in 1995, was old, and section {} of the Carts Act 1990 binds him.",
        "לפי סעיף {} לחוק העגלות, בטלה הערבות של הרוכב.",
        "סעיף {} לחוק העגלות – בטל כל הסכם הסותר אותו.",
        "סעיף {} לחוק העגלות חל עד תיקון הגשר.",
        "לפני תיקון הגשר נהג הרוכב לפי סעיף {} לחוק העגלות.",
        "עד התיקון של ההסכם חל סעיף {} לחוק העגלות.",
        "כפי שהיה במועד הפגישה, סעיף {} לחוק העגלות חל.",
        "בנוסח הקודם של החוזה נזכר סעיף {} לחוק העגלות.",
    ],
)
@pytest.mark.parametrize("number", [2, 7])
def test_words_that_say_nothing_of_the_citation_excuse_nothing(text: str, number: int) -> None:
    add_document("1. עגלות\nעגלה תירתם לשתי פרדות.\n2. גלגלים\n(בוטל)", kind="law", title='חוק העגלות, התש"ן–1990')
    assert [said for words, said in outcomes(text.format(number)) if f" {number} " in words] == ["wrong"]


@pytest.mark.parametrize(
    "text",
    [
        "As it was found in Grant, {}",
        "The keeper previously stated that {}",
        "He said in the previous version of his letter that {}",
        "The board then provided a map, as {}",
    ],
)
def test_words_that_say_nothing_of_the_law_excuse_no_quotation(text: str) -> None:
    quoted = "section 1 of the Carts Act 1990 provides that “a cart that carries a barrel must be drawn by four mules”."
    assert outcomes(text.format(quoted))[1][1] == "wrong"


@pytest.mark.parametrize(
    "sentence",
    [
        "Under section 47 notice must be given.",
        "Under section 47 orders may be made by the master.",
        "By section 47 proceedings must begin in May.",
        "Section 47 powers belong to the master.",
        "Under section 47 requests are sent to the master.",
    ],
)
def test_a_section_that_stands_before_a_subject_is_accused(sentence: str) -> None:
    assert outcomes(f"The Carts Act 1990 is old. {sentence}")[1][1] == "wrong"


def test_a_clause_behind_the_next_one_is_none_of_those_before() -> None:
    assert outcomes("See section 3(2)(c) of the Carts Act 1990.")[0][1] == "exists"
    assert outcomes("See section 3(1)(c) of the Carts Act 1990.")[0][1] == "wrong"
