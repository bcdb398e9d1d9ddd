"""Words with a hyphen are found without it, and the other way round."""

import pytest

from law.questions.spellings import other_writings
from law.words.analysis import terms


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("coowner of the pier", {"co-owner": (0, 1)}),
        ("a nonrefundable fee", {"non-refundable": (1, 2)}),
        ("the co-owner", {"coowner": (1, 3)}),
        ("send e\u2011mail", {"email": (1, 3)}),
        ("present international interest", {}),
        ("pier – owner, 5-6, בית-דואר", {}),
        ("cost", {}),
        ("Abbé Guibourg", {"d'Abbé": (0, 1), "l'Abbé": (0, 1)}),
        ("de l’Abbé", {"Abbé": (1, 2)}),
        ("étang", {"d'étang": (0, 1), "l'étang": (0, 1)}),
        ("Shari'a, O'Neil, all'opera, איתן, 5'a", {}),
    ],
)
def test_other_writings_of_a_query(query: str, found: dict[str, tuple[int, int]]) -> None:
    writings = other_writings(query, terms(query))
    assert {one.text: (one.start, one.end) for one in writings} == found


def test_what_is_set_apart_stays_as_it_is() -> None:
    assert other_writings("coowner", terms("coowner"), apart={0}) == ()
    assert other_writings("coowner " * 50, terms("coowner " * 50)) == ()
