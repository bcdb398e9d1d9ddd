"""From pieces to an answer: verified, numbered, dropped, and never a number that is not ours."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from answers.writing.compose import AnswerEvent, CitationEvent, Delta, Event, Record, compose
from answers.writing.protocol import (
    Answer,
    AnswerRequest,
    AnswerStatus,
    Claim,
    Fallback,
    Piece,
    RefusalReason,
    Refused,
    StatementEnd,
    Text,
    Truncated,
)
from search.results import Match, SearchHit, SourceCard

TEXT = "המאחר בהחזרת ספר ישלם דמי איחור של שקל ליום. הספרן רשאי לפטור מטעמים שיירשמו."
PASSAGE = SearchHit(
    rank=1,
    score=1.0,
    match=Match.LEXICAL,
    chunk_id=7,
    text=TEXT,
    highlights=(),
    page=2,
    section="3",
    heading="איחור",
    path=(),
    eid="sec_3",
    span_start=0,
    span_end=len(TEXT),
    cover=lambda: 0.9,
    source=SourceCard(
        id=5, topic_id=1, kind="law", title="חוק", identifier="ח-1", published_at=None, labels=(), work_id=5
    ),
)
OTHER = replace(PASSAGE, chunk_id=8, text="The fine is two shekels\n a day.", page=None)
FIRST, SECOND = "המאחר בהחזרת ספר ישלם דמי איחור של שקל ליום.", "הספרן רשאי לפטור מטעמים שיירשמו."


class Says:
    provider, model, key = "test", "script", None

    def __init__(self, *pieces: Piece) -> None:
        self.pieces = pieces

    async def answer(self, asked: AnswerRequest) -> AsyncGenerator[Piece]:
        for piece in self.pieces:
            yield piece


def run(*pieces: Piece, passages: Sequence[SearchHit] = (PASSAGE, OTHER)) -> tuple[list[Event], Answer, Record]:
    record = Record()
    asked = AnswerRequest(question="מה דינו של המאחר?", passages=tuple(passages))

    async def read() -> list[Event]:
        return [event async for event in compose(asked, Says(*pieces), started=0.0, record=record)]

    events = asyncio.run(read())
    assert isinstance(events[-1], AnswerEvent)
    return events[:-1], events[-1].answer, record


def test_numbers_follow_their_text_and_a_repeated_quote_has_one() -> None:
    events, answer, _ = run(
        Text("המאחר משלם שקל ליום. "),
        Claim(0, FIRST),
        Text("אפשר לפטור אותו."),
        Claim(0, SECOND),
        Text(" כאמור, שקל."),
        Claim(0, FIRST),
        Claim(0, FIRST),
    )
    assert answer.answer == "המאחר משלם שקל ליום. [1] אפשר לפטור אותו. [2] כאמור, שקל. [1]"
    assert [(citation.n, citation.quote) for citation in answer.citations] == [(1, FIRST), (2, SECOND)]
    assert "".join(event.text for event in events if isinstance(event, Delta)) == answer.answer
    assert [event.citation for event in events if isinstance(event, CitationEvent)] == list(answer.citations)


@pytest.mark.parametrize(
    "claim",
    [
        Claim(2, FIRST),
        Claim(-1, FIRST),
        Claim(0, "המאחר בהחזרת ספר ישלם דמי איחור של שני שקלים ליום."),
        Claim(1, FIRST),
        Claim(0, FIRST, label="kb:chunk:8"),
        Claim(0, "  "),
        Claim(0, "..."),
    ],
)
def test_a_claim_that_does_not_hold_is_dropped_and_counted(claim: Claim) -> None:
    _, answer, record = run(Text("כך."), claim)
    assert (answer.status, answer.citations, answer.dropped_citations) == (AnswerStatus.INSUFFICIENT_EVIDENCE, (), 1)
    assert record.dropped == [claim]
    assert answer.reason in set(RefusalReason)


def test_a_good_citation_stays_when_a_bad_one_falls() -> None:
    _, answer, _ = run(Text("כך."), Claim(9, "x"), Claim(0, FIRST, label="kb:chunk:7"))
    assert (answer.status, len(answer.citations), answer.dropped_citations) == (AnswerStatus.ANSWERED, 1, 1)
    assert answer.answer == "כך. [1]"


def test_white_space_may_differ_and_the_quote_is_the_stored_one() -> None:
    _, answer, _ = run(Text("Two."), Claim(1, "two shekels a  day."))
    assert answer.citations[0].quote == "two shekels\n a day."


@pytest.mark.parametrize(
    "texts",
    [
        ["A [[1]2] b [23]."],
        ["A [1, 2] b [^23]."],
        ["A 【3】 b 【4:0†source】【5†L1-L9】."],
        ["A [1][2] b [3†source] [1-3]."],
        ["A [", "1] b", " [2", "3]."],
        ["A", " ", "[", "1", "]", " b [23]", "."],
    ],
)
def test_a_number_that_the_model_wrote_itself_is_taken_out(texts: list[str]) -> None:
    _, answer, _ = run(*map(Text, texts), Claim(0, FIRST))
    assert answer.answer == "A b. [1]"


@pytest.mark.parametrize("text", ["[נוסח חדש]", "[2", "in [1990] it", "[]", "a [12345] b"])
def test_other_brackets_stay(text: str) -> None:
    _, answer, _ = run(Text(text + "."), Claim(0, FIRST))
    assert answer.answer == f"{text}. [1]"


def test_without_passages_the_answerer_is_not_asked() -> None:
    events, answer, _ = run(Text("x"), Claim(0, FIRST), passages=[])
    assert (events, answer.status) == ([], AnswerStatus.INSUFFICIENT_EVIDENCE)


def test_a_refusal_is_no_answer_whatever_was_said_before() -> None:
    pieces: list[Any] = [Text("כך."), Claim(0, FIRST), Refused("the model refused")]
    _, answer, record = run(*pieces)
    assert (answer.status, answer.citations, record.refused) == (
        AnswerStatus.INSUFFICIENT_EVIDENCE,
        (),
        "the model refused",
    )


def unsupported(answer: Answer) -> list[str]:
    return [answer.answer[start:end] for start, end in answer.unsupported]


def test_what_no_citation_supports_is_marked_or_removed() -> None:
    events, answer, record = run(
        Text("According to the documents:\n\n"),
        StatementEnd(),
        Text("The keeper may waive the fine."),
        Claim(0, SECOND),
        Text(" Most readers are pleased."),
        StatementEnd(),
        Text(" The fine doubles after 30 days."),
        Claim(0, "no such words"),
        StatementEnd(),
        Text("\n\nIt is "),
        StatementEnd(),
        Text("two shekels"),
        Claim(1, "two shekels"),
        StatementEnd(),
        Text(", as Cohen wrote in 1990."),
        StatementEnd(),
        Text(" The Knesset agreed."),
    )
    assert answer.answer == (
        "According to the documents:\n\nThe keeper may waive the fine. [1] Most readers are pleased."
        "\n\nIt is two shekels [2], as Cohen wrote in 1990."
    )
    assert unsupported(answer) == ["Most readers are pleased."]
    assert (answer.removed, record.removed) == (2, ["The fine doubles after 30 days.", "The Knesset agreed."])
    assert "".join(event.text for event in events if isinstance(event, Delta)) == answer.answer


def test_a_lead_in_goes_with_what_follows_it() -> None:
    items: list[Piece] = [Text("Section 5 has exceptions:\n- a fine of 700;\n"), StatementEnd()]
    _, answer, record = run(*items, Text("- a waiver."), Claim(0, SECOND), Text("\nAs the Act says:"))
    assert answer.answer == "Section 5 has exceptions:\n- a waiver. [1]"
    assert record.removed == ["- a fine of 700;", "As the Act says:"]


def test_each_sentence_of_a_statement_has_its_number_but_a_quote_has_one() -> None:
    _, answer, _ = run(Text("One shekel. Each day."), Claim(0, FIRST), Text(f"\n\n{TEXT}"), Claim(0, TEXT))
    assert answer.answer == f"One shekel. [1] Each day. [1]\n\n{TEXT} [2]"
    assert answer.unsupported == ()


def test_text_behind_a_bad_claim_is_of_another_statement() -> None:
    _, answer, _ = run(Text("It is 700. So it is."), Claim(0, "no such words"), Text(" No."), Claim(0, FIRST))
    assert (answer.answer, unsupported(answer), answer.removed) == ("So it is. No. [1]", ["So it is."], 1)


def test_sentences_never_touch_so_numbers_belong_to_one() -> None:
    _, answer, _ = run(Text("One."), Claim(0, FIRST), Text("Others may."), StatementEnd(), Text("So do I."))
    assert (answer.answer, unsupported(answer)) == ("One. [1] Others may. So do I.", ["Others may.", "So do I."])


def test_ranges_are_counted_in_characters_of_text_that_leaves() -> None:
    _, answer, _ = run(Text("😀 שקל."), Claim(0, FIRST), Text(" זהו 😀 [7] טוב."), StatementEnd(), Text(" סוף."))
    assert answer.answer == "😀 שקל. [1] זהו 😀 טוב. סוף."
    assert unsupported(answer) == ["זהו 😀 טוב.", "סוף."]


def test_a_heading_is_no_evidence_nor_is_a_citation_of_no_text() -> None:
    _, answer, record = run(Text("כך."), Claim(0, "איחור"), passages=[replace(PASSAGE, text=f"איחור\n{TEXT}")])
    assert (answer.status, len(record.dropped)) == (AnswerStatus.INSUFFICIENT_EVIDENCE, 1)
    _, answer, record = run(Claim(0, FIRST), Text("כך."), Claim(0, SECOND))
    assert ([one.quote for one in answer.citations], len(record.dropped)) == ([SECOND], 1)


def test_a_limit_that_cuts_the_answer_is_told() -> None:
    _, answer, _ = run(Text("שקל."), Claim(0, FIRST), Text(" הספרן רש"), Truncated())
    assert (answer.truncated, answer.answer, unsupported(answer)) == (True, "שקל. [1] הספרן רש", ["הספרן רש"])


def test_the_next_provider_begins_anew() -> None:
    pieces: list[Piece] = [
        Text("The fine is 9."),
        StatementEnd(),
        Fallback("one", "why"),
        Text("שקל."),
        Claim(0, FIRST),
    ]
    _, answer, _ = run(*pieces)
    assert (answer.answer, answer.removed) == ("שקל. [1]", 0)
