"""Queries for the made laws of a topic: the four styles of the law set, long questions, and only common words."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import psycopg

from bench.scale.laws import SEED, YEAR

STYLES = ("formal", "as cited", "heading", "heading and title", "question", "common words")
SAMPLE = 4_000  # passages of a topic that queries are made of
COMMON = 60  # words
OPENINGS = ("מה קובע הדין לעניין", "באילו תנאים חלה ההוראה בדבר", "מהן החובות והסמכויות בעניין", "מה הדין כאשר")
_WORD = re.compile(r"[א-ת][א-ת\"]*")
# By a hash of the id, so that the sample is the same whenever the data are, and spread over the whole topic.
# Nothing that is not in force is an answer of today.
PASSAGES = """
    SELECT c.source_id, c.section, c.heading, c.text, s.title, s.kind
    FROM kb_chunk c JOIN kb_source s ON s.id = c.source_id
    WHERE c.topic_id = %s AND (c.valid_from IS NULL OR c.valid_from <= CURRENT_DATE)
        AND (c.valid_to IS NULL OR CURRENT_DATE < c.valid_to)
    ORDER BY md5(c.id::text) LIMIT %s
"""
HEADINGS = """
    SELECT heading FROM kb_chunk
    WHERE topic_id = %s AND heading = ANY(%s) GROUP BY heading HAVING count(DISTINCT (source_id, section)) = 1
"""


@dataclass(frozen=True, slots=True)
class ScaleQuery:
    """A query and the section that answers it, as source id and section number; None where no section is meant."""

    text: str
    style: str
    gold: tuple[int, str] | None


@dataclass(frozen=True, slots=True)
class Passage:
    source_id: int
    section: str
    heading: str
    text: str
    title: str
    kind: str

    @property
    def name(self) -> str:
        """The title without its year."""
        return YEAR.sub("", self.title)

    @property
    def gold(self) -> tuple[int, str]:
        return self.source_id, self.section


def queries_of_topic(database_url: str, *, topic_id: int, count: int) -> list[ScaleQuery]:
    """About `count` queries, every style as often as another where the topic allows it, in a fixed order."""
    with psycopg.connect(database_url, connect_timeout=10) as connection:
        passages = [Passage(*row) for row in connection.execute(PASSAGES, [topic_id, SAMPLE])]
        headings = [passage.heading for passage in passages if passage.heading]
        unique = {row[0] for row in connection.execute(HEADINGS, [topic_id, headings])}
    sections = [passage for passage in passages if passage.section]
    headed = [passage for passage in sections if passage.heading in unique and " " in passage.heading]
    chance = random.Random(f"{SEED} {topic_id}")
    makers: list[tuple[Sequence[Passage], Callable[[Passage], ScaleQuery | None]]] = [
        (sections, _formal),
        (sections, lambda passage: _as_cited(passage, chance)),
        (headed, lambda passage: ScaleQuery(passage.heading, "heading", passage.gold)),
        (headed, lambda passage: ScaleQuery(f"{passage.heading} {passage.name}", "heading and title", passage.gold)),
        (sections, lambda passage: _question(passage, chance)),
    ]
    found: list[ScaleQuery] = list(_of_common_words(passages, chance, count=count // len(STYLES)))
    for pool, make in makers:
        made = (query for passage in chance.sample(pool, len(pool)) if (query := make(passage)))
        found += [query for _, query in zip(range(count // len(STYLES)), made, strict=False)]
    chance.shuffle(found)
    return found


def _formal(passage: Passage) -> ScaleQuery:
    return ScaleQuery(f"{_reference(passage)} ל{passage.name}", "formal", passage.gold)


def _as_cited(passage: Passage, chance: random.Random) -> ScaleQuery:
    """As other statutes cite: inside a phrase, with a clause, with the year, or the title cut short."""
    clause = chance.choice(["", "", "(א)", "(ב)", "(1)"])
    title = chance.choice([passage.title, passage.title, passage.name])
    text = f"{chance.choice(['ב', 'לפי ', 'כאמור ב', ''])}{_reference(passage)}{clause} ל{title}"
    return ScaleQuery(text, "as cited", passage.gold)


def _reference(passage: Passage) -> str:
    return f"{'סעיף' if passage.kind == 'law' else 'תקנה'} {passage.section}"


def _question(passage: Passage, chance: random.Random) -> ScaleQuery | None:
    """A long question in natural language: a run of the section's words, some left out, behind an opening."""
    words = _WORD.findall(passage.text)
    if len(words) < 20:
        return None
    length = min(len(words), chance.randint(16, 28))
    start = chance.randint(0, len(words) - length)
    kept = [word for word in words[start : start + length] if chance.random() < 0.75]
    return ScaleQuery(f"{chance.choice(OPENINGS)} {' '.join(kept)}?", "question", passage.gold)


def _of_common_words(passages: Sequence[Passage], chance: random.Random, *, count: int) -> Iterator[ScaleQuery]:
    """Three to five of the words that most passages have."""
    counted = Counter(word for passage in passages for word in set(_WORD.findall(passage.text)))
    common = [word for word, _ in counted.most_common(COMMON)]
    if len(common) < 5:
        return
    for _ in range(count):
        yield ScaleQuery(" ".join(chance.sample(common, chance.randint(3, 5))), "common words", None)
