"""The kind of a document, by its title or by what its text calls itself, its subject, and the caption of a judgment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from law.languages import LANGUAGES, Language
from law.languages.documents import CASELAW, LAW, REGULATION, DocumentWords
from law.languages.scripts import language_of
from law.metadata.head import FieldValue
from law.metadata.instruments import is_other_title, kind_of_title
from law.metadata.lines import HeadLine, begins_section, without_note_marks
from law.patterns import regex

_SELF_REFERENCES = [reference for language in LANGUAGES for reference in language.documents.self_references]
MIN_SUBJECT_LENGTH = 3
_TRAILING_BRACKETS = regex(r"\s*\[[^\]]*\]\s*$")  # of a title without its year: `[נוסח חדש]`
_YEAR_AT_END = regex(r",?\s*(?:of\s+)?(?:5\d{3}\s*[-–—]\s*)?(?:1[789]|20)\d\d\W*$")
MAX_CAPTION_LINE_LENGTH = 160
_SPACED = regex(r"\b(?:[A-Z] ){3,}[A-Z]\b")  # `R E G I N A`
_LETTERS = regex(r"[^\W\d_]{2}")
COURT_WITHIN, CAPTION_WITHIN = 8, 35  # lines


def find_kind(lines: Sequence[HeadLine], title: FieldValue | None) -> FieldValue | None:
    """The kind and the words that say it."""
    header = [line for line in lines[:3] if title is None or line.text not in title.quote]
    kind = kind_of_title(title.value) if title else None
    return (
        (FieldValue(kind, title.quote, title.page) if title and kind else None)
        or next((found for line in header if (found := _from_header(line))), None)
        or _from_self_references(lines, is_code=title is not None and is_other_title(title.quote))
    )


def _from_header(line: HeadLine) -> FieldValue | None:
    """A short line above the title that says what follows: `חוזר מספר 5`, `Circular No. 5`."""
    short = len(line.text) <= 60 and not begins_section(line.text)
    kind = kind_of_title(line.text) if short else None
    return FieldValue(kind, line.text, line.page) if kind else None


def _from_self_references(lines: Sequence[HeadLine], *, is_code: bool) -> FieldValue | None:
    """The kind that the text first gives itself. Further down it may speak of other documents in the same way.

    A chapter of a code that speaks of *the defendant* is no judgment.
    """
    for line in lines:
        found = [
            (match.start(), kind, match[0])
            for pattern, kind in _SELF_REFERENCES
            if not (is_code and kind == CASELAW) and (match := pattern.search(line.text))
        ]
        if found:
            _, kind, quote = min(found)
            return FieldValue(kind, quote, line.page)
    return None


def find_subject(title: FieldValue | None) -> FieldValue | None:
    """The title without the name of its genre and its year. None when nothing, or no less than the title, is left."""
    if title is None:
        return None
    words = language_of(title.value).documents
    core = (_behind_genre if words.genre_leads else _beside_genre)(title.value, words)
    core = core.strip(" ,.:–—־-")
    if len(core) < MIN_SUBJECT_LENGTH or core == title.value:
        return None
    return FieldValue(core, title.quote, title.page)


def _behind_genre(title: str, words: DocumentWords) -> str:
    end = words.title_end.search(title)
    core = _TRAILING_BRACKETS.sub("", title[: end.start()] if end else title)
    for pattern, _ in words.genres:
        if match := pattern.match(core):
            return core[match.end() :]
    return core


def _beside_genre(title: str, words: DocumentWords) -> str:
    core = _YEAR_AT_END.sub("", title)
    for pattern, kind in words.genres:
        for match in pattern.finditer(core):
            if match.start() == 0:
                return words.title_links.sub("", core[match.end() :].lstrip(" –—-:"), count=1)
            if match.end() == len(core) and kind in (LAW, REGULATION):
                return core[: match.start()]
    return core


@dataclass(frozen=True, slots=True)
class Case:
    """What a judgment's caption gives: that it is one, by the line that names the court, its parties and its number."""

    kind: FieldValue | None
    title: FieldValue | None
    identifier: FieldValue | None
    court: str = ""
    judges: tuple[str, ...] = ()


def find_case(lines: Sequence[HeadLine], *, is_judgment: bool = False) -> Case | None:
    """The caption of a judgment, or None when this is none. Of what `is_judgment` no signs are asked.

    `court` and `judges` are as they are printed, and empty where they are not.
    """
    caption = [line for line in lines[:CAPTION_WITHIN] if len(line.text) <= MAX_CAPTION_LINE_LENGTH]
    kind = next(
        (FieldValue("caselaw", line.text, line.page) for line in caption[:COURT_WITHIN] if _names_court(line)), None
    )
    title = _parties(caption)
    number = _case_number(caption)
    judged = any(language.documents.judgment.search(line.text) for line in caption for language in LANGUAGES)
    signs = (kind is not None) + (title is not None) + (number is not None) + judged
    # Statutes speak of courts and forms have case numbers: two signs, and one of them the court or the parties.
    if is_judgment or signs >= 3 or (signs == 2 and title is not None and (kind or number)):
        return Case(kind, title, number, kind.quote if kind else "", tuple(dict.fromkeys(_judges(caption))))
    return None


def _judges(caption: Sequence[HeadLine]) -> Iterator[str]:
    """Those who decided, in a line behind `before`, in the lines that follow it, or named by their office."""
    follow = False
    for line in caption:
        words = line.language.documents
        if before := words.before.search(line.text):
            named = line.text[before.end() :].rstrip(" .,;:")
            follow = not named
            if words.of_bench.match(named):
                yield named
        elif words.judge.fullmatch(line.text) or (follow and words.of_bench.match(line.text)):
            yield line.text.rstrip(" .,;:")
        else:
            follow = False


def _names_court(line: HeadLine) -> bool:
    words = line.language.documents
    return bool(words.court.match(line.text)) and not words.before.search(line.text)


def _case_number(caption: Sequence[HeadLine]) -> FieldValue | None:
    """Where it is printed, or else where it is filed."""
    found = [
        (match, line)
        for line in caption
        for language in LANGUAGES
        if (match := language.documents.case_number.search(line.text))
    ]
    best = next((one for one in found if one[0]["whole"]), next(iter(found), None))
    if best is None:
        return None
    match, line = best
    return FieldValue(" ".join((match["whole"] or match["number"]).split()), match[0], line.page)


def _parties(caption: Sequence[HeadLine]) -> FieldValue | None:
    for index, line in enumerate(caption):
        if found := _in_one_line(line):
            return found
        if line.language.documents.versus_line.fullmatch(line.text) and (found := _on_both_sides(caption, index)):
            return found
    return None


def _in_one_line(line: HeadLine) -> FieldValue | None:
    words = line.language.documents
    match = words.parties.fullmatch(line.text)
    if not match:
        return None
    one, other = _name(match["one"], line.language), _name(match["other"], line.language)
    return (
        FieldValue(f"{one} {_versus(match['versus'], words)} {other}", line.text, line.page) if one and other else None
    )


def _on_both_sides(caption: Sequence[HeadLine], index: int) -> FieldValue | None:
    """The parties above and below a line that holds only `v.` or `נגד`."""
    above = [line for line in caption[max(0, index - 4) : index] if _is_name(line)]
    below = [line for line in caption[index + 1 : index + 5] if _is_name(line)]
    if not above or not below:
        return None
    one, other = _name(above[-1].text, above[-1].language), _name(below[0].text, below[0].language)
    versus = _versus(caption[index].text.strip(" -–—:"), above[-1].language.documents)
    first, last = caption.index(above[-1]), caption.index(below[0])
    quote = " ".join(line.text for line in caption[first : last + 1] if line.page == above[-1].page)
    return FieldValue(f"{one} {versus} {other}", quote, above[-1].page)


def _versus(printed: str, words: DocumentWords) -> str:
    """What stands between the names: as it is printed, where that is a short form of the usual one."""
    return printed if printed and words.versus.startswith(printed) else words.versus


def _is_name(line: HeadLine) -> bool:
    return bool(_name(line.text, line.language)) and not line.language.documents.role.fullmatch(line.text)


def _name(text: str, language: Language) -> str:
    """A party without its number, its role and what stands in the next column, nothing if no letters are left."""
    text = _SPACED.sub(lambda match: match[0].replace(" ", ""), text)
    for beside in language.documents.beside_party:
        text = beside.sub("", text)
    text = without_note_marks(text).strip(" ,;:–—-")
    return text if _LETTERS.search(text) else ""
