"""Asking models for other wordings of a query: in order, a few at a time, never for long."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

import pydantic
from django.conf import settings

from kb_project.llm.asking import ask
from kb_project.llm.chain import links
from kb_project.llm.protocol import Form, LanguageModel, ModelRequest, UnusableAnswer
from kb_project.llm.quick import BoundedCalls, NoModelAnswer
from kb_project.llm.roles import EXPANSION
from kb_project.llm.spending import BudgetSpent

logger = logging.getLogger(__name__)

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")
PROMPT_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:12]
MAX_TOKENS = 1_024
MIN_S = 0.1
_calls = BoundedCalls(EXPANSION.name, passes=(BudgetSpent, UnusableAnswer))


class ExpansionOutcome(StrEnum):
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


def first_expansion(
    models: list[LanguageModel], query: str, *, topic_name: str, languages: Sequence[str]
) -> tuple[Wordings, ExpansionOutcome]:
    """What the first model that answers gives. `languages` are the codes of those that the documents are written in."""
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
) -> tuple[Form | None, ExpansionOutcome]:
    """What the first model that answers gives, within `KB_EXPANSION_TIMEOUT_S` of which each gets an even share.

    When no model answers, the outcome is that of the first whose trouble was not this query's alone.
    """
    outcomes = []
    for link in links(models, within_s=settings.KB_EXPANSION_TIMEOUT_S):
        share_s = max(MIN_S, link.share_s)
        found, outcome = _in_turn(link.asked, request, topic_name=topic_name, within_s=share_s)
        if outcome is ExpansionOutcome.MADE:
            return found, outcome
        outcomes.append(outcome)
    return None, next(
        (outcome for outcome in outcomes if outcome is not ExpansionOutcome.UNUSABLE), ExpansionOutcome.UNUSABLE
    )


def _in_turn(
    model: LanguageModel, request: ModelRequest[Form], *, topic_name: str, within_s: float
) -> tuple[Form | None, ExpansionOutcome]:
    def call(timeout_s: float) -> Form:
        return ask(model, request, role=EXPANSION.name, topic=topic_name, timeout_s=timeout_s)

    try:
        return _calls.get(model.key, call, within_s=within_s), ExpansionOutcome.MADE
    except BudgetSpent:
        return None, ExpansionOutcome.BUDGET_SPENT
    except UnusableAnswer as error:
        logger.warning("%s did not expand the query: %s", model.provider, error)
        return None, ExpansionOutcome.UNUSABLE
    except NoModelAnswer as error:
        return None, ExpansionOutcome(error.trouble.value)
