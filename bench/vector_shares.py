"""`python -m bench.vector_shares`: what searches find while a share of the passages has vectors, and the others none.

The service takes documents in and makes all vectors. Then all but a share of each topic's are laid aside: it is chosen
at random, or the newest are kept, which are made first. Searches are made in this process. Nobody makes vectors
meanwhile.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import django
import httpx2
import psycopg
from tqdm import tqdm

from bench.client import Api
from bench.command import add_data_dir, add_limit, data_sets, parser_of, run
from bench.datasets import DataSet, load_set
from bench.lay_questions import LOOKED_AT, SETTLE, Question, is_right, read_questions
from bench.load import LoadedSet, load, topic_for
from bench.metrics import CUTOFF
from bench.stack import Stack, embedded, settings_of_stack
from bench.tables import markdown

SHARES = (0, 1, 5, 25, 50, 75, 100)  # percent
OBLIQA_QUERIES = 500  # with the passages that answer them
LAW_BYTES = 700_000  # of the laws that answer lay questions, the smallest
FILLING = 0x6B625F766563  # the lock of `search.index.filling`: who has it makes the vectors
MADE_WITHIN_S = 7_200
ORDERS = {"at random": "hashint8(chunk_id)", "newest first": "chunk_id DESC"}
LAY_ASIDE = "CREATE TABLE IF NOT EXISTS bench_vectors AS SELECT * FROM kb_chunk_embedding"
TAKE = """
DELETE FROM kb_segment_codes;
DELETE FROM kb_vector_spread;
DELETE FROM kb_vector_work;
TRUNCATE kb_chunk_embedding;
INSERT INTO kb_chunk_embedding (space_id, chunk_id, topic_id, embedding)
SELECT space_id, chunk_id, topic_id, embedding FROM (
    SELECT *, row_number() OVER (PARTITION BY topic_id ORDER BY {order}) AS place,
        count(*) OVER (PARTITION BY topic_id) AS vectors FROM bench_vectors
) AS one WHERE place <= round(vectors * {share} / 100.0);
INSERT INTO kb_vector_work (topic_id, source_id) SELECT topic_id, id FROM kb_source WHERE {share} < 100;
"""


@dataclass(frozen=True)
class Asked:
    """A query of a set, the topic that it is asked of, and what tells whether a hit answers it."""

    set: str
    text: str
    topic_id: int
    is_answer: Callable[[int, str, str], bool]
    """By its source, its section and its text."""


def main() -> int:
    parser = parser_of("bench.vector_shares", __doc__)
    add_limit(parser)
    add_data_dir(parser)
    chosen = parser.parse_args()
    root = data_sets()
    with (
        tempfile.TemporaryDirectory(prefix="kb-bench-") as folder,
        settings_of_stack({"KB_EMBEDDER": "local"}),
        embedded(chosen.data_dir or Path(folder)) as (stack, api),
        psycopg.connect(stack.database_url, autocommit=True) as database,
    ):
        asked = [one for dataset in _sets(root) for one in _asked(dataset, root=root, api=api)]
        asked = _thinned(asked, chosen.limit) if chosen.limit else asked
        stack.shell(SETTLE)
        _wait_for_vectors(stack)
        database.execute("SELECT pg_advisory_lock(%s::bigint)", [FILLING])
        database.execute(LAY_ASIDE)
        os.environ.update({**stack.environment, "DJANGO_SETTINGS_MODULE": "kb_project.settings"})
        django.setup()
        _report({way: _ranks(asked, mode=mode) for way, mode in _ways(database)})
    return 0


def _sets(root: Path) -> Iterator[DataSet]:
    """The sets, of two only a part: an embedder takes long."""
    yield load_set("heqa", root=root)
    yield load_set("obliqa", root=root, limit=OBLIQA_QUERIES)
    law = load_set("law", root=root)
    answering = {file for question in read_questions(root) for file, _ in question.places}
    left, documents = LAW_BYTES, []
    for document in sorted(law.documents, key=lambda one: len(one.read())):
        if document.filename in answering and (left := left - len(document.read())) >= 0:
            documents.append(document)
    yield replace(law, documents=tuple(documents), limit=len(documents))


def _asked(dataset: DataSet, *, root: Path, api: Api) -> Iterator[Asked]:
    """Load the set. Its queries follow, of laws their headings, and the questions of laymen and lawyers."""
    topic_id = topic_for(dataset, api=api)
    loaded = load(dataset, api=api, topic_id=topic_id)
    files = set(loaded.sources.values())
    for query in dataset.queries:
        if query.style == "questions" or (query.style == "heading" and _files_of(query.gold) <= files):
            name = dataset.name if query.style == "questions" else "law headings"
            yield Asked(name, query.text, topic_id, _in_gold(query.gold, dataset, loaded))
    for question in read_questions(root) if dataset.name == "law" else ():
        if question.dataset == "law" and files.intersection(file for file, _ in question.places):
            yield Asked(question.group, question.text, topic_id, _right(question, loaded))


def _files_of(gold: frozenset[str]) -> set[str]:
    return {unit.rpartition("#")[0] for unit in gold}


def _in_gold(gold: frozenset[str], dataset: DataSet, loaded: LoadedSet) -> Callable[[int, str, str], bool]:
    return lambda source_id, section, text: dataset.unit(loaded.sources[source_id], section) in gold


def _right(question: Question, loaded: LoadedSet) -> Callable[[int, str, str], bool]:
    return lambda source_id, section, text: is_right(
        question, loaded.sources[source_id], {"section": section, "text": text}
    )


def _thinned(asked: Sequence[Asked], limit: int) -> list[Asked]:
    """About so many queries of each set."""
    of_sets: dict[str, list[Asked]] = {}
    for one in asked:
        of_sets.setdefault(one.set, []).append(one)
    return [one for each in of_sets.values() for one in each[:: max(1, len(each) // limit)]]


def _wait_for_vectors(stack: Stack) -> None:
    ends = time.monotonic() + MADE_WITHIN_S
    while (meaning := httpx2.get(f"{stack.base_url}/readyz", timeout=60).json()["meaning"]) and time.monotonic() < ends:
        if meaning["vectors"] == meaning["passages"]:
            return
        time.sleep(5)
    raise TimeoutError(f"Vectors are lacking after {MADE_WITHIN_S} s: {meaning}.")


def _ways(database: psycopg.Connection[Any]) -> Iterator[tuple[tuple[str, str], str]]:
    """By words alone, then each share and order of its vectors: what it is called, and the mode to search in."""
    from search.embedders.spaces import active_space  # they need Django
    from search.index import spread

    yield ("", "words alone"), "lexical"
    for share in SHARES:
        for name, order in ORDERS.items() if 0 < share < 100 else (("", "chunk_id"),):
            with database.transaction():
                for statement in TAKE.format(order=order, share=share).split(";\n"):
                    database.execute(statement)
            spread.measure(active_space())
            yield (f"{share} %", name), "hybrid"


def _ranks(asked: Sequence[Asked], *, mode: str) -> dict[str, list[int]]:
    """The rank of the first right hit of each query, 0 for none, by set."""
    from search.retrieval import Scope, retrieve

    ranks: dict[str, list[int]] = {}
    for one in tqdm(asked, unit="query"):
        hits = retrieve(one.text, scope=Scope(topic_id=one.topic_id), limit=LOOKED_AT, mode=mode).hits
        right = [one.is_answer(hit.source.id, hit.section, hit.text) for hit in hits]
        ranks.setdefault(one.set, []).append(right.index(True) + 1 if True in right else 0)
    return ranks


def _report(results: dict[tuple[str, str], dict[str, list[int]]]) -> None:
    sets = {name: len(ranks) for name, ranks in next(iter(results.values())).items()}
    head = ["vectors", "which", *(f"{name} ({count})" for name, count in sets.items())]
    print("Found first / mean of one over the rank / found among ten.\n")
    print(markdown(head, [[*way, *(_figures(ranks[name]) for name in sets)] for way, ranks in results.items()]))


def _figures(ranks: Sequence[int]) -> str:
    first, ten = (sum(0 < rank <= most for rank in ranks) / len(ranks) for most in (1, CUTOFF))
    mean = sum(1 / rank for rank in ranks if 0 < rank <= CUTOFF) / len(ranks)
    return f"{first:.3f} / {mean:.3f} / {ten:.3f}"


if __name__ == "__main__":
    sys.exit(run(main))
