"""`python -m bench.streams`: a hundred answers streamed at once by one web process, and what search makes of it."""

import argparse
import asyncio
import itertools
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import psutil
import psycopg

from bench.client import Api, ApiError
from bench.datasets import DataSet, Document
from bench.load import ensure_topic, load
from bench.local_server import server_process
from bench.memory import megabytes
from bench.metrics import Percentiles, percentiles
from bench.stack import Stack, StackFailed, embedded
from bench.tables import markdown

SEED = 20261121
LAWS, SECTIONS = 30, 12
SYLLABLES = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo")
QUERIES = 40
SAMPLE_S = 0.1
MODEL = "bench.anthropic_server"
ELSEWHERE = 10  # niceness of what would run on other machines: the model, and those who read


@dataclass(frozen=True, slots=True)
class StreamedReply:
    """One stream: how it ended (`done`, or anything else), and after how many seconds its first word came."""

    ended: str
    first_word_s: float
    seconds: float


@dataclass
class Watched:
    """The web process while the streams ran: MB of memory at times, and its connections to the database."""

    memory: list[float] = field(default_factory=list)
    connections: list[int] = field(default_factory=list)
    busy: list[int] = field(default_factory=list)


def main() -> int:
    # Asked to end, leave through the `with` blocks that stop the servers.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    parser = argparse.ArgumentParser(prog="python -m bench.streams", description=__doc__)
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long the model speaks")
    parser.add_argument("--word-s", type=float, default=0.2, help="seconds between two words of it")
    parser.add_argument("--data-dir", type=Path, help="start the service on this data, and keep it")
    chosen = parser.parse_args()
    words = round(chosen.seconds / chosen.word_s)
    try:
        with model(words=words, word_s=chosen.word_s) as url:
            os.environ.update(ANTHROPIC_API_KEY="bench", ANTHROPIC_BASE_URL=url, KB_THROTTLE_ASK="100000/s")
            with embedded(chosen.data_dir, keep=False) as stack:
                print(measured(stack, streams=chosen.streams))
    except (ApiError, StackFailed) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


@contextmanager
def model(*, words: int, word_s: float) -> Iterator[str]:
    """A model that speaks slowly, in a process of its own; yields its URL."""
    with server_process(MODEL, "--words", str(words), "--word-s", str(word_s)) as process:
        psutil.Process(process.pid).nice(ELSEWHERE)
        yield process.url


def measured(stack: Stack, *, streams: int) -> str:
    """The report: search idle and during the streams, how the streams went, memory and connections."""
    api = Api(stack.base_url, stack.api_key, connections=8)
    laws = list(made_up_laws())
    topic_id = ensure_topic("bench-streams", name="Streams", api=api, stack=stack)
    load(DataSet("streams", "Streams", tuple(laws)), api=api, topic_id=topic_id, connections=4)
    queries = some_queries(laws)
    web = web_process(stack)
    for query in queries:  # finds its expansion remembered from here on
        api.search(query, topic_id=topic_id)
    api.ask(queries[0], topic_id=topic_id)
    idle = search_times(queries, api=api, topic_id=topic_id, until=None)
    before, cpu_before = megabytes(web.pid, "status", "VmRSS"), _cpu_s(web)
    with watching(web, stack.database_url) as watched, ProcessPoolExecutor(1) as pool:
        reading = pool.submit(read_all, stack, queries[0], topic_id=topic_id, count=streams)
        during = search_times(queries, api=api, topic_id=topic_id, until=reading)
        outcomes = reading.result()
    after, cpu_s = megabytes(web.pid, "status", "VmRSS"), _cpu_s(web) - cpu_before
    api.close()
    done = sum(outcome.ended == "done" for outcome in outcomes)
    first, whole = (percentiles([getattr(each, name) for each in outcomes]) for name in ("first_word_s", "seconds"))
    middle = watched.memory[len(watched.memory) // 4 :: len(watched.memory) // 4][:3]
    rows = [
        ("streams at once, and completed", f"{streams}, {done}"),
        ("first word, s: p50 / p95", f"{first.p50:.1f} / {first.p95:.1f}"),
        ("whole stream, s: p50 / p95", f"{whole.p50:.1f} / {whole.p95:.1f}"),
        ("search idle, ms: p50 / p95 (requests)", _times(idle)),
        ("search meanwhile, ms: p50 / p95 (requests)", _times(during)),
        ("search p95, meanwhile / idle", f"{during.p95 / idle.p95:.1f}"),
        ("CPU of the web process meanwhile, s", f"{cpu_s:.1f}"),
        ("memory of the web process before, MB", f"{before:.0f}"),
        ("memory at a quarter, half, three quarters", " / ".join(f"{at:.0f}" for at in middle)),
        ("memory highest, after", f"{max(watched.memory):.0f}, {after:.0f}"),
        ("connections open: median, highest", _median_and_highest(watched.connections)),
        ("connections at work: median, highest", _median_and_highest(watched.busy)),
    ]
    return markdown(["", ""], rows)


def made_up_laws() -> Iterator[Document]:
    """Laws of numbered sections, a few hundred chunks in all."""
    chance = random.Random(SEED)
    vocabulary = ["".join(chance.choices(SYLLABLES, k=3)) for _ in range(2000)]
    for number in range(LAWS):
        title = f"{' '.join(chance.choices(vocabulary, k=3)).title()} Law"
        sections = [
            f"{n}. {' '.join(chance.choices(vocabulary, k=4))}\n{' '.join(chance.choices(vocabulary, k=90))}."
            for n in range(1, SECTIONS + 1)
        ]
        yield Document(f"law{number}.txt", "\n\n".join([title, *sections]), "law", title, title=title)


def some_queries(laws: Sequence[Document]) -> list[str]:
    """Questions of six words that stand in one of the laws."""
    chance = random.Random(SEED)
    texts = [str(law.content).split() for law in chance.choices(laws, k=QUERIES)]
    return [" ".join(chance.choice(text).strip(".") for _ in range(6)) for text in texts]


def web_process(stack: Stack) -> psutil.Process:
    for process in psutil.Process(stack.pid).children(recursive=True):
        if "kb_project.web.web_server" in process.cmdline():
            return process
    raise StackFailed("The web process was not found.")


def search_times(
    queries: Sequence[str], *, api: Api, topic_id: int, until: Future[list[StreamedReply]] | None
) -> Percentiles:
    """How long one client waits for searches, one after another, in ms: until then, or for some rounds."""
    times = []
    rounds = itertools.cycle(queries) if until else itertools.chain.from_iterable(itertools.repeat(queries, 8))
    for query in rounds:
        started = time.perf_counter()
        api.search(query, topic_id=topic_id)
        times.append((time.perf_counter() - started) * 1000)
        if until and until.done():
            break
    return percentiles(times)


def read_all(stack: Stack, question: str, *, topic_id: int, count: int) -> list[StreamedReply]:
    """Read so many streams of one question at once, in this process of its own."""

    os.nice(ELSEWHERE)

    async def all_of_them() -> list[StreamedReply]:
        headers = {"Authorization": f"Api-Key {stack.api_key}"}
        limits = httpx2.Limits(max_connections=count)
        async with httpx2.AsyncClient(base_url=stack.base_url, headers=headers, limits=limits, timeout=60) as client:
            reading = (_read(client, {"question": question, "topic_id": topic_id}) for _ in range(count))
            return list(await asyncio.gather(*reading))

    return asyncio.run(all_of_them())


async def _read(client: httpx2.AsyncClient, body: dict[str, object]) -> StreamedReply:
    started = time.perf_counter()
    first_word_s = 0.0
    ended = ""
    try:
        async with client.stream("POST", "/kb/ask/stream", json=body) as response:
            ended = str(response.status_code)
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    ended = line.removeprefix("event: ")
                    if ended == "delta" and not first_word_s:
                        first_word_s = time.perf_counter() - started
    except httpx2.HTTPError as error:
        ended = type(error).__name__
    return StreamedReply(ended, first_word_s, time.perf_counter() - started)


@contextmanager
def watching(web: psutil.Process, database_url: str) -> Iterator[Watched]:
    """Sample the web process in a thread while the block runs."""
    watched = Watched()
    done = threading.Event()

    def watch() -> None:
        with psycopg.connect(database_url, autocommit=True) as connection:
            while not done.wait(SAMPLE_S):
                ports = [sock.laddr.port for sock in web.net_connections("tcp") if sock.laddr]
                row = connection.execute(
                    "SELECT count(*), count(*) FILTER (WHERE state <> 'idle') FROM pg_stat_activity"
                    " WHERE client_port = ANY(%s)",
                    [ports],
                ).fetchone()
                assert row is not None
                watched.connections.append(row[0])
                watched.busy.append(row[1])
                watched.memory.append(megabytes(web.pid, "status", "VmRSS"))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield watched
    finally:
        done.set()
        thread.join(10)


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def _times(times: Percentiles) -> str:
    return f"{times.p50:.1f} / {times.p95:.1f} ({times.count})"


def _median_and_highest(numbers: Sequence[int]) -> str:
    return f"{sorted(numbers)[len(numbers) // 2]}, {max(numbers)}"


if __name__ == "__main__":
    sys.exit(main())
