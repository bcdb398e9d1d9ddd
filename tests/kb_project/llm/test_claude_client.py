"""The SDK's client: opened as told, and what is slow to make is made once."""

import asyncio

from kb_project.clients.http import trusted_certificates
from kb_project.llm import claude_client


def test_a_client_has_the_limits_it_was_opened_with() -> None:
    client = claude_client.open_client(api_key="k", base_url="http://127.0.0.1:9", timeout_s=7.0, max_retries=1)
    assert (client.api_key, str(client.base_url).rstrip("/")) == ("k", "http://127.0.0.1:9")
    assert (client.timeout, client.max_retries) == (7.0, 1)
    asyncio.run(client.close())


def test_the_certificates_are_read_once_and_off_the_event_loop() -> None:
    asyncio.run(claude_client.loaded())
    assert trusted_certificates() is trusted_certificates()
