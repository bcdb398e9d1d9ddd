"""What of an answer a verified quote supports. Of the rest, what states something and what only joins.

A sentence is supported when a number of a citation stands in it or right behind it, or when it stands in a quote word
for word. A line that ends in a colon leads in to what follows, and is judged with it. Of what is not supported:

- A sentence *states* law, a number, a date or a name when it holds a figure or a word for a number, a month, a citation
  or the name of an act, words in quotation marks, or a capital letter that does not begin it.
- A sentence only *joins* when all its telling words are those in which one speaks of documents and answers
  (`Language.meta_words`), the last one too: `According to the documents, it may.` is an answer.
"""

import re
from collections.abc import Iterator, Sequence

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.references.patterns import ALL as ACTS
from law.words.analysis import terms
from law.words.sentences import stops
from law.words.stop_words import is_content_word
from sources.citations import find_references

MARK = re.compile(r"\[\d{1,3}\]|\0[\d,]+\0")
"""The number of a citation, as it leaves and as a draft holds it."""

_MARKS = rf"(?:[ \t]*(?:{MARK.pattern}))*"
_CLOSING = r"[\"'“”״׳)\]»*_]{0,4}"
_ITEM = r"[-*•–—]|#{1,6} |\(?\w{1,3}[.)][ \t]"
_LINE_END = rf"(?<![ \t])[ \t]*\n(?:[ \t]*\n\s*|[ \t]*(?={_ITEM}))|(?<=:)[ \t]*\n\s*"
_END = re.compile(rf"(?P<stop>[.!?…]++){_CLOSING}{_MARKS}(?:\s+|\Z)|{_LINE_END}")
_ITEM_NUMBER = re.compile(r"[\W\d_]{0,8}\d\.")
_MIN_QUOTED = 3  # words

_LABEL = re.compile(r"[\W_]*(?:\(?(?:\d{1,3}|[^\W\d_])[.)]\s+)?[\W_]*")
_QUOTED = re.compile(r"(?<!\w)[\"“”„«״](?=\w)[^\"“”„«»״\n]{2,200}[\"“”»״](?!\w)")
_MONTH = re.compile(either(month for language in LANGUAGES for month in language.dates.months))
_NUMBERS = frozenset(term.stem for language in LANGUAGES for term in terms(language.number_words))
_META = frozenset(term.stem for language in LANGUAGES for term in terms(language.meta_words))
_NAMES_OF_ACTS = ("own", "anaphor", "bare", "short")
_LOOKED_AT = 1_000  # characters of a sentence that are searched for an act


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Character ranges of the sentences of an answer, without a gap. Each but the last ends with its white space.

    They end behind a stop, with the numbers behind it, before an empty line or an item of a list, and behind a lead-in.
    """
    start = 0
    for match in stops(text, _END):
        said = text[start : match.start() + len(match["stop"] or "")]
        if said.strip() and (match.end() == len(text) or not _ITEM_NUMBER.fullmatch(said)):
            yield start, match.end()
            start = match.end()
    if start < len(text):
        yield start, len(text)


def is_whole(piece: str) -> bool:
    """Whether the sentence has ended, else what comes next may go on with it."""
    return any(match.end() == len(piece) for match in _END.finditer(piece))


def leads_in(piece: str) -> bool:
    """Whether the line is the lead-in of what follows it."""
    return piece.rstrip(" \t\n*_").endswith(":")


def is_supported(sentence: str, quotes: Sequence[str]) -> bool:
    """Whether a citation stands at the sentence, or the sentence in one of the quotes."""
    return bool(MARK.search(sentence)) or is_quoted(sentence, quotes)


def is_quoted(sentence: str, quotes: Sequence[str]) -> bool:
    """Whether the words of the sentence stand in a quote, whole and one after another. `No.` stands in many."""
    words = sentence.split()
    run = f" {' '.join(words)} "
    return len(words) >= _MIN_QUOTED and any(run in f" {' '.join(quote.split())} " for quote in quotes)


def states(sentence: str) -> bool:
    """Whether it states law, a number, a date or a name, as far as its signs and words tell."""
    label = _LABEL.match(sentence)
    text = sentence[label.end() :] if label else sentence
    return (
        any(char.isdigit() for char in text)
        or _MONTH.search(text) is not None
        or _QUOTED.search(text) is not None
        or any(term.stem in _NUMBERS for term in terms(text))
        or _has_name(text)
        or _names_law(text[:_LOOKED_AT])
    )


def only_joins(sentence: str) -> bool:
    """Whether it speaks of documents and answers alone, and so says nothing that a quote could support."""
    words = terms(sentence)
    if not words or words[-1].stem not in _META:
        return False
    return all(term.stem in _META or not is_content_word(term.word) for term in words)


def unsupported(text: str, quotes: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Character ranges of the sentences that state something and have no quote."""
    lead: int | None = None
    for start, end in pieces(text):
        begins = start if lead is None else lead
        if leads_in(text[start:end]) and end < len(text):
            lead = begins
            continue
        lead = None
        sentence = text[begins:end]
        if sentence.strip() and not is_supported(sentence, quotes) and not only_joins(sentence):
            yield begins + len(sentence) - len(sentence.lstrip()), begins + len(sentence.rstrip())


def _has_name(text: str) -> bool:
    """A word with a capital that does not begin the sentence, or one all in capitals. `I` is none."""
    return any(
        word[0].isupper() and len(word) > 1 and (place > 0 or word.isupper())
        for place, word in enumerate(re.findall(r"[^\W\d_]+", text))
    )


def _names_law(text: str) -> bool:
    return bool(find_references(text)) or any(
        getattr(act, name).search(text) for act in ACTS for name in _NAMES_OF_ACTS
    )
