"""What a person says in place of what was read of an instruction."""

import datetime as dt

import pytest

from law.amendments.consolidating import instructions_of
from law.amendments.corrections import Correction, PlaceNotRead, corrected, place_of, says_all
from law.amendments.instructions import Action, Instruction, Place

DAY = dt.date(2026, 1, 1)


def read(line: str) -> Instruction:
    [one] = instructions_of(f"1. {line}")
    return one


def test_place_words_and_day_take_the_place_of_what_was_read() -> None:
    one = read("In section 5(1) of the Ports Act 2010, for “30 days” substitute “45 days”, but only for ships.")
    assert one.unread
    now = corrected(one, Correction(place="section 5(2)", old="30 days", new="60 days", day=DAY))
    assert (now.places, now.old, now.new, now.day, now.unread) == (
        (Place(section="5", clauses=("2",)),),
        ("30 days",),
        ("60 days",),
        DAY,
        "",
    )
    assert now.action is Action.REPLACE_WORDS
    assert corrected(one, Correction()) == one
    assert corrected(one, Correction(day=DAY)).unread == one.unread


def test_the_place_of_what_is_inserted_is_that_beside_which_it_goes() -> None:
    one = read("In section 5 of the Ports Act 2010, after subsection (2) insert— “(3) A fee is paid.”")
    assert place_of(one) == "subsection (2)"
    now = corrected(one, Correction(place="section 5(4)"))
    assert (now.places, now.beside) == ((Place(section="5"),), Place(section="5", clauses=("4",)))
    section = corrected(read("After section 4 of the Ports Act 2010 insert— “4A. New”"), Correction(place="section 6"))
    assert (section.places[0].is_whole_act, section.beside) == (True, Place(section="6"))


@pytest.mark.parametrize("words", ["somewhere", "section 5 of the Customs Act 2011", "section 5 and the rest of it"])
def test_a_place_that_is_not_understood_is_refused(words: str) -> None:
    with pytest.raises(PlaceNotRead):
        corrected(read("Section 4 of the Ports Act 2010 is repealed."), Correction(place=words))


def test_a_correction_is_kept_as_json() -> None:
    for one in (Correction(), Correction(place="section 5", old="a", new="b", day=DAY)):
        assert Correction.from_json(one.as_json()) == one


IN_4 = "Section 4 of the Ports Act 2010 is amended so that "
IN_HEBREW = "בסעיף 4 לחוק הנמלים, התש״ע–2010,"
BECOMES = f"{IN_4}“30 days” becomes “60 days”."


@pytest.mark.parametrize(
    ("line", "said", "is_all"),
    [
        (BECOMES, "section 4|30 days|60 days", True),
        (BECOMES, "|30 days|60 days", True),
        (BECOMES, "section 4|60 days|30 days", False),
        (BECOMES, "section 4|30|60", False),
        (BECOMES, "section 4|30 days|", False),
        (BECOMES, "section 5|30 days|60 days", False),
        (BECOMES.replace("4", "4(2)"), "section 4|30 days|60 days", False),
        (BECOMES.replace("4", "4(2)"), "section 4(2)|30 days|60 days", True),
        (BECOMES.replace("4", "14"), "section 1|30 days|60 days", False),
        (f"{IN_4}“60 days” stands instead of “30 days”.", "section 4|30 days|60 days", True),
        (f"{IN_4}“60 days” stands instead of “30 days”.", "section 4|60 days|30 days", False),
        (f"{IN_4}in paragraph (b), “30 days” becomes “60 days”.", "section 4|30 days|60 days", False),
        (f"{BECOMES[:-1]} and “owner” becomes “hirer”.", "section 4|30 days|60 days", False),
        (f"{BECOMES[:-1]} and ‘owner’ becomes ‘hirer’.", "section 4|30 days|60 days", False),
        (f"{BECOMES[:-1]} and 'owner' becomes 'hirer'.", "section 4|30 days|60 days", False),
        (f"{BECOMES[:-1]} and section 5 falls away.", "section 4|30 days|60 days", False),
        (f"{BECOMES[:-1]}, but only for ships.", "section 4|30 days|60 days", False),
        (f"{IN_4}a licence is free.", "section 4||", False),
        (f"{IN_HEBREW} המילים “30 ימים” הופכות ל“60 ימים”.", "סעיף 4|30 ימים|60 ימים", True),
        (f"{IN_HEBREW} המילים “30 ימים” הופכות ל“60 ימים”.", "סעיף 4|60 ימים|30 ימים", False),
        (f"{IN_HEBREW} המילים “60 ימים” באות במקום המילים “30 ימים”.", "סעיף 4|30 ימים|60 ימים", True),
        (f"{IN_HEBREW} המילים “60 ימים” באות במקום המילים “30 ימים”.", "סעיף 4|60 ימים|30 ימים", False),
    ],
)
def test_a_proposal_is_all_that_an_unread_instruction_says(line: str, said: str, is_all: bool) -> None:
    place, old, new = said.split("|")
    one = read(line)
    assert one.action is Action.UNREAD
    assert says_all(Correction(place=place, old=old, new=new), one) is is_all
