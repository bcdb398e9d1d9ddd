"""What kind of answer a question wants (a definition, a number, a time, an extreme) and which texts have it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.questions.numbers import CITED, NUMBER, SUMS, YEAR, has_number, has_year
from law.words.analysis import Term, terms
from law.words.stop_words import is_content_word

_EXTREMES = [regex(language.questions.extremes, re.IGNORECASE) for language in LANGUAGES if language.questions.extremes]
_ENDS = " \t\n?!.,:;\"'“”״׳"
_WORDS = [language.questions for language in LANGUAGES]


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return regex(either(patterns), re.IGNORECASE)


_ASKS = _any(words.asks for words in _WORDS)
_MEANING = [regex(words.meaning, re.IGNORECASE) for words in _WORDS if words.meaning]
_TERM_ALONE = _any(words.term_alone for words in _WORDS)
_RAISED = _any(words.raised for words in _WORDS)
_ASKED = regex(r"[?？؟][\"'“”״׳)\]]{0,3}\s*\Z")
_UNITS = either(words.time_units for words in _WORDS)
_LENGTH = regex(
    rf"(?:{NUMBER}|(?<![\w(.])\d[\d,.]*)\)?(?:[\s־-]+[\w(),-]+){{0,3}}?[\s־-]+{_UNITS}(?!\w)"
    rf"|{either(words.lengths for words in _WORDS)}",
    re.IGNORECASE,
)
_MONTH = rf"(?:{either(month for one in LANGUAGES for month in one.dates.months)})"
# No number of anything: `31 March`, `1 בינואר`
_LENGTH_OR_DAY = regex(
    rf"{_LENGTH.pattern}|(?<!\w)\d{{1,2}}(?:st|nd|rd|th)?\s+\w?{_MONTH}(?!\w)|(?<!\w){_MONTH}\s+\d{{1,2}}(?!\w)",
    re.IGNORECASE,
)
_PROMPT = _any(words.prompt for words in _WORDS)
_RATES = [(unit, regex(rate, re.IGNORECASE)) for words in _WORDS for unit, rate in words.rates.items()]
_AGED = either(words.aged for words in _WORDS)
_A_NUMBER = rf"(?:{NUMBER}|\d+)"
_AGE = regex(rf"{_A_NUMBER}(?:\W+\w+){{0,2}}?\W+{_AGED}|{_AGED}(?:\W+\w+){{0,2}}?\W+{_A_NUMBER}", re.IGNORECASE)
_TIMED = _any(words.timed for words in _WORDS)
_COMMENCES = [regex(row, re.IGNORECASE) for words in _WORDS for row in words.commences]
_KIND_WORDS = frozenset(term.stem for words in _WORDS for term in terms(words.kind_words))
_OF_ACT_WORDS = frozenset(term.stem for words in _WORDS for term in terms(words.of_act))
_COUNTED_WITHIN = 4  # words behind a number, or one before it


class AnswerKind(StrEnum):
    """What a question wants to be told, where its words say so: all but a number have a row of `QuestionWords`."""

    NUMBER = "number"
    DURATION = "duration"
    AMOUNT = "amount"
    AGE = "age"
    FREQUENCY = "frequency"
    DAY = "day"
    TIME = "time"
    PENALTY = "penalty"
    COMMENCEMENT = "commencement"


_ASKS_FOR: dict[AnswerKind, re.Pattern[str]] = {
    kind: _any(getattr(words, kind) for words in _WORDS) for kind in AnswerKind if kind is not AnswerKind.NUMBER
}
_SAYS = {
    AnswerKind.PENALTY: _any(words.penal for words in _WORDS),
    AnswerKind.AGE: _AGE,
    AnswerKind.FREQUENCY: _any(words.frequent for words in _WORDS),
}
_DEADLINE = _any(words.deadline for words in _WORDS if words.deadline)
_DATED = _any(words.dated for words in _WORDS)
_OF_ACT = frozenset((AnswerKind.PENALTY, AnswerKind.COMMENCEMENT))
_NUMBERED = frozenset((AnswerKind.NUMBER, AnswerKind.DURATION, AnswerKind.AMOUNT))
_ASKS_FOR_NUMBER = [regex(words.quantity, re.IGNORECASE) for words in _WORDS if words.quantity]


@dataclass(frozen=True, slots=True)
class WantedAnswer:
    """The kinds of things that an answer must have, each of them.

    `named` are the stems of the question, by their hashes, that only name these. `counted` are stems of what it asks
    the number of, and `each` is for each of what: `month` of `how many days every month`. `words` are its telling ones.
    `of_part` is whether it is about a section or the like, not about a whole act.
    """

    kinds: frozenset[AnswerKind] = frozenset()
    named: frozenset[int] = frozenset()
    counted: frozenset[str] = frozenset()
    each: str = ""
    words: frozenset[str] = frozenset()
    of_part: bool = False

    @property
    def is_of_act(self) -> bool:
        """Whether it is said of a whole act, or of a section elsewhere: its penalty, or when it begins."""
        return not self.kinds.isdisjoint(_OF_ACT)

    def is_stated(self, text: str) -> bool:
        """Whether a text has what is wanted."""
        return (not self.each or self.each in _rates(text)) and all(self._states(kind, text) for kind in self.kinds)

    def has_unit(self, text: str) -> bool:
        """Whether a text has a length of time in the unit that is asked for: `ten months`, if `how many months`."""
        if AnswerKind.DURATION not in self.kinds or not self.counted:
            return False
        return any(term.stem in self.counted for found in _LENGTH.finditer(text) for term in terms(found[0]))

    def _states(self, kind: AnswerKind, text: str) -> bool:
        if pattern := _SAYS.get(kind):
            return pattern.search(text) is not None
        if kind is AnswerKind.COMMENCEMENT:
            return any(self._is_of_asked(found) for pattern in _COMMENCES for found in pattern.finditer(text))
        if kind is AnswerKind.DURATION:
            return _LENGTH.search(text) is not None or (not self.counted and _PROMPT.search(text) is not None)
        if kind is AnswerKind.DAY:  # `within thirty days` names none
            return _DATED.search(_LENGTH.sub(" ", text)) is not None
        if kind is AnswerKind.AMOUNT:
            return has_number(_LENGTH_OR_DAY.sub(" ", text), SUMS)
        if kind is AnswerKind.TIME:
            return self._times(text) or has_year(text) or has_number(text)
        if self.counted:  # years, days and lengths of time count nothing else
            counting = _LENGTH_OR_DAY.sub(self._left_of_length, text)
            return has_number(counting) and self._counts(counting)
        return has_number(text) or has_year(text)

    def _is_of_asked(self, found: re.Match[str]) -> bool:
        """Whether what begins is what the question is about: this act, a part if it asks for one, or one so named."""
        groups = found.groupdict()
        if groups.get("part"):
            return self.of_part
        named = {term.word for term in terms(groups.get("named") or "") if is_content_word(term.word)}
        return all(word in self.words or YEAR.fullmatch(word) for word in named)

    def _times(self, text: str) -> bool:
        """Whether a text says when something is. A word of the question only looks as if: `משומש` is no `מש…`."""
        return any(found[0].casefold() not in self.words for found in _TIMED.finditer(text))

    def _left_of_length(self, length: re.Match[str]) -> str:
        """Nothing, but all of what has a number of what is counted: `five books every month`."""
        return length[0] if any(term.stem in self.counted for term in terms(length[0])) else " "

    def _counts(self, text: str) -> bool:
        """Whether the number is one of what is counted, if the text names it at all."""
        words = terms(text)
        places = [place for place, term in enumerate(words) if term.stem in self.counted]
        return not places or any(
            has_number(" ".join(term.word for term in words[max(0, place - _COUNTED_WITHIN) : place + 2]))
            for place in places
        )


@lru_cache(maxsize=1_000)
def wanted_answer(question: str) -> WantedAnswer:
    """What the question asks for, as far as its words tell."""
    text = question.strip()
    kinds = {kind for kind, pattern in _ASKS_FOR.items() if pattern.search(text)}
    if asks_for_definition(text):
        kinds.clear()  # `What is a civil sanction?` asks for no penalty
    if _DEADLINE.search(text):  # `within how many days may one appeal against a fine?`
        kinds -= {AnswerKind.AMOUNT, AnswerKind.PENALTY}
    if AnswerKind.FREQUENCY in kinds:
        kinds.discard(AnswerKind.DURATION)
    asks = next(filter(None, (pattern.search(text) for pattern in _ASKS_FOR_NUMBER)), None)
    counted: frozenset[str] = frozenset()
    if asks:
        counted = frozenset(term.stem for term in terms(asks.groupdict().get("counted") or ""))
        if kinds.isdisjoint((AnswerKind.DURATION, AnswerKind.AMOUNT, AnswerKind.AGE, AnswerKind.FREQUENCY)):
            kinds.add(AnswerKind.NUMBER)
    naming = (_KIND_WORDS if kinds else frozenset()) | (_OF_ACT_WORDS if kinds & _OF_ACT else frozenset())
    named = {term.stem_hash for term in terms(text) if term.stem in naming}
    each = max(_rates(text), default="") if kinds & _NUMBERED else ""
    words = frozenset(term.word for term in terms(text) if is_content_word(term.word))
    return WantedAnswer(frozenset(kinds), frozenset(named), counted, each, words, CITED.search(text) is not None)


def _rates(text: str) -> set[str]:
    """For each of what something is, by what a text says: `month` of `every month`."""
    return {unit for unit, pattern in _RATES if pattern.search(text)}


def names_own_act(text: str) -> bool:
    """Whether a text speaks of the document that it stands in: `this Act`."""
    return any(language.clauses.own.search(text) for language in LANGUAGES)


def is_kind_word(term: Term) -> bool:
    """Whether a word only names what kind of thing an answer is, as `amount`."""
    return term.stem in _KIND_WORDS


def puts_question(sentence: str) -> bool:
    """Whether a sentence only asks, as a tribunal that says what it has to decide."""
    return bool(_ASKED.search(sentence) or _RAISED.search(sentence))


def is_question(query: str) -> bool:
    """Whether somebody asks, in whole sentences, else the query is some words, or a heading."""
    return "?" in query or bool(_ASKS.search(query.strip()))


def definition_term(question: str) -> str:
    """`משכון` of `מה זה משכון?`: what the question wants explained, with whatever follows. '' for another question."""
    text = question.strip(_ENDS)
    return next((match["term"].strip(_ENDS) for pattern in _MEANING if (match := pattern.match(text))), "")


def asks_for_definition(question: str) -> bool:
    """Whether only what defines a term answers: `What is an MTF?`, but not `What is the fee?`."""
    return _TERM_ALONE.match(question.strip(_ENDS)) is not None


def is_of_another(question: str, text: str, is_same: Callable[[Term, Term], bool]) -> bool:
    """Whether a text gives the most or the least of something, and only of others than the question asks for.

    Words of one language are compared. `the maximum amount` may be one of anything.
    """
    for pattern in _EXTREMES:
        asked = [term for of in _measured(pattern, question) for term in of]
        given = _measured(pattern, text)
        if asked and given and not any(not of or any(is_same(a, b) for a in asked for b in of) for of in given):
            return True
    return False


def names_extreme(text: str) -> bool:
    """Whether a text gives the most or the least of anything."""
    return any(pattern.search(text) for pattern in _EXTREMES)


def _measured(pattern: re.Pattern[str], text: str) -> list[list[Term]]:
    """The telling words for what is measured, of each place that measures."""
    return [
        [term for term in terms(found["measured"]) if is_content_word(term.word) and not is_kind_word(term)]
        for found in pattern.finditer(text)
    ]
