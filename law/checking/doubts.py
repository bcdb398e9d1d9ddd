"""Whether a statement has what its provision has not: a number, a day, a negation, or what one must or may."""

from law.checking.quantities import Agreement, compared
from law.checking.weight import is_negation, modal_meaning
from law.languages.dates import find_dates
from law.words.analysis import Term, terms


def is_doubtful(statement: str, law: str) -> bool:
    """Whether one reading is not enough to say that the law says so, or that it does not."""
    said, there = terms(statement), terms(law)
    return (
        compared(statement, law)[0] in (Agreement.OTHER, Agreement.UNSURE)
        or _denies(said) is not _denies(there)
        or not _modals(said) <= _modals(there)
        or not _days(statement) <= _days(law)
    )


def _denies(words: list[Term]) -> bool:
    return any(is_negation(term.word) for term in words)


def _modals(words: list[Term]) -> set[str]:
    return {meaning for term in words if (meaning := modal_meaning(term.word))}


def _days(text: str) -> set[object]:
    return {found.date for found in find_dates(text)}
