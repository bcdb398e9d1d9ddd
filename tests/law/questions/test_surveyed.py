"""What a description names, and the sentences that say it."""

import pytest

from law.languages.rules import rule_words
from law.questions.surveyed import surveyed_rules, version


@pytest.mark.parametrize(
    ("description", "names", "rest"),
    [
        ("Every provision that requires an annual report", ("annual_report",), []),
        ("limitation period", ("limitation",), []),
        ("penalties for pollution of water", ("penalty",), ["pollution", "water"]),
        ("חובת דין וחשבון", ("report",), []),
        ("bees", (), ["bees"]),
    ],
)
def test_a_description_names_kinds_of_rules_and_other_words(
    description: str, names: tuple[str, ...], rest: list[str]
) -> None:
    rules = surveyed_rules(description)
    assert rules.names == names
    assert [term.word for term in rules.rest] == rest


@pytest.mark.parametrize(
    ("description", "says", "does_not"),
    [
        (
            "annual report",
            "The board shall send a report to the minister at the end of each fiscal year.",
            "The board shall report any accident to the minister.",
        ),
        (
            "limitation period",
            "No proceedings may be commenced later than two years after the day on which they arose.",
            "The limitation of the number of seats is ten.",
        ),
        ("appeal", "A person may, within thirty days, appeal to the court.", "The film appeals to nobody."),
        ("delegation", "The minister may delegate any power to the director.", "The delegates meet in May."),
        ("penalty", "Whoever does so is guilty of an offence.", "A fine morning is awaited."),
        ("דין וחשבון", "הרשות תגיש לשר דין וחשבון על פעולותיה.", "הרשות תמנה רואה חשבון."),
        ("התיישנות", "הזכות תתיישן בתום שבע שנים.", "הרשות תתיישב בירושלים."),
        ("ערר", "הנפגע רשאי לערור לפני הוועדה.", "הנפגע רשאי לעיין בתיק."),
        ("אצילה", "השר רשאי לאצול מסמכויותיו למנהל.", "המסמכים נשמרים אצל המנהל."),
        ("עונשין", "העושה כן, דינו – מאסר שנה.", "עובדי הרשות דינם כדין עובדי המדינה."),
    ],
)
def test_a_sentence_says_a_rule_or_not(description: str, says: str, does_not: str) -> None:
    rules = surveyed_rules(description)
    assert rules.is_said(says)
    assert not rules.is_said(does_not)


def test_every_row_can_be_named_and_said() -> None:
    assert len(rule_words()) >= 20
    assert all(row.named and row.says for row in rule_words())
    assert version() == version()


def test_half_of_the_other_words_is_half() -> None:
    rules = surveyed_rules("penalties for pollution of water")
    assert rules.share_of_rest(frozenset({"pollut"})) == 0.5
    assert surveyed_rules("penalties").share_of_rest(frozenset()) == 1.0
