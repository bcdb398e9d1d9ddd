"""From what an answerer yields to what leaves the service: verified, numbered, and the same asked or streamed."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field

from answers.writing.basis import basis_of
from answers.writing.evidence import is_askable
from answers.writing.protocol import (
    Answer,
    AnswerCitation,
    Answerer,
    AnswerRequest,
    AnswerStatus,
    Claim,
    Fallback,
    Piece,
    Refused,
    StatementEnd,
    Text,
    Truncated,
)
from answers.writing.quotes.verify import verified_quote
from answers.writing.refusals import refusal
from answers.writing.statements.draft import AnswerDraft
from kb_project.llm.protocol import Usage
from kb_project.observability import tracing


@dataclass(frozen=True, slots=True)
class Delta:
    """More of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class CitationEvent:
    """A citation whose number stands, or is about to stand, in the text."""

    citation: AnswerCitation


@dataclass(frozen=True, slots=True)
class AnswerEvent:
    """The whole answer, last."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Restart:
    """What was said so far is void: its provider failed, and the next one begins the answer anew."""

    fallback_from: str


Event = Delta | CitationEvent | Restart | AnswerEvent


@dataclass
class Record:
    """What was noticed on the way, for the trace."""

    dropped: list[Claim] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    """Sentences that no citation supported."""
    is_truncated: bool = False
    spent: dict[str, Usage] = field(default_factory=dict)
    """By provider."""
    fell: list[Fallback] = field(default_factory=list)
    refused: str = ""

    @property
    def usage(self) -> Usage:
        return sum(self.spent.values(), start=Usage())

    @property
    def is_as_configured(self) -> bool:
        """Whether the first of the chain was asked, and answered."""
        return bool(self.spent) and not (self.fell or self.refused)

    @property
    def fallback_from(self) -> str | None:
        return self.fell[0].provider if self.fell else None


async def compose(asked: AnswerRequest, answerer: Answerer, *, started: float, record: Record) -> AsyncGenerator[Event]:
    """Answer the question: deltas and citations in order, then one `AnswerEvent`.

    `started` is a `time.perf_counter()` from which `took_ms` counts. Without evidence, or when no citation holds,
    the last event says `insufficient_evidence` with none, whatever was said before. Raises ProviderError, and
    Unavailable when the topic's budget is spent.
    """
    draft = AnswerDraft()
    if is_askable(asked):
        async with aclosing(answerer.answer(asked)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Usage):
                    record.spent[answerer.provider] = record.spent.get(answerer.provider, Usage()) + piece
                for event in _events_of(piece, draft, asked, record):
                    yield event
        if shown := draft.finish():
            yield Delta(shown)
    record.removed = draft.removed
    answered = bool(draft.citations) and not record.refused
    refused = None if answered else refusal(asked)
    yield AnswerEvent(
        Answer(
            status=AnswerStatus.ANSWERED if answered else AnswerStatus.INSUFFICIENT_EVIDENCE,
            answer=refused.said if refused else draft.text,
            provider=answerer.provider,
            model=answerer.model,
            citations=tuple(draft.citations) if answered else (),
            dropped_citations=len(record.dropped),
            took_ms=round((time.perf_counter() - started) * 1000, 2),
            usage=record.usage,
            fallback_from=record.fallback_from,
            unsupported=draft.unsupported if answered else (),
            truncated=record.is_truncated,
            removed=len(draft.removed),
            question=asked.question,
            as_of=asked.as_of.isoformat() if asked.as_of else None,
            reason=refused.reason if refused else None,
            passages=refused.passages if refused else (),
            basis=basis_of(draft.citations, asked, by_model=bool(record.spent)) if answered else "",
        )
    )


def _events_of(piece: Piece, draft: AnswerDraft, asked: AnswerRequest, record: Record) -> Iterator[Event]:
    """What one piece adds to the answer. What was noticed on the way goes into the record."""
    shown = ""
    match piece:
        case Text(text):
            shown = draft.add(text)
        case Claim():
            yield from _cited(piece, draft, asked, record)
        case StatementEnd():
            shown = draft.end()
        case Truncated():
            record.is_truncated = True
        case Refused(why):
            record.refused = why
        case Fallback(provider):
            record.fell.append(piece)
            record.dropped.clear()
            if draft.forget():
                yield Restart(provider)
    if shown:
        yield Delta(shown)


def _cited(claim: Claim, draft: AnswerDraft, asked: AnswerRequest, record: Record) -> Iterator[CitationEvent]:
    """The citation of a claim, where its quote is there and has no number yet."""
    with tracing.span("verify quote") as span:
        verified = verified_quote(claim, asked.passages)
        span.set({"kb.verified": verified is not None})
    cited = draft.cite(verified)
    if cited is None:
        record.dropped.append(claim)
    elif cited[1]:
        yield CitationEvent(cited[0])
