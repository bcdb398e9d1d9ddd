"""Statements of what sections say, made from their sentences: true ones, contradicted ones, and ones not said there."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.brief_check.errors import CHANGES
from bench.brief_check.laws import LawText, Section, quotable
from bench.brief_check.manners import cite

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
