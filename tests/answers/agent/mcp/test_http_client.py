"""MCP over HTTP with the official client on a real server: each topic answers for itself, nothing is left behind."""

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from mcp import MCPError

from kb_project.operations.local_stack import machine
from tests.answers.agent.mcp.clients import MODES, all_of, call, key_for, over_http, run
from tests.factories import make_topic
from tests.search.corpus import add_source
from tests.servers import PROJECT, subprocess_environment
from topics.models import Topic


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_lists_and_calls_the_tool(
    asgi_server: str, library: Topic, harbour: Topic, mode: str
) -> None:
    async def talk() -> None:
        async with over_http(f"{asgi_server}/mcp/library/", mode=mode) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == [
                "search_legal_kb",
                "read_legal_provision",
                "check_citations",
                "check_citations_stand",
                "read_amending_instructions",
            ]
            assert "“Libraries”" in (tools[0].description or "")
            assert set(tools[0].input_schema["properties"]) == {"query", "kind", "label", "limit", "as_of"}
            assert tools[1].input_schema["required"] == ["reference"]
            assert not any(tool.input_schema["additionalProperties"] for tool in tools)
            text, is_error = await call(client, query="how many books")
            assert not is_error
            assert "title: Library law" in text
            assert "nine books" not in text
            text, is_error = await call(client, query="how many books", topic_id=harbour.pk)
            assert is_error
            assert "topic_id: There is no such parameter." in text
            other = await client.call_tool("search_everything", {"query": "books"})
            assert other.is_error

    run(talk)


@pytest.mark.parametrize("mode", MODES)
def test_no_result_is_longer_than_20000_characters(asgi_server: str, library: Topic, mode: str) -> None:
    add_source(*["ספרים ותושבים " * 1_000] * 5, topic=library, title="ארוך")

    async def talk() -> None:
        async with over_http(f"{asgi_server}/mcp/library/", mode=mode) as client:
            text, _ = await call(client, query="ספרים", limit=20)
            assert 15_000 < len(text) <= 20_000
            assert "left out for length" in text

    run(talk)


@pytest.mark.parametrize("mode", MODES)
def test_a_session_goes_on_after_a_message_that_is_too_large(asgi_server: str, library: Topic, mode: str) -> None:
    async def talk() -> None:
        async with over_http(f"{asgi_server}/mcp/library/", mode=mode) as client:
            for size in (100_000, 2_000_000):
                with pytest.raises(MCPError, match="65,536 bytes"):
                    await call(client, query="x" * size)
            text, is_error = await call(client, query="how many books")
            assert (not is_error, "title: Library law" in text) == (True, True)

    run(talk)


@pytest.mark.parametrize("mode", MODES)
def test_twenty_calls_at_once_for_two_topics_keep_apart(
    asgi_server: str, library: Topic, harbour: Topic, mode: str
) -> None:
    async def talk() -> None:
        async with (
            over_http(f"{asgi_server}/mcp/library/", mode=mode) as one,
            over_http(f"{asgi_server}/mcp/harbour/", mode=mode) as two,
        ):
            answers = await all_of([call(client, query="how many books") for _ in range(10) for client in (one, two)])
        for place, (text, is_error) in enumerate(answers):
            mine, other = ("five", "nine") if place % 2 == 0 else ("nine", "five")
            assert not is_error
            assert f"{mine} books" in text
            assert f"{other} books" not in text

    run(talk)


def test_a_topic_made_after_the_start_is_served(asgi_server: str) -> None:
    add_source("seven boats", topic=make_topic(slug="late"), title="Boats")

    async def talk() -> None:
        async with over_http(f"{asgi_server}/mcp/late/") as client:
            assert "seven boats" in (await call(client, query="boats"))[0]

    run(talk)


@pytest.mark.parametrize("scheme", ["Bearer", "Api-Key", "bearer"])
def test_a_key_opens_its_topic(asgi_server: str, library: Topic, settings: Any, scheme: str) -> None:
    settings.KB_PUBLIC_REQUIRES_KEY = True
    key = key_for(library)

    async def talk() -> None:
        async with over_http(f"{asgi_server}/mcp/library/", authorization=f"{scheme} {key}") as client:
            assert "five books" in (await call(client, query="books"))[0]

    run(talk)


def connections_of_others() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = 'kb' AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


@pytest.fixture
def left_open(transactional_db: None) -> int:
    """Connections of threads that earlier tests left in this process."""
    return connections_of_others()


@pytest.fixture
def pooled_server(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """The project under uvicorn in a process of its own, as `manage.py up` starts it, with a pool of two."""
    port = machine.free_port()
    command = [sys.executable, "-m", "uvicorn", "kb_project.asgi:application", "--port", str(port)]
    log = tmp_path / "web.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=PROJECT, env=subprocess_environment(KB_DB_POOL_SIZE="2"), stdout=file, stderr=file
        )
    try:
        deadline = time.monotonic() + 120
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(log.read_text(encoding="utf-8")) from None
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(60)
    assert "Traceback" not in log.read_text(encoding="utf-8")


@pytest.mark.deep
def test_every_call_gives_its_connection_back(left_open: int, pooled_server: str, library: Topic) -> None:
    async def talk() -> list[tuple[str, bool]]:
        rounds = []
        for mode in MODES:
            async with over_http(f"{pooled_server}/mcp/library/", mode=mode) as client:
                rounds += [await all_of([call(client, query="books") for _ in range(20)]) for _ in range(3)]
        return [answer for answers in rounds for answer in answers]

    answers = run(talk)
    assert all(not is_error and "five books" in text for text, is_error in answers)
    assert connections_of_others() <= left_open + 2
