"""When the service is silent without a model, in topics of one passage and of many, in both languages."""

import math
from dataclasses import replace
from typing import Any

import pytest

from answers.asking.ask import prepare
from answers.writing.answerers.extractive import quotes
from answers.writing.evidence import is_askable, min_coverage
from answers.writing.protocol import AnswerRequest
from search.results import Match
from sources.scope import Scope
from tests.answers.asking.passages import asked, passage
from tests.factories import first_topic
from tests.search.corpus import add_source, section

BORROWING = "כל תושב זכאי לשאול עד חמישה ספרים לתקופה של שלושים ימים."
LATE = "המאחר בהחזרת ספר ישלם דמי איחור של שקל ליום. הספרן רשאי לפטור אותו מטעמים שיירשמו."
MOORING = "Whoever moors a boat overnight pays a fine of forty crowns to the harbour master."

KNOWN = [
    "כמה ספרים זכאי תושב לשאול?",
    "לאיזו תקופה ניתן לשאול ספרים?",
    "מה ישלם המאחר בהחזרת ספר?",
    "האם הספרן רשאי לפטור מדמי איחור?",
    "What is the fine for mooring a boat overnight?",
    "How many crowns does one pay to the harbour master?",
    "Who is fined for mooring?",
]
UNKNOWN = [
    "כמה ימי חופשה מגיעים לעובד?",
    "מה העונש על נהיגה ללא רישיון?",
    "מהי עיר הבירה של מונגוליה?",
    "מי רשאי לתת צו הריסה?",
    "What is the orbit of Jupiter?",
    "How many days of leave does a worker earn?",
    "Who is liable when a dog bites a postman?",
    "Which court hears an appeal against a deportation order?",
]


def is_answered(question: str) -> bool:
    prepared = prepare(question, scope=Scope(topic_id=1), topic=first_topic())
    return is_answerable(prepared.asked)


def is_answerable(asked: AnswerRequest) -> bool:
    return is_askable(asked) and bool(quotes(asked))


@pytest.fixture
def six_passages(db: None) -> None:
    add_source(section("2", "השאלה", BORROWING), section("3", "איחור", LATE), title="חוק הספריות", kind="law")
    add_source(MOORING, "The pier closes at nine.", "The bell rings at noon.", "A keeper has a lantern.", title="Pier")


def test_how_long_it_is_valid_is_answered_by_what_stays_in_force(db: None) -> None:
    sections = [
        section("2", "חובת רישיון", "לא יפעיל אדם מעגן אלא לפי רישיון שנתן לו הרשם."),
        section("4", "בקשה לרישיון", "בקשה לרישיון תוגש לרשם בכתב."),
        section("8", "תוקף", "רישיון יעמוד בתוקפו שלוש שנים מיום שניתן."),
        section("9", "ביטול", "השר רשאי לבטל רישיון, לאחר שנתן לבעליו הזדמנות לטעון את טענותיו."),
    ]
    add_source(*sections, title="חוק רישוי מעגנים", kind="law")
    for question in ("כמה זמן הרישיון תקף?", "לכמה זמן רישיון תקף?"):
        asked = prepare(question, scope=Scope(topic_id=1), topic=first_topic()).asked
        said = [asked.passages[quote.passage].text[quote.start : quote.end] for quote in quotes(asked)]
        assert said[:1] == ["רישיון יעמוד בתוקפו שלוש שנים מיום שניתן."], question


@pytest.mark.usefixtures("six_passages")
@pytest.mark.parametrize("question", KNOWN)
def test_what_the_documents_say_is_answered_in_a_topic_of_six_passages(question: str) -> None:
    assert is_answered(question)


@pytest.mark.usefixtures("six_passages")
@pytest.mark.parametrize("question", UNKNOWN)
def test_what_no_document_speaks_of_is_not(question: str) -> None:
    assert not is_answered(question)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "question"),
    [(BORROWING, KNOWN[0]), (BORROWING, KNOWN[1]), (LATE, KNOWN[2]), (LATE, KNOWN[3]), (MOORING, KNOWN[4])],
)
def test_a_single_passage_answers_what_it_says_and_nothing_else(text: str, question: str) -> None:
    add_source(text, title="")
    assert is_answered(question)
    assert [unknown for unknown in UNKNOWN if is_answered(unknown)] == []


@pytest.mark.django_db
@pytest.mark.parametrize("question", KNOWN)
def test_an_empty_topic_answers_nothing(question: str) -> None:
    assert not is_answered(question)


@pytest.mark.usefixtures("six_passages")
@pytest.mark.parametrize("question", ["מה קובע סעיף 3 לחוק הספריות?", "סעיף 3 לחוק הספריות"])
def test_a_section_that_is_cited_is_evidence_whatever_its_words(question: str) -> None:
    assert is_answered(question)


@pytest.mark.usefixtures("six_passages")
def test_question_words_alone_are_no_evidence_of_anything_else() -> None:
    add_source("מתי, איפה וכמה? כל אלה שאלות שהספרן רשאי לשאול.", title="")
    assert not is_answered("מתי ואיפה נולד המלחין של הסימפוניה הפסטורלית?")


def test_longer_question_the_smaller_the_share_that_suffices() -> None:
    shares = [min_coverage(words) for words in (0, 1, 3, 8, 20, 60)]
    assert shares == sorted(shares, reverse=True)
    assert [math.ceil(words * min_coverage(words)) for words in (3, 9, 14, 20)] == [3, 5, 6, 7]
    assert min_coverage(60) == min_coverage(20)
    assert min_coverage(3, lead=1.0) < min_coverage(3, lead=0.5) < min_coverage(3)


def test_long_question_is_answered_by_sentence_about_some_of_it() -> None:
    question = (
        "Could a visitor who moors a boat overnight, without telling the harbour master, be made to pay, or lose the"
        " berth?"
    )
    assert is_answerable(asked(question, [passage(MOORING)]))
    assert not is_answerable(asked(question, [passage("A visitor pays a toll to the master.")]))


def test_similarity_alone_is_evidence_from_a_set_threshold_on(settings: Any) -> None:
    def near(similarity: float | None) -> bool:
        found = passage(MOORING, match=Match.SEMANTIC, coverage=0.0, similarity=similarity)
        return is_answerable(asked("What does berthing cost?", [found]))

    assert not near(1.0)
    settings.KB_LEAST_SIMILARITY = 0.6
    assert [near(similarity) for similarity in (0.7, 0.6, 0.5, None)] == [True, True, False, False]


def test_a_sentence_that_may_answer_asks_for_no_number_and_may_be_a_definition() -> None:
    definition = "“berth” means the place of one boat at the pier, within the harbour;"
    question = asked("How many boats have a berth at the pier?", [passage(definition)])
    assert not is_answerable(question)
    assert is_answerable(replace(question, by_sentence=True))


def test_one_passage_is_enough_and_a_citation_needs_no_words() -> None:
    poor, good = passage("The pier closes at nine."), passage(MOORING)
    assert not is_answerable(asked("What is the fine for mooring?", [poor, poor]))
    assert is_answerable(asked("What is the fine for mooring?", [poor, good]))
    cited = replace(poor, match=Match.CITATION)
    assert is_answerable(asked("What does it say?", [cited]))
    assert is_answerable(asked("What is the fine?", [cited]))  # it has none, as who reads it sees
    assert not is_answerable(asked("What is the fine?", []))
