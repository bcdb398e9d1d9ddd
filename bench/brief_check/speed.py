"""How long checks take of a brief of 2,000 words with 40 citations."""

import random
import time
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

from bench.brief_check.briefs import items_of, laid_out
from bench.brief_check.errors import KINDS, OF_VERSIONS
from bench.brief_check.laws import LawText, take_in
from bench.client import Api
from bench.command import data_sets
from bench.stack import embedded

WORDS, CITATIONS = 2_000, 40
ERRORS = 13  # of the citations, as many as in the briefs whose errors are counted
BRIEFS, TIMES = 10, 3
PLEADING = {
    True: "המשיבה טוענת כי העובדות אינן שנויות במחלוקת וכי די בהן כדי להכריע בבקשה שלפני בית המשפט הנכבד",
    False: "The respondent submits that the facts are not in dispute and that they are enough to decide",
}


def measure(data_dir: Path | None, *, day: str, seed: int) -> None:
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
