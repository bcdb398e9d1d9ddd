"""Whether a text gives the most of what a question asks for, or of something else."""

import pytest

from law.questions.answer_kinds import is_of_another
from law.words.analysis import Term


def same(one: Term, other: Term) -> bool:
    return one.stem == other.stem


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("What is the maximum deposit?", "Maximum fee\tforty crowns", True),
        ("What is the maximum deposit?", "Maximum fee per deposit is forty crowns.", True),
        ("What is the maximum deposit?", "The maximum deposit is forty crowns.", False),
        ("What is the maximum deposit?", "The maximum amount is forty crowns.", False),
        ("What is the maximum deposit?", "A deposit of a maximum of forty crowns.", False),
        ("What is the maximum amount of the deposit?", "The maximum fee is nine crowns.", True),
        ("What is the maximum fee for registering a deposit?", "5.1 Maximum fees", False),
        ("What is the deposit?", "The maximum fee is nine crowns.", False),
        ("מה הפיקדון המרבי?", "האגרה המרבית היא ארבעים כתרים", True),
        ("מה הפיקדון המרבי?", "הסכום המרבי הוא ארבעים כתרים", False),
        ("מה הפיקדון המרבי?", "Maximum fee", False),
    ],
)
def test_the_most_of_one_thing_is_not_that_of_another(question: str, text: str, other: bool) -> None:
    assert is_of_another(question, text, same) is other
