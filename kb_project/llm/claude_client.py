"""The SDK's client for Claude, with what is slow to make made once for the process."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING

from kb_project.clients.http import trusted_certificates
from kb_project.observability import tracing

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic


def open_client(*, api_key: str, base_url: str, timeout_s: float, max_retries: int) -> AsyncAnthropic:
    """A client for one call, to be closed after it. `timeout_s` bounds each wait for the network, not the call.

    One for each call, because connections belong to an event loop. The first takes seconds, see `loaded`.
    """
    import anthropic

    return anthropic.AsyncAnthropic(
        api_key=api_key,
        base_url=base_url or None,
        timeout=timeout_s,
        max_retries=max_retries,
        open_telemetry=tracing.anthropic_options(),
        # The key and the documents go to the address of the settings and to no other that it may name.
        http_client=anthropic.DefaultAsyncHttpxClient(
            verify=trusted_certificates(), timeout=timeout_s, follow_redirects=False
        ),
    )


@cache
def load() -> None:
    """Import the SDK and read the trusted certificates, which takes longer than all else in opening a client."""
    import anthropic  # noqa: F401 - for whoever imports it next

    trusted_certificates()


async def loaded() -> None:
    """Wait until a client can be opened at once, while the event loop goes on."""
    if not load.cache_info().currsize:
        await asyncio.to_thread(load)
