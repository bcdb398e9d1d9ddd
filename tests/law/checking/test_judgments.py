"""Paragraphs of judgments under a short name, and what looks like them."""

import pytest

from law.checking.judgments import with_judgments
from law.references.mentions import read_references

CASE = "Marlow v Harbour Board [2031] UKSC 12 (“Marlow”)"


def cited(text: str) -> list[tuple[str, str, str, str]]:
    found = with_judgments(text, read_references(text, (), title="", kind=""))
    return [(text[one.start : one.end], one.identifier, one.number, one.unread) for one in found if one.number]


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("Marlow at [48]", "48"),
        ("Marlow, [6]", "6"),
        ("Marlow [6]", "6"),
        ("Ibid [14]", "14"),
        ("Ibid, at [14]", "14"),
        ("[31] of the judgment", "31"),
        ("Marlow at para 59", "59"),
        ("paragraph 33 of Marlow", "33"),
    ],
)
def test_short_names(said: str, number: str) -> None:
    assert cited(f"{CASE} decides it. The point is taken again. See {said}. The rest is clear.") == [
        (said, "[2031] UKSC 12", number, "")
    ]


def test_the_first_party_names_a_judgment_without_a_bracket() -> None:
    text = "The duty was stated in Marlow v Harbour Board [2031] UKSC 12. In Marlow at [7] it was narrowed."
    assert cited(text) == [("Marlow at [7]", "[2031] UKSC 12", "7", "")]


def test_a_case_that_is_known_by_its_title_has_paragraphs() -> None:
    title = "Marlow v Harbour Board (Costs) [2031] UKSC 12"
    text = f"{title} (“Marlow”) decides it. See Marlow at [8.2]. The rest is in ibid [14]."
    read = read_references(text, (), title="", kind="", names=[(0, len(title))])
    found = [(one.title, one.number) for one in with_judgments(text, read)]
    assert found == [(title, ""), (title, "8.2"), (title, "14")]


def test_a_name_that_the_text_does_not_explain_is_not_passed_over() -> None:
    assert cited("So it was said in Bellweather at [48].") == [("Bellweather at [48]", "", "48", "Bellweather")]


def test_of_two_judgments_each_keeps_its_paragraphs() -> None:
    text = f"{CASE}. Quay v Pilot [2032] EWCA Civ 5 (“Quay”). See Marlow at [3]. See Quay at [4]. Ibid [5]."
    assert [(identifier, number) for _, identifier, number, _ in cited(text)] == [
        ("[2031] UKSC 12", "3"),
        ("[2032] EWCA Civ 5", "4"),
        ("[2032] EWCA Civ 5", "5"),
    ]


def test_a_verb_before_a_paragraph_of_the_judgment_is_no_name() -> None:
    text = f"{CASE} decides it. Consider [31] of the judgment."
    assert cited(text) == [("[31] of the judgment", "[2031] UKSC 12", "31", "")]


HEBREW = 'כך נקבע בע"פ 1234/21 דוד מזרחי נ\' כהן (להלן: "הלכת הגשר"). וכן ע"א 77/20 לוי נגד עיריית הנמל.'


@pytest.mark.parametrize(
    ("said", "cites", "identifier"),
    [
        ("ראו עניין מזרחי, פס' 4.", "עניין מזרחי, פס' 4", 'ע"פ 1234/21'),
        ("ראו הלכת הגשר, בפסקה 4 לפסק הדין.", "הלכת הגשר, בפסקה 4", 'ע"פ 1234/21'),
        ("ראו פרשת לוי בפסקה 4.", "פרשת לוי בפסקה 4", 'ע"א 77/20'),
        ("ראו פרשת ביטון, פס' 4.", "פס' 4", ""),
        ("לעניין זה, פס' 4.", "פס' 4", ""),
    ],
)
def test_a_word_for_a_case_stands_before_words_of_its_parties(said: str, cites: str, identifier: str) -> None:
    assert cited(f"{HEBREW} {said}") == [(cites, identifier, "4", "")]


def test_words_that_two_judgments_have_name_none() -> None:
    both = "ע\"פ 1234/21 דוד מזרחי נ' כהן. ע\"א 77/20 לוי נ' מזרחי. ראו עניין מזרחי, פס' 4."
    assert cited(both) == [("פס' 4", "", "4", "")]


@pytest.mark.parametrize("text", ["The letter says [14] boats.", "See page [3].", "ibid [14]", "[31] of the judgment"])
def test_numbers_in_brackets_of_no_judgment(text: str) -> None:
    assert [one for one in cited(text) if one[1]] == []
