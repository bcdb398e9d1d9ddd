"""What a question asks for, the act of which it asks when or by whom it is done, and sentences that only mention it.

`The Register is kept for seven years after the deposit was returned` does not say when the deposit is returned.
"""

import re
from collections.abc import Callable
from functools import cache
from itertools import chain

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.questions.answer_kinds import is_kind_word
from law.words.analysis import Term, terms
from law.words.stop_words import is_content_word
from law.words.synonyms import is_form

_WORDS = [language.questions for language in LANGUAGES]
_ACTS = [regex(pattern, re.IGNORECASE) for words in _WORDS for pattern in words.acts]
_VERB = regex(either(words.verb for words in _WORDS if words.verb), re.IGNORECASE)
_THINGS = [regex(pattern, re.IGNORECASE) for words in _WORDS for pattern in words.things]
_WHICH = regex(either(words.which for words in _WORDS if words.which), re.IGNORECASE)
_ASIDE = regex(either(words.aside for words in _WORDS if words.aside), re.IGNORECASE)
_DONE = regex(either(words.done for words in _WORDS if words.done), re.IGNORECASE)
_PASSIVE = regex(rf"(?:{either(words.passive for words in _WORDS if words.passive)})\Z", re.IGNORECASE)
_DUTY = regex(
    rf"(?<!\w)(?:{'|'.join('|'.join(one.quoting.modals[0].split()) for one in LANGUAGES if one.quoting.modals)})(?!\w)",
    re.IGNORECASE,
)
_WORD = regex(r"\w+")
_ENDED = regex(r"[.;:!?][\"'“”״׳)\]]{0,3}\s*\Z")
_BEFORE = 120  # characters before a verb that are looked at


def asked_act(question: str) -> str:
    """The verb of a question that asks when something is done, or who does it, as it is written. '' for another one."""
    return next((match["act"] for pattern in _ACTS if (match := pattern.search(question.strip()))), "")


def asked_verb(question: str) -> str:
    """What stands in a question where only a verb does, as it is written, or ''."""
    return match["verb"] if (match := _VERB.search(question.strip())) else ""


def asked_things(question: str) -> list[str]:
    """What a question asks for, as `annual leave` where it asks how many days of it. An answer has all words of one."""
    return [thing for pattern in _THINGS if (match := pattern.search(question)) for thing in match.groups()]


def asked_subject(question: str) -> tuple[Term, ...]:
    """The first telling word behind `what` or `which`, and words that name as well what it names.

    `salary`, `wage` of `What is the salary of a pilot?`. None for another question, nor where it asks for something in
    general, as by `the duties`.
    """
    match = _WHICH.search(question.strip())
    behind = terms(question.strip()[match.end() :].partition("?")[0]) if match else []
    subject = next((one for one in behind if is_content_word(one.word) and not is_kind_word(one)), None)
    if subject is None or is_general(subject):
        return ()
    groups = (group for group in _alike() if any(is_form(one, subject) for one in group))
    return (subject, *chain.from_iterable(groups))


def is_general(word: Term) -> bool:
    """Whether a word is so general that an answer need not have it: `needs`, `the duties`."""
    return any(is_form(one, word) for one in _general())


@cache
def _general() -> tuple[Term, ...]:
    return tuple(terms(" ".join(words.general for words in _WORDS)))


@cache
def _alike() -> tuple[tuple[Term, ...], ...]:
    return tuple(tuple(terms(group)) for words in _WORDS for group in words.alike)


def only_mentions(sentence: str, is_act: Callable[[str], bool]) -> bool:
    """Whether a sentence has an act, which `is_act` tells of its words, and has it only beside what it says itself.

    That is in a clause of time or condition (`before it is returned`), or as what has been done (`must report deposits
    returned`).
    """
    places = _places(sentence, is_act)
    return bool(places) and all(aside or _is_done(sentence, act) for act, aside in places)


def stands_aside(sentence: str, is_asked: Callable[[str], bool]) -> bool:
    """Whether a sentence has words that are asked about, and all of them in clauses of time or condition."""
    places = _places(sentence, is_asked)
    return bool(places) and all(aside for _, aside in places)


def _places(sentence: str, is_meant: Callable[[str], bool]) -> list[tuple[re.Match[str], bool]]:
    """Where such words stand, and whether that is in a clause of time or condition."""
    clauses = [found.span() for found in _ASIDE.finditer(sentence)]
    return [
        (found, any(start <= found.start() < end for start, end in clauses))
        for found in _WORD.finditer(sentence)
        if is_meant(found[0])
    ]


def _is_done(sentence: str, act: re.Match[str]) -> bool:
    """Whether a verb of a sentence, not of a row, says what has been done, and no duty is stated behind it."""
    return (
        _DONE.fullmatch(act[0]) is not None
        and _ENDED.search(sentence) is not None
        and _DUTY.search(sentence, act.end()) is None
        and _PASSIVE.search(sentence[: act.start()][-_BEFORE:]) is None
    )
