"""A model reads provisions, several at a time: what it says of each is kept, so that none is read twice.

What it says counts as `yes` only where the words that it quotes are in the provision, by the check of answers.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pydantic
from django.conf import settings
from django.db import transaction
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from answers.writing.protocol import Claim
from answers.writing.quotes.verify import verified_quote
from kb_project.database.connections import release
from kb_project.llm.protocol import ModelRequest, Usage
from keeping.models import Survey, SurveyOutcome, SurveyReading
from keeping.surveys.reading.units import Unit, units
from keeping.tables.reading.by_model import first_answer, in_parts
from keeping.tables.reading.document import CellReason, PutOff, quoted, read_passages
from sources.scope import Scope

PROMPT = Path(__file__).with_name("survey.md").read_text(encoding="utf-8")
PROMPT_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:12]
ROLE = "surveys"
MAX_TOKENS = 4_096
MAX_PART_LENGTH = 12_000  # characters of one call, or of one provision that is longer
MAX_PART_UNITS = 12  # provisions of one call
MAX_UNIT_LENGTH = 60_000  # characters of a provision that is read
MAX_READ = 20_000  # provisions of a survey
SIGN_OF_LIFE_S = 30.0  # while a model is waited for
TURN_S = 20.0  # after which another survey has its turn


class SurveyReason(TextChoices):
    """Why a provision is undecided. The label is the sentence for people."""

    NOT_THERE = "not_there", _("The words that the model quoted are not in the provision.")
    MODEL_UNDECIDED = "model_undecided", _("The model could not tell from the provision.")
    UNUSABLE = "unusable", _("The model said nothing of this provision that can be used.")
    TOO_LONG = "too_long", _("The provision is too long for the model to read.")
    NOT_READ = "not_read", _("The provision changed or came while the others were read.")


class TurnOver(Exception):
    """The time of the survey's turn has ended, and not all was read."""


class ProvisionVerdict(pydantic.BaseModel):
    number: int
    says: Literal["yes", "no", "undecided"]
    quote: str


class SurveyOutput(pydantic.BaseModel):
    """The form of a model's answer."""

    provisions: list[ProvisionVerdict]


@dataclass(frozen=True)
class ReadPart:
    """What was said of the provisions of a part, by their places in it, and what that cost."""

    units: Sequence[Unit]
    said: Mapping[int, ProvisionVerdict]
    model: str
    usage: Usage
    put_off: PutOff | None = None


@dataclass(frozen=True)
class _Asking:
    description: str
    topic_name: str

    def ask(self, part: Sequence[Unit]) -> ReadPart:
        """In a thread of its own, without the database."""
        ends = time.monotonic() + settings.KB_ANSWER_TIMEOUT_S
        said: dict[int, ProvisionVerdict] = {}
        model, spent = "", list[Usage]()
        put_off: PutOff | None = None
        waiting, is_first = [list(range(len(part)))], True
        while waiting and put_off is None:
            asked = waiting.pop(0)
            request = _request([(number, part[number]) for number in asked], self.description)
            try:
                output, model = first_answer(
                    request, role=ROLE, topic_name=self.topic_name, ends=ends, on_usage=spent.append
                )
                said |= {one.number - 1: one for one in output.provisions if one.number - 1 in asked}
            except PutOff as why:
                put_off = None if why.why is CellReason.UNUSABLE else why
            if is_first:
                waiting, is_first = _halves([number for number in asked if number not in said]), False
        return ReadPart(part, said, model, sum(spent, Usage()), put_off)


def _halves(numbers: list[int]) -> list[list[int]]:
    """What is asked once more, in two calls: the answer to all of it may have been too long."""
    middle = (len(numbers) + 1) // 2
    return [half for half in (numbers[:middle], numbers[middle:]) if half]


def kept(survey: Survey, keys: Iterable[str]) -> dict[str, SurveyReading]:
    """What was read already, by the keys of provisions."""
    found = SurveyReading.objects.filter(survey=survey, key__in=list(keys))
    return {one.key: one for one in found}


def read_more(
    survey: Survey,
    source_ids: Sequence[int],
    *,
    scope: Scope,
    on_progress: Callable[[int, ReadPart | None], None],
) -> None:
    """Read what was not read yet of documents, `KB_TABLE_CONCURRENCY` parts at a time, until all is or the turn ends.

    `on_progress` gets the number of documents done, and each part before it is recorded. Raises PutOff and TurnOver.
    """
    ends = time.monotonic() + TURN_S
    asking = _Asking(survey.description, survey.topic.name)
    left = [pk for pk in source_ids if pk > survey.read_to]
    before = len(source_ids) - len(left)
    with ThreadPoolExecutor(settings.KB_TABLE_CONCURRENCY, thread_name_prefix="survey") as pool:
        for done, some in units(left, scope=scope):
            by_key = {unit.key(PROMPT_VERSION): unit for unit in some}
            for key in kept(survey, by_key):
                del by_key[key]
            readable = _without_long(survey, by_key.values())
            waiting = in_parts(readable, max_length=MAX_PART_LENGTH, max_count=MAX_PART_UNITS)
            _read(waiting, pool, asking, survey, before=before, ends=ends, on_progress=on_progress)
            survey.read_to = left[done - 1]
            on_progress(before + done, None)
            if time.monotonic() > ends and done < len(left):
                raise TurnOver


def _read(
    parts: Iterator[list[Unit]],
    pool: ThreadPoolExecutor,
    asking: _Asking,
    survey: Survey,
    *,
    before: int,
    ends: float,
    on_progress: Callable[[int, ReadPart | None], None],
) -> None:
    asked: set[Future[ReadPart]] = set()
    put_off: PutOff | None = None
    is_over = False
    while True:
        while len(asked) < settings.KB_TABLE_CONCURRENCY and not put_off and not is_over:
            part = next(parts, None)
            if part is None:
                break
            asked.add(pool.submit(asking.ask, part))
            is_over = time.monotonic() > ends
        if not asked:
            break
        release()
        finished, asked = wait(asked, timeout=SIGN_OF_LIFE_S, return_when=FIRST_COMPLETED)
        if not finished:
            on_progress(before, None)
        for one in finished:
            read = one.result()
            with transaction.atomic():
                on_progress(before, read)
                _keep(survey, read)
            put_off = put_off or read.put_off
    if put_off:
        raise put_off
    if next(parts, None) is not None:
        raise TurnOver


def _without_long(survey: Survey, some: Iterable[Unit]) -> Iterator[Unit]:
    """Those that a model can read. The others are kept as not read."""
    for unit in some:
        if len(unit.text) <= MAX_UNIT_LENGTH:
            yield unit
        else:
            _store([_reading(survey, unit, SurveyOutcome.FAILED, why=SurveyReason.TOO_LONG)])


def _request(numbered: Sequence[tuple[int, Unit]], description: str) -> ModelRequest[SurveyOutput]:
    shown: list[dict[str, Any]] = [
        {
            "number": number + 1,
            "document": unit.title,
            "place": " · ".join(filter(None, (unit.number, unit.heading))),
            "text": unit.text,
        }
        for number, unit in numbered
    ]
    return ModelRequest(
        system=(PROMPT,),
        parts=tuple(
            json.dumps(one, ensure_ascii=False) for one in ({"looked_for": description}, {"provisions": shown})
        ),
        form=SurveyOutput,
        max_tokens=MAX_TOKENS,
        is_quick=True,
    )


def _keep(survey: Survey, read: ReadPart) -> None:
    """Store what was said, each quote as its provision has it. What was put off is read again."""
    readings = []
    for number, unit in enumerate(read.units):
        said = read.said.get(number)
        if said is None and read.put_off:
            continue
        if said is None:
            readings.append(_reading(survey, unit, SurveyOutcome.FAILED, why=SurveyReason.UNUSABLE, model=read.model))
        elif said.says == "no":
            readings.append(_reading(survey, unit, SurveyOutcome.NO, model=read.model))
        else:
            quote = _verified(unit, said.quote)
            is_yes = said.says == "yes"
            outcome = SurveyOutcome.YES if is_yes and quote else SurveyOutcome.UNDECIDED
            why = None if outcome is SurveyOutcome.YES else SurveyReason.MODEL_UNDECIDED
            why = SurveyReason.NOT_THERE if is_yes and not quote else why
            readings.append(_reading(survey, unit, outcome, quote=quote, why=why, model=read.model))
    _store(readings)


def _verified(unit: Unit, quote: str) -> str:
    """The words as the provision has them, '' where they are not there.

    A heading alone is none of them, unless the provision is one line: that is its heading too.
    """
    passages = list(read_passages(list(unit.texts)))
    is_one_line = len(unit.text.strip().splitlines()) == 1
    found = (verified_quote(Claim(passage=at, quote=quote), passages) for at in range(len(passages)))
    if is_one_line:
        found = (quoted(passages, at, quote) for at in range(len(passages)))
    return next((one[1] for one in found if one), "")


def _reading(
    survey: Survey,
    unit: Unit,
    outcome: SurveyOutcome,
    *,
    quote: str = "",
    why: SurveyReason | None = None,
    model: str = "",
) -> SurveyReading:
    key, reason = unit.key(PROMPT_VERSION), why.value if why else ""
    return SurveyReading(
        survey=survey, key=key, outcome=outcome.value, quote=quote, why=reason, model=model, round=survey.round
    )


def _store(readings: Sequence[SurveyReading]) -> None:
    if readings:
        SurveyReading.objects.bulk_create(readings, ignore_conflicts=True)
