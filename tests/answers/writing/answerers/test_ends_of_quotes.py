"""Where the quotes of the offline answerer begin and end: headings, lists, numbers of sections."""

from dataclasses import replace

import pytest

from answers.writing.answerers.extractive import quotes
from answers.writing.protocol import Text
from search.results import Match
from sources.citations import CitedClause
from tests.answers.asking.passages import asked, passage
from tests.answers.writing.answerers.test_extractive import FILLER, FINE, HEBREW_FILLER, pieces_of, quoted, run


def test_a_list_comes_with_its_lead_in_and_to_its_end() -> None:
    lead = "The keeper of the pier shall have on board at all times each of these: "
    items = ["(a) a lantern that burns for a night;", "(b) a rope of forty fathoms;", "(c) a bell."]
    text = FILLER * 3 + lead + "\n".join(items) + "\n" + FILLER * 3
    expected = lead + "\n".join(items)
    assert run(text, "How long must the rope be?") == expected
    assert run(text, "What must the keeper of the pier have on board?") == expected


@pytest.mark.parametrize("dash", [" –", "—"])
def test_a_dash_opens_a_list_too(dash: str) -> None:
    fees = f"המעגן סירה ישלם את אלה{dash}\n(1) קנס של ארבעים כתרים;\n(2) דמי עגינה."
    text = f"{HEBREW_FILLER * 3}\n{fees}\n{HEBREW_FILLER * 3}"
    assert run(text, "מה גובה הקנס בכתרים?") == fees


def test_a_heading_is_never_quoted_alone() -> None:
    heading = "Fines for mooring overnight"
    text = f"{heading}\n{FILLER * 3}{FINE}"
    question = "What are the fines for mooring overnight?"
    [quote] = quoted(asked(question, [passage(text, heading=heading)]))
    assert quote != heading
    assert quotes(asked(question, [passage(f"3. {heading}", heading=heading), passage(heading, path=(heading,))])) == []
    assert run(f"{FILLER * 4}\nMooring a boat overnight\n{FINE}\n{FILLER}", "Mooring a boat overnight?").endswith(
        FINE.strip()
    )


def test_an_item_whose_lead_in_is_far_away_stands_alone() -> None:
    items = "".join(f"({number}) a lamp of the kind that is described in the annex;\n" for number in range(30))
    text = "The keeper of the pier shall have on board each of these:\n" + items + "(x) a rope of forty fathoms."
    assert run(text, "How long must the rope be?") == "(x) a rope of forty fathoms."


def test_a_quote_begins_below_its_heading_and_says_where_cut() -> None:
    headed = passage(f"16. Guidance\n{FINE}", heading="Guidance")
    assert quoted(asked("What fine is paid for mooring a boat overnight?", [headed])) == [FINE.strip()]
    endless = passage("Who moors " + "a boat or a ferry or " * 90 + "a raft pays.", match=Match.CITATION)
    clause = CitedClause(eid="sec_1__subsec_a", within="sec_1", start=0, end=len(endless.text))
    question = asked("section 1(a)", [replace(endless, clauses=(clause,))])
    said = "".join(piece.text for piece in pieces_of(question) if isinstance(piece, Text))
    assert said.endswith(" …\n\n")
    assert "…" not in "".join(one.text for one in pieces_of(asked("the fine", [headed])) if isinstance(one, Text))


@pytest.mark.parametrize("text", [f"4.1.1 {FINE}", f"4.1.1. Moorings\n{FINE}", f"4.1.1\n{FINE}"])
def test_a_quote_begins_below_the_number_of_its_section(text: str) -> None:
    found = replace(passage(text.strip()), section="4.1.1", heading="Moorings")
    assert quoted(asked("What fine does one pay who moors a boat overnight?", [found])) == [FINE.strip()]


@pytest.mark.parametrize("last", ["; and", "; or", ", and", ";", ""])
def test_a_list_is_quoted_to_its_last_item(last: str) -> None:
    items = ["(a) a lantern that burns for a night", "(b) a rope of forty fathoms", "(c) a bell of brass or of iron"]
    text = (
        FILLER * 3 + "(1) The keeper of the pier shall have—\n" + ";\n".join(items[:2]) + last + "\n" + items[2] + ".\n"
    )
    text += "(2) " + FILLER * 3
    said = run(text, "What must the keeper of the pier have?")
    assert said.startswith("(1) The keeper")
    assert said.endswith("of iron.")


def test_a_list_that_is_too_long_says_that_it_goes_on() -> None:
    items = "".join(
        f"({number}) a lamp of the kind that is described in the annex, and a wick;\n" for number in range(1, 41)
    )
    question = asked(
        "What must the keeper of the pier have?", [passage(f"The keeper of the pier shall have:\n{items}")]
    )
    said = "".join(piece.text for piece in pieces_of(question) if isinstance(piece, Text))
    assert said.startswith("The keeper of the pier shall have:")
    assert said.endswith("a wick; …\n\n")


def test_abbreviations_end_no_quote() -> None:
    rule = (
        "Under s. 5 and art. 7 of the rules, no boat is moored at the pier (see para. 3 of ch. 2) without a lantern. "
    )
    assert run(FILLER * 3 + rule + FILLER * 3, "Is a boat moored without a lantern?") == rule.strip()
