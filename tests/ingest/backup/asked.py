"""Documents long enough that ten passages are a choice, and a hundred questions made of words that are in them."""

import random
import re
from collections.abc import Sequence
from itertools import product

QUESTIONS = 100
HEBREW = re.compile(r"[א-ת]{2,}")
ENGLISH = re.compile(r"[A-Za-z]{3,}")
CITED = {
    HEBREW: ("סעיף {}", "סעיף {} לחוק הגנים", "סעיף {} לחוק הספריות הציבוריות"),
    ENGLISH: ("section {}", "section {} of the Lighthouses Act", "s {} Harbour Pilotage"),
}


def gardens() -> str:
    """A Hebrew law of 30 sections."""
    who = ("הגנן", "המבקר", "הרשות המקומית", "בעל הקיוסק", "המפקח", "הורה של קטין")
    what = ("ינעל את השער עם שקיעה", "ישלם אגרת כניסה", "יגיש דין וחשבון שנתי", "רשאי לנטוע עצי זית", "לא יצית מדורה")
    when = ("בימי חול", "תוך ארבעה עשר ימים", "באישור המועצה", "מטעמים שיירשמו", "בתקופת הקיץ", "לפי הצו", "בחגים")
    return _document('חוק הגנים לדוגמה, התשפ"ג–2023', [*product(who, what)], when)


def lighthouses() -> str:
    """An English act of 30 sections."""
    who = ("The keeper", "A shipowner", "The lighthouse authority", "An inspector", "The pilot", "Any passenger")
    what = ("shall trim the lamp at dusk", "must pay light dues", "may board the vessel", "shall keep a written log",
            "must not obscure the beacon")  # fmt: skip
    when = ("within fourteen days", "during fog", "with the consent of the Board", "before leaving port", "each spring",
            "unless the tide prevents it", "as the order provides")  # fmt: skip
    return _document("Lighthouses Act 1999", [*product(who, what)], when)


def questions(passages: Sequence[str], *, seed: int = 1) -> list[str]:
    """A hundred different ones, half of them Hebrew: words, phrases and lines of the passages, and citations."""
    chance = random.Random(seed)
    asked: dict[str, None] = {}
    for language, share in ((HEBREW, QUESTIONS // 2), (ENGLISH, QUESTIONS)):
        lines = [line for text in passages for line in text.splitlines() if language.search(line)]
        words = sorted({word for line in lines for word in language.findall(line)})
        while len(asked) < share:
            line = chance.choice(lines)
            neighbours = line.split()
            start = chance.randrange(len(neighbours))
            made = (
                chance.choice(words),
                " ".join(chance.sample(words, 3)),
                " ".join(neighbours[start : start + chance.randint(2, 5)]),
                line,
                chance.choice(CITED[language]).format(chance.randint(1, 30)),
            )
            question = made[len(asked) % len(made)]
            if language.search(question):
                asked[question] = None
    return list(asked)


def _document(title: str, duties: list[tuple[str, str]], when: Sequence[str]) -> str:
    sections = (
        f"{number}. {who}\n{who} {what} {when[number % len(when)]}." for number, (who, what) in enumerate(duties, 1)
    )
    return "\n\n".join((title, *sections)) + "\n"
