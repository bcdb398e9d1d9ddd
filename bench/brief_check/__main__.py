"""Errors put into briefs, and how many of them a check finds: `python -m bench.brief_check [--seed N] [--misses]`.

Takes `israeli-law`, `styles` and `versions` under KB_DATA_SETS. 60 briefs in Hebrew and English cite and quote these
laws in many manners. 500 of the citations and quotations have an error of one of twelve kinds. Each brief goes to
POST /kb/check. Also counted is what is true and was accused, and what cites acts that are not in the collection.

With `--statements` it measures statements in place of citations and quotations, with a reader by rules for a model.
"""

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bench.brief_check import statements
from bench.brief_check.errors import KINDS, OF_VERSIONS, Item, true_item
from bench.brief_check.laws import LawText, take_in
from bench.brief_check.manners import altered, frame
from bench.client import Api
from bench.command import data_sets, parser_of, run
from bench.stack import embedded
from bench.tables import markdown

BRIEFS, ERRORS = 60, 500
ITEMS = (20, 40)  # of a brief
DAY = "2026-06-01"
ACCUSES = frozenset({"no_such_provision", "differs", "other_provision", "not_found", "contradicts"})
DOUBTS = frozenset({"not_in_force", "another_year", "other_version", "no_such_document_here"})
TRIES = 60


@dataclass(frozen=True)
class Placed:
    """An item, and where in its brief its citation and its quotation stand."""

    item: Item
    cited: tuple[int, int]
    quoted: tuple[int, int]


def main() -> int:
    parser = parser_of("bench.brief_check", __doc__)
    parser.add_argument("--seed", type=int, default=40)
    parser.add_argument("--data-dir", type=Path, help="start the embedded service on this data, and keep it")
    parser.add_argument("--misses", action="store_true", help="print what was missed and what was accused wrongly")
    parser.add_argument("--statements", action="store_true", help="measure what is said of statements")
    chosen = parser.parse_args()
    if chosen.statements:
        with tempfile.TemporaryDirectory(prefix="kb-bench-") as folder:
            data_dir = chosen.data_dir or Path(folder)
            statements.measure(data_dir, day=date.fromisoformat(DAY), seed=chosen.seed, misses=chosen.misses)
        return 0
    with (
        tempfile.TemporaryDirectory(prefix="kb-bench-") as folder,
        embedded(chosen.data_dir or Path(folder), keep=True) as stack,
    ):
        api = Api(stack.base_url, stack.api_key)
        topic_id, laws = take_in(data_sets(), api=api)
        briefs = list(make_briefs(laws, random.Random(chosen.seed)))
        outcomes: list[tuple[Item, frozenset[str]]] = []
        seconds = []
        for text, items in tqdm(briefs, desc="checking", unit="brief"):
            began = time.perf_counter()
            report = api.check(text, topic_id=topic_id, as_of=DAY)
            seconds.append(time.perf_counter() - began)
            for one in items:
                verdicts = verdicts_of(report, one)
                outcomes.append((one.item, verdicts))
                if chosen.misses and _is_missed(one.item, verdicts):
                    around = text[max(min(one.cited[0], one.quoted[0]) - 30, 0) : max(one.cited[1], one.quoted[1]) + 5]
                    print(f"--- {one.item.kind or 'TRUE'}: {sorted(verdicts)}\n{around}")
        api.close()
    words = [len(text.split()) for text, _ in briefs]
    report_on(outcomes)
    middle = sorted(seconds)[len(seconds) // 2]
    print(f"\n{len(briefs)} briefs of {min(words)} to {max(words)} words: {middle:.2f} s, at most {max(seconds):.2f}")
    return 0


def make_briefs(laws: Sequence[LawText], style: random.Random) -> Iterator[tuple[str, list[Placed]]]:
    kinds = [kind for kind in KINDS for _ in range(ERRORS // len(KINDS) + 1)][:ERRORS]
    style.shuffle(kinds)
    anywhere = [kind for kind in kinds if kind != OF_VERSIONS]
    shares = [anywhere[place::BRIEFS] for place in range(BRIEFS)]
    for number in range(len(kinds) - len(anywhere)):  # no Hebrew law of the data sets has versions
        shares[(2 * number + 1) % BRIEFS].append(OF_VERSIONS)
    for place, share in enumerate(shares):
        hebrew = place % 2 == 0
        own = [law for law in laws if law.is_hebrew == hebrew]
        yield _laid_out(list(_items(own, share, style)), style, hebrew=hebrew)


def _items(laws: Sequence[LawText], kinds: Sequence[str], style: random.Random) -> Iterator[Item]:
    """As many true ones as a brief may have, with the errors among them."""
    in_force = [law for law in laws if not law.repealed]
    chosen = style.sample(in_force, 5)
    groups: list[list[Item]] = []  # of which the second cites the act of the first
    while sum(map(len, groups)) < style.randint(*ITEMS) - len(kinds):
        law, group = style.choice(chosen), []
        for again in (False, True)[: 1 + (style.random() < 0.3)]:
            one = true_item(law, style.choice(law.sections), style=style, again=again)
            if one is None:
                break
            group.append(replace(one, quote=altered(one.quote, style=style)) if style.random() < 0.2 else one)
        groups.append(group)
    groups += [[error] for kind in kinds if (error := _error(kind, chosen, in_force, laws, style))]
    style.shuffle(groups)
    for group in groups:
        yield from group


def _error(
    kind: str, chosen: Sequence[LawText], in_force: Sequence[LawText], laws: Sequence[LawText], style: random.Random
) -> Item | None:
    make, _ = KINDS[kind]
    for attempt in range(TRIES * 5):
        law = style.choice(chosen if attempt < TRIES else in_force)
        if item := make(law, style.choice(law.sections), laws, style):
            return replace(item, kind=kind)
    return None


def _laid_out(items: Sequence[Item], style: random.Random, *, hebrew: bool) -> tuple[str, list[Placed]]:
    text = "כתב טענות מטעם המשיבים\n\n" if hebrew else "SKELETON ARGUMENT FOR THE RESPONDENTS\n\n"
    placed = []
    for number, item in enumerate(items, 1):
        again = any(word in item.citation for word in ("that ", "said ", "ibid", "האמור", "שם,"))
        lead = f"{number}. " if style.random() < 0.5 else ""
        parts = frame(item.citation, item.quote, style=style, hebrew=hebrew)
        text += lead if not again else ""
        cited, quoted = (_span(parts, mark, offset=len(text)) for mark in ("\x01", "\x02"))
        text += _bare(parts)
        placed.append(Placed(item, cited, quoted))
        text += " " if again or style.random() < 0.2 else "\n\n"
    return text, placed


def _span(parts: str, mark: str, *, offset: int) -> tuple[int, int]:
    """Where the text between two marks will stand."""
    first = parts.index(mark)
    second = parts.index(mark, first + 1)
    return offset + len(_bare(parts[:first])), offset + len(_bare(parts[:second]))


def _bare(parts: str) -> str:
    return parts.replace("\x01", "").replace("\x02", "")


def verdicts_of(report: dict[str, Any], one: Placed) -> frozenset[str]:
    """The verdicts on a citation and on its quotation."""
    found = [
        found["verdict"]
        for kind, (start, end) in (("citations", one.cited), ("quotations", one.quoted), ("statements", one.cited))
        for found in report[kind]
        if found["start"] < end and start < found["end"]
    ]
    return frozenset(found)


def _is_missed(item: Item, verdicts: frozenset[str]) -> bool:
    return not verdicts & KINDS[item.kind][1] if item.kind else bool(verdicts & (ACCUSES | DOUBTS))


def report_on(outcomes: Sequence[tuple[Item, frozenset[str]]]) -> None:
    true = [verdicts for item, verdicts in outcomes if not item.kind]
    rows, all_of = [], Counter[str]()
    for kind, (_, finds) in KINDS.items():
        of_kind = [verdicts for item, verdicts in outcomes if item.kind == kind]
        found = sum(bool(verdicts & finds) for verdicts in of_kind)
        wrongly = sum(bool(verdicts & finds) for verdicts in true)
        all_of.update(made=len(of_kind), found=found)
        rows.append([kind, str(len(of_kind)), *_scores(found, len(of_kind), wrongly)])
    accused = sum(bool(verdicts & (ACCUSES | DOUBTS)) for verdicts in true)
    rows.append(["all", str(all_of["made"]), *_scores(all_of["found"], all_of["made"], accused)])
    print(markdown(["kind", "errors", "precision", "recall", "F1"], rows))
    verbatim = sum("verbatim" in verdicts and "exists" in verdicts for verdicts in true)
    print(f"\ntrue: {len(true)}, accused {accused} ({accused / len(true):.4f}), word for word {verbatim}")
    absent = [verdicts for item, verdicts in outcomes if item.kind == "act that does not exist"]
    print(f"acts that are not in the collection: {len(absent)}, accused {sum(bool(one & ACCUSES) for one in absent)}")


def _scores(found: int, made: int, wrongly: int) -> list[str]:
    precision = found / (found + wrongly) if found else 0.0
    recall = found / made if made else 0.0
    both = 2 * precision * recall / (precision + recall) if found else 0.0
    return [f"{value:.3f}" for value in (precision, recall, both)]


if __name__ == "__main__":
    sys.exit(run(main))
