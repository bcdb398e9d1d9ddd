"""Answerers one after another: the next is asked when one fails or refuses, within the time of one answer."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace

from answers.writing.protocol import Answerer, AnswerRequest, Fallback, Piece, Refused
from kb_project.errors import ProviderError
from kb_project.llm import chain
from kb_project.llm.chain import links
from kb_project.llm.protocol import ModelKey
from kb_project.llm.roles import ANSWERS
from kb_project.llm.spending import BudgetSpent

logger = logging.getLogger(__name__)

SLOW_S = 5.0  # what failed after longer than that is left alone for a while: no second question should wait for it
PAUSE_S = 30.0


class AnswererChain:
    """An answerer that is, at any moment, the one of its answerers that is being asked, for one question."""

    def __init__(self, answerers: Sequence[Answerer], *, is_budget_spent: bool = False) -> None:
        self._answerers, self._is_budget_spent = answerers, is_budget_spent
        self._asked = answerers[0]

    @property
    def provider(self) -> str:
        return self._asked.provider

    @property
    def model(self) -> str:
        return self._asked.model

    @property
    def key(self) -> ModelKey | None:
        return self._asked.key

    @property
    def name(self) -> str:
        """The whole chain: providers and models in order."""
        return ", ".join(f"{one.provider} {one.model}" for one in self._answerers)

    @property
    def is_paid(self) -> bool:
        return any(answerer.key for answerer in self._answerers)

    async def answer(self, asked: AnswerRequest) -> AsyncGenerator[Piece]:
        """The pieces of the first that answers. Those that did not are told by `Fallback`.

        Models share what is left of the time evenly. Raises what the last one raises.
        """
        for link in links(self._answerers, within_s=asked.timeout_s, waits=lambda one: one.key is not None):
            self._asked, answerer, others = link.asked, link.asked, link.following
            began = time.monotonic()
            try:
                await self._admit(answerer, has_others=bool(others))
                async with aclosing(answerer.answer(replace(asked, timeout_s=link.share_s))) as pieces:
                    async for piece in pieces:
                        if isinstance(piece, Refused) and others:
                            raise ProviderError(f"{piece.why[0].upper()}{piece.why[1:]}.", retryable=False)
                        yield piece
            except (ProviderError, BudgetSpent) as error:
                if not others:
                    raise
                fell = Fallback(answerer.provider, error.detail)
            else:
                if answerer.key and others:
                    await asyncio.to_thread(chain.note_answer, answerer.key, role=ANSWERS.name)
                return
            if answerer.key and time.monotonic() - began > SLOW_S:
                await asyncio.to_thread(chain.note_failure, answerer.key, role=ANSWERS.name, pause_s=PAUSE_S)
            logger.warning("%s did not answer, so %s is asked: %s", fell.provider, others[0].provider, fell.why)
            yield fell

    async def _admit(self, answerer: Answerer, *, has_others: bool) -> None:
        """Raise what keeps a model from being asked at all. The last one is always asked while there is a budget."""
        if answerer.key is None:
            return
        if self._is_budget_spent:
            raise BudgetSpent
        if has_others and await asyncio.to_thread(
            chain.circuit_is_open, answerer.key, role=ANSWERS.name, pause_s=PAUSE_S
        ):
            raise ProviderError("It was too slow to fail a moment ago, so it is left alone.", retryable=True)
