"""What a description names, and the sentences that say it."""

import pytest

from law.questions.surveyed import RULES, surveyed_rules, version


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
        ("דין וחשבון", "על דוח לפי תקנה 4 יחתום מנהל הקרן.", "הדוח פורסם בעיתון יומי."),
        ("דין וחשבון", "הנאמן יפרט בדוח השנתי, ויפורטו בו נכסיו.", "הנאמן יפרט את נכסיו."),
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
    assert len(RULES) >= 20
    assert all(row.named and row.says for row in RULES)
    assert version() == version()


def test_half_of_the_other_words_is_half() -> None:
    rules = surveyed_rules("penalties for pollution of water")
    assert rules.share_of_rest(frozenset({"pollut"})) == 0.5
    assert surveyed_rules("penalties").share_of_rest(frozenset()) == 1.0


@pytest.mark.parametrize(
    "sentence",
    [
        "Whoever steers asleep shall be punished with imprisonment for up to two years.",
        "A person who contravenes this section shall on conviction be liable to a fine at level 5.",
        "Penalty: 50 penalty units.",
        "Any person violating this chapter is guilty of a misdemeanor.",
        "A landlord who fails to do so commits a Class B offence.",
        "Whoever violates this section shall be fined not more than $5,000 or imprisoned, or both.",
        "The Commissioner may impose an administrative fine of up to 4 % of turnover.",
        "The maximum penalty for a violation is $15,000.",
        "A person is subject to a civil penalty for each day of default.",
        "העובר על הוראות סעיף 3, דינו מאסר שישה חודשים.",
        "הממונה רשאי להטיל על המפר עיצום כספי בסכום של 5,000 שקלים.",
        "מי שלא הגיש דוח יהא צפוי לקנס של 1,000 לירות.",
        "הנוהג בלא רישיון עובר עבירה.",
    ],
)
def test_what_sets_a_penalty_says_one(sentence: str) -> None:
    assert says_penalty(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "A certificate of conviction for an offence under this Act is evidence.",
        "In this Act penalty means an administrative monetary penalty.",
        "The limitation period for offences under this Act is two years.",
        "המועד לתשלום עיצום כספי הוא 30 ימים.",
        "בית המשפט הדן בעבירה לפי סעיף 13 רשאי לבטל את הרישיון.",
    ],
)
def test_what_only_speaks_of_offences_sets_no_penalty(sentence: str) -> None:
    assert not says_penalty(sentence)


def says_penalty(sentence: str) -> bool:
    return any(surveyed_rules(described).is_said(sentence) for described in ("penalties", "עונשין"))
