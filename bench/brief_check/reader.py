"""A server in the place of a model: it reads a provision and a statement by rules, and not always carefully.

It shows what the checker makes of votes. How well a model reads it does not show.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from tests.openai_server import OpenAIServer, Reply, parts_of

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
