"""Texts of laws, circulars and judgments that nobody ever passed, issued or handed down, in Hebrew and English."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

# Syllables that stemming leaves alone: no letters of Hebrew prefixes or endings, no English suffixes.
HEBREW_SYLLABLES = ("גד", "זט", "צק", "רנ", "ספ", "דז", "קר", "טג", "פצ", "נס")
ENGLISH_SYLLABLES = ("bo", "da", "ki", "lu", "mo", "ra", "zu", "va", "po", "gu")

WORDS: dict[str, dict[str, list[str]]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
HEBREW, ENGLISH = WORDS["hebrew"], WORDS["english"]


def unique_words(count: int, *, letters: Sequence[str], chance: random.Random) -> list[str]:
    """Words of five syllables, no two alike, that no sentence here has."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(chance.choice(letters) for _ in range(5))] = None
    return list(found)


def document(kind: str, *, word: str, hebrew: bool, chance: random.Random) -> list[str]:
    """The lines of a law, circular or judgment of one to four pages; one of them has the word."""
    pick = {name: chance.choice(choices) for name, choices in (HEBREW if hebrew else ENGLISH).items()}
    head = (_hebrew_head if hebrew else _english_head)(kind, pick=pick, chance=chance)
    sections = chance.randrange(6, 22)
    special = chance.randrange(sections)
    lines = list(head)
    for number in range(sections):
        own = (f"הוראה זו חלה על {word}." if hebrew else f"This provision applies to {word}.") + " "
        lines.append(f"{number + 1}. {own if number == special else ''}{_sentences(hebrew=hebrew, chance=chance)}")
    return lines


def _hebrew_head(kind: str, *, pick: dict[str, str], chance: random.Random) -> list[str]:
    number, year = chance.randrange(1, 99), chance.randrange(2015, 2026)
    if kind == "law":
        return [f"חוק {pick['matter']}, {pick['year']}"]
    if kind == "circular":
        return [f"חוזר מספר {number}/{year}", f"תאריך: {number % 28 + 1}.{number % 12 + 1}.{year}",
                f"הנדון: {pick['matter']} ב{pick['city']}"]  # fmt: skip
    first, second = chance.sample(HEBREW["name"], 2)
    return [f"בית המשפט המחוזי ב{pick['city']}", f'ת"א {chance.randrange(10_000, 99_999)}-06-{year % 100}',
            f"התובע: {first}", "נגד", f"הנתבע: {second}", "פסק דין"]  # fmt: skip


def _english_head(kind: str, *, pick: dict[str, str], chance: random.Random) -> list[str]:
    number, year = chance.randrange(1, 99), chance.randrange(2015, 2026)
    if kind == "law":
        return [f"{pick['matter']} Act {year}"]
    if kind == "circular":
        return [f"Circular No. {number}/{year}", f"Date: {number % 28 + 1} March {year}",
                f"Subject: {pick['matter']} in {pick['city']}"]  # fmt: skip
    first, second = chance.sample(ENGLISH["name"], 2)
    return [f"IN THE HIGH COURT OF {pick['city'].upper()}", f"Case No. {chance.randrange(100, 999)} of {year}",
            f"{first} v. {second}", "JUDGMENT"]  # fmt: skip


def _sentences(*, hebrew: bool, chance: random.Random) -> str:
    lists = HEBREW if hebrew else ENGLISH
    return " ".join(
        " ".join(chance.choice(lists[part]) for part in ("who", "act", "where", "when")) + "."
        for _ in range(chance.randrange(2, 7))
    )
