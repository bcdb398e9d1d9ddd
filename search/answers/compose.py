"""From what an answerer yields to what leaves the service: verified, numbered, and the same asked or streamed."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field

from django.utils import translation

from kb_project.languages.scripts import main_language
from kb_project.llm.protocol import Usage
from search.answers.evidence import is_askable
from search.answers.protocol import (
    Answer,
    Answerer,
    AnswerRequest,
    Citation,
    Claim,
    FellBack,
    Piece,
    Refused,
    Status,
    Text,
)
from search.answers.verify import verified_quote
from search.results import Hit

# What the model writes in brackets is not ours: only a number of a verified citation may stand there.
_MARKER = re.compile(r"(?<![ \t])[ \t]*\[\d{1,3}\]")
_HELD_BACK = re.compile(r"(?:(?<![ \t])[ \t]*\[\d{0,3}|(?<!\s)\s+)\Z")


@dataclass(frozen=True, slots=True)
class Delta:
    """More of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class CitationEvent:
    """A citation whose number stands, or is about to stand, in the text."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class AnswerEvent:
    """The whole answer; last."""

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
    spent: dict[str, Usage] = field(default_factory=dict)
    """By provider."""
    fell: list[FellBack] = field(default_factory=list)
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
    said = _AnswerText()
    if is_askable(asked):
        async with aclosing(answerer.answer(asked)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Usage):
                    record.spent[answerer.provider] = record.spent.get(answerer.provider, Usage()) + piece
                for event in _events_of(piece, said, asked, record):
                    yield event
        if delta := said.rest():
            yield Delta(delta)
    answered = bool(said.citations) and not record.refused
    yield AnswerEvent(
        Answer(
            status=Status.ANSWERED if answered else Status.INSUFFICIENT_EVIDENCE,
            answer=said.text if answered else _why_none(asked),
            provider=answerer.provider,
            model=answerer.model,
            citations=tuple(said.citations) if answered else (),
            dropped_citations=len(record.dropped),
            took_ms=round((time.perf_counter() - started) * 1000, 2),
            usage=record.usage,
            fallback_from=record.fallback_from,
        )
    )


def _why_none(asked: AnswerRequest) -> str:
    """The sentence that stands for an answer, in the language of the question."""
    language = main_language(asked.question)
    if asked.not_found is None:
        return language.no_evidence
    with translation.override(language.code):
        return asked.not_found.explanation


def _events_of(piece: Piece, said: _AnswerText, asked: AnswerRequest, record: Record) -> Iterator[Event]:
    """What one piece adds to the answer; what was noticed on the way goes into the record."""
    match piece:
        case Text(text):
            if delta := said.add(text):
                yield Delta(delta)
        case Claim():
            found = verified_quote(piece, asked.passages)
            if found is None:
                record.dropped.append(piece)
                return
            citation, is_new = said.cite(*found)
            if is_new:
                yield CitationEvent(citation)
            if delta := said.mark(citation.n):
                yield Delta(delta)
        case Refused(why):
            record.refused = why
        case FellBack(provider):
            record.fell.append(piece)
            record.dropped.clear()
            if said.forget():
                yield Restart(provider)


class _AnswerText:
    """The text so far, and the citations in the order in which they were made."""

    def __init__(self) -> None:
        self.text = ""
        self.citations: list[Citation] = []
        self._held = ""
        self._marked_at: tuple[int, set[int]] = (-1, set())

    def add(self, text: str) -> str:
        """Take text in; gives what may be shown: not yet white space at the end, nor what may become a marker."""
        text = self._held + text
        while (without := _MARKER.sub("", text)) != text:  # taking one away may leave another: [[1]2]
            text = without
        held = _HELD_BACK.search(text)
        self._held = text[held.start() :] if held else ""
        return self._say(text[: held.start()] if held else text)

    def cite(self, passage: Hit, quote: str) -> tuple[Citation, bool]:
        """The citation of this quote, and whether it was not made before."""
        for citation in self.citations:
            if (citation.chunk_id, citation.quote) == (passage.chunk_id, quote):
                return citation, False
        citation = Citation(
            n=len(self.citations) + 1,
            chunk_id=passage.chunk_id,
            source_id=passage.source.id,
            title=passage.source.title,
            identifier=passage.source.identifier,
            kind=passage.source.kind,
            page=passage.page,
            section=passage.section,
            quote=quote,
            eid=passage.eid_of(quote),
        )
        self.citations.append(citation)
        return citation, True

    def mark(self, n: int) -> str:
        """Put the number behind what was said, before the white space that is held back; once in one place."""
        place, there = self._marked_at
        if place != len(self.text):
            there = set()
        if n in there:
            return ""
        shown = self._say(f" [{n}]" if not there and self.text else f"[{n}]")
        self._marked_at = (len(self.text), there | {n})
        return shown

    def forget(self) -> bool:
        """Begin anew; whether anything had been said."""
        had_said = bool(self.text or self.citations)
        self.text, self.citations, self._held, self._marked_at = "", [], "", (-1, set())
        return had_said

    def rest(self) -> str:
        """What was held back, if it is more than white space."""
        held, self._held = self._held.rstrip(), ""
        return self._say(held)

    def _say(self, text: str) -> str:
        if not self.text:
            text = text.lstrip()
        self.text += text
        return text
