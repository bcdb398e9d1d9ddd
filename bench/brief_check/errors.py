"""Twelve kinds of errors, each put into a citation or a quotation that was true."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.brief_check.laws import LawText, Section, quotable
from bench.brief_check.manners import cite, other_year

_NOT = {True: (r"\b(לא|אינו|אינה|אינם|אין) ", "לא "), False: (r"\b(not|no) ", "not ")}
_MODAL = {True: r"\b(יהיה|יהא|רשאי|רשאית|חייב|ישלם|יגיש|תהיה)\b", False: r"\b(shall|must|may|is|are)\b(?! not)"}
_DUTIES = {
    True: [(r"\bרשאי\b", "חייב"), (r"\bחייב\b", "רשאי"), (r"\bרשאית\b", "חייבת")],
    False: [(r"\b(?:shall|must)\b(?! not)", "may"), (r"\bmay\b(?! not)", "must")],
}
_NUMBER = re.compile(r"(?<![\w./-])\d{1,4}(?![\w./-])")
_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|ב(?:ינואר|פברואר|מרס|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר)"
)
_DAY = re.compile(rf"\d{{1,2}}(?:st|nd|rd|th)? (?:{_MONTHS})|\d{{1,3}} (?:days|months|ימים|חודשים|weeks)")
_INVENTED = {
    True: [
        "כל אדם זכאי לקבל לידיו צלחת מרק חם בבוקרו של כל יום חול",
        "המפקח הראשי יצבע את דלתות המשרד בירוק אחת לשלוש עונות",
    ],
    False: [
        "every citizen shall be given a bowl of warm soup on the morning of each working day",
        "the chief inspector must paint the office doors green once in three seasons of rain",
    ],
}
_NO_ACT = {
    True: [
        "חוק הסדרת גידול פטריות במרתפים, התשס״א–2001",
        "תקנות רישוי מפעילי עפיפונים, התשע״ג–2013",
        "חוק עידוד כתיבת יומנים, התשמ״ח–1988",
    ],
    False: [
        "Cellar Mushrooms (Licensing) Act 2001",
        "Kite Operators Registration Act 2013",
        "Diary Writing Encouragement Act 1988",
    ],
}


@dataclass(frozen=True)
class Item:
    """A citation with a quotation, as a brief is to have them. `kind` is the error, '' for a true one."""

    citation: str
    quote: str
    kind: str = ""


def true_item(law: LawText, section: Section, *, style: random.Random, again: bool) -> Item | None:
    """A quotation from a section or one of its clauses, cited as it is."""
    clauses = [(path, text) for path, text in section.clauses if quotable(text)]
    if clauses and style.random() < 0.6:
        path, text = style.choice(clauses)
    else:
        path, text = (), section.text
    quotes = quotable(text)
    return Item(cite(law, section.number, path, style=style, again=again), style.choice(quotes)) if quotes else None


def _wrong_section(law: LawText, section: Section, laws: Sequence[LawText], style: random.Random) -> Item | None:
    quotes = quotable(section.text)
    others = [one.number for one in law.sections if one is not section and not _shares(one.text, quotes)]
    number = _beyond(law, style) if style.random() < 0.4 or not others else style.choice(others)
    return Item(cite(law, number, (), style=style), style.choice(quotes)) if quotes else None


def _beyond(law: LawText, style: random.Random) -> str:
    """A number that no section has: of a part of the CFR one of that part."""
    part = law.sections[0].number.partition(".")[0] + "." if law.style == "us_cfr" else ""
    numbers = (re.match(r"\d+", number.removeprefix(part)) for number in law.numbers)
    return f"{part}{max((int(found[0]) for found in numbers if found), default=0) + style.randrange(20, 60)}"


def _wrong_clause(law: LawText, section: Section, laws: Sequence[LawText], style: random.Random) -> Item | None:
    top = [(path, text) for path, text in section.clauses if len(path) == 1]
    if len(top) < 2:
        return None
    path, text = style.choice(top)
    quotes = quotable(text)
    others = [other for other, said in top if other != path and not _shares(said, quotes)]
    if not quotes or not others:
        return None
    missing = "19" if path[0].isdigit() else "ט" if law.is_hebrew else "w"
    taken = {other[0] for other, _ in top}
    wrong = (missing,) if style.random() < 0.4 and missing not in taken else style.choice(others)
    return Item(cite(law, section.number, wrong, style=style), style.choice(quotes))


def _other_act(law: LawText, section: Section, laws: Sequence[LawText], style: random.Random) -> Item | None:
    quotes = quotable(section.text)
    others = [
        one
        for one in laws
        if one is not law and one.style == law.style and not one.repealed
        if any(there.number == section.number for there in one.sections)
        if not any(_shares(there.text, quotes) for there in one.sections)
    ]
    return (
        Item(cite(style.choice(others), section.number, (), style=style), style.choice(quotes))
        if quotes and others
        else None
    )


def _another_year(law: LawText, section: Section, laws: Sequence[LawText], style: random.Random) -> Item | None:
    title, quotes = other_year(law.title, style=style), quotable(section.text)
    if not title or not quotes or law.style in ("eu", "us_code", "us_cfr", "treaty"):
        return None
    renamed = LawText(law.source_id, title, law.style, False, (), frozenset())
    return Item(cite(renamed, section.number, (), style=style), style.choice(quotes))


def _no_act(law: LawText, section: Section, laws: Sequence[LawText], style: random.Random) -> Item | None:
    renamed = LawText(
        0, style.choice(_NO_ACT[law.is_hebrew]), "he" if law.is_hebrew else "uk_act", False, (), frozenset()
    )
    return Item(cite(renamed, str(style.randrange(2, 30)), (), style=style), style.choice(_INVENTED[law.is_hebrew]))


def _repealed(law: LawText, section: Section, laws: Sequence[LawText], style: random.Random) -> Item | None:
    gone = [one for one in laws if one.repealed and one.is_hebrew == law.is_hebrew]
    chosen = style.choice(gone)
    return true_item(chosen, style.choice(chosen.sections), style=style, again=False)


def _other_version(law: LawText, section: Section, laws: Sequence[LawText], style: random.Random) -> Item | None:
    dated = [
        (one, number, quote)
        for one in laws
        for number, text in one.before.items()
        for quote in quotable(text)
        if all(quote not in now.text for now in one.sections if now.number == number.rstrip("."))
    ]
    if not dated:
        return None
    one, number, quote = style.choice(dated)
    return Item(cite(one, number.rstrip("."), (), style=style), quote)


def _changed(change: Callable[[str, bool, random.Random], str]) -> Callable[..., Item | None]:
    def make(law: LawText, section: Section, laws: Sequence[LawText], style: random.Random) -> Item | None:
        changed = [(quote, change(quote, law.is_hebrew, style)) for quote in quotable(section.text)]
        differing = [
            after for before, after in changed if after not in ("", before) and not _stands(after, section, law)
        ]
        return Item(cite(law, section.number, (), style=style), style.choice(differing)) if differing else None

    return make


def _word(quote: str, hebrew: bool, style: random.Random) -> str:
    words = quote.split()
    place = style.randrange(2, len(words) - 2)
    if not words[place].isalpha() or len(words[place]) < 4:
        return ""
    words[place] = style.choice(["הנמל", "האופנוע", "התזמורת"] if hebrew else ["harbour", "orchestra", "bicycle"])
    return " ".join(words)


def _negation(quote: str, hebrew: bool, style: random.Random) -> str:
    pattern, word = _NOT[hebrew]
    if re.search(pattern, quote):
        return re.sub(pattern, "", quote, count=1)
    modal = re.search(_MODAL[hebrew], quote)
    if modal is None:
        return ""
    at = modal.start() if hebrew else modal.end() + 1
    return quote[:at] + word + quote[at:]


def _number(quote: str, hebrew: bool, style: random.Random) -> str:
    found = _NUMBER.search(quote)
    return quote[: found.start()] + str(int(found[0]) + style.randrange(1, 9)) + quote[found.end() :] if found else ""


def _duty(quote: str, hebrew: bool, style: random.Random) -> str:
    for one, other in style.sample(_DUTIES[hebrew], len(_DUTIES[hebrew])):
        if re.search(one, quote):
            return re.sub(one, other, quote, count=1)
    return ""


def _day(quote: str, hebrew: bool, style: random.Random) -> str:
    found = _DAY.search(quote)
    if found is None:
        return ""
    changed = re.sub(r"\d+", lambda number: str(int(number[0]) % 27 + 2), found[0], count=1)
    return quote[: found.start()] + changed + quote[found.end() :]


def _other_words(law: LawText, section: Section, laws: Sequence[LawText], style: random.Random) -> Item | None:
    return Item(cite(law, section.number, (), style=style), style.choice(_INVENTED[law.is_hebrew]))


def _stands(quote: str, section: Section, law: LawText) -> bool:
    """Whether a section of the law has these very words."""
    return any(quote in one.text for one in (section, *law.sections))


def _shares(text: str, quotes: Sequence[str]) -> bool:
    return any(quote in text for quote in quotes)


CHANGES = (_negation, _number, _day, _duty)
"""Those that contradict what a sentence says."""
OF_VERSIONS = "quoted from another version"
Maker = Callable[[LawText, Section, Sequence[LawText], random.Random], Item | None]
KINDS: dict[str, tuple[Maker, frozenset[str]]] = {
    "wrong section": (_wrong_section, frozenset({"other_provision", "no_such_provision"})),
    "wrong clause": (_wrong_clause, frozenset({"other_provision", "no_such_provision"})),
    "section of another act": (_other_act, frozenset({"other_provision", "no_such_provision"})),
    "act of another year": (_another_year, frozenset({"another_year"})),
    "act that does not exist": (_no_act, frozenset({"no_such_document_here"})),
    "repealed on that day": (_repealed, frozenset({"not_in_force"})),
    OF_VERSIONS: (_other_version, frozenset({"other_version"})),
    "word changed": (_changed(_word), frozenset({"differs"})),
    "not lost or added": (_changed(_negation), frozenset({"differs"})),
    "number changed": (_changed(_number), frozenset({"differs"})),
    "day changed": (_changed(_day), frozenset({"differs"})),
    "quotation of other words": (_other_words, frozenset({"not_found"})),
}
"""How each kind is made, and the verdicts that find it."""
