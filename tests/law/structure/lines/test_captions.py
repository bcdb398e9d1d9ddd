"""Where the caption of a judgment ends, and its text begins."""

import pytest

from law.structure.lines.captions import caption_length, is_author

SENTENCE = "The tenant asked on 3 May for the return of her deposit."
CAPTION = [
    "IN THE HARBOUR COURT",
    "Appeal No. 7/2024",
    "Buoy Ltd v Anchor Ltd",
    "before",
    "Lady Quay",
    "Heard on 5 May",
]


@pytest.mark.parametrize(
    ("lines", "length"),
    [
        ([*CAPTION, "Ann Reed KC", "LADY QUAY (with whom Lord Pier agrees):", "Introduction", f"1. {SENTENCE}"], 7),
        ([*CAPTION, "This is Crown copyright and no part of it may be copied.", "JUDGMENT", f"1. {SENTENCE}"], 7),
        ([*CAPTION, "Introduction", f"1. {SENTENCE}"], 6),
        ([*CAPTION, "Introduction", "[1]", SENTENCE], 6),
        ([*CAPTION, "Summary", SENTENCE, "The facts", f"1. {SENTENCE}"], 6),
        ([*CAPTION[:3], SENTENCE, SENTENCE], 3),
        (["בית המשפט העליון", "המשיבים: 1. דנה כהן", "2. עיריית ים", "השופטת ד' חוף:", "רקע", "1. ערעור על כך."], 3),
        (["בית משפט השלום", "כהן נ' לוי בע\"מ.", "פסק דין", "רקע", "1. לפניי תביעה.", "2. דינה להידחות."], 3),
        ([*CAPTION, "Judgment", "1. A claim for rent."], 6),
        ([*CAPTION, "Overview", "[1] This is about rent.", f"[2] {SENTENCE}"], 6),
        (["בית הדין", "1. דנה כהן", '2. אבן בע"מ', "רקע", "1. כהן פוטרה.", "2. היא תבעה.", f"3. {SENTENCE}"], 3),
        ([*CAPTION, "1. Mr Able.", "2. Ms Baker.", "JUDGMENT", "We agree.", f"3. {SENTENCE}"], 10),
        ([f"1. {SENTENCE}"], 0),
        ([SENTENCE, SENTENCE, "The facts", SENTENCE, SENTENCE, "Lord Mayor's duties:", "Conclusion"], 0),
        (CAPTION, 0),
        ([], 0),
    ],
)
def test_a_caption_ends_before_the_first_opinion(lines: list[str], length: int) -> None:
    assert caption_length(lines) == length


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("LADY ROSE (with whom Lord Reed agrees):", True),
        ("Lord Justice Males:", True),
        ("LORD STEPHENS (concurring)", True),
        ("JUSTICE PIER delivered the opinion of the Court.", True),
        ("Smith LJ:", True),
        ("SMITH J:", True),
        ("O'Brien LJ (with whom Lewis LJ agreed):", True),
        ("GAGELER CJ, BELL AND KEANE JJ:", True),
        ("KAGAN, J., dissenting.", True),
        ("השופט י' עמית:", True),
        ("המשנה לנשיאה (בדימ') ח' מלצר:", True),
        ("Lord Reed, President", False),
        ("Lord Reed (President)", False),
        ("Judge: N. Arbel", False),
        ("כבוד השופט י' עמית", False),
        ("The judge said:", False),
        ("Smith J held:", False),
        ("Per Smith LJ:", False),
        ("Exhibit J:", False),
        ("Smith J", False),
        ("השופט קבע ביום 3.5.2020:", False),
    ],
)
def test_an_author_is_named_in_a_line_of_the_own(line: str, is_one: bool) -> None:
    assert is_author(line) is is_one
