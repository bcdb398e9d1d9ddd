"""Texts of laws, circulars and judgments that nobody ever passed, issued or handed down, in Hebrew and English."""

import random
from collections.abc import Sequence

# Syllables that stemming leaves alone: no letters of Hebrew prefixes or endings, no English suffixes.
HEBREW_SYLLABLES = ("גד", "זט", "צק", "רנ", "ספ", "דז", "קר", "טג", "פצ", "נס")
ENGLISH_SYLLABLES = ("bo", "da", "ki", "lu", "mo", "ra", "zu", "va", "po", "gu")

HEBREW_YEARS = (
    'התשע"ה–2015',
    'התשע"ו–2016',
    'התשע"ז–2017',
    'התשע"ח–2018',
    'התשע"ט–2019',
    'התש"ף–2020',
    'התשפ"א–2021',
    'התשפ"ב–2022',
    'התשפ"ג–2023',
)
HEBREW = {
    "matter": ("השאלת כלי שיט", "אחסון תבואה", "תחזוקת גשרים", "גידול דבורים", "הובלת זכוכית", "שימור טחנות רוח"),
    "who": ("המפקח", "בעל הרישיון", "הוועדה המקומית", "המבקש", "הרשם", "מנהל התחנה"),
    "act": ("ימסור הודעה בכתב", "ינהל פנקס ערוך כדין", "ישלם אגרה", "יציג תעודה", "יערוך בדיקה", "יפרסם את החלטתו"),
    "when": ("בתוך שלושים ימים", "לפני תחילת העונה", "בסוף כל רבעון", "עם קבלת הדרישה", "אחת לשנה", "ללא דיחוי"),
    "where": ("בנמל הצפוני", "בתחום הרשות", "במחסן מורשה", "באתר העבודה", "במשרדי הרשם", "בכל תחנה"),
    "city": ("גבעת האלון", "כפר הדגן", "נווה הגפן", "מעלה הזית"),
    "name": ("אלמוג ספנות", "ברקת יזמות", "גלעד כהן", "דקל אחסנה", "הדס לוי", "ורד הובלות"),
}
ENGLISH = {
    "matter": ("Boat Hire", "Grain Storage", "Bridge Upkeep", "Bee Keeping", "Glass Carriage", "Windmill Preservation"),
    "who": ("The inspector", "A licence holder", "The local board", "An applicant", "The registrar", "The warden"),
    "act": (
        "shall give notice in writing",
        "shall keep an orderly book",
        "shall pay the fee",
        "shall produce a certificate",
        "shall carry out a survey",
        "shall make the decision public",
    ),
    "when": (
        "within thirty days",
        "before the season opens",
        "at the end of each quarter",
        "on demand",
        "once a year",
        "without delay",
    ),
    "where": (
        "at the northern quay",
        "within the district",
        "in an approved store",
        "on the site",
        "at the registry",
        "at every station",
    ),
    "city": ("Oakhill", "Cornford", "Vinebury", "Olivemount"),
    "name": ("Coral Shipping", "Agate Holdings", "Gil Carter", "Palm Storage", "Myrtle Lewis", "Rose Haulage"),
}


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
        return [f"חוק {pick['matter']}, {chance.choice(HEBREW_YEARS)}"]
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
