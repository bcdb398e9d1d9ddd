"""The reader that asks a model, and looks for the words that it quotes."""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

import pydantic

from answers.writing.answerers.extractive import PROVIDER as EXTRACTIVE
from kb_project.database.connections import release
from kb_project.errors import ApiError
from kb_project.llm import chain
from kb_project.llm.asking import Cancelled, ask
from kb_project.llm.chain import links
from kb_project.llm.protocol import Form, LanguageModel, ModelRequest, UnusableAnswer, Usage
from kb_project.llm.roles import ANSWERS
from kb_project.llm.spending import BudgetSpent
from kb_project.processes.ending import shutdown_deadline_passed
from keeping.models import CellStatus
from keeping.tables.kinds import AskedColumn, parse
from keeping.tables.reading.document import CellReason, DocumentPassages, PutOff, Reading, answered, quoted
from search.results import SearchHit
from search.retrieval import parse_query, retrieve
from sources.scope import Scope

PROMPT = Path(__file__).with_name("cell.md").read_text(encoding="utf-8")
PROMPT_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:12]
ROLE = "tables"
MAX_TOKENS = 2_048
RETRIES = 1
MAX_READ_LENGTH = 60_000  # characters of passages of one call
MAX_CALLS = 4  # for a cell
FIRST = 20  # passages of a long document that the search finds best, which are read first
PAUSE_S = 30.0  # of a model that failed
MIDNIGHT_LOOK_S = 1800.0  # after which a topic without tokens is tried again


class CellOutput(pydantic.BaseModel):
    """The form of a model's answer."""

    outcome: Literal["stated", "not_stated", "undecided"]
    value: str
    passage: int
    quote: str


def has_models() -> bool:
    return bool(ANSWERS.models())


def falls_back_on_words() -> bool:
    """Whether the chain ends with what needs no model."""
    return ANSWERS.chain[-1] == EXTRACTIVE


def read_by_model(document: DocumentPassages, asked: AskedColumn, *, topic_name: str, within_s: float) -> Reading:
    """What the document answers, as a model reads it. No connection to the database is held meanwhile.

    All of it is read where `MAX_CALLS` suffice, the passages that a search finds for the question first. The first part
    that states the answer ends it. Raises PutOff where no model answers.
    """

    def told(read: int, calls: int, model: str) -> dict[str, Any]:
        count = {"read": read, "passages": len(document.passages), "calls": calls}
        return {"way": "model", "model": model, "prompt": PROMPT_VERSION, **count}

    ends = time.monotonic() + within_s
    read, calls, model = 0, 0, ""
    undecided: tuple[SearchHit | None, str, CellReason] | None = None
    parts = list(_parts(document, asked))
    release()
    for passages in parts[:MAX_CALLS]:
        output, model = first_answer(_request(passages, asked), role=ROLE, topic_name=topic_name, ends=ends)
        read, calls = read + len(passages), calls + 1
        searched = told(read, calls, model)
        if output.outcome == "not_stated":
            continue
        verified = quoted(passages, output.passage - 1, output.quote)
        if output.outcome == "stated" and verified:
            passage, quote = verified
            return answered(parse(output.value, asked), asked, passage=passage, quote=quote, searched=searched)
        why = CellReason.NOT_THERE if output.outcome == "stated" else CellReason.MODEL_UNDECIDED
        undecided = undecided or (*(verified or (None, "")), why)
    searched = told(read, calls, model)
    if undecided:
        near, words, why = undecided
        return Reading(status=CellStatus.UNDECIDED, quote=words, passage=near, searched=searched, why=why.value)
    return document.not_found(searched, all_read=read == len(document.passages))


def _parts(document: DocumentPassages, asked: AskedColumn) -> Iterator[list[SearchHit]]:
    """The passages in parts of at most `MAX_READ_LENGTH` characters, or of one that is longer."""
    passages = document.passages
    if sum(len(one.text) for one in passages) > MAX_READ_LENGTH:
        scope = Scope(topic_id=asked.topic_id, source_ids=(document.source.pk,), all_versions=True)
        found = retrieve(parse_query(asked.question), scope=scope, limit=FIRST)
        best = {hit.chunk_id for hit in found.hits}
        passages = [one for one in passages if one.chunk_id in best] + [
            one for one in passages if one.chunk_id not in best
        ]
    yield from in_parts(passages, max_length=MAX_READ_LENGTH)


class _HasText(Protocol):
    @property
    def text(self) -> str: ...


T = TypeVar("T", bound=_HasText)


def in_parts(some: Iterable[T], *, max_length: int, max_count: int | None = None) -> Iterator[list[T]]:
    """What is read in parts, each of at most so many characters and things, or of one that is longer."""
    part: list[T] = []
    length = 0
    for one in some:
        if part and (len(part) == max_count or length + len(one.text) > max_length):
            yield part
            part, length = [], 0
        part.append(one)
        length += len(one.text)
    if part:
        yield part


def first_answer(
    request: ModelRequest[Form],
    *,
    role: str,
    topic_name: str,
    ends: float,
    on_usage: Callable[[Usage], object] = lambda _: None,
) -> tuple[Form, str]:
    """What the first model of the chain says that answers, and its name, until `ends` (monotonic). Raises PutOff."""
    unusable, left_alone = False, 0
    models: list[LanguageModel] = ANSWERS.models()
    for link in links(models, within_s=max(ends - time.monotonic(), 0.1)):
        model = link.asked
        if chain.circuit_is_open(model.key, role=role, pause_s=PAUSE_S):
            left_alone += 1
            continue
        try:
            output = ask(
                model,
                request,
                role=role,
                topic=topic_name,
                timeout_s=max(link.share_s, 0.1),
                retries=RETRIES,
                is_unwanted=shutdown_deadline_passed,
                on_usage=on_usage,
            )
        except BudgetSpent:
            raise PutOff(CellReason.BUDGET, seconds=MIDNIGHT_LOOK_S, is_free=True) from None
        except Cancelled:
            raise PutOff(CellReason.PROVIDER, seconds=0, is_free=True) from None
        except UnusableAnswer:
            unusable = True
            continue
        except ApiError:
            chain.note_failure(model.key, role=role, pause_s=PAUSE_S)
            continue
        chain.note_answer(model.key, role=role)
        return output, f"{model.provider} {model.name}"
    if unusable:
        raise PutOff(CellReason.UNUSABLE, seconds=0, is_free=False)
    raise PutOff(CellReason.PROVIDER, seconds=PAUSE_S, is_free=left_alone == len(models))


def _request(passages: Sequence[SearchHit], asked: AskedColumn) -> ModelRequest[CellOutput]:
    shown = [
        {"passage": number, "place": " · ".join(filter(None, (one.section, one.heading))), "text": one.text}
        for number, one in enumerate(passages, start=1)
    ]
    question: dict[str, Any] = {"question": asked.question, "type": asked.kind.value}
    given = {"hint": asked.hint, "options": list(asked.options), "unit": asked.unit}
    question |= {name: value for name, value in given.items() if value}
    return ModelRequest(
        system=(PROMPT,),
        parts=tuple(json.dumps(part, ensure_ascii=False) for part in ({"passages": shown}, question)),
        form=CellOutput,
        max_tokens=MAX_TOKENS,
        is_quick=True,
    )
