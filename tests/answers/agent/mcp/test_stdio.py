"""`manage.py mcp` with the official client: the protocol is alone on standard output."""

import json
import signal
import subprocess
import sys
from io import StringIO
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command

from tests.answers.agent.mcp.clients import MODES, all_of, call, over_stdio, run
from tests.factories import make_topic
from tests.search.corpus import add_source
from tests.servers import PROJECT, subprocess_environment
from topics.models import Topic

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def library(transactional_db: None) -> None:
    add_source("five books for thirty days", topic=make_topic(slug="library", name="Libraries"), title="Library law")
    add_source("nine books for ninety days", topic=make_topic(slug="harbour", name="Harbours"), title="Harbour law")


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_lists_and_calls_the_tool(mode: str) -> None:
    async def talk() -> None:
        async with over_stdio("library", mode=mode) as client:
            tool, reader, *checkers = (await client.list_tools()).tools
            assert (tool.name, reader.name) == ("search_legal_kb", "read_legal_provision")
            assert [one.name for one in checkers] == [
                "check_citations",
                "check_citations_stand",
                "read_amending_instructions",
            ]
            assert "“Libraries”" in (tool.description or "")
            assert set(tool.input_schema["properties"]) == {"query", "kind", "label", "limit", "as_of"}
            assert tool.input_schema["additionalProperties"] is False
            text, is_error = await call(client, query="how many books", topic="harbour")
            assert is_error
            assert "topic: There is no such parameter." in text
            answers = await all_of([call(client, query="how many books") for _ in range(20)])
            for text, is_error in answers:
                assert not is_error
                assert "five books" in text
                assert "nine books" not in text
            await sync_to_async(Topic.objects.filter(slug="library").update)(name="Reading rooms")
            tool, *_ = (await client.list_tools()).tools
            assert "“Reading rooms”" in (tool.description or "")

    run(talk)


def started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "manage.py", "mcp", "--topic", "library"],
        cwd=PROJECT,
        env=subprocess_environment(LOG_LEVEL="DEBUG"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def say(process: subprocess.Popen[bytes], message: dict[str, Any]) -> Any:
    """Send a message; the reply, if it is one that has a reply."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline()) if "id" in message else None


@pytest.mark.deep
@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_when_it_is_told_to_though_nobody_closes_its_input(number: signal.Signals) -> None:
    process = started()
    say(process, {"jsonrpc": "2.0", "id": 1, "method": "ping"})
    process.send_signal(number)
    assert process.wait(60) == -number


@pytest.mark.usefixtures("library")
def test_nothing_but_the_protocol_is_on_standard_output() -> None:
    messages: list[dict[str, Any]] = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "search_legal_kb", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 3, "method": "ping"},
    ]
    process = started()
    replies = [say(process, message) for message in messages]
    out, err = process.communicate(timeout=60)  # the end of the input is the end of the process
    assert [reply["id"] for reply in replies if reply] == [1, 2, 3]
    assert replies[2]["result"]["isError"] is True
    assert out == b""
    assert process.returncode == 0
    assert b"DEBUG" in err


@pytest.mark.usefixtures("library")
def test_topic_that_there_is_not_is_said_before_anything_starts() -> None:
    with pytest.raises(CommandError, match=r"no topic with the slug “nowhere”.*library"):
        call_command("mcp", "--topic", "nowhere", stdout=StringIO())
