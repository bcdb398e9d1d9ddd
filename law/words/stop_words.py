"""Which words of a query say what it is about, and how much the others still count.

Statistics alone are misled here: `what` and `could` are common in questions but rare in regulations, so their inverse
document frequency is that of a name.
"""

from collections.abc import Sequence

from law.languages import LANGUAGES
from law.words.analysis import Term, terms

# Found everywhere and telling nothing.
FUNCTION_WORDS = frozenset(term.word for language in LANGUAGES for term in terms(language.function_words))
# They ask, and tell nothing of what about.
QUESTION_WORDS = frozenset(
    term.word
    for language in LANGUAGES
    for prefix in ("", *language.question_prefixes.split())
    for word in (() if prefix else language.question_words.split(), language.joined_question_words.split())
    for term in terms(" ".join(prefix + one for one in word))
)
ASKING_WORTH = 0.3  # from 0.15 to 0.5 did about as well


def content_terms(query: Sequence[Term]) -> list[Term]:
    """The terms that say what is asked about, else those that are no function words, else all."""
    content = [term for term in query if term.word not in FUNCTION_WORDS]
    return [term for term in content if term.word not in QUESTION_WORDS] or content or list(query)


def is_content_word(word: str) -> bool:
    """Whether a word is more than a function word, and does not belong to the asking."""
    return word not in FUNCTION_WORDS and word not in QUESTION_WORDS


def content_stems(text: str) -> frozenset[str]:
    """The stems of the words of a text that are such."""
    return frozenset(term.stem for term in terms(text) if is_content_word(term.word))


def query_term_weight(word: str) -> float:
    """What a word of a query counts, from 0 to 1: less where it belongs to the asking and not to what is asked."""
    return 1.0 if is_content_word(word) else ASKING_WORTH
