"""What a check says of statements, with a reader in the place of a model.

The reader is a server that reads a provision and a statement by rules, and not always carefully. It shows what the
checker makes of votes. How well a model reads it does not show.
"""

import hashlib
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bench.brief_check.errors import CHANGES
from bench.brief_check.laws import LawText, Section, quotable, take_in
from bench.brief_check.manners import cite
from bench.client import Api
from bench.command import data_sets
from bench.metrics import precision_recall_f1
from bench.stack import embedded, settings_of_stack
from bench.tables import markdown
from tests.openai_server import OpenAIServer, Reply, parts_of

OF_EACH = 100  # in each language
A_BRIEF = 25
MIN_WORDS = 9  # of a sentence that is restated
_MODAL = re.compile(r"\b(?:shall|must|may|is|are|רשאי|חייב|יהיה|יהא|תהיה|ישלם|יגיש|לא)\b")
_OTHER_WORDS: dict[bool, Sequence[tuple[str, str]]] = {
    False: (
        (r"\bshall be\b", "has to be"),
        (r"\bshall not\b", "must not"),
        (r"\bshall\b", "must"),
        (r"\bin accordance with\b", "under"),
        (r"\bprior to\b", "before"),
        (r"\bsubsequent to\b", "after"),
        (r"\bin respect of\b", "for"),
        (r"\bpursuant to\b", "under"),
        (r"\bthe provisions of\b ?", ""),
        (r"\bany person\b", "anybody"),
        (r"\bfor the purposes? of\b", "for"),
        (r"\bcommence\b", "begin"),
        (r"\bif\b", "where"),
        (r"\bsuch\b", "the"),
    ),
    True: (
        (r"\bבהתאם ל", "לפי ה"),
        (r"\bעל פי\b", "לפי"),
        (r"\bלעניין זה\b ?", ""),
        (r"\bרשאי\b", "מוסמך"),
        (r"\bבטרם\b", "לפני ש"),
        (r"\bאלא אם כן\b", "זולת אם"),
        (r"\bהוראות\b ?", ""),
        (r"\bכל אדם\b", "אדם"),
        (r"\bבמשך\b", "לאורך"),
    ),
}

VERDICTS = ("supports", "contradicts", "does_not_say")
ENOUGH = 0.62  # of the words of a statement, for a provision to speak of the same
CERTAIN = 0.2  # beyond or below that
CARELESS = 10  # of so many first votes one names words that are not there, and one is unsure of what is plain
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[^.;:\n]+")
_SAME = (
    {"shall", "must", "has", "required", "חייב", "חייבת", "ישלם", "יגיש"},
    {"may", "can", "entitled", "רשאי", "רשאית", "מוסמך"},
    {"not", "no", "never", "nor", "לא", "אין", "אינו", "אינה", "אינם"},
)


@dataclass(frozen=True)
class Proposition:
    """A sentence of a brief with its citation, and what the law is to it."""

    text: str
    verdict: str


def make_propositions(laws: Sequence[LawText], style: random.Random) -> Iterator[list[Proposition]]:
    """The sentences of each brief, of laws in one language."""
    for hebrew in (True, False):
        own = [law for law in laws if law.is_hebrew == hebrew and not law.repealed]
        made = [
            one
            for verdict in ("supports", "contradicts", "does_not_say")
            for one in _some(own, verdict, style, hebrew=hebrew)
        ]
        style.shuffle(made)
        yield from (made[at : at + A_BRIEF] for at in range(0, len(made), A_BRIEF))


def _some(laws: Sequence[LawText], verdict: str, style: random.Random, *, hebrew: bool) -> Iterator[Proposition]:
    left = OF_EACH
    while left:
        law = style.choice(laws)
        section = style.choice(law.sections)
        said = _said(law, section, verdict, style)
        if said:
            left -= 1
            citation = cite(law, section.number, (), style=style)
            yield Proposition(_sentence(citation, restated(said, hebrew=hebrew), style, hebrew=hebrew), verdict)


def _said(law: LawText, section: Section, verdict: str, style: random.Random) -> str:
    """Words of the section, of it with a change that matters, or of another section. '' where there are none."""
    of = section
    if verdict == "does_not_say":
        of = style.choice(law.sections)
    found = [one for one in quotable(of.text) if len(one.split()) >= MIN_WORDS and _MODAL.search(one)]
    if verdict == "does_not_say":
        found = [one for one in found if one not in section.text] if of is not section else []
    if not found:
        return ""
    one = style.choice(found)
    if verdict != "contradicts":
        return one
    changed = style.choice(CHANGES)(one, law.is_hebrew, style)
    return changed if changed != one else ""


def restated(words: str, *, hebrew: bool) -> str:
    """The same in other words, as far as a few rules can."""
    for pattern, other in _OTHER_WORDS[hebrew]:
        words = re.sub(pattern, other, words)
    return words[:1].lower() + words[1:]


def _sentence(citation: str, said: str, style: random.Random, *, hebrew: bool) -> str:
    if hebrew:
        return style.choice(
            [f"לפי {citation}, {said}.", f"{citation} קובע כי {said}.", f"נקבע כי {said} ({citation})."]
        )
    return style.choice(
        [f"Under {citation}, {said}.", f"It is the law that {said} ({citation}).", f"By {citation}, {said}."]
    )


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


class Reader(OpenAIServer):
    """Answers each request of the checker."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def next_reply(self, body: dict[str, Any]) -> Reply:
        self.calls += 1
        law, said = parts_of(body)
        vote = read(law["provision"], said["statement"], law["cited"])
        if said["look_for"] == "the wording":
            vote = _careless(vote, said["statement"])
        return Reply(text=json.dumps(vote, ensure_ascii=False))


def read(provision: str, statement: str, cited: str) -> dict[str, Any]:
    """The vote: whether a stretch of the provision has most words of the statement, and what differs if it does."""
    for name in cited.split("; "):
        statement = statement.replace(name, " ")
    wanted = list(map(_plain, _WORD.findall(statement)))
    words, shared, best = max(
        ((text, *_shared(wanted, text)) for text in _stretches(provision)),
        key=lambda row: (row[1], len(row[0])),
        default=(provision, 0.0, []),
    )
    sure = abs(shared - ENOUGH) > CERTAIN
    if shared < ENOUGH:
        return {"verdict": "does_not_say", "words": words, "sure": sure}
    verdict = "contradicts" if any(_matters(*change) for change in best) else "supports"
    return {"verdict": verdict, "words": words, "sure": sure}


def _stretches(provision: str) -> Iterator[str]:
    """Its sentences and clauses, one and two of them together, as they stand there."""
    spans = [found.span() for found in _SENTENCE.finditer(provision) if _WORD.search(found[0])]
    for place, (start, end) in enumerate(spans):
        yield provision[start:end].strip()
        if place + 1 < len(spans):
            yield provision[start : spans[place + 1][1]].strip()


def _shared(wanted: Sequence[str], text: str) -> tuple[float, list[tuple[list[str], list[str]]]]:
    """The share of the statement's words that the stretch has in their order, and what differs among them."""
    there = list(map(_plain, _WORD.findall(text)))
    matcher = SequenceMatcher(None, wanted, there, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks or not wanted:
        return 0.0, []
    first, last = blocks[0].a, blocks[-1].a + blocks[-1].size
    changes = [
        (list(wanted[a:b]), there[c:d])
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal" and first <= a and b <= last
    ]
    return sum(block.size for block in blocks) / len(wanted), changes


def _matters(said: Sequence[str], there: Sequence[str]) -> bool:
    """Whether numbers, a negation, or what one must or may differ."""
    numbers = [[word for word in words if word.isdigit()] for words in (said, there)]
    if numbers[0] != numbers[1] and numbers[0]:
        return True
    kinds = [{place for place, same in enumerate(_SAME) if same.intersection(words)} for words in (said, there)]
    return (2 in kinds[0]) != (2 in kinds[1]) or {0, 1} == kinds[0] ^ kinds[1]


def _plain(word: str) -> str:
    return word.casefold()


def _careless(vote: dict[str, Any], statement: str) -> dict[str, Any]:
    chance = int(hashlib.sha256(statement.encode()).hexdigest(), 16) % CARELESS
    if chance == 0:
        return {**vote, "words": f"{vote['words']} and so forth"}
    return {**vote, "verdict": "undecided", "sure": False} if chance == 1 else vote
