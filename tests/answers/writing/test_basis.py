"""What an answer says of itself: its quotes, whether a model read them, and what of the question they lack."""

from dataclasses import replace

from answers.writing.basis import MAX_LACKING, basis_of
from answers.writing.protocol import AnswerCitation
from search.results import Match, SearchHit
from tests.answers.asking.passages import asked, passage

RULE = "The keeper of the pier is appointed for five years."
RULE_HE = "שומר המזח ימונה לחמש שנים."


def cited(n: int, source_id: int, *, quote: str = "", chunk_id: int = 0) -> AnswerCitation:
    places = {"title": "", "identifier": "", "kind": "law", "page": None, "section": ""}
    return AnswerCitation(n=n, chunk_id=chunk_id or n, source_id=source_id, quote=quote, **places)  # type: ignore[arg-type]


def basis(question: str, *passages: SearchHit, by_model: bool = False) -> str:
    quotes = [cited(n, one.source.id, quote=one.text, chunk_id=one.chunk_id) for n, one in enumerate(passages)]
    return basis_of(quotes, asked(question, list(passages)), by_model=by_model)


def test_what_was_done_is_said_and_no_more() -> None:
    three = [cited(1, 5), cited(2, 5), cited(3, 6)]
    who, he = asked("Who?", []), asked("מי?", [])
    assert basis_of(three, who, by_model=False).startswith("3 quotes of 2 documents. No model has read them.")
    assert basis_of(three[:1], who, by_model=False).startswith("One quote of one document. No model has read it.")
    assert basis_of(three[:1], he, by_model=False).startswith("ציטוט אחד ממסמך אחד. שום מודל לא קרא אותו.")
    assert "A model wrote the answer." in basis_of(three, who, by_model=True)


def test_words_of_the_question_that_no_quote_has_are_told() -> None:
    assert basis("For how long is the keeper of the pier appointed?", passage(RULE)).endswith(" No model has read it.")
    assert basis("What salary has the keeper of the pier?", passage(RULE)).endswith(
        " It lacks words of the question: salary."
    )
    assert basis("What salary has the keeper of the pier?", passage(RULE), passage(RULE)).endswith(
        " They lack words of the question: salary."
    )
    assert basis("מה שכרו של שומר המזח?", passage(RULE_HE)).endswith(" חסרות בו מילים מן השאלה: שכרו.")


def test_a_word_that_is_there_in_another_form_is_not_lacking() -> None:
    for question, rule in (
        (
            "Which documents does the keeper of the pier attach?",
            "The keeper of the pier states the documents attached.",
        ),
        ("מה יש לצרף לבקשה של שומר המזח?", "לבקשת שומר המזח יצורפו תעודות."),
        ("איך מסמנים את המזח?", "סימון המזח ייעשה בידי השומר."),
    ):
        assert "lack" not in basis(question, passage(rule))
        assert "חסרות" not in basis(question, passage(rule))


def test_general_words_are_not_told() -> None:
    assert "lacks" not in basis("What does the keeper of the pier need to get done?", passage(RULE))


def test_what_stands_above_a_quote_names_it_too() -> None:
    held = replace(passage(RULE), heading="Salaries")
    assert "lacks" not in basis("What salary has the keeper of the pier?", held)


def test_of_very_many_words_the_first_are_told() -> None:
    words = [f"harbour{letter}" for letter in "abcdefghijklm"]
    told = basis(f"Is the keeper {' '.join(words)}?", passage(RULE)).partition(": ")[2]
    assert told == f"{', '.join(words[:MAX_LACKING])}."


def test_who_asks_for_a_section_asks_for_whatever_it_says() -> None:
    held = replace(passage(RULE), match=Match.CITATION)
    assert "lacks" not in basis("What salary does section 4 of the Pier Act set?", held)


def test_what_a_model_wrote_is_read_by_it() -> None:
    assert "lacks" not in basis("What salary has the keeper of the pier?", passage(RULE), by_model=True)
