"""Which citation a quotation is of, and what a sentence states."""

import datetime as dt
import re

import pytest

from law.checking.pairing import Place, pair
from law.checking.quotations import find_quotations
from law.languages.dates import day_of_text


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("C1 says that “the owner pays”.", [1]),
        ("“The owner pays” (C1). C2 is another.", [1]),
        ("By C1 “the owner pays”, and by C2 “the rigger rests”.", [1, 2]),
        ("“The owner pays”, C1; “the rigger rests”, C2.", [1, 2]),
        ("C1 speaks of “the owner who pays”, C2 of “the rigger who rests”.", [1, 2]),
        ("“The owner pays.” C1. “The owner rests.” Id. “The rigger rests.” C3.", [1, 2, 3]),
        ("By C1 it is so: “the owner pays”, C2.", [2]),
        ("By C1, “the owner pays” (C2) and “the rigger rests” (C3).", [2, 3]),
        ("לפי C1 „הבעלים ישלם”, וC2 – „המכונאי ינוח”.", [1, 2]),
        ("C1 is old. It has been read as “the owner pays” since.", [1]),
        ("C1 provides:\n\n“The owner pays.”\n\nC2 is another.", [1]),
        ("C1 provides:\n\n“The owner pays” By C2 “the rigger rests”.", [1, 2]),
        ("C1 is old. “The owner pays” (ibid, C2).", [2]),
        ("C1 provides:\n\n“The owner pays” C2 is another.", [1]),
        ("C1 provides:\n\n“The owner pays” Ibid, C2 is another.", [1]),
        ("By C1, “the owner pays”. Ibid, C2 is another.", [1]),
        ("C1 is old. “The owner pays” C2.", [2]),
        ("C1 is old. It is final if “the owner pays,” and “the rigger rests”. C2. So it is.", [2, 2]),
        ("C1 is old. It is final if “the owner pays”. C2 is another.", [1]),
        ("C1 is old.\n\nThe parties agreed. “The owner pays,” they said.", [None]),
        ("C1 is old. “The owner pays”: ibid. C2 follows.", [1]),
        ("[3] C1: “The owner pays”.\n[4] C2.", [1]),
        ("C1 is old. It says “the owner pays.” The boat “rests at night,” C2.", [1, 2]),
        ("C1 is old. “The owner pays.” The Act of Piers, C2.", [2]),
    ],
)
def test_pairs(text: str, cited: list[int | None]) -> None:
    places = [Place(*one.span()) for one in re.finditer(r"ו?C\d|Id\.", text)]
    found = pair(text, find_quotations(text), places)
    assert [one and one.place + 1 for one in found] == cited


@pytest.mark.parametrize(
    ("text", "cited", "introduced"),
    [
        ("So “the owner pays” his keeper.¹ C1 is old.\n¹ C2", 2, False),
        ("C1 is old. So “the owner pays” his keeper.¹\n¹ C2", 2, False),
        ("By C1 “the owner pays” his keeper.¹\n¹ C2", 1, True),
        ("So “the owner pays” and “the rigger rests” for long.¹\n¹ C1", None, False),
        ("C1 is old. So “the owner pays” whom “the rigger tells”.¹\n¹ C2", 2, False),
        ("C1 is old. So “the owner pays” whom “the rigger tells.”¹ C2 is another.\n¹ C3", 3, False),
        ("So “the owner pays” his keeper¹ and all others.²\n¹ C1\n² C2", None, False),
    ],
)
def test_a_note_behind_the_sentence_may_be_of_its_quotation(text: str, cited: int | None, introduced: bool) -> None:
    places = [Place(at, at + 2) for at in range(len(text)) if text[at] == "C"]
    first = pair(text, find_quotations(text), places)[0]
    assert (first and first.place + 1, bool(first and first.is_introduced)) == (cited, introduced)


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("By C1, “the owner pays” and “the rigger rests”.", [True, True]),
        ("“The owner pays” (C1). The law speaks of “the rigger” too.", [True, False]),
        ("“The owner pays” (C1) and “the rigger rests”.", [True, False]),
        ("C1 is old. “The owner pays.”", [True]),
        ("So “the owner pays” and “the rigger rests”.¹\n¹ C1", [True, True]),
        ("לכן „הבעלים ישלם” ולכן „המכונאי ינוח”.¹\n¹ C1", [True, True]),
    ],
)
def test_a_citation_may_be_that_of_another_quotation(text: str, sure: list[bool]) -> None:
    places = [Place(at, at + 2) for at in range(len(text)) if text[at] == "C"]
    assert [one and one.is_sure for one in pair(text, find_quotations(text), places)] == sure


@pytest.mark.parametrize(
    ("text", "introduced"),
    [
        ("By C1, “the owner pays”.", True),
        ("“The owner pays.” See C1.", True),
        ("C1 governs. It reads “the owner pays”.", True),
        ("C1 governs. The caretaker's words were “the door was open”.", False),
        ("C1 governs. “The door was open,” the neighbours say.", False),
        ("By C1, as she wrote in her letter, “the owner pays”.", False),
        ("לפי C1 “הבעלים ישלם”.", True),
        ("לפי C1 כך. במכתבו נאמר “הדלת נותרה פתוחה”.", False),
    ],
)
def test_words_are_introduced_as_those_of_the_law(text: str, introduced: bool) -> None:
    places = [Place(at, at + 2) for at in range(len(text)) if text[at] == "C"]
    [found] = pair(text, find_quotations(text), places)
    assert found
    assert found.is_introduced is introduced


def test_a_quotation_is_of_the_citation_in_its_note() -> None:
    text = "C1 is old. “The owner pays”.¹ So C2 says.\n\n¹ C3, and C4.\n² C5."
    places = [Place(at, at + 2) for at in range(len(text)) if text[at] == "C"]
    [found] = pair(text, find_quotations(text), places)
    assert found
    assert found.place == 2


def test_the_day_of_a_text() -> None:
    assert day_of_text(
        "To the court\n3 May 2024\n\nThe act of 1 June 2020 is old and it was so for many years."
    ) == dt.date(2024, 5, 3)
    assert day_of_text("3 May 2024\nand\n4 May 2024") is None


def test_each_quotation_of_a_sentence_is_of_its_own_note() -> None:
    text = "By C1 “the owner pays”,¹ and “the rigger rests”.²\n¹ C2\n² C3"
    places = [Place(at, at + 2) for at in range(len(text)) if text[at] == "C"]
    assert [one and one.place + 1 for one in pair(text, find_quotations(text), places)] == [2, 3]
