"""What a check says of statements, with a reader by rules in the place of a model."""

import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bench.brief_check.laws import LawText, take_in
from bench.brief_check.propositions import Proposition, make_propositions
from bench.brief_check.reader import Reader
from bench.client import Api
from bench.command import data_sets
from bench.metrics import precision_recall_f1
from bench.stack import embedded, settings_of_stack
from bench.tables import markdown

VERDICTS = ("supports", "contradicts", "does_not_say")


def measure(data_dir: Path | None, *, day: str, seed: int, misses: bool) -> None:
    """Print F1 of each verdict, and whether the words of every verdict stand in the provision that was cited."""
    with Reader() as reader:
        models = {"KB_LLM_BASE_URL": reader.url, "KB_LLM_MODEL": "reader", "KB_LLM_API_KEY": "bench"}
        settings = {**models, "KB_CHECKER": "openai", "KB_ANSWERER": "extractive", "KB_EXPANDER": "none"}
        with settings_of_stack(settings), embedded(data_dir) as (_, api):
            topic_id, laws = take_in(data_sets(), api=api)
            _measured(api, topic_id, laws, day=day, seed=seed, misses=misses)
            print(f"\n{reader.calls} calls of the reader")


def _measured(api: Api, topic_id: int, laws: Sequence[LawText], *, day: str, seed: int, misses: bool) -> None:
    outcomes: Counter[tuple[str, str]] = Counter()
    words = verified = 0
    seconds = []
    for made in tqdm(list(make_propositions(laws, random.Random(seed))), desc="checking", unit="brief"):
        text = "\n\n".join(one.text for one in made)
        began = time.perf_counter()
        report = api.check(text, topic_id=topic_id, as_of=day)
        seconds.append(time.perf_counter() - began)
        for one, found in _paired(made, report):
            verdict = found["verdict"] if found else "no finding"
            outcomes[one.verdict, verdict] += 1
            if found and verdict != "not_checked":
                words += 1
                verified += _stand_there(api, found)
            if misses and verdict != one.verdict:
                print(f"--- {one.verdict}: {verdict} {found['why'] if found else ''}\n{one.text}\n{found}")
    report_on(outcomes)
    print(f"\nverdicts with words: {words}, of which {verified} stand in the provision")
    print(f"a brief of {len(made)} statements: {sorted(seconds)[len(seconds) // 2]:.2f} s, at most {max(seconds):.2f}")


def _paired(made: Sequence[Proposition], report: dict[str, Any]) -> list[tuple[Proposition, dict[str, Any] | None]]:
    """Each sentence with the finding that lies in it."""
    pairs, at = [], 0
    for one in made:
        end = at + len(one.text)
        inside = [found for found in report["statements"] if at <= found["start"] < end]
        pairs.append((one, inside[0] if inside else None))
        at = end + 2
    return pairs


def _stand_there(api: Api, found: dict[str, Any]) -> bool:
    to = found["to"]
    return bool(found["words"]) and found["words"] in api.provision(to["source_id"], to["eid"])


def report_on(outcomes: Counter[tuple[str, str]]) -> None:
    rows, scores = [], []
    for verdict in VERDICTS:
        right = outcomes[verdict, verdict]
        made = sum(times for (gold, _), times in outcomes.items() if gold == verdict)
        given = sum(times for (_, found), times in outcomes.items() if found == verdict)
        measured = precision_recall_f1(right, made=made, given=given)
        scores.append(measured[-1])
        rows.append([verdict, str(made), *(f"{value:.3f}" for value in measured)])
    rows.append(["mean", str(outcomes.total()), "", "", f"{sum(scores) / len(scores):.3f}"])
    print(markdown(["verdict", "statements", "precision", "recall", "F1"], rows))
    others = {found: times for (_, found), times in outcomes.items() if found not in VERDICTS}
    print(f"\nneither: {others or 'none'}")
