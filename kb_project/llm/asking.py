"""Asking a model for one JSON object from a thread: in time, counted, and given up once nobody wants it."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from kb_project.llm import spending
from kb_project.llm.protocol import Form, LanguageModel, ModelRequest, Usage, parsed

T = TypeVar("T")
LOOK_EVERY_S = 0.25  # how often `is_unwanted` is asked


class Cancelled(Exception):
    """Nobody waits for the answer any more."""


class _DetachedThreads(ThreadPoolExecutor):
    """Threads for DNS look-ups, which cannot be cancelled. The call ends without waiting for them."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait=False, cancel_futures=True)


def ask(
    model: LanguageModel,
    request: ModelRequest[Form],
    *,
    role: str,
    topic: str,
    timeout_s: float,
    retries: int = 0,
    is_unwanted: Callable[[], bool] = lambda: False,
    on_usage: Callable[[Usage], object] = lambda _: None,
) -> Form:
    """The object that the model gives. Raises ProviderError, BudgetSpent, and Cancelled while it waits.

    `role` and `topic` (its name) say for whom the tokens are counted. A budget that is spent costs no call. `on_usage`
    is told what the call cost, also where it gave no such object.
    """
    if spending.is_spent(topic):
        raise spending.BudgetSpent
    usage, failed = Usage(), True
    try:
        completion = asyncio.run(_asked(model.complete(request, timeout_s=timeout_s, retries=retries), is_unwanted))
        usage = completion.usage
        on_usage(usage)
        answer = parsed(completion, request.form)
        failed = False
        return answer
    except Cancelled:
        failed = False
        raise
    finally:
        spending.count(usage, role=role, provider=model.provider, topic=topic, failed=failed)


async def _asked(call: Coroutine[Any, Any, T], is_unwanted: Callable[[], bool]) -> T:
    """Wait for the call. Cancel it as soon as `is_unwanted` is true."""
    asyncio.get_running_loop().set_default_executor(_DetachedThreads(thread_name_prefix="look-up"))
    task = asyncio.create_task(call)
    try:
        while not (await asyncio.wait([task], timeout=LOOK_EVERY_S))[0]:
            if is_unwanted():
                raise Cancelled
        return task.result()
    finally:
        task.cancel()
