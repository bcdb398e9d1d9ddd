"""What changed from one document to another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.document import Page
from law.chunking import chunk
from law.comparison.comparing import ChangeKind, compare
from law.comparison.matching import in_order
from law.comparison.provision_texts import ProvisionText, own_texts
from law.structure.provisions import Outline

LOANS = """Library Loans Act
Interpretation
1. Short title
This Act may be cited as the Library Loans Act.
2. Definitions
In this Act a reader is a person who holds a card that the library has issued.
Lending
3. Loans
(1) A reader may borrow five books at a time, and keep each of them for three weeks.
(2) The librarian may shorten the time of a loan where another reader has asked for the book.
4. Fines
A reader who returns a book late pays one shekel for each day that has passed since it was due.
SCHEDULE
1. Reading rooms are open to readers from eight in the morning until ten at night.
2. Maps are not lent to anybody, and are read in the room where they are kept."""

SHORT = """חוק הספריות, התשפ"ד–2024
1. הגדרות
בחוק זה, "קורא" – מי שהספרייה הנפיקה לו כרטיס קורא בתוקף.
2. השאלה
(א) קורא רשאי לשאול עד חמישה ספרים בכל פעם, לתקופה של שלושה שבועות.
(ב) הספרן רשאי לקצר את תקופת ההשאלה אם קורא אחר ביקש את הספר."""


def texts(document: str, *, kind: str = "law") -> list[ProvisionText]:
    """The texts of a document with one paragraph a line."""
    outline = Outline()
    page = Page(number=None, paragraphs=tuple(document.split("\n")))
    text = "".join(draft.gap + draft.text for draft in chunk([page], kind=kind, outline=outline))
    found = own_texts(text, outline.provisions)
    assert "".join("".join(one.text for one in found).split()) == "".join(text.split())
    assert all(text[one.start : one.start + len(one.text)] == one.text for one in found)
    return found


def changes(before: str, after: str, *, kind: str = "law") -> list[tuple[str, str, str]]:
    return [
        (change.kind.value, change.number, change.eid)
        for change in compare(texts(before, kind=kind), texts(after, kind=kind))
    ]


@pytest.mark.parametrize("document", [LOANS, SHORT])
def test_a_document_does_not_differ_from_itself(document: str) -> None:
    assert compare(texts(document), texts(document)) == []


def test_a_changed_section_is_told_with_both_texts() -> None:
    (change,) = compare(texts(LOANS), texts(LOANS.replace("five books", "six books")))
    assert (change.kind, change.number, change.eid) == (ChangeKind.CHANGED, "3", "sec_3")
    assert change.before
    assert change.after
    assert "five books" in change.before.text
    assert "six books" in change.after.text


def test_what_came_and_went_is_told_where_it_stands() -> None:
    added = LOANS.replace("4. Fines", "3A. Renewal\nA loan is renewed once if nobody has asked for the book.\n4. Fines")
    assert changes(LOANS, added) == [("added", "3A", "sec_3a")]
    assert changes(added, LOANS) == [("removed", "3A", "sec_3a")]


def test_a_heading_belongs_to_no_section() -> None:
    found = compare(texts(LOANS), texts(LOANS.replace("Lending\n", "What is lent\n")))
    assert [(change.kind, change.eid) for change in found] == [(ChangeKind.CHANGED, "")]


def test_what_changed_in_a_schedule_is_told_by_its_item() -> None:
    assert changes(LOANS, LOANS.replace("ten at night", "nine at night")) == [("changed", "1", "sched__item_1")]


def test_a_section_with_another_number_has_moved() -> None:
    moved = LOANS.replace("4. Fines", "5. Fines")
    (change,) = compare(texts(LOANS), texts(moved))
    assert change.kind is ChangeKind.MOVED
    assert not change.reworded
    assert (change.before.number, change.number) == ("4", "5") if change.before else False


def test_a_section_that_stands_elsewhere_has_moved() -> None:
    lines = LOANS.split("\n")
    items = lines[-2:]
    swapped = (
        "\n".join([*lines[:-2], items[1], items[0]]).replace("2. Maps", "1. Maps").replace("1. Reading", "2. Reading")
    )
    assert {change[0] for change in changes(LOANS, swapped)} == {"moved"}


def test_a_section_that_moved_and_was_reworded_is_found() -> None:
    reworded = LOANS.replace("4. Fines", "7. Fines").replace("one shekel", "two shekels")
    (change,) = compare(texts(LOANS), texts(reworded))
    assert change.kind is ChangeKind.MOVED
    assert change.reworded


def test_new_section_with_number_of_an_old_one_does_not_hide_it() -> None:
    new = "4. Lost books\nWhoever loses a book buys the library another copy of it, or pays what such a copy costs.\n"
    later = LOANS.replace("4. Fines", f"{new}5. Fines")
    assert changes(LOANS, later) == [("added", "4", "sec_4"), ("moved", "5", "sec_5")]


def test_a_section_whose_words_are_all_others_has_changed() -> None:
    repealed = LOANS.replace(LOANS.split("\n")[11], "[Repealed, 2021, c. 4, s. 7]")
    assert changes(LOANS, repealed) == [("changed", "4", "sec_4")]


@pytest.mark.parametrize("stub", ["[Repealed, 2021, c. 4, s. 7]", "(בוטל)"])
def test_what_is_left_at_the_old_number_does_not_hide_a_move(stub: str) -> None:
    fines = LOANS.split("\n")[11]
    for said in (fines, fines.replace("one shekel", "two shekels")):
        later = LOANS.replace(f"4. Fines\n{fines}", f"4. {stub}\n5. Fines\n{said}")
        assert changes(LOANS, later) == [("moved", "5", "sec_5")]


def test_notes_of_repeal_are_not_taken_for_each_other() -> None:
    note = "[Repealed, 2021, c. 4, s. 7]"
    before = LOANS.replace(LOANS.split("\n")[11], note)
    later = before.replace(note, f"Nobody pays anything.\n9. Fees\n{note}")
    assert changes(before, later) == [("changed", "4", "sec_4"), ("added", "9", "sec_9")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(1) A reader", "1)  A reader"),
        ("for three weeks.\n(2)", "for three weeks. (2)"),
        ("In this Act a reader", "In  this\nAct a\u00a0reader"),
        ("three weeks.", "three weeks. [Am. 2019, c. 3, s. 5]"),
        ("since it was due.", "since it was due.\n2019, c. 3, s. 5; 2021, c. 4, s. 2"),
        ("books at a time", "books\u200f at a time"),
    ],
)
def test_what_says_the_same_is_no_change(before: str, after: str) -> None:
    assert before in LOANS
    assert changes(LOANS, LOANS.replace(before, after)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"קורא" –', "״קורא״ —"),
        ("(א) קורא", "א. קורא"),
        ("הספר.", 'הספר. (תיקון התשפ"ה)'),
        ("קורא אחר", "קוֹרֵא אחר"),
    ],
)
def test_hebrew_that_says_the_same_is_no_change(before: str, after: str) -> None:
    assert before in SHORT
    assert changes(SHORT, SHORT.replace(before, after)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [("at a time, and", "at a time and"), ("A reader may", "A Reader may"), ("(2) The", "(3) The"), ("five", "5")],
)
def test_a_comma_a_capital_or_a_number_is_a_change(before: str, after: str) -> None:
    assert changes(LOANS, LOANS.replace(before, after)) == [("changed", "3", "sec_3")]


def test_paragraphs_are_compared_where_there_are_no_provisions() -> None:
    before = [
        "The court sat in May.",
        "It heard two witnesses.",
        "The claim was dismissed with costs to the defendant.",
    ]
    after = [before[0], "It heard three witnesses.", "Nobody appealed.", before[2]]
    found = compare(own_texts("\n".join(before), []), own_texts("\n".join(after), []))
    assert [(change.kind.value, change.shown.text) for change in found] == [
        ("changed", "It heard three witnesses."),
        ("added", "Nobody appealed."),
    ]


def test_a_repeated_paragraph_is_told_once() -> None:
    found = compare(own_texts("One.\nTwo.\nOne.", []), own_texts("One.\nTwo.\nOne.\nOne.", []))
    assert [(change.kind.value, change.shown.text) for change in found] == [("added", "One.")]


def test_nothing_has_nothing_in_common_with_anything() -> None:
    assert compare([], []) == []
    assert {change.kind for change in compare([], texts(LOANS))} == {ChangeKind.ADDED}
    assert {change.kind for change in compare(texts(LOANS), [])} == {ChangeKind.REMOVED}


_SENTENCES = st.lists(
    st.sampled_from(
        [
            "A reader may borrow a book.",
            "(repealed)",
            "The librarian keeps a list of all books that were lent, and of the readers who have them.",
            "The librarian keeps a list of all maps that were lent, and of the readers who have them.",
            "Nobody lends a book to another reader without leave.",
            "",
        ]
    ),
    max_size=3,
)
_ACTS = st.lists(st.tuples(st.integers(1, 12), _SENTENCES), max_size=8, unique_by=lambda one: one[0])


def _act(sections: list[tuple[int, list[str]]]) -> list[ProvisionText]:
    return [
        ProvisionText(f"sec_{number}", "\n".join([f"{number}.", *sentences]), eid=f"sec_{number}", number=str(number))
        for number, sentences in sections
    ]


@given(_ACTS, _ACTS)
def test_changes_lead_from_one_act_to_the_other(earlier: list, later: list) -> None:
    """What did not change and what the changes leave is the later act; what they take away was in the earlier one."""
    before, after = _act(earlier), _act(later)
    found = compare(before, after)
    gone, come = (
        [change.before for change in found if change.before],
        [change.after for change in found if change.after],
    )
    assert len(set(map(id, gone))) == len(gone)
    assert len(set(map(id, come))) == len(come)
    kept = [one for one in before if one not in gone]
    stayed = [one for one in after if one not in come]
    assert [(one.number, one.body) for one in kept] == [(one.number, one.body) for one in stayed]
    for change in found:
        assert change.kind is not ChangeKind.CHANGED or change.reworded
        assert (change.before is None) == (change.kind is ChangeKind.ADDED)
        assert (change.after is None) == (change.kind is ChangeKind.REMOVED)


@given(_ACTS)
def test_an_act_does_not_differ_from_itself(sections: list) -> None:
    assert compare(_act(sections), _act(sections)) == []


@given(st.permutations(range(12)))
def test_those_in_order_go_up_and_none_can_be_added(places: list[int]) -> None:
    kept = in_order(places)
    going_up = [place for place in places if place in kept]
    assert going_up == sorted(going_up)
    longest = [1] * len(places)
    for index, place in enumerate(places):
        longest[index] = 1 + max((longest[at] for at in range(index) if places[at] < place), default=0)
    assert len(kept) == max(longest)


@pytest.mark.deep
@pytest.mark.timeout(60)  # two seconds alone; a square of the sections takes minutes
def test_acts_without_a_word_in_common_are_compared_in_bounded_time() -> None:
    def long(letters: str) -> list[ProvisionText]:
        words = ["".join(letters[int(digit)] for digit in str(number)) for number in range(100, 1_000)]
        lines = (
            f"{number}. " + " ".join(words[(number * 31 + at * 7) % len(words)] for at in range(12))
            for number in range(6_000)
        )
        return [ProvisionText(f"{letters}_{at}", line, number=str(at)) for at, line in enumerate(lines)]

    assert len(compare(long("abcdefghij"), long("klmnopqrst"))) == 12_000
