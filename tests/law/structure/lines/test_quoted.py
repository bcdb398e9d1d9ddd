"""Where new law for another act stands: one answer for sections, references and instructions."""

import pytest

from law.amendments.reading import read_instructions
from law.references.mentions import read_references
from law.structure.lines.quoted import MAX_UNCLOSED_LINES, QuotedLaw

LEAD = "3. After section 8 of the Ports Act 2010 insert—\n"
BEHIND = "\n4. Section 9 of that Act is repealed."


@pytest.mark.parametrize(
    ("quoted", "lines"),
    [
        ("“8A. Berths\nA berth is a place.”", ["8A. Berths", "A berth is a place."]),
        (  # marks inside
            "“8A. Berths\n“berth” means a place;\n“ship” means “vessel”;\nno more.”",
            ["8A. Berths", "“berth” means a place;", "“ship” means “vessel”;", "no more."],
        ),
        ("“(1) Berths are open.\n“(2) Ships pay.”", ["(1) Berths are open.", "“(2) Ships pay."]),  # opened again
        ("“8A. A berth\nis a place.”\n“8B. Ships pay.”.", ["8A. A berth", "is a place.", "8B. Ships pay."]),
        ('"8A. Berths\nA "berth" is a place."', ["8A. Berths", 'A "berth" is a place.']),
        ("“8A. Berths\n“berth”\nis a place.”", ["8A. Berths", "“berth”", "is a place."]),
        *((f"“8A. A berth\nis a place.”{mark}", ["8A. A berth", "is a place."]) for mark in ("¹", "1", "]", " (s. 5)")),
        ('"8A. A berth\nis a place."1', ["8A. A berth", "is a place."]),
        (
            "“8A. Berths\n" + "“(1) Ships pay.\n" * 199 + "“(2) Rafts too.”",
            ["8A. Berths", *["“(1) Ships pay."] * 199, "“(2) Rafts too."],
        ),
    ],
)
def test_a_quotation_is_new_law_up_to_the_mark_that_closes_it(quoted: str, lines: list[str]) -> None:
    text = LEAD + quoted + BEHIND
    law = QuotedLaw(text)
    starts = [text.index(line, len(LEAD)) for line in lines]
    assert [law.hold(start) for start in starts] == [True] * len(lines)
    assert not law.hold(len(LEAD) - 2)
    assert not law.hold(len(LEAD) + len(quoted) + 1)
    inserted, repealed = read_instructions(text)
    assert (list(inserted.text), repealed.amending) == (lines, ("4",))


@pytest.mark.parametrize(
    "text", ["“Berth” means a place.\n2. Fees", "5. The word “berth”\nstands here.", 'pay 5" of rain']
)
def test_without_words_that_change_an_act_nothing_is_new_law(text: str) -> None:
    assert not any(QuotedLaw(text).hold(place) for place in range(len(text)))


def test_what_never_closes_ends_all_the_same() -> None:
    text = LEAD + "“8A. Berths\n" + "A berth is a place.\n" * (2 * MAX_UNCLOSED_LINES)
    assert QuotedLaw(text).hold(len(LEAD) + 20)
    assert not QuotedLaw(text).hold(len(text) - 2)
    assert QuotedLaw("insert:\n“a\n" * 20_000).hold(9)


@pytest.mark.parametrize(
    "text",
    [
        "2. Section 4 [omitted].\n3. In this Act—\n“berth means a place;\n“dock means a place;\n4. Ships pay.",
        "2. Definitions (as amended by Act 3 of 2004). In this Act—\n“berth means a place;\n4. Ships pay.",
        '1. החוק תוקן.\n2. בחוק זה במקום הגדרות –\n"רופא" – מי שמורשה;\n"שר – שר הבריאות;\n4. אסור.',
        "1. The Supplier inserted the schedule.\n“Supplier shall pay\n4. Term. One year.",
        "2. The words were deleted.\n3. He said:\n“Ships pay.\n4. Rafts too.”",
        "3. In section 3, after “a” insert “or a ship.\n4. After section 9 insert—\n“9A. Ships pay.\n9B. Rafts too.”",
    ],
)
def test_a_mark_that_never_closes_in_another_section_swallows_none(text: str) -> None:
    assert not QuotedLaw(text).hold(text.index("\n4. ") + 1)
    assert QuotedLaw(text).hold(text.find("9B.")) == ("9B." in text)


def test_one_that_never_closes_leaves_those_before_it_whole() -> None:
    text = "2. Section 8 is amended to read as\n“8. A\n“berth” is a place.\n9. Rafts too.”\n“10. Ships pay.\n3. Own."
    assert [QuotedLaw(text).hold(text.index(line)) for line in ("9. Rafts", "3. Own")] == [True, False]


def test_words_that_replace_lead_new_law() -> None:
    text = "2. Section 9 of the Act is replaced by the following:\n“9. Ships pay.\n10. Rafts too.”\n3. Own."
    assert [QuotedLaw(text).hold(text.index(line)) for line in ("9. Ships", "10.", "3. Own")] == [True, True, False]


def test_a_section_that_is_cited_in_new_law_is_not_of_the_act_that_brings_it() -> None:
    text = LEAD + "“8A. Berths\nBerths are open under section 2.”\n“8B. Ships\nShips pay under section 3.”" + BEHIND
    cited = read_references(text, [], title="Ports (Amendment) Act 2020", kind="law")
    assert [(one.number, one.internal) for one in cited if one.number in "23"] == [("2", False), ("3", False)]


def test_a_misprinted_mark_does_not_swallow_what_is_behind_it() -> None:
    text = "2. In section 4 for “the fee ”, substitute “a fee”.\n3. Berths\nBerths are open."
    assert not QuotedLaw(text).hold(text.index("3. Berths"))
