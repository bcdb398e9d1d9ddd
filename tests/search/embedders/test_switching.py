"""The model is switched there and back while processes with the settings before and after it search."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from search.models import ChunkEmbedding, EmbeddingSpace
from sources.models import Chunk
from tests.search.corpus import add_source
from tests.search.embedders.stub import embedding_service
from tests.search.local_model.needed import needs_model
from tests.search.local_model.test_server import running
from tests.servers import PROJECT, subprocess_environment
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.deep,
    pytest.mark.timeout(600),
    needs_model,
    pytest.mark.django_db(transaction=True),
]
SEARCH = """
import django
django.setup()
from search.retrieval import Scope, retrieve
while True:
    for mode in ("hybrid", "semantic"):
        hits = retrieve("bank deposits", scope=Scope(topic_id=1), mode=mode).hits
        print(len(hits), mode, *(hit.match.value for hit in hits[:1]), flush=True)
"""
TEXTS = ("bank deposits", "deposits of waste", "tenants pay a deposit", "bridges and tunnels", "the bank of a river")
AT_LEAST = 5  # searches of each process, before, while and after


class Searching:
    """A process that searches until it is ended, and what it found."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.said: list[str] = []
        command = [sys.executable, "-c", SEARCH]
        given = subprocess_environment(**environment)
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, cwd=PROJECT, env=given, stdout=pipe, stderr=pipe, text=True)
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()
        self.more()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(line)

    def more(self) -> None:
        """Wait until it has searched some more, which it does for as long as nothing fails."""
        enough = len(self.said) + AT_LEAST
        wait_until(lambda: len(self.said) >= enough or self._process.poll() is not None)
        assert self._process.poll() is None, self._process.communicate()[1][-2000:]

    def end(self) -> None:
        self._process.kill()
        self._thread.join()
        assert not [line for line in self.said if line.startswith("0 ")]


@contextmanager
def embedders() -> Iterator[dict[str, dict[str, str]]]:
    """The settings of each, whose servers run meanwhile."""
    with running() as (local_url, _process), embedding_service() as service:
        yield {
            "hashing": {"KB_EMBEDDER": "hashing"},
            "local": {"KB_EMBEDDER": "local", "KB_LOCAL_EMBEDDER_URL": local_url},
            "openai": {
                "KB_EMBEDDER": "openai",
                "KB_EMBEDDING_BASE_URL": service.url,
                "KB_EMBEDDING_MODEL": "a-model",
                "KB_EMBEDDING_DIMENSION": "32",
            },
        }


def test_no_search_fails_or_is_empty_meanwhile() -> None:
    for text in TEXTS:
        add_source(text)
    with embedders() as settings:
        searching = Searching(settings["hashing"])
        for name in ("local", "openai", "local", "hashing"):
            after = Searching(settings[name])  # as when processes are replaced one after another
            try:
                command = [sys.executable, "manage.py", "reembed"]
                done = subprocess.run(
                    command, cwd=PROJECT, env=subprocess_environment(**settings[name]), capture_output=True, text=True
                )
                assert done.returncode == 0, done.stderr[-2000:]
                after.more()
                searching.more()
            finally:
                searching.end()
                searching = after
            space = EmbeddingSpace.objects.get(active=True)
            assert space.provider == name
            assert ChunkEmbedding.objects.filter(space=space).count() == Chunk.objects.count() == len(TEXTS)
        searching.end()
