"""Which citation a quotation belongs to: the one it leads up to, or the one it follows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from law.checking.quotations import Quotation
from law.checking.sentences import Sentences
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

_BESIDE = 40  # characters between the end of a quotation and a citation that it leads up to
_WORDS_BESIDE = 3
_SAME = either(language.quoting.same for language in LANGUAGES)
_SAME_BEHIND = regex(rf"[\s,:;.(–—-]{{0,5}}{_SAME}", re.IGNORECASE)
_AND = regex(either(language.citations.and_words for language in LANGUAGES))
_WORD = regex(r"[^\W_]+")
_PARAGRAPH = regex(r"\n\s*")
_ENDS = regex(r"\s{0,2}(?:[.;]|\n|\Z)")
_OPENS = frozenset("([—–-")
_STOPS = frozenset(".;?!")


@dataclass(frozen=True, slots=True)
class Place:
    """A citation's characters. `whole`: it names no provision of an act, but the act or a part of it."""

    start: int
    end: int
    whole: bool = False


class Pairing(NamedTuple):
    """The place of a quotation's citation. Not `is_sure`: another quotation has it already, and this one is further."""

    place: int
    is_sure: bool


def pair(text: str, quotations: Sequence[Quotation], citations: Sequence[Place]) -> list[Pairing | None]:
    """For each quotation the place in `citations` of its own, or None where none is near enough.

    First a citation right behind it in its sentence, then the last one before it in the sentence, then one further
    behind in it, then the last one of the paragraph, or of the one before where a block stands alone.
    """
    sentences = Sentences(text, quotations)
    found: list[Pairing | None] = []
    taken: dict[int, bool] = {}  # whether a quotation before it has it
    for one in quotations:
        place = _of(text, one, quotations, citations, sentences)
        if place is None:
            found.append(None)
            continue
        start, end = sentences.around(one.outer_start, one.outer_end)
        cited = citations[place]
        is_far = cited.end <= start or cited.start >= end
        is_anothers = place in taken and (is_far or (taken[place] and cited.end <= one.outer_start))
        found.append(Pairing(place, is_sure=not is_anothers))
        taken[place] = taken.get(place, False) or one.outer_end <= cited.start
    return found


def _of(
    text: str,
    quotation: Quotation,
    quotations: Sequence[Quotation],
    citations: Sequence[Place],
    sentences: Sentences,
) -> int | None:
    numbered = [place for place, one in enumerate(citations) if not one.whole] or range(len(citations))
    sentence = sentences.around(quotation.outer_start, quotation.outer_end)
    paragraph = sentences.paragraph(quotation.outer_start, quotation.outer_end)
    before = [place for place in numbered if citations[place].end <= quotation.outer_start]
    behind = [place for place in numbered if citations[place].start >= quotation.outer_end]
    following = min(
        (one.outer_start for one in quotations if one.outer_start >= quotation.outer_end), default=len(text)
    )
    # `Id.` is a sentence of its own
    inside = [it for it in before if citations[it].start >= sentence[0] and text[citations[it].end - 1] != "."]
    opens = not text[paragraph[0] : quotation.outer_start].strip(" \t\n>")
    above = sentences.paragraph(max(paragraph[0] - 1, 0), max(paragraph[0] - 1, 0))
    near_above = bool(before) and citations[before[-1]].start >= above[0]
    is_led = opens and near_above and text[: paragraph[0]].rstrip().endswith((":", "–", "—"))
    same = _SAME_BEHIND.match(text, quotation.outer_end)
    lead = text[quotation.outer_end : same.end()].lstrip()[:1] if same else ""
    following_one = citations[behind[0]] if same and behind else None
    alone = (
        same is not None
        and following_one is not None
        and _goes_on(text, same.end(), following_one.start)
        and _ENDS.match(text, following_one.end) is not None
    )
    if (inside or is_led) and not alone and (lead == "." or (lead.isalpha() and not lead.islower())):
        same = None  # `…, which reads: “…” Ibid, section 9 goes further.`, but not `“…,” id. § 9.`
    if same and behind and _goes_on(text, same.end(), citations[behind[0]].start):
        return behind[0]
    if same and before:
        return before[-1]
    if behind and citations[behind[0]].start < following:
        named = bool(inside) or is_led
        start, end = citations[behind[0]].start, citations[behind[0]].end
        is_last = not any(citations[place].start < following for place in behind[1:2])
        leads_on = is_last and following < sentences.around(start, end)[1]  # `C1 says “…”, C2 “…”`
        if _is_beside(text, quotation, start, paragraph_end=paragraph[1], is_named_before=named, leads_on=leads_on):
            return behind[0]
    if inside or is_led:
        return (inside or before)[-1]
    within = [place for place in behind if citations[place].end <= sentence[1]]
    if within:
        return within[0]
    if behind and _is_sentence(text, sentence[1], citations[behind[0]]):
        return behind[0]
    of_paragraph = [place for place in before if citations[place].start >= paragraph[0]]
    if of_paragraph:
        return of_paragraph[-1]
    return before[-1] if opens and near_above else None


def _is_sentence(text: str, start: int, citation: Place) -> bool:
    """Whether a citation is all that the sentence has which begins here: `… is final. 3 U.S.C. § 5.`"""
    lead = text[start : citation.start]
    return "\n" not in lead and not lead.strip() and _ENDS.match(text, citation.end) is not None


def _goes_on(text: str, end: int, citation_start: int) -> bool:
    """`(ibid, section 4)`, but not `ibid. Section 4`."""
    between = text[end:citation_start].strip(" ,;")
    return not between or (between == "." and not text[citation_start].isupper())


def _is_beside(
    text: str, quotation: Quotation, citation_start: int, *, paragraph_end: int, is_named_before: bool, leads_on: bool
) -> bool:
    """Whether hardly a word stands between: `“…” (section 5)`, `"…", ראו סעיף 5`.

    Where the sentence has named a citation before, none may, unless a bracket opens, nor may a quotation follow that
    this one `leads_on` to.
    """
    between = text[quotation.outer_end : citation_start]
    sign, count = between.strip()[:1], len(_WORD.findall(between))
    if len(between) > _BESIDE or count > _WORDS_BESIDE:
        return False
    opens = any(between.count(opening) > between.count(closing) for opening, closing in ("()", "[]"))
    if _PARAGRAPH.search(between) and citation_start >= paragraph_end:
        return sign in _OPENS
    if opens:
        return True
    goes_on = leads_on or not sign or _AND.match(text, citation_start)  # `…, which reads: “…” Section 5 says more.`
    if is_named_before and goes_on:
        return False
    ended = text[quotation.end - 1 : quotation.end] in _STOPS
    return sign not in _STOPS and not (is_named_before and (count > 0 or ended))
