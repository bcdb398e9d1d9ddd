"""An act and an amending act in, the act as it reads from a day on out."""

import pytest

from law.amendments.consolidating import consolidate
from law.amendments.finding import Failure
from tests.law.amendments.acts import DAY, HEAD, ports, section


def test_a_clause_is_replaced_with_its_note() -> None:
    act = ports(
        "1.",
        "Subsection 3(2) of the Ports Act 2010 is replaced by the following:",
        "[Duration]",
        "(2) A licence is valid for 45 days.",
    )
    assert section(act, "3")[1:4] == [
        "(1) No person shall moor a ship without a licence.",
        "[Duration]",
        "(2) A licence is valid for 45 days.",
    ]
    assert act.outcomes[0].sections == ("3",)


def test_the_words_before_a_list_are_replaced_and_the_list_stays() -> None:
    act = ports(
        "1.",
        "The portion of subsection 3(3) of the Ports Act 2010 before paragraph (a) is replaced by the following:",
        "(3) The registrar shall refuse a licence if",
    )
    assert section(act, "3")[4:7] == [
        "(3) The registrar shall refuse a licence if",
        "(a) the ship is not insured; or",
        "(b) a fee is owed.",
    ]


def test_a_list_goes_on_with_its_joining_word_in_the_right_place() -> None:
    act = ports(
        "1.",
        "Subsection 3(3) of the Ports Act 2010 is amended by striking out “or” at the end of paragraph (a), by adding"
        " “or” at the end of paragraph (b) and by adding the following after paragraph (b):",
        "(c) the berth is taken.",
    )
    assert section(act, "3")[5:8] == [
        "(a) the ship is not insured;",
        "(b) a fee is owed; or",
        "(c) the berth is taken.",
    ]


def test_words_behind_a_list_do_not_belong_to_its_last_clause() -> None:
    act = ports(
        "1.",
        "Paragraph (b) of the definition ship in section 2 of the Ports Act 2010 is replaced by the following:",
        "(b) carries goods,",
    )
    assert section(act, "2")[-3:] == ["(b) carries goods,", "but does not include a raft.", "Licences"]


def test_definitions_come_in_their_place_go_and_are_replaced() -> None:
    act = ports(
        "1.",
        "(1) Section 2 of the Ports Act 2010 is amended by adding the following in alphabetical order:",
        "inspector means a person who is named by the registrar;",
        "(2) The definitions berth and master in section 2 of the Act are repealed.",
    )
    assert section(act, "2")[2:6] == [
        "berth [Repealed, 2025, c. 7, s. 1]",
        "harbour means a harbour that is named in an order; (port)",
        "inspector means a person who is named by the registrar;",
        "master [Repealed, 2025, c. 7, s. 1]",
    ]


def test_sections_are_inserted_replaced_and_noted_as_repealed() -> None:
    act = ports(
        "1.",
        "The Ports Act 2010 is amended by adding the following after section 5:",
        "5.1. Costs",
        "The court may award costs.",
        "6. Records",
        "The registrar keeps records.",
        "2.",
        "Section 4 of the Act is repealed.",
    )
    assert section(act, "5.1") == ["5.1. Costs", "The court may award costs."]
    assert section(act, "6") == ["6. Records", "The registrar keeps records."]
    assert section(act, "4")[:2] == ["4.", "[Repealed, 2025, c. 7, s. 2]"]


def test_a_section_without_clauses_becomes_its_first() -> None:
    act = ports(
        "1.",
        "Section 4 of the Ports Act 2010 is renumbered as subsection 4(1) and is amended by adding the following:",
        "(2) No fee is paid for a raft.",
    )
    assert section(act, "4")[1:3] == [
        "(1) A fee is paid to a registrar within 30 days.",
        "(2) No fee is paid for a raft.",
    ]


def test_words_change_with_their_article_and_in_a_list_of_provisions() -> None:
    act = ports(
        "1.",
        "Every reference to “registrar” is replaced by a reference to “officer” in the following provisions:",
        "(a) in the Ports Act 2010,",
        "(i) subsection 3(3), and",
        "(ii) section 4; and",
        "(b) section 9 of the Customs Act.",
    )
    assert section(act, "4")[1] == "A fee is paid to an officer within 30 days."
    assert section(act, "3")[4] == "(3) The officer may refuse a licence if"
    assert [one.failure for one in act.outcomes] == [None, None, Failure.TARGET_UNKNOWN]


def test_a_list_ends_as_the_acts_of_the_country_end_it() -> None:
    added = ports(
        "1.",
        "Subsection 3(3) of the Ports Act 2010 is amended by striking out “or” at the end of paragraph (a)"
        " and by adding the following after paragraph (b):",
        "(c) the ship is a wreck.",
    )
    assert section(added, "3")[5:] == [
        "(a) the ship is not insured;",
        "(b) a fee is owed;",
        "(c) the ship is a wreck.",
        *section(added, "3")[8:],
    ]
    fewer = ports(
        "1.",
        "Subsection 3(3) of the Ports Act 2010 is amended by striking out “or” at the end of paragraph (a)"
        " and by repealing paragraph (b).",
    )
    assert section(fewer, "3")[5:7] == ["(a) the ship is not insured.", "(b) [Repealed, 2025, c. 7, s. 1]"]


def test_a_clause_that_gets_a_joining_word_keeps_the_sign_of_those_beside_it() -> None:
    act = ports(
        "1.",
        "The definition ship in section 2 of the Ports Act 2010 is amended by striking out “or” at the end of"
        " paragraph (a), by adding “or” at the end of paragraph (b) and by adding the following after paragraph (b):",
        "(c) carries fish,",
    )
    lines = section(act, "2")
    assert lines[lines.index("ship means a vessel that") + 1 :][:3] == [
        "(a) is longer than ten metres,",
        "(b) carries passengers, or",
        "(c) carries fish,",
    ]


def test_a_definition_stands_before_those_whose_terms_begin_with_it() -> None:
    act = ports(
        "1.",
        "(1) Section 2 of the Ports Act 2010 is amended by adding the following in alphabetical order:",
        "ship owner means whoever owns a ship;",
        "(2) The definitions ship and master in section 2 of the Act are replaced by the following:",
        "ship means a vessel;",
        "master means whoever commands a ship;",
    )
    assert [line.split(" means")[0] for line in section(act, "2")[2:7]] == [
        "berth",
        "harbour",
        "master",
        "ship",
        "ship owner",
    ]


def test_the_british_form_names_a_place_once_for_a_list() -> None:
    act = ports(
        "1. Amendment of licences",
        "In section 3 of the Ports Act 2010—",
        "(a) in subsection (2), for “30 days” substitute “45 days”;",
        "(b) after subsection (2) insert—",
        "“(2A) A licence may be renewed once.”;",
        "(c) omit paragraph (b) of subsection (3).",
    )
    assert section(act, "3")[3:5] == ["(2) A licence is valid for 45 days.", "(2A) A licence may be renewed once."]


MARINAS = """\
Marinas Act 2011
1. Short title
This Act may be cited as the Marinas Act 2011.
Wardens and Pilots
2.
[Repealed, 2015, c. 4, s. 2]
3. Costs of wardens
(1) A warden pays costs.
4. Fees
A fee is paid.
Old Amendments
5 to 9.
[Amendments]
Coming into Force
10. Beginning
This Act comes into force on a day.
"""


@pytest.mark.parametrize(
    ("said", "gone", "new"),
    [
        ("The heading before section 3 of the Marinas Act 2011 is repealed.", ["Wardens and Pilots"], []),
        (
            "Section 4 of the Marinas Act 2011 is replaced by the following:\n4. Fees\nNo fee is paid.",
            ["A fee is paid."],
            ["No fee is paid."],
        ),
        (
            "Every reference to “warden” and “wardens” is replaced by a reference to “quay agent” and “quay agents”, "
            "respectively, in the following provisions:\n(a) in the Marinas Act 2011, the heading before section 3.",
            ["Wardens and Pilots"],
            ["Quay Agents and Pilots"],
        ),
        (
            "Every reference to “warden” and “wardens” is replaced by a reference to “quay agent” and “quay agents”, "
            "respectively, in the following provisions:\n(a) in the Marinas Act 2011, subsection 3(1).",
            ["3. Costs of wardens", "(1) A warden pays costs."],
            ["3. Costs of quay agents", "(1) A quay agent pays costs."],
        ),
    ],
)
def test_nothing_but_what_is_named_changes(said: str, gone: list[str], new: list[str]) -> None:
    """What is repealed stays, also between a heading and its section, and so does a line for a range of sections."""
    made = consolidate(text=MARINAS.strip(), titles=["Marinas Act 2011"], amending=f"{HEAD}1.\n{said}", on=DAY)
    before, after = MARINAS.strip().split("\n"), made.text.split("\n")
    assert [one.failure for one in made.outcomes] == [None]
    assert [line for line in before if line not in after] == gone
    assert [line for line in after if line not in before] == new


@pytest.mark.parametrize(
    ("new", "printed"),
    [
        ("officer", "An officer"),
        ("user", "A user"),
        ("union", "A union"),
        ("uninsured master", "An uninsured master"),
        ("heir", "An heir"),
        ("European ship", "A European ship"),
        ("one-armed master", "A one-armed master"),
    ],
)
def test_an_article_goes_with_the_sound_of_the_word_behind_it(new: str, printed: str) -> None:
    act = ports("1.", f"Section 5 of the Ports Act 2010 is amended by replacing “person” with “{new}”.")
    assert section(act, "5")[1] == f"{printed} who contravenes section 3 is liable to a fine."
