"""Provisions that say of themselves that they are repealed."""

import pytest

from law.structure.lines.repealed import says_repealed, title_says_repealed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("7.\n(בוטל).", "(בוטל)."),
        ("16יג. (בוטל)", "(בוטל)"),
        ("11.\n[Repealed, 2015, c. 4, s. 112]", "[Repealed, 2015, c. 4, s. 112]"),
        ("§ 44. Repealed. Aug. 1, 1914, ch. 222", "Repealed. Aug. 1, 1914, ch. 222"),
        ("5. Ropes\n[Omitted]", "[Omitted]"),
        ("38. Ropes\nRepealed by Act 31 of 2022.", "Repealed by Act 31 of 2022."),
        ("(ב) (נמחקה)", "(נמחקה)"),
        ("(3) Repealed.", "Repealed."),
        ("15. (ב) פקע המשכון, רשאי החייב לדרוש את החזרתו.", ""),
        ("5. The owner pays.\n[Repealed]\n(2) The keeper rests.", ""),
        ("5. Repealed acts stay in the register.", ""),
        ("5. The owner pays.", ""),
        ("", ""),
    ],
)
def test_a_provision_says_that_it_is_gone(text: str, said: str) -> None:
    assert says_repealed(text) == said


def test_a_title_says_so_too() -> None:
    assert title_says_repealed("חוק המנופים, התש״ן–1990 (בוטל)") == "(בוטל)"
    assert title_says_repealed("Hoists Act 1990 [Repealed 2001]") == "[Repealed 2001]"
    assert not title_says_repealed("Repealed Acts (Register) Act 1990")
