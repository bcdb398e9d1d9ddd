"""Abbreviations as texts explain them: `Multilateral Trading Facility (MTF)`, `המטה לביטחון לאומי (להלן – "המל"ל")`."""

from collections.abc import Iterator

from law.languages import LANGUAGES
from law.languages.scripts import MAX_PREFIXES, PREFIXES, either, language_of
from law.patterns import regex
from law.words.analysis import terms
from law.words.stop_words import FUNCTION_WORDS

MIN_LETTERS = 2  # letters
_WORD = regex(r"[^\W_]+(?:[\"״'’][^\W_]+)*")
_BEFORE = 160  # characters in which the long form stands
_ACRONYM = either(language.acronym for language in LANGUAGES)
_EXPLAINED = regex(
    rf"(?:\((?:[^()\n]{{0,12}}[\s–—-])?[\"“”„״]?|[\"“”„״])(?P<letters>{_ACRONYM})s?(?:[\"“”״]?\)|[\"“”״])"
)
_SENTENCE_END = regex(r"[.;:\n\t]|\)\s")


def explained_abbreviations(text: str) -> Iterator[tuple[str, str]]:
    """The stem of each abbreviation that the text explains, and the words that its letters are the first of."""
    for match in _EXPLAINED.finditer(text):
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        for stem in _stems(match["letters"]):
            if long := _long_form(before, stem):
                yield stem, long
                break


def _stems(written: str) -> Iterator[str]:
    """The abbreviation as a query has it, without prefixes."""
    for count in range(MAX_PREFIXES + 1):
        if not all(letter in PREFIXES for letter in written[:count]):
            return
        for term in terms(written[count:])[:1]:
            if len(term.stem) >= MIN_LETTERS:
                yield term.stem


def _long_form(text: str, letters: str) -> str:
    """The words at the end of a text that the letters are the first of, or an empty text."""
    sentence = _SENTENCE_END.split(text)[-1]
    words = list(_WORD.finditer(sentence))
    for count in range(1, min(len(words), 2 * len(letters)) + 1):
        run = [word[0].casefold() for word in words[-count:]]
        if run[0] not in FUNCTION_WORDS and _spells(letters, run):
            return sentence[words[-count].start() : words[-1].end()]
    return ""


def _spells(letters: str, words: list[str]) -> bool:
    """Whether the letters are the first one or two of each word, of which small ones may be left out."""
    if not words:
        return not letters
    word, rest = words[0], words[1:]
    if word in FUNCTION_WORDS and _spells(letters, rest):
        return True
    forms = [word, word[1:]] if word[0] in language_of(word).prefixes else [word]
    starts = ((form[:count], count) for form in forms for count in (1, 2))
    return any(bool(start) and letters.startswith(start) and _spells(letters[count:], rest) for start, count in starts)
