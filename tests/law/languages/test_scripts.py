"""One language for each script: what a letter tells is told by its letter alone."""

import re
from itertools import combinations

from law.languages import LANGUAGES

BASIC_PLANE = "".join(map(chr, range(0x10000)))


def test_no_letter_is_of_two_languages() -> None:
    letters = [set(re.findall(f"[{language.letters}]", BASIC_PLANE)) for language in LANGUAGES]
    assert all(letters)
    assert not any(one & other for one, other in combinations(letters, 2))
