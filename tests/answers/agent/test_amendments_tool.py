"""The tool `read_amending_instructions`."""

import pytest

from answers.agent import read_amending_instructions
from answers.agent.passages import MAX_RESULT_LENGTH
from tests.factories import first_topic, make_topic
from tests.ingest.consolidation.acts import AMENDING
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db


def lines(text: str, address: str = "") -> list[str]:
    source = add_document(text, kind="law", title="Harbours Reform Act")
    return read_amending_instructions(first_topic()).run({"address": f"{source.pk}{address}"}).split("\n")


def test_each_instruction_has_its_line_with_its_place_its_words_and_its_day() -> None:
    head, *said = lines(AMENDING)
    assert head == "Instructions of “Harbours Reform Act” to change other acts, as rules read them: 5."
    assert said[0] == (
        "1. section 1(1). replace. act: “Ports Act 2010”. place: 3(2) (“Subsection 3(2)”). from 2025-03-04."
        " says: “Subsection 3(2) of the Ports Act 2010 is replaced by the following”."
        " new text: “(2) A licence is valid for 45 days.”."
    )
    assert "day unknown" in said[4]


def test_a_section_has_its_own_and_says_what_was_not_understood() -> None:
    text = AMENDING.replace("Customs Act is repealed.", "Customs Act is amended boldly.")
    head, *said = lines(text, "#sec_2")
    assert head.endswith("#sec_2 to change other acts, as rules read them: 1.")
    assert "not understood: “boldly.”" in said[0]


def test_hebrew_words_are_as_they_stand() -> None:
    text = 'חוק לתיקון חוק הגינות\n1. תיקון\nבסעיף 6 לחוק הגינות, במקום "השר" יבוא "שר הפנים".'
    [line] = lines(text)[1:]
    assert "replace_words. act: “חוק הגינות”. place: 6 (“סעיף 6”). old words: “השר”. new words: “שר הפנים”" in line


def test_what_is_not_there_or_of_another_topic_is_said() -> None:
    tool = read_amending_instructions(make_topic(slug="elsewhere"))
    source = add_document(AMENDING, kind="law", title="Harbours Reform Act")
    assert tool.run({"address": str(source.pk)}).startswith(f"There is no document {source.pk} in the topic")
    own = read_amending_instructions(first_topic())
    assert own.run({"address": f"{source.pk}#sec_99"}) == f"There is no provision at {source.pk}#sec_99."
    assert own.run({"address": f"{source.pk}#sec_1__subsec_1"}).endswith("name the section that it stands in.")
    assert own.run({"address": "the Ports Act"}).startswith("That is no address.")


def test_an_act_that_is_too_long_to_be_read_is_told() -> None:
    assert lines(f"{AMENDING}\n{'word ' * 60_000}") == [
        "The act has more than 300,000 characters, so its instructions are not read here."
    ]


def test_a_long_act_says_how_many_are_left_out() -> None:
    text = "Fees Act\n" + "\n".join(
        f"{number}. Change\nIn section {number} of the Ports Act 2010, for “{'a' * 200}” substitute “b”."
        for number in range(1, 80)
    )
    told = lines(text)
    assert sum(map(len, told)) < MAX_RESULT_LENGTH
    assert told[-1].endswith("more were left out. Ask for one section, such as 12#sec_7.")
