"""What a survey looks for: the kinds of rules that its description names, and the words that are left."""

import hashlib
import re
from dataclasses import dataclass
from functools import cache

from law.languages import LANGUAGES
from law.patterns import regex
from law.words.analysis import Term, terms
from law.words.stop_words import is_content_word

RULES = tuple(row for language in LANGUAGES for row in language.surveys.rules)
_ASKS = frozenset(word for language in LANGUAGES for word in language.surveys.asks.split())


@dataclass(frozen=True)
class SurveyedRules:
    """`names` are the kinds of rules that are named, `rest` the telling words that name none."""

    names: tuple[str, ...]
    rest: tuple[Term, ...]
    says: tuple[re.Pattern[str], ...]

    def is_said(self, sentence: str) -> bool:
        """Whether a sentence says a rule of every kind that is named. False where none is."""
        return bool(self.says) and all(pattern.search(sentence) for pattern in self.says)

    def share_of_rest(self, held: frozenset[str]) -> float:
        """The share of the telling words, from 0 to 1, that these stems of a text hold. 1 where there are none."""
        stems = {term.stem for term in self.rest}
        return len(stems & held) / len(stems) if stems else 1.0


def surveyed_rules(description: str) -> SurveyedRules:
    """The kinds of rules that a description names, in either language."""
    names, says, rest = [], [], description
    for row in RULES:
        named = _pattern(row.named)
        if named.search(description):
            names.append(row.name)
            says.append(_pattern(row.says))
            rest = named.sub(" ", rest)
    told = (term for term in terms(rest) if is_content_word(term.word) and term.word not in _ASKS)
    return SurveyedRules(tuple(names), tuple(told), tuple(says))


@cache
def version() -> str:
    """That of the patterns."""
    return hashlib.sha256(repr(RULES).encode()).hexdigest()[:12]


@cache
def _pattern(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return regex("|".join(f"(?:{one})" for one in patterns), re.IGNORECASE)
