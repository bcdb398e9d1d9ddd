"""Asking models for other wordings of a query: in order, a few at a time, never for long."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from enum import StrEnum
from pathlib import Path
from threading import BoundedSemaphore

import pydantic
from django.conf import settings

from kb_project.errors import Refusal
from kb_project.llm import pauses
from kb_project.llm.asking import ask
from kb_project.llm.protocol import Form, LanguageModel, ModelRequest, UnusableAnswer
from kb_project.llm.roles import EXPANSION
from kb_project.llm.spending import BudgetSpent

logger = logging.getLogger(__name__)

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")
PROMPT_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:12]
MAX_TOKENS = 1_024
PAUSE_S = 10.0  # of a model that failed or was late: no second search should wait for it
AT_ONCE = 8  # queries of a process that a model is asked about
WAIT_FOR_TURN = 1 / 3  # of the time that the answer has
LEAST_S = 0.1
GRACE_S = 1.0  # by which the call outlasts whoever waits, so that late is not taken for failed
# One that is late goes on in its thread, so that the next query finds the SDK loaded.
_pool = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="expansion")
_turns = BoundedSemaphore(AT_ONCE)


class Outcome(StrEnum):
    """Where the other wordings of a query came from, or why there are none."""

    OFF = "off"  # no model is configured
    NEEDLESS = "needless"  # the query is blank, or a citation
    REMEMBERED = "remembered"
    MADE = "made"
    UNUSABLE = "unusable"  # the model refused, or answered in another form
    BUDGET_SPENT = "budget_spent"
    LEFT_ALONE = "left_alone"  # it failed a moment ago
    BUSY = "busy"  # as many queries as it may have wait for it
    LATE = "late"
    FAILED = "failed"


class Wordings(pydantic.BaseModel):
    """The form of an answer. `hypothetical` is a sentence as a document that answers may have it."""

    wordings: list[str]
    hypothetical: str = ""


NONE = Wordings(wordings=[])


def ask_in_order(
    models: list[LanguageModel], query: str, *, topic_name: str, languages: Sequence[str]
) -> tuple[Wordings, Outcome]:
    """What the first model that answers gives; `languages` are the codes of those that the documents are written in."""
    asked = {"topic": topic_name, "languages": languages, "query": query}
    request = ModelRequest(
        system=(PROMPT,),
        parts=(json.dumps(asked, ensure_ascii=False),),
        form=Wordings,
        max_tokens=MAX_TOKENS,
        is_quick=True,
    )
    found, outcome = in_order(models, request, topic_name=topic_name)
    return found or NONE, outcome


def in_order(
    models: list[LanguageModel], request: ModelRequest[Form], *, topic_name: str
) -> tuple[Form | None, Outcome]:
    """What the first model that answers gives, within `KB_EXPANSION_TIMEOUT_S` of which each gets an even share.

    When no model answers, the outcome is that of the first whose trouble was not this query's alone.
    """
    ends = time.monotonic() + settings.KB_EXPANSION_TIMEOUT_S
    outcomes = []
    for at, model in enumerate(models):
        share_s = max(LEAST_S, (ends - time.monotonic()) / (len(models) - at))
        found, outcome = _in_turn(model, request, topic_name=topic_name, within_s=share_s)
        if outcome is Outcome.MADE:
            return found, outcome
        outcomes.append(outcome)
    return None, next((outcome for outcome in outcomes if outcome is not Outcome.UNUSABLE), Outcome.UNUSABLE)


def _in_turn(
    model: LanguageModel, request: ModelRequest[Form], *, topic_name: str, within_s: float
) -> tuple[Form | None, Outcome]:
    ends = time.monotonic() + within_s
    if pauses.is_left_alone(model.key, role=EXPANSION.name, pause_s=PAUSE_S):
        return None, Outcome.LEFT_ALONE
    if not _turns.acquire(timeout=within_s * WAIT_FOR_TURN):
        return None, Outcome.BUSY
    asking = _pool.submit(
        ask, model, request, role=EXPANSION.name, topic=topic_name, timeout_s=ends - time.monotonic() + GRACE_S
    )
    asking.add_done_callback(lambda _: _turns.release())
    try:
        found = asking.result(timeout=ends - time.monotonic())
    except BudgetSpent:
        return None, Outcome.BUDGET_SPENT
    except UnusableAnswer as error:
        logger.warning("%s did not expand the query: %s", model.provider, error)
        return None, Outcome.UNUSABLE
    except Late:
        outcome, why = Outcome.LATE, "no answer in time"
    except Refusal as error:
        outcome, why = Outcome.FAILED, str(error)
    except Exception as error:  # whatever a library raises, the plain query is searched for all the same
        logger.exception("%s did not expand the query", model.provider)
        outcome, why = Outcome.FAILED, type(error).__name__
    else:
        pauses.note_answer(model.key, role=EXPANSION.name)
        return found, Outcome.MADE
    logger.warning("%s did not expand the query and is left alone for %g s: %s", model.provider, PAUSE_S, why)
    pauses.note_failure(model.key, role=EXPANSION.name, pause_s=PAUSE_S)
    return None, outcome
