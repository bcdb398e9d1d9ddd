"""Loading made laws through the real indexing, in processes beside the database; goes on where it was interrupted."""

import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from bench.scale.database import call, database_alone, django_processes, in_django, manage
from bench.scale.laws import Corpus, Outline, read_corpus
from bench.scale.orders import IndexedLaw, Order, labels_of

LAWS = "bench.scale.stored_laws"  # to be imported by the processes alone
PROCESSES = 2
IN_FLIGHT = 3  # laws for each process
OFFLINE = {"KB_EMBEDDER": "hashing"}  # nothing is embedded beside what is measured
MIN_CHUNKS = 400  # chunks, where the total allows it
BIGGEST_SHARE = 0.5
LAWS_IN_A_TOPIC = 8  # at least: no law has more than this part of its topic


@dataclass
class Loading:
    """How the loading went. `chunks` counts what this run added, `stored` what each topic holds now."""

    stored: dict[int, int]
    laws: int = 0
    chunks: int = 0
    seconds: float = 0.0


def load(folder: Path, *, root: Path, chunks: int, topics: int) -> Loading:
    """Fill the data directory up to so many chunks in so many topics, and leave its database settled and stopped."""
    with database_alone(folder) as environment:
        manage("migrate", "--verbosity", "0", environment=environment)
        topic_ids, label_ids = in_django(f"{LAWS}:make_topics", topics, environment=environment)
        there = in_django(f"{LAWS}:stored_numbers", topic_ids, environment=environment)
        filling = Filling(
            read_corpus(root),
            root=root,
            wanted=topic_sizes(chunks, topics),
            there=there,
            topic_ids=topic_ids,
            label_ids=label_ids,
        )
        report = Loading(filling.stored)
        started = time.monotonic()
        for done in _in_processes(filling, environment=environment):
            report.laws += 1
            report.chunks += done.chunks
        report.seconds = time.monotonic() - started if report.laws else 0.0
        in_django(f"{LAWS}:settle", environment=environment)
        return report


class Filling:
    """Which law comes next: always one of the topic that is furthest behind, so that topics lie mixed in the tables."""

    def __init__(
        self,
        corpus: Corpus,
        *,
        root: Path,
        wanted: list[int],
        there: dict[int, dict[int, int]],
        topic_ids: dict[int, int],
        label_ids: dict[str, int],
    ) -> None:
        self.wanted = wanted
        self.stored = {place: sum(chunks.values()) for place, chunks in there.items()}
        self._corpus = corpus
        self._root = root
        self._there = there
        self._topic_ids = topic_ids
        self._label_ids = label_ids
        self._coming = dict.fromkeys(there, 0)  # chunks that are expected of the laws in hand
        self._laws = {place: self._missing(place) for place in there}

    def next_order(self) -> Order | None:
        """The next law to store; None while all topics are full with what is in hand, counted by its sections."""
        filled = {place: (self.stored[place] + self._coming[place]) / self.wanted[place] for place in self.stored}
        place = min(filled, key=lambda place: (filled[place], place))
        if filled[place] >= 1:
            return None
        number, outline = next(self._laws[place])
        self._coming[place] += self._corpus.frames[outline.frame].sections
        labels = labels_of(number, label_ids=self._label_ids)
        return Order(self._root, self._topic_ids[place], place, number, outline, labels)

    def note(self, done: IndexedLaw, *, outline: Outline) -> None:
        self.stored[done.topic] += done.chunks
        self._coming[done.topic] -= self._corpus.frames[outline.frame].sections

    def _missing(self, place: int) -> Iterator[tuple[int, Outline]]:
        """The laws of a topic that are not stored, in order; a title that was there already gets a number."""
        seen: dict[str, int] = {}
        most = max(1, self.wanted[place] // LAWS_IN_A_TOPIC)
        number = 0
        while True:
            outline = self._corpus.outline(place, number, most_sections=most)
            seen[outline.title] = seen.get(outline.title, 0) + 1
            if number not in self._there[place]:
                yield number, outline.numbered(seen[outline.title])
            number += 1


def _in_processes(filling: Filling, *, environment: dict[str, str]) -> Iterator[IndexedLaw]:
    running: dict[Future[IndexedLaw], Outline] = {}
    total = sum(filling.wanted)
    with (
        django_processes(PROCESSES, environment=environment) as pool,
        tqdm(total=total, initial=sum(filling.stored.values()), unit="chunk", desc="load", mininterval=5) as bar,
    ):
        while True:
            while len(running) < PROCESSES * IN_FLIGHT and (order := filling.next_order()):
                running[pool.submit(call, f"{LAWS}:store", order)] = order.outline
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                outline, done = running.pop(future), future.result()
                filling.note(done, outline=outline)
                bar.update(done.chunks)
                yield done


def topic_sizes(chunks: int, topics: int) -> list[int]:
    """Sizes that sum up to `chunks`, largest first.

    The largest topic holds half of everything; the others fall by a constant factor, down to a few hundred chunks.
    """
    if topics < 1 or chunks < topics:
        raise ValueError(f"{chunks} chunks cannot be spread over {topics} topics")
    if topics == 1:
        return [chunks]
    rest = chunks - round(chunks * BIGGEST_SHARE)
    smallest = min(MIN_CHUNKS, max(1, rest // (2 * (topics - 1))))
    shares = _geometric(rest / smallest, topics - 1)
    others = [max(1, round(rest * share / sum(shares))) for share in shares]
    return [chunks - sum(others), *others]


def _geometric(total: float, terms: int) -> list[float]:
    """`terms` terms of a falling geometric series that ends with 1 and sums up to `total`."""
    low, high = 1.0, max(2.0, total)
    for _ in range(200):
        factor = (low + high) / 2
        if _overshoots(factor, terms, total):
            high = factor
        else:
            low = factor
    return [low**power for power in reversed(range(terms))]


def _overshoots(factor: float, terms: int, total: float) -> bool:
    summed = 0.0
    for power in range(terms):
        summed += factor**power
        if summed > total:
            return True
    return False
