"""What each part of the ranking adds, on each set: python -m bench.ablation [--sets …] [--halves] [--model PATH].

In process and without a database. Parts are switched off one at a time through the parameters of the service's own
modules. A cell is recall@10 / MAP@10 on ObliQA, top-1 / MRR@10 on the others.
"""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import django
from tqdm import tqdm

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
django.setup()  # the modules that make chunks import models

from bench.datasets import DataMissing, DataSet, load_set  # noqa: E402
from bench.in_memory import InMemory, best  # noqa: E402
from bench.metrics import CUTOFF, Scores, score  # noqa: E402
from bench.tables import markdown  # noqa: E402
from law.words.stop_words import worth  # noqa: E402
from law.words.term_weights import FIELDS, HEADING, TITLE, Field  # noqa: E402
from search.embedders.sentence_transformers import SentenceTransformersEmbedder  # noqa: E402
from search.ranking.fusion import fuse  # noqa: E402
from search.retrieval.selection import FUSED_DEPTH  # noqa: E402

PROJECT = Path(__file__).resolve().parents[1]
SETS = ("law", "heqa", "obliqa")
MODEL_WEIGHTS = (0.2, 0.3, 0.4, 0.45, 0.5, 1.0)  # 1.0 is the model alone
SHOWN: dict[str, Callable[[Scores], tuple[float, float]]] = {
    "law": lambda scores: (scores.top1, scores.reciprocal_rank),
    "heqa": lambda scores: (scores.top1, scores.reciprocal_rank),
    "obliqa": lambda scores: (scores.recall, scores.average_precision),
}

Answer = tuple[str, Sequence[str], frozenset[str]]  # style, ranked units and gold of one query


@dataclass(frozen=True)
class Variant:
    """The ranking without one part. `fields` and `worth` go to `law.words.term_weights.query_vector`."""

    name: str
    fields: Sequence[Field]
    worth: Callable[[str], float]


def variants() -> Iterator[Variant]:
    """The ranking as it is, then without each part of it."""
    yield Variant("as it is", FIELDS, worth)
    for form in ("word_weight", "stem_weight", "pair_weight"):
        weightless: dict[str, Any] = {form: 0.0}
        without = [replace(field, **weightless) for field in FIELDS]
        yield Variant(f"without {form.removesuffix('_weight')}s", without, worth)
    for left in (HEADING, TITLE):
        yield Variant(f"without the {left.name} as a field", [field for field in FIELDS if field != left], worth)
    yield Variant("asking words count in full", FIELDS, lambda word: 1.0)


def by_words(dataset: DataSet, index: InMemory, variant: Variant) -> Iterator[Answer]:
    for query in tqdm(dataset.queries, desc=f"{dataset.name}: {variant.name}", unit="query"):
        found = index.search(query.text, limit=CUTOFF, fields=variant.fields, worth=variant.worth)
        yield query.style, [index.units[number] for number, _ in found], query.gold


def fused(dataset: DataSet, index: InMemory, *, model: str) -> dict[float, list[Answer]]:
    """By the weight of a sentence-transformers model, the ranking fused with the model's as hybrid search does it."""
    embedder = SentenceTransformersEmbedder(model=model)
    passages = embedder.embed(index.texts, "document")
    queries = embedder.embed([query.text for query in dataset.queries], "query")
    answers: dict[float, list[Answer]] = {weight: [] for weight in MODEL_WEIGHTS}
    for query, vector in zip(dataset.queries, queries, strict=True):
        words, meanings = index.search(query.text, limit=len(index.units)), best(passages @ vector, limit=FUSED_DEPTH)
        first = {number for number, _ in [*words[:FUSED_DEPTH], *meanings]}
        # What one way found is judged the other way too.
        by_words = [pair for pair in words if pair[0] in first]
        by_meaning = [(number, float(passages[number] @ vector)) for number in first]
        for weight, found in answers.items():
            ranked = [index.units[number] for number, _ in fuse(by_words, by_meaning, weight=weight)[:CUTOFF]]
            found.append((query.style, ranked, query.gold))
    return answers


def table(dataset: DataSet, *, model: str = "", halves: bool = False) -> str:
    """One row a variant, one column a style of query; with `halves` one for the even and the odd queries too."""
    index = InMemory(dataset)
    styles = list(dict.fromkeys(query.style for query in dataset.queries))
    header = [dataset.title, *styles]
    if halves:
        header += [f"{style}, {half} half" for style in styles for half in ("one", "other")]
    rows = [
        [variant.name, *cells(dataset, list(by_words(dataset, index, variant)), styles=styles, halves=halves)]
        for variant in variants()
    ]
    if model:
        for weight, answers in fused(dataset, index, model=model).items():
            name = f"fused with {Path(model).name}, weight {weight}"
            rows.append([name, *cells(dataset, answers, styles=styles, halves=halves)])
    return markdown(header, rows)


def cells(dataset: DataSet, answers: Sequence[Answer], *, styles: Sequence[str], halves: bool) -> Iterator[str]:
    by_style = {style: [answer for answer in answers if answer[0] == style] for style in styles}
    for style in styles:
        yield cell(dataset, by_style[style])
    for style in styles if halves else ():
        yield cell(dataset, by_style[style][::2])
        yield cell(dataset, by_style[style][1::2])


def cell(dataset: DataSet, answers: Sequence[Answer]) -> str:
    return " / ".join(f"{value:.4f}" for value in SHOWN[dataset.name](score(answer[1:] for answer in answers)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.ablation", description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated: %(default)s")
    parser.add_argument("--model", default="", help="a sentence-transformers model that is fused in, by name or path")
    parser.add_argument("--halves", action="store_true", help="also each half of the queries alone")
    parser.add_argument("--limit", type=int, help="about so many queries and documents of each set")
    chosen = parser.parse_args()
    root = Path(os.environ.get("KB_DATA_SETS", PROJECT / "../shared/data"))
    for name in chosen.sets.split(","):
        try:
            dataset = load_set(name, root=root, limit=chosen.limit)
        except DataMissing as error:
            parser.exit(2, f"{error}\n")
        print(table(dataset, model=chosen.model, halves=chosen.halves), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
