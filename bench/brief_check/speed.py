"""How long checks take: of a brief of 2,000 words with 40 citations, and of twenty at once beside searches."""

import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from threading import Event

from bench.brief_check.briefs import items_of, laid_out
from bench.brief_check.errors import KINDS, OF_VERSIONS
from bench.brief_check.laws import LawText, take_in
from bench.client import Api
from bench.command import data_sets
from bench.metrics import percentiles
from bench.stack import embedded
from bench.tables import markdown

WORDS, CITATIONS = 2_000, 40
ERRORS = 13  # of the citations, as many as in the briefs whose errors are counted
BRIEFS, TIMES = 10, 3
AT_ONCE = 20
SEARCHES, ROUNDS, ALONE_S = 3, 3, 20.0  # streams of searches
PLEADING = {
    True: "המשיבה טוענת כי העובדות אינן שנויות במחלוקת וכי די בהן כדי להכריע בבקשה שלפני בית המשפט הנכבד",
    False: "The respondent submits that the facts are not in dispute and that they are enough to decide",
}


@dataclass(frozen=True, slots=True)
class Beside:
    """Milliseconds of searches, and seconds of the checks beside them. `later` of these were answered with 202."""

    searches: Sequence[float]
    checks: Sequence[float] = ()
    later: int = 0


def measure(data_dir: Path, *, day: str, seed: int) -> None:
    """Print both."""
    with embedded(data_dir, keep=True) as stack, closing(Api(stack.base_url, stack.api_key, connections=40)) as api:
        topic_id, laws = take_in(data_sets(), api=api)
        briefs = [sized_brief(laws, random.Random(seed + place), hebrew=place % 2 == 0) for place in range(BRIEFS)]
        print(f"\n{BRIEFS} briefs of {WORDS} words with {CITATIONS} citations: {_alone(api, briefs, topic_id, day)}")
        rounds = [_rounds(api, laws, briefs, topic_id, day) for _ in range(ROUNDS)]
    rows = [_row(without, beside) for without, beside in rounds]
    header = ["searches alone, p95 ms", "beside checks", "ratio", "checks: half within s", "all", "answered with 202"]
    print(markdown(header, rows))


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


def _rounds(api: Api, laws: Sequence[LawText], briefs: Sequence[str], topic_id: int, day: str) -> tuple[Beside, Beside]:
    """Searches for a while, and then searches for as long as the checks beside them take."""
    done = Event()
    with ThreadPoolExecutor(AT_ONCE + SEARCHES) as pool:
        streams = [pool.submit(_search, api, laws, topic_id, done) for _ in range(SEARCHES)]
        done.wait(ALONE_S)
        done.set()
        without = Beside([one for stream in streams for one in stream.result()])
        done.clear()
        streams = [pool.submit(_search, api, laws, topic_id, done) for _ in range(SEARCHES)]
        texts = [f"{briefs[place % len(briefs)]} {place}" for place in range(AT_ONCE)]
        checks = [pool.submit(_timed, api, text, topic_id, day) for text in texts]
        took = [one.result() for one in checks]
        done.set()
        searches = [one for stream in streams for one in stream.result()]
    return without, Beside(searches, [seconds for seconds, _ in took], sum(later for _, later in took))


def _timed(api: Api, text: str, topic_id: int, day: str) -> tuple[float, bool]:
    """How long a check took, and whether it was answered with 202."""
    began = time.perf_counter()
    begun = api.begin_check(text, topic_id=topic_id, as_of=day)
    api.checked(begun)
    return time.perf_counter() - began, "citations" not in begun


def _search(api: Api, laws: Sequence[LawText], topic_id: int, done: Event) -> list[float]:
    """Milliseconds of searches, one behind the other, until it is done."""
    found = []
    for query in _queries(laws):
        if done.is_set():
            break
        began = time.perf_counter()
        api.search(query, topic_id=topic_id)
        found.append((time.perf_counter() - began) * 1_000)
    return found


def _queries(laws: Sequence[LawText]) -> Iterator[str]:
    """Words that stand in the laws, without an end."""
    style = random.Random(len(laws))
    while True:
        yield " ".join(style.sample(style.choice(style.choice(laws).sections).text.split(), 5))


def _row(without: Beside, beside: Beside) -> list[str]:
    alone, during = percentiles(without.searches).p95, percentiles(beside.searches).p95
    took = sorted(beside.checks)
    shown = [f"{alone:.0f}", f"{during:.0f}", f"{during / alone:.2f}", f"{took[len(took) // 2]:.1f}", f"{took[-1]:.1f}"]
    return [*shown, str(beside.later)]
