"""The lines of a document that may begin a section, with what speaks for each and against it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from law.languages import LANGUAGES
from law.languages.scripts import either, language_of
from law.patterns import regex
from law.structure.lines.clauses import FIRST
from law.structure.lines.day_marks import is_mark
from law.structure.lines.headings import HeadingDivision, looks_like_heading, run_in_heading
from law.structure.lines.number_keys import Key, SectionNumber, Style, step
from law.structure.lines.numbers import VERB, begins_sentence, ends_in_mention

_WORDS = [language.statutes for language in LANGUAGES]
_LEADS_IN = regex(rf"{either([*(words.inserts for words in _WORDS), *(words.leads_in for words in _WORDS)])}:$", re.I)
# The number belongs to the sentence of the line before.
_LEFT_HANGING = regex(f"{either(words.hanging for words in _WORDS)}$", re.I)
_OPEN_END = regex(
    rf"{either([*(words.hanging for words in _WORDS), *(one.documents.unfinished_title for one in LANGUAGES)])}$", re.I
)
_ENDED = regex(r"[.!?\]][\"'”“״)\]]*(?: \([^()]{1,60}\))?$")  # a remark: `means a tower. (phare)`
_NOTES = [regex(words.amendment_note, re.MULTILINE) for words in _WORDS if words.amendment_note]
_AMENDED = [regex(rf" (?:{words.amendment_note})$") for words in _WORDS if words.amendment_note]
_MARGIN_NOTES = [regex(words.margin_note) for words in _WORDS if words.margin_note]
_ITEM = regex(r"[IVXLC]{1,6}\s?[–—-]\s.*[.;]$")
_REMARK = regex(r"\([^()]+\)$")
_GOES_ON = regex(r"[;,]\s*\w{1,3}$")  # the item before the last
_BRACKETED = regex(r"\([A-Z][^()\d]{2,100}\)$")
_AMENDMENT = regex(either(words.footnote for words in _WORDS))
_AMOUNT = regex(r"[$£€₪] ?[\d,.]*\d$")
_CLAUSE = regex(r"[—–-]{0,2}\s*\(")
_FIRST_CLAUSE = regex(rf"\.?\({either(FIRST)}\)", re.IGNORECASE)

_OPENS_LIST = regex(rf"[“\"]|\({either(FIRST)}\)", re.IGNORECASE)
_RUN_IN = regex(
    r"(?P<heading>[“\"]?[A-Z](?:[^.]|\.(?=\d)){2,110})(?P<more>\. [A-Z][^.(]{2,40}(?=\. [A-Z(]))?"
    r"\.[”\"]?(?:\s*[–—-]\s*|\s+)(?=[A-Z(\"“]|\d{1,2}\. )"
)

# What speaks for a candidate, in points. A section with nothing but its number has the points of its form.
FORM = {Style.WORD: 1.2, Style.NUMBER: 1.0, Style.SQUARE: 1.0, Style.BARE: 0.5, Style.BRACKET: 0.5}
HEADED, TITLED, CLAUSED, ALONE, ENDED = 1.0, 0.6, 0.6, 0.6, 0.4
UNFINISHED, AFTER_COMMA, HANGING, SMALL, SMALL_AFTER_STOP = -1.2, -2.0, -4.0, -2.5, -1.0
DEEP = 0.4  # for each component but the first
# A heading that ends in a full stop, in a language whose verbs are not known
_FEW_WORDS = regex(r"(?:[^\W\d_]+[\"'״׳]?[^\W\d_]* ?){1,4}\.")
MAX_OF_TEXT = 2  # components of numbers that stand in sentences, such as amounts
MAX_NOTE_LENGTH = 300  # characters
MAX_MARGIN_NOTE = 80
LISTED, NOTE, LATER_CLAUSE, RUNNING = -0.8, -4.0, -1.0, -0.85


@dataclass(slots=True)
class NumberCandidate:
    """A line whose number may be a section's. `place` counts the lines, `titles` are those right above it."""

    place: int
    label: SectionNumber
    titles: list[int]
    following: str
    ended: bool  # the text before it and its titles is finished
    entitles: bool = False  # the first of its titles may be that of the chapter above
    is_led_in: bool = False  # text that is inserted into another act may begin with it
    reasons: list[tuple[str, float]] = field(default_factory=list)
    weight: float = 0.0  # the sum of their points

    @property
    def is_evident(self) -> bool:
        """Whether more than its number shows a section."""
        label = self.label
        named = label.style is Style.WORD or label.above or label.clause or not label.rest
        return bool(named) or any(name in ("heading", "titles above") for name, _ in self.reasons)

    @property
    def is_headed(self) -> bool:
        """Whether a heading stands behind its number, which is no sentence."""
        return not self.label.clause and looks_like_heading(self.label.rest)


@dataclass(frozen=True, slots=True)
class Border:
    """A line that opens a chapter or a schedule: behind it, numbers may begin anew."""

    place: int
    division: HeadingDivision


@dataclass
class Scan:
    """A document as the first step reads it: what each line may be."""

    candidates: list[NumberCandidate] = field(default_factory=list)
    borders: list[Border] = field(default_factory=list)
    quoted: set[int] = field(default_factory=set)  # places of quoted amendments and tables of contents
    origins: set[int] = field(default_factory=set)  # places of lines that tell which section a schedule belongs to
    repealed: set[str] = field(default_factory=set)  # numbers of which the document says that they are repealed
    has_inserted: bool = False  # numbers with a raised digit, as in `Article 5¹`
    has_marked: bool = False  # numbers beside a raised digit that is read as the mark of a footnote, which is not there

    def opening_nothing(self, crossed: Collection[int]) -> set[int]:
        """Of places across which the numbers go on, those of lines that open something only where these begin anew."""
        return {border.place for border in self.borders if border.division.is_weak and border.place in crossed}


def is_title(text: str) -> bool:
    """May the line head what comes? In some languages headings end in a full stop (`StatuteWords.verbs`)."""
    if looks_like_heading(text) or _BRACKETED.match(text):
        return True
    sentence = text.endswith(".") and ". " not in text and looks_like_heading(text[:-1])
    return sentence and (bool(language_of(text).statutes.verbs) or _FEW_WORDS.fullmatch(text) is not None)


def without_amendments(heading: str) -> str:
    """The heading without the acts by which its section was amended, as in `Licence. [5 of 1962].`"""
    for amended in _AMENDED:
        heading = amended.sub("", heading)
    return heading


def ends_whole(text: str) -> bool:
    """Whether a sentence ends with the line, or the line is a heading that no number behind it belongs to."""
    if _ENDED.search(text):
        return True
    is_open = VERB.search(text) or _OPEN_END.search(text) or (ends_in_mention(text) and not text.isupper())
    return looks_like_heading(text) and not is_open


def _is_amendment_note(text: str) -> bool:
    return len(text) <= MAX_NOTE_LENGTH and any(note.fullmatch(text) for note in _NOTES)


def is_margin_note(text: str) -> bool:
    """Whether the line is nothing but a note beside a heading in the margin: `Cap. 499.`, `Amended by:`."""
    return len(text) <= MAX_MARGIN_NOTE and any(note.fullmatch(text) for note in _MARGIN_NOTES)


def heads_section(text: str) -> bool:
    """May the line head a section below it? A definition is text, and a note in square brackets.

    Of 362 such notes right above a number in 950 documents 357 are of the number before, and five tell of a repeal.
    """
    text = without_amendments(text)
    is_definition = not text[:1].isalpha() and (text.endswith(".") or VERB.search(text) is not None)
    is_note = (text[:1] == "[" and text[-1] == "]") or _is_amendment_note(text)
    return not (is_definition or is_note or _ITEM.match(text)) and is_title(text) and not is_mark(text)


def may_be(label: SectionNumber, *, statutory: bool) -> bool:
    if statutory:
        return label.style is not Style.BRACKET
    return label.style is not Style.WORD and not label.behind


def candidate(
    place: int, label: SectionNumber, titles: Sequence[int], following: str, previous: str, *, follows: Key = ()
) -> NumberCandidate:
    """The line as a candidate. `previous` is the text before it and its titles, `follows` the number before it."""
    # Whoever enacts a law ends with a colon, and who writes a letter begins with `Dear Sir,`.
    ended = not previous or _ENDED.search(previous) is not None or _REMARK.match(previous) is not None
    ended = ended or _is_amendment_note(previous)
    ended = ended or (label.key[-1][0] == 1 and previous.endswith((":", ",") if titles else ":"))
    one = NumberCandidate(place, label, list(titles), following, ended)
    one.is_led_in = bool(label.rest) and leads_in(previous)
    one.reasons.extend(_reasons(one, previous, follows))
    return one


def leads_in(text: str) -> bool:
    """Whether text that is inserted into another act may follow."""
    return text.endswith(":") and _LEADS_IN.search(text) is not None


def _reasons(one: NumberCandidate, previous: str, follows: Key) -> Iterator[tuple[str, float]]:
    yield from _of_number(one.label)
    if one.titles and one.ended:
        yield "titles above", TITLED
    # A word before the number, as in `SEC. 5.`, is seldom text.
    key = one.label.key
    is_sure = len(key) > MAX_OF_TEXT or (len(key) > 1 and len(key) == len(follows) and step(follows, key) == 1)
    share = 0.3 if one.label.style is Style.WORD else 0.4 if is_sure else 1.0
    yield from _of_line_before(one, previous, share)
    yield from _of_rest(one, share)


def _of_number(label: SectionNumber) -> Iterator[tuple[str, float]]:
    """What its form says, and whether it heads what follows."""
    rest = label.rest
    yield label.style.value, FORM[label.style]
    if label.heading or _is_heading(rest) or run_in_heading(rest) or _heads_code(label):
        yield "heading", HEADED
    elif _CLAUSE.match(rest):
        yield "clause", CLAUSED
    elif not rest:
        yield "alone", ALONE
    elif label.style is Style.BARE or label.is_text:
        yield "running text", RUNNING
    if len(label.key) > 1 and label.style is Style.NUMBER:
        yield "several components", DEEP * (len(label.key) - 1)
    if label.above:
        yield "divisions in the number", HEADED
    if label.clause and not _FIRST_CLAUSE.match(label.clause):
        yield "a later clause", LATER_CLAUSE


def _of_line_before(one: NumberCandidate, previous: str, share: float) -> Iterator[tuple[str, float]]:
    if one.ended:
        yield "after a full stop", ENDED
    elif not one.titles and _LEFT_HANGING.search(previous) and not _GOES_ON.search(previous):
        yield "hangs on the line before", HANGING * share
    elif previous.endswith(","):
        yield "after a comma", AFTER_COMMA * share
    elif not one.titles:
        yield "inside a sentence", UNFINISHED * share


def _of_rest(one: NumberCandidate, share: float) -> Iterator[tuple[str, float]]:
    """What the text behind the number says."""
    rest = one.label.rest
    if rest[:1].islower():
        yield "goes on in small letters", (SMALL if not one.ended else SMALL_AFTER_STOP) * share
    if rest.endswith((";", ",")) and not (rest.endswith(",") and _OPENS_LIST.match(one.following)):
        yield "ends as an item", LISTED
    if rest[-1:].isdigit() and _AMOUNT.search(rest) and not VERB.search(rest):
        yield "row of a table", LISTED
    if _AMENDMENT.match(rest):
        yield "footnote", NOTE


def _heads_code(label: SectionNumber) -> bool:
    """`Sec. 19.65.010. Fees. The department may charge`."""
    is_of_code = label.is_coded or (label.style is Style.WORD and len(label.key) > 1)
    found = _RUN_IN.match(label.rest) if is_of_code else None
    return found is not None and VERB.search(found["heading"]) is None


def _is_heading(rest: str) -> bool:
    """A short sentence with a verb is none."""
    return looks_like_heading(rest) or (
        rest.endswith(".") and looks_like_heading(rest.rstrip(".")) and VERB.search(rest) is None
    )


def run_in_of_code(text: str) -> str:
    """The heading before a section's text in a code, of one sentence or of two: `Licenses. Fees. (a) No person may`."""
    found = _RUN_IN.match(text)
    if found is None:
        return ""
    more = found["more"] or ""
    return found["heading"] + ("" if VERB.search(more) else more)


def heads_sentence(text: str) -> bool:
    """Whether such a heading without a verb stands before a sentence: `Short title. This chapter may be cited`."""
    found = _RUN_IN.match(text)
    return (
        found is not None and not VERB.search(found["heading"]) and begins_sentence(text[found.end() :].strip("(a1) "))
    )
