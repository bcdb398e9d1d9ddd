"""A summary in the document's own words: the sentence or two that say what it is for."""

from collections.abc import Iterator, Sequence

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.metadata.head import FieldValue
from law.metadata.lines import HeadLine, begins_section, is_furniture, tells, without_number
from law.patterns import regex

_SENTENCE = regex(r".+?(?:[.;!?](?=\s|$)|$)")
_WORDS = [language.documents for language in LANGUAGES]
_SHORTENED = regex(rf"{either(words.shortened for words in _WORDS)}\.$")
_heads_definitions, _heads_purpose = tells("definitions_heading"), tells("purpose_heading")
_says_purpose = tells("purpose", "search")
# Definitions, enacting words and repealed sections say nothing of what a document is about.
_is_boilerplate = tells("boilerplate")
_NOT_A_HEADING = regex(r"^[\"”“״(\[]|[.,;:–—-]$")
MAX_HEADING_LENGTH = 60
MIN_SUMMARY_LENGTH, MAX_SUMMARY_LENGTH = 80, 200
_DANGLING = ' ,;:–—-([{"“”״'
_PURPOSE, _AFTER_PURPOSE_HEADING, _PROSE, _FRAGMENT = range(4)


def find_summary(lines: Sequence[HeadLine], title: FieldValue | None) -> FieldValue | None:
    """Words of the text, 80 to 200 characters: a sentence of purpose if there is one, else the first that tells."""
    best: tuple[int, FieldValue] | None = None
    heading = ""
    for line in lines:
        if is_furniture(line.text) or (title is not None and (line.text in title.quote or title.quote in line.text)):
            continue
        text = without_number(line.text)
        if _is_heading(text):
            heading = text.strip(" .:")
        if len(text) < MIN_SUMMARY_LENGTH // 2 or "\t" in text:
            continue
        for rank, passage in _passages(text, under=heading):
            if best is None or rank < best[0]:
                best = (rank, FieldValue(passage, passage, line.page))
        if best is not None and best[0] == _PURPOSE:
            break
    return best[1] if best else None


def _is_heading(text: str) -> bool:
    return 2 <= len(text) <= MAX_HEADING_LENGTH and not _NOT_A_HEADING.search(text)


def _passages(text: str, *, under: str) -> Iterator[tuple[int, str]]:
    """The passages of a paragraph that can be a summary, each with its rank, from each of its sentences on."""
    if _heads_definitions(under):
        return
    under_purpose = _heads_purpose(under)
    sentences = list(_sentences(text))
    for index, sentence in enumerate(sentences):
        purposeful = _says_purpose(sentence[:MAX_SUMMARY_LENGTH])
        if not purposeful and (index > 0 or _is_boilerplate(sentence)):
            continue
        passage = _grown(sentences[index:])
        if len(passage) < MIN_SUMMARY_LENGTH or begins_section(passage):
            continue
        if passage.endswith((":", ";", "–", "-")):
            yield _FRAGMENT, passage
        else:
            yield _PURPOSE if purposeful else _AFTER_PURPOSE_HEADING if under_purpose else _PROSE, passage


def _grown(sentences: Sequence[str]) -> str:
    """The first sentence, and the next if both fit. One that is too long is cut at a word."""
    passage = sentences[0]
    if len(passage) > MAX_SUMMARY_LENGTH:
        return cut_at_word(passage, MAX_SUMMARY_LENGTH)
    for following in sentences[1:2]:
        if len(passage) + 1 + len(following) <= MAX_SUMMARY_LENGTH:
            return f"{passage} {following}"
        if len(passage) < MIN_SUMMARY_LENGTH:
            return cut_at_word(f"{passage} {following}", MAX_SUMMARY_LENGTH)
    return passage


def _sentences(text: str) -> Iterator[str]:
    held = ""
    for match in _SENTENCE.finditer(text):
        held = f"{held} {match[0].strip()}".strip()
        if not _SHORTENED.search(held[-12:]):
            yield held
            held = ""
    if held:
        yield held


def cut_at_word(text: str, longest: int) -> str:
    """As many whole words as fit. A word longer than that is cut."""
    if len(text) <= longest:
        return text
    whole = text[: longest + 1].rpartition(" ")[0].rstrip(_DANGLING)
    return whole or text[:longest]
