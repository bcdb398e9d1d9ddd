"""Errors put into briefs, and how many of them a check finds: `python -m bench.brief_check [--seed N] [--misses]`.

Takes `israeli-law`, `styles` and `versions` under KB_DATA_SETS. 60 briefs in Hebrew and English cite and quote these
laws in many manners. 500 of the citations and quotations have an error of one of twelve kinds. Each brief goes to
POST /kb/check. Also counted is what is true and was accused, and what cites acts that are not in the collection.

With `--statements` it measures statements in place of citations and quotations, with a reader by rules for a model.
With `--speed` it measures how long checks take.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bench.brief_check import statements
from bench.brief_check.briefs import Placed, items_of, laid_out, make_briefs
from bench.brief_check.errors import KINDS, OF_VERSIONS, Item
from bench.brief_check.laws import LawText, take_in
from bench.client import Api
from bench.command import add_data_dir, data_sets, parser_of, run
from bench.metrics import precision_recall_f1
from bench.stack import embedded
from bench.tables import markdown

WORDS, CITATIONS = 2_000, 40
ERRORS = 13  # of the citations, as many as in the briefs whose errors are counted
BRIEFS, TIMES = 10, 3
PLEADING = {
    True: "המשיבה טוענת כי העובדות אינן שנויות במחלוקת וכי די בהן כדי להכריע בבקשה שלפני בית המשפט הנכבד",
    False: "The respondent submits that the facts are not in dispute and that they are enough to decide",
}

DAY = "2026-06-01"
ACCUSES = frozenset({"no_such_provision", "differs", "other_provision", "not_found", "contradicts"})
DOUBTS = frozenset({"not_in_force", "another_year", "other_version", "no_such_document_here"})


def _measure_speed(data_dir: Path | None, *, day: str, seed: int) -> None:
    """Print the seconds of each brief, three times."""
    with embedded(data_dir) as (_, api):
        topic_id, laws = take_in(data_sets(), api=api)
        briefs = [sized_brief(laws, random.Random(seed + place), hebrew=place % 2 == 0) for place in range(BRIEFS)]
        print(f"\n{BRIEFS} briefs of {WORDS} words with {CITATIONS} citations: {_alone(api, briefs, topic_id, day)}")


def sized_brief(laws: Sequence[LawText], style: random.Random, *, hebrew: bool) -> str:
    """A brief of as many words and citations as `WORDS` and `CITATIONS` say, with errors among them."""
    own = [law for law in laws if law.is_hebrew == hebrew]
    kinds = style.sample([kind for kind in KINDS if kind != OF_VERSIONS] * 2, ERRORS)
    while True:
        items = [*items_of(own, kinds, style, most=CITATIONS)]
        text, _ = laid_out(items, style, hebrew=hebrew)
        missing = WORDS - len(text.split())
        if len(items) == CITATIONS and missing >= 0:
            return f"{text}\n\n{_pleading(missing, hebrew=hebrew)}"


def _pleading(words: int, *, hebrew: bool) -> str:
    """So many words that cite nothing."""
    said = cycle(PLEADING[hebrew].split())
    return " ".join(next(said) for _ in range(words))


def _alone(api: Api, briefs: Sequence[str], topic_id: int, day: str) -> str:
    seconds = []
    for _ in range(TIMES):
        for text in briefs:
            began = time.perf_counter()
            api.check(text, topic_id=topic_id, as_of=day)
            seconds.append(time.perf_counter() - began)
    seconds.sort()
    return f"{seconds[0]:.2f} s at the fastest, {seconds[len(seconds) // 2]:.2f} (median), {seconds[-1]:.2f} at most"


def main() -> int:
    parser = parser_of("bench.brief_check", __doc__)
    parser.add_argument("--seed", type=int, default=40)
    add_data_dir(parser)
    parser.add_argument("--misses", action="store_true", help="print what was missed and what was accused wrongly")
    parser.add_argument("--statements", action="store_true", help="measure what is said of statements")
    parser.add_argument("--speed", action="store_true", help="measure how long checks take")
    chosen = parser.parse_args()
    if chosen.statements:
        statements.measure(chosen.data_dir, day=DAY, seed=chosen.seed, misses=chosen.misses)
    elif chosen.speed:
        _measure_speed(chosen.data_dir, day=DAY, seed=chosen.seed)
    else:
        _measure(chosen.data_dir, seed=chosen.seed, misses=chosen.misses)
    return 0


def _measure(data_dir: Path | None, *, seed: int, misses: bool) -> None:
    with embedded(data_dir) as (_, api):
        topic_id, laws = take_in(data_sets(), api=api)
        briefs = list(make_briefs(laws, random.Random(seed)))
        outcomes: list[tuple[Item, frozenset[str]]] = []
        seconds = []
        for text, items in tqdm(briefs, desc="checking", unit="brief"):
            began = time.perf_counter()
            report = api.check(text, topic_id=topic_id, as_of=DAY)
            seconds.append(time.perf_counter() - began)
            for one in items:
                verdicts = verdicts_of(report, one)
                outcomes.append((one.item, verdicts))
                if misses and _is_missed(one.item, verdicts):
                    around = text[max(min(one.cited[0], one.quoted[0]) - 30, 0) : max(one.cited[1], one.quoted[1]) + 5]
                    print(f"--- {one.item.kind or 'TRUE'}: {sorted(verdicts)}\n{around}")
    words = [len(text.split()) for text, _ in briefs]
    report_on(outcomes)
    middle = sorted(seconds)[len(seconds) // 2]
    print(f"\n{len(briefs)} briefs of {min(words)} to {max(words)} words: {middle:.2f} s, at most {max(seconds):.2f}")


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
    return [f"{value:.3f}" for value in precision_recall_f1(found, made=made, given=found + wrongly)]


if __name__ == "__main__":
    sys.exit(run(main))
