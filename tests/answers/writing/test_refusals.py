"""What is said where there is no answer, in both languages."""

from dataclasses import replace
from datetime import date

import pytest

from answers.writing.protocol import RefusalReason
from answers.writing.refusals import refusal
from search.results import Match, SearchHit
from sources.citations import UnresolvedCitation
from tests.answers.asking.passages import asked, passage

RULE = "A boat that is moored overnight at the pier has a lantern."


def titled(held: SearchHit, title: str, *, section: str = "") -> SearchHit:
    return replace(held, section=section, source=replace(held.source, title=title))


def test_what_comes_nearest_is_named_and_shown() -> None:
    nearest = titled(passage(RULE), "Pier Act", section="4")
    said = refusal(asked("Who paints the lantern of a boat that is moored at the pier?", [nearest, passage("A bell.")]))
    assert said.said == (
        "No sentence was found that answers the question. The nearest is section 4, Pier Act."
        " It lacks words of the question: paints."
    )
    assert said.reason is RefusalReason.NO_SENTENCE
    assert [(one.text, one.place) for one in said.passages] == [(RULE, "section 4")]


def test_a_title_that_ends_in_a_full_stop_ends_the_sentence_once() -> None:
    nearest = titled(passage(RULE), "Chapter 1. Piers.", section="4")
    said = refusal(asked("Who paints the lantern of a boat that is moored at the pier?", [nearest]))
    assert " The nearest is section 4, Chapter 1. Piers. It lacks" in said.said


def test_what_comes_nearest_may_not_be_the_first() -> None:
    later = passage("The lantern of a boat is red.")
    said = refusal(asked("Who paints the lantern of a boat?", [passage("A bell."), later]))
    assert [one.text for one in said.passages] == [later.text]


def test_a_passage_of_an_act_that_is_asked_about_is_near() -> None:
    lamp, bell = titled(passage("A red lamp burns."), "Gondolas Act", section="4"), passage("A red lamp of the pier.")
    said = refusal(asked("What colour is a gondola?", [lamp, replace(bell, score=lamp.score)]))
    assert said.said.endswith("The nearest is section 4, Gondolas Act. It lacks words of the question: colour.")


def test_one_word_of_many_is_not_near() -> None:
    said = refusal(asked("Which planet has a pier of frozen methane rivers?", [passage(RULE)]))
    assert (said.reason, said.passages) == (RefusalReason.NOTHING_NEAR, ())
    assert said.said.endswith("Their meaning was not compared.")
    compared = refusal(asked("Which planet has frozen methane rivers?", [passage(RULE, similarity=0.1)]))
    assert compared.said == "The documents here do not answer this question."


def test_without_passages_nothing_is_near() -> None:
    assert refusal(asked("מה צבע הפנסים?", [])).reason is RefusalReason.NOTHING_NEAR


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "9. [Repealed, 2004, c. 12, s. 3]",
            "Section 9 of Pier Act is repealed. The document says: “[Repealed, 2004, c. 12, s. 3]”"
            " It does not say since when.",
        ),
        (
            "9. [Repealed by Act 31 of 2022 wef 1 November 2022]",
            "Section 9 of Pier Act is repealed. The document says: “[Repealed by Act 31 of 2022 wef 1 November 2022]”",
        ),
        (
            "9. [Repealed on 1 November 2022]",
            "Section 9 of Pier Act is repealed. The document says: “[Repealed on 1 November 2022]”"
            " It does not say by what.",
        ),
        (
            "9. Repealed.",
            "Section 9 of Pier Act is repealed. The document says: “Repealed.”"
            " It does not say by what, nor since when.",
        ),
    ],
)
def test_a_repealed_section_is_said_to_be_repealed(text: str, said: str) -> None:
    stub = titled(passage(text, match=Match.CITATION), "Pier Act", section="9")
    found = refusal(asked("What does section 9 of the Pier Act say?", [stub, passage(RULE)]))
    assert (found.said, found.reason) == (said, RefusalReason.REPEALED)
    assert [one.text for one in found.passages] == [text]


def test_a_day_that_the_document_does_not_say_is_that_of_its_version() -> None:
    stub = titled(passage("9. Repealed.", match=Match.CITATION), "Pier Act", section="9")
    known = replace(asked("What does section 9 of the Pier Act say?", [stub]), repealed_since=date(2023, 1, 1))
    assert refusal(known).said.endswith(
        "“Repealed.” It is so in the version that is in force since 1 Jan 2023. It does not say by what."
    )


def test_documents_in_another_language_are_not_said_to_hold_no_answer() -> None:
    rule = titled(passage("סירה העוגנת בלילה ליד המזח חייבת בפנס."), "חוק המזח", section="4")
    question = replace(asked("Who paints the lantern of a boat?", [rule]), other_language=True)
    silent = refusal(question)
    assert (silent.reason, silent.passages) == (RefusalReason.OTHER_LANGUAGE, ())
    assert silent.said.startswith("The documents are in another language than the question")
    compared = refusal(replace(question, passages=(replace(rule, similarity=0.4),)))
    assert compared.said.endswith("only meanings were compared. The nearest is סעיף 4, חוק המזח.")
    assert [one.text for one in compared.passages] == [rule.text]
    hebrew = replace(asked("מי צובע את הפנסים?", [passage(RULE)]), other_language=True)
    assert refusal(hebrew).said.startswith("המסמכים כתובים בשפה אחרת")


def test_of_a_long_question_less_is_near() -> None:
    said = "Could the keeper say which lanterns, bells, ropes or sails a boat that is moored overnight must carry?"
    assert refusal(asked(said, [passage(RULE)])).reason is RefusalReason.NO_SENTENCE


def test_a_repealed_section_is_said_to_be_repealed_in_hebrew() -> None:
    stub = titled(passage("9. (בוטל).", match=Match.CITATION), "חוק המזח", section="9")
    found = refusal(asked("מה קובע סעיף 9 לחוק המזח?", [stub]))
    assert found.said == "סעיף 9 של חוק המזח בוטל. במסמך נאמר: ״(בוטל).״ לא נאמר בו במה בוטל וממתי."


def test_a_section_that_is_only_mentioned_as_repealed_does_not_just_not_exist() -> None:
    missing = UnresolvedCitation(source_id=5, title="Pier Act", number="38")
    held = passage("37. The keeper has a bell. 38. [Repealed by Act 31 of 2022 wef 01/11/2022]")
    question = replace(asked("What does section 38 of the Pier Act say?", [held]), not_found=missing)
    assert refusal(question).reason is RefusalReason.REPEALED
    other = replace(question, passages=(passage("37. The keeper has a bell. See section 38 of the other Act."),))
    found = refusal(other)
    assert (found.reason, found.said) == (None, "Section 38 does not exist in Pier Act.")
