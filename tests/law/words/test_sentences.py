"""Where sentences end, and what looks like an end and is none."""

import re

import pytest

from law.words.sentences import bracketed, stops

STOP = re.compile(r"[.?!;][\"”)\]]*\s+")


def ends(text: str) -> list[str]:
    return [text[: found.end()].split()[-1] for found in stops(text, STOP, within=bracketed(text))]


@pytest.mark.parametrize(
    ("text", "last_words"),
    [
        ("The pier closes. The bell rings.", ["closes."]),
        ("Under s. 5 and art. 7 the pier closes. It rings.", ["closes."]),
        ("Rule No. 5 of Act No. (9) says no. The pier closes. It rings.", ["no.", "closes."]),
        ("A. Keeper closes it. He rings.", ["it."]),
        ("Not less than five per cent. and not more than ten. He pays.", ["ten."]),
        ("He pays five per cent. He pays.", ["cent."]),
        ("Call at 5 p.m. on a day, by boat etc. and ring. He rings.", ["ring."]),
        ("he pays. she rings. iPhones are dear [1]. they ring. so it is", ["pays.", "rings.", "[1].", "ring."]),
        ("It is closed. b. the bell rings. c. a boat leaves.", ["closed.", "rings."]),
        ("It is closed [Repealed, 2004, c. 12. See s. 3. Above]. It rings.", ["Above]."]),
        ("It is closed (as the rule. says. so) today. It rings.", ["today."]),
        ("(June 18, 1930, 46 Stat. 781.) The pier closes.", ["781.)"]),
        ("המזח נסגר בלילה. הפעמון מצלצל.", ["בלילה."]),
    ],
)
def test_abbreviations_and_brackets_end_no_sentence(text: str, last_words: list[str]) -> None:
    assert ends(text) == last_words
