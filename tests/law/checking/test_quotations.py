"""Finding the quotations of a text."""

import pytest

from law.checking.quotations import find_quotations, without_quotations


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("It says “the owner pays” twice.", ["the owner pays"]),
        (
            'It says ‘the owner’s hoist stops’ here; the owner\'s "fee is due" now.',
            ["the owner’s hoist stops", "fee is due"],
        ),
        ('לפי חוק המנופים, התש"ן–1990, "הבעלים רשאי" וכן ש"המפקח לא יתן" בצה"ל', ["הבעלים רשאי", "המפקח לא יתן"]),
        ('ב"כ התובע טען ו״עוד דבר״', ["עוד דבר"]),
        ("נאמר ''אין פטור בחו''ל'' שם", ["אין פטור בחו''ל"]),
        ("«Le treuil» et „der Kran“ och ”en lyftkran”", ["Le treuil", "der Kran", "en lyftkran"]),
        ("Section 5 provides:\n\n    The owner pays\n    the fee.\n\nMore.", ["The owner pays\n    the fee."]),
        ("Section 5 reads as follows:\nThe owner pays.\n\nMore.", ["The owner pays."]),
        ("An “open mark\n\nnever closes", []),
        ("> “The owner pays.”\n", ["The owner pays."]),
        ("”הבעלים רשאי“ לפי סעיף 3, וכן ”המפקח חייב“.", ["הבעלים רשאי", "המפקח חייב"]),
        ("נאמר „הבעלים רשאי” ועוד ”המפקח חייב”.", ["הבעלים רשאי", "המפקח חייב"]),
        ("He says “one “two” three” and “four”.", ["one “two” three", "four"]),
        ("It says “never closed and “the owner pays” here.", ["the owner pays"]),
        (
            'It says "the owner pays"¹ and “the fee is due”2 and ‘it rests’.³',
            ["the owner pays", "the fee is due", "it rests"],
        ),
        ("By ‘the tenants’ deposits’, it means ‘money’.", ["the tenants’ deposits", "money"]),
        # A pair that the text itself uses
        ("He wrote “two״ and “three״ and “four״.", ["two", "three", "four"]),
        ("He wrote “two״ and “three”.", ["three"]),
        ("«  Le treuil  » est cher", ["Le treuil"]),
        ("``The owner pays'' and ,,der Kran''", ["The owner pays", "der Kran"]),
        # What a bracket only gives a name
        ("Acme Ltd (“Acme”) and Bolt Ltd (hereinafter, “the Buyer”) “paid the fee”.", ["paid the fee"]),
        ("The Ropes Act 2001 (“the Act”) and the Oars Act 2024 (“the 2024 Act”) apply.", []),
        (
            "The Ropes Act 2001 (the “Act” or “RA”) says “the owner pays” (“within 14 days”).",
            ["the owner pays", "within 14 days"],
        ),
        ('חברת חבלים (להלן: "החברה"), לפי חוק החבלים ("החוק"), "שילמה" (ראו "תוך שבוע").', ["שילמה", "תוך שבוע"]),
        ("‹Le treuil›, »der Kran« und ‚das Seil‘", ["Le treuil", "der Kran", "das Seil"]),
    ],
)
def test_quotations(text: str, quoted: list[str]) -> None:
    assert [text[one.start : one.end] for one in find_quotations(text)] == quoted


def test_what_has_no_marks_is_not_certain() -> None:
    text = "Section 5 provides:\n\n    The owner pays.\n\n“It is due.”"
    assert [one.certain for one in find_quotations(text)] == [False, True]


def test_long_quotations_are_blanked_in_place() -> None:
    text = "See “one two three” and “four”."
    blanked = without_quotations(text, find_quotations(text), longer_than=2)
    assert blanked == "See “" + " " * 13 + "” and “four”."
