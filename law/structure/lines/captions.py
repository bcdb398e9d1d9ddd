"""What a judgment begins with: the lines that name its court, parties, judges, day and number."""

from collections.abc import Sequence

from law.languages import LANGUAGES
from law.languages.scripts import main_language
from law.patterns import regex
from law.structure.lines.headings import looks_like_heading

MAX_LINES = 80  # of a caption
MIN_SENTENCE_WORDS = 8
MIN_HEADED_WORDS = 3  # of a sentence below a heading that judgments have
_SENTENCE_END = regex(r"[.!?:][\"'”“״)\]]*$")
_NUMBER = regex(r"[\[(]?(\d{1,3})(?:\.|[\])])(?!\d)")
_LETTER = regex(r"[^\W\d_]")
_WORDS = [language.documents for language in LANGUAGES]
_USUAL_HEADINGS = frozenset().union(*(words.headings | words.judgment_headings for words in _WORDS))
_JUDGMENT_HEADINGS = frozenset().union(*(words.judgment_headings for words in _WORDS))
_AUTHORS = [words.author for words in _WORDS]


def is_author(text: str) -> bool:
    """Whether the line says whose opinion follows: `LADY ROSE (with whom Lord Reed agrees):`."""
    return any(author.fullmatch(text) for author in _AUTHORS)


def caption_length(texts: Sequence[str]) -> int:
    """How many of the lines that a judgment begins with are its caption: those before its text.

    That begins where a line names its author, or with the first sentences, at the heading above. A sentence alone, such
    as one on who may copy the judgment, is none. 0 where nothing of the kind is within the first lines.
    """
    for at, text in enumerate(texts[:MAX_LINES]):
        if is_author(text):
            return at
        above, heading = _line_above(texts, at)
        is_headed = heading.lower() in _USUAL_HEADINGS
        numbered = _NUMBER.match(text)
        is_short = is_headed and numbered and text[-1] != ":" and _is_sentence(text, least=MIN_HEADED_WORDS)
        if not (is_short or _is_sentence(text)):
            continue
        if numbered or above + 1 < at or is_headed or _is_sentence(next(iter(texts[at + 1 : at + 2]), "")):
            above, heading = _line_above(texts, _first_paragraph(texts, at))
            return above if looks_like_heading(heading) and not _is_of_caption(heading) else above + 1
    return 0


def _first_paragraph(texts: Sequence[str], at: int) -> int:
    """The place of the first of the numbered paragraphs that the line goes on from, its own where there is none."""
    found = _NUMBER.match(texts[at])
    first, number = at, int(found[1]) if found else 1
    for place in range(at - 1, -1, -1):
        if texts[place].lower() in _JUDGMENT_HEADINGS:
            break  # what is numbered above is listed by the caption
        before = _NUMBER.match(texts[place])
        if number > 1 and before and int(before[1]) == number - 1:
            first, number = place, number - 1
    return first if number == 1 else at


def _line_above(texts: Sequence[str], at: int) -> tuple[int, str]:
    """The place and text of the line above, or above the number that stands on a line of its own, or -1 and ''."""
    return next(((place, texts[place]) for place in range(at - 1, -1, -1) if _LETTER.search(texts[place])), (-1, ""))


def _is_sentence(text: str, *, least: int = MIN_SENTENCE_WORDS) -> bool:
    return bool(_SENTENCE_END.search(text)) and text.count(" ") + 1 >= least


def _is_of_caption(heading: str) -> bool:
    words = main_language(heading).documents
    patterns = (words.court.match, words.parties.fullmatch, words.case_number.search)
    return any(found(heading) for found in patterns)
