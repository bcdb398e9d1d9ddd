"""What the numbers of a statement say against those of the law."""

import pytest

from law.checking.agreement import Agreement, compared, is_doubtful

LAW = "The owner must have the hoist inspected within 14 days. The fee is $200."
PERIODS = """A notice of the hoist covers no more than two months: it is given once in three years.
The keeper lights the lamps 20 days before the boat comes, of the pier 30 days before."""
FINES = "The fine for a first lamp must not exceed $100; for a second lamp $500."
HEBREW = "בעל המנוף יבדוק אותו בתוך ארבעה עשר ימים מיום התיקון."
NOTICE = "The owner of the pier gives the keeper a notice of"
LIT = "A licence of the pier is given where"
HEBREW_NOTICE = "בעל הרציף ימסור לשומר הודעה של"


@pytest.mark.parametrize(
    ("statement", "law", "agreement"),
    [
        ("The owner must do so within 21 days", LAW, Agreement.OTHER),
        ("The owner must do so within twenty-one days", LAW, Agreement.OTHER),
        ("The owner must do so within fourteen days", LAW, Agreement.SAME),
        ("The owner must do so within two weeks", LAW, Agreement.SAME),
        ("The owner must have the hoist inspected within three weeks", LAW, Agreement.OTHER),
        ("The owner must do so within one month", LAW, Agreement.UNSURE),
        ("The owner of the hoist has 21 days to have it inspected", LAW, Agreement.OTHER),
        ("After 21 days the inspection of the hoist is void unless the owner was away", LAW, Agreement.UNSURE),
        ("After 21 days no hoist is inspected unless the owner agrees", LAW, Agreement.OTHER),
        ("The owner must pay the fee", LAW, Agreement.NONE),
        (
            "The keeper of the pier sends the list by 31 December",
            "The list of lamps is sent by the keeper of the pier not later than 1 July.",
            Agreement.OTHER,
        ),
        (
            "A pier with up to 200 lamps may have one keeper",
            "A pier with up to 100 lamps may have one keeper.",
            Agreement.OTHER,
        ),
        (
            "A pier with up to 200 lamps is lit",
            "Where 100 lamps were lost the keeper tells the owner.",
            Agreement.UNSURE,
        ),
        ("The pier has two lamps", LAW, Agreement.NONE),
        (
            "The board consists of 9 members, at least 3 of whom keep lamps.",
            "The board consists of not more than 9 members, at least 3 of whom keep lamps.",
            Agreement.SAME,
        ),
        # What happened, or something else
        ("The owner lived there for 21 days", LAW, Agreement.UNSURE),
        ("The owner was told of the hoist within 21 days and inspected it", LAW, Agreement.UNSURE),
        ("A letter goes unanswered for five weeks", LAW, Agreement.UNSURE),
        ("The owner must do so within 21 days", f"{LAW} Within 30 days it is signed.", Agreement.UNSURE),
        # One of several clauses has its words
        ("A notice of the hoist may cover up to six months", PERIODS, Agreement.OTHER),
        ("A notice of the hoist may cover up to two months", PERIODS, Agreement.SAME),
        ("A notice of the pier may last up to six months", PERIODS, Agreement.UNSURE),
        ("A notice of the hoist that covers ropes must be read within 4 months", PERIODS, Agreement.UNSURE),
        ("The fine for a third lamp must not exceed $900", FINES, Agreement.UNSURE),
        ("The fine for a first lamp must not exceed $900", FINES, Agreement.OTHER),
        ("The keeper lights the lamps of the pier 9 days before the boat comes", PERIODS, Agreement.OTHER),
        ("The keeper counts the ropes of the pier 9 days before the boat comes", PERIODS, Agreement.UNSURE),
        ("The keeper lit the lamps and was away 9 days before the boat comes", PERIODS, Agreement.UNSURE),
        ("בעל המנוף חייב לבדוק אותו בתוך 21 יום", HEBREW, Agreement.OTHER),
        (
            "The fee of a hoist is from 20 to 95 dollars",
            "The fee of a hoist is from 20 to 90 dollars.",
            Agreement.OTHER,
        ),
        (
            "The fee of a hoist is from 25 to 95 dollars",
            "The fee of a hoist is from 20 to 90 dollars.",
            Agreement.UNSURE,
        ),
        ("The price of rope is 20 to 95 dollars", "The fee of a hoist is from 20 to 90 dollars.", Agreement.UNSURE),
        ("החוק נכנס לתוקף כעבור 12 חודשים", "תחילתו של חוק זה בתום שישה חודשים מיום פרסומו.", Agreement.OTHER),
        ("החוק נכנס לתוקף כעבור 12 חודשים", "תחילתו של חוק זה בתום שנה מיום פרסומו.", Agreement.SAME),
        ("בעל המנוף חייב לבדוק אותו בתוך שבועיים", HEBREW, Agreement.SAME),
        # The least is not the most, a working day no day, any of a list not all of it
        (f"{NOTICE} at most 14 days", f"{NOTICE} at least 14 days.", Agreement.OTHER),
        (f"{NOTICE} at least 14 days", f"{NOTICE} not less than 14 days.", Agreement.SAME),
        ("The lamp of the pier burns at most 9 days", f"{NOTICE} at least 9 days.", Agreement.SAME),
        (f"{NOTICE} 10 working days", f"{NOTICE} 10 days.", Agreement.OTHER),
        (f"{NOTICE} three weeks", f"{NOTICE} three months.", Agreement.OTHER),
        (f"{NOTICE} 30 days", f"{NOTICE} one month.", Agreement.UNSURE),
        (f"{LIT} all of the following hold", f"{LIT} any of the following holds: (a) it is dry.", Agreement.OTHER),
        (f"{LIT} any of these holds", f"{LIT} one of the following holds: (a) it is dry.", Agreement.SAME),
        (f"{HEBREW_NOTICE} 14 ימים לכל היותר", f"{HEBREW_NOTICE} 14 ימים לפחות.", Agreement.OTHER),
        (f"{HEBREW_NOTICE} לא פחות מ־14 ימים", f"{HEBREW_NOTICE} 14 ימים לפחות.", Agreement.SAME),
        ("רישיון הרציף יינתן בהתקיים אחד מאלה", "רישיון הרציף יינתן בהתקיים כל אלה: (1) הוא יבש.", Agreement.OTHER),
        # Thousands, a share, a month alone
        (
            "The fine for a lamp of the pier is 12,500 dollars",
            "The fine for a lamp of the pier is $1,250.",
            Agreement.OTHER,
        ),
        ("The fine is up to ten thousand dollars", "Who moors pays a fine of up to $5,000.", Agreement.OTHER),
        ("A fine of ten thousand dollars was paid", "Who moors pays a fine of up to $5,000.", Agreement.UNSURE),
        ("הקנס הוא עשרים אלף שקלים", "המעגן סירה – דינו קנס 10,000 שקלים.", Agreement.OTHER),
        ("The fee of the pier is five percent", "The fee of the pier is 5% of its price.", Agreement.SAME),
        (
            "The list of lamps is sent by the end of April",
            "The list of lamps is sent by the end of March.",
            Agreement.OTHER,
        ),
        ("בדיקת המנוף בידי בעל המנוף נעשית בתוך עשרים ואחד ימים", HEBREW, Agreement.OTHER),
    ],
)
def test_quantities_are_compared(statement: str, law: str, agreement: Agreement) -> None:
    found, pairs = compared(statement, law)
    assert found is agreement
    assert bool(pairs) is (agreement is Agreement.OTHER)


@pytest.mark.parametrize(
    ("statement", "doubtful"),
    [
        ("The owner has the hoist inspected within 14 days", False),
        ("The owner has the hoist inspected within a month or 30 days", True),
        ("The owner may have the hoist inspected", True),
        ("The owner must not have the hoist inspected", True),
        ("The owner must have the hoist inspected from 3 May 2024", True),
        ("The owner must have the hoist inspected", False),
    ],
)
def test_what_differs_is_doubtful(statement: str, doubtful: bool) -> None:
    assert is_doubtful(statement, LAW) is doubtful
