"""The days on which a document says that it comes into force and expires, and the many that are others' days."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.stages.classify.proposal import RawProposal
from ingest.stages.classify.rules_classifier import RulesClassifier
from ingest.stages.classify.suggestions import verified
from law.metadata.days import after
from law.metadata.head import DocumentHead, HeadPage

ENGLISH = "Pier Fees Regulations 2031\nPublished on: 31 January 2031\n1. Scope\nThese Regulations apply to piers."
HEBREW = 'תקנות המזחים (אגרות), התשצ"א–2031\nתאריך פרסום: 31.1.2031\n1. תחולה\nתקנות אלה יחולו על מזחים.'


def classify(clause: str, *, front: str = "") -> RawProposal:
    front = front or (HEBREW if any("א" <= letter <= "ת" for letter in clause) else ENGLISH)
    head = DocumentHead(pages=(HeadPage(1, front),), further=(HeadPage(2, clause),))
    proposal = RulesClassifier().classify(head, deadline_s=45, is_unwanted=lambda: False)
    for evidence in proposal.evidence:
        assert verified(evidence, (*head.pages, *head.further)), evidence
    assert {one.page for one in proposal.evidence if one.field.startswith("valid")} <= {2}
    return proposal


def days_of(clause: str, *, front: str = "") -> tuple[str | None, str | None]:
    proposal = classify(clause, front=front)
    return proposal.valid_from, proposal.valid_to


@pytest.mark.parametrize(
    "clause",
    [
        "These Regulations come into force on 1 May 2031.",
        "14. Commencement\nThese Regulations shall come into force on May 1, 2031.",
        "These Regulations may be cited as the Pier Fees Regulations 2031 and come into force on 1 May 2031.",
        "These Regulations may be cited as the Pier Fees Regulations 2031. They come into force on 1 May 2031.",
        "Subject to regulation 5, these Regulations take effect on 1 May 2031.",
        "This notice is effective from 1 May 2031.",
        "This Guidance Note comes into force on 1 May 2031.",
        "This Letter Circular takes effect on 1 May 2031.",
        "This Standard Operating Procedure comes into force on 1 May 2031.",
        "These Regulations, other than regulations 3 and 4, come into operation on 1 May 2031.",
        "Effective date: 1 May 2031",
        "(1) These Regulations apply to all piers.\n(2) These Regulations shall take effect on\n1 May 2031.",
        "תחילתן של תקנות אלה ביום 1.5.2031.",
        "20. תחילתן של תקנות אלה ביום ט׳ באייר התשצ\"א (1 במאי 2031) (להלן – יום התחילה).",
        "תחילתן של תקנות אלה, למעט תקנות 3 ו־4, היא ביום 1 במאי 2031.",
        "תחילה: חוזר זה ייכנס לתוקפו ביום 1 במאי 2031.",
        "הוראות חוזר זה ייכנסו לתוקף החל מיום 1.5.2031.",
        "בכפוף להוראות תקנה 9, תחילתן של תקנות אלה ביום 1.5.2031, אלא אם כן נקבע בהן אחרת.",
        "תאריך תחילה: 1.5.2031",
        "תקנות אלה, תחילתן ביום 1.5.2031; על אגרה ששולמה לפניו יחול הדין הקודם.",
    ],
)  # fmt: skip
def test_a_document_says_on_which_day_it_comes_into_force(clause: str) -> None:
    assert days_of(clause) == ("2031-05-01", None)


@pytest.mark.parametrize(
    ("clause", "day"),
    [
        ("These Regulations come into force on the date of their publication.", "2031-01-31"),
        ("These Regulations come into force upon Publication.", "2031-01-31"),
        ("THESE REGULATIONS COME INTO FORCE ON THE DATE OF THEIR PUBLICATION.", "2031-01-31"),
        ("These Regulations come into force thirty days after their publication.", "2031-03-02"),
        ("These Regulations come into force one month after publication.", "2031-02-28"),
        ("These Regulations come into force on the 30th day after the day on which they are published.", "2031-03-02"),
        ("This Order comes into force on the first day of the month following its publication.", "2031-02-01"),
        (
            "These Rules come into force at the end of the period of one hundred and eighty days beginning with the"
            " date of their publication.",
            "2031-07-30",
        ),
        ("תחילתן של תקנות אלה ביום פרסומן.", "2031-01-31"),
        ("תחילתן של תקנות אלה 30 ימים מיום פרסומן.", "2031-03-02"),
        ("תחילתן של תקנות אלה ארבעים וחמישה יום מיום פרסומן.", "2031-03-17"),
        ("תחילתן של תקנות אלה חודש מיום פרסומן.", "2031-02-28"),
        ("תחילתן של תקנות אלה בתום שלוש שנים וחצי מיום פרסומן ברשומות.", "2034-07-31"),
        ("תחילתן של תקנות אלה ב־1 בחודש שלאחר פרסומן.", "2031-02-01"),
        ("תחילתן של תקנות אלה שנתיים מיום 1 בחודש שלאחר פרסומן.", "2033-02-01"),
        ("תחילתן של תקנות אלה ביום השלושים לאחר פרסומן.", "2031-03-02"),
    ],
)
def test_a_period_is_counted_from_the_publication(clause: str, day: str) -> None:
    assert days_of(clause) == (day, None)
    unpublished = HEBREW.partition("\n")[0] if "א" <= clause[-2] <= "ת" else ENGLISH.partition("\n")[0]
    assert days_of(clause, front=unpublished) == (None, None)


def test_the_day_on_which_a_law_was_passed_is_not_that_of_its_publication() -> None:
    front = 'חוק המזחים, התשצ"א–2031\n* התקבל בכנסת ביום 31.1.2031\n1. מטרה'
    assert classify("תחילתו של חוק זה 30 ימים מיום פרסומו.", front=front).published_at == "2031-01-31"
    assert days_of("תחילתו של חוק זה 30 ימים מיום פרסומו.", front=front) == (None, None)


@pytest.mark.parametrize(
    ("clause", "days"),
    [
        ("This Order remains in force until 31 December 2031.", (None, "2032-01-01")),
        ("This Order expires on 31 December 2031.", (None, "2032-01-01")),
        ("This Order ceases to have effect on 31 December 2031.", (None, "2032-01-01")),
        ("This Order ceases to have effect with effect from 1 January 2032.", (None, "2032-01-01")),
        ("This Order takes effect on 1 May 2031 and expires on 30 April 2033.", ("2031-05-01", "2033-05-01")),
        ("This Order comes into force on 1 May 2031 and expires two years after it comes into force.",
         ("2031-05-01", "2033-05-01")),
        ("Valid until: 31 December 2031", (None, "2032-01-01")),
        ("תוקפו של חוזר זה עד יום 31.12.2031.", (None, "2032-01-01")),
        ("צו זה יעמוד בתוקפו עד ליום 31 בדצמבר 2031.", (None, "2032-01-01")),
        ("צו זה יפקע ביום 31.12.2031.", (None, "2032-01-01")),
        ("צו זה בטל מיום 1.1.2032.", (None, "2032-01-01")),
        ("תחילתו של צו זה ביום 1.5.2031 ותוקפו עד יום 30.4.2033.", ("2031-05-01", "2033-05-01")),
        ("תחילתו של צו זה ביום 1.5.2031 ותוקפו שנה וחצי מיום תחילתו.", ("2031-05-01", "2032-11-01")),
        ("צו זה יעמוד בתוקפו חמש שנים מיום פרסומו.", (None, "2036-01-31")),
        ("בתוקף עד: 31.12.2031", (None, "2032-01-01")),
    ],
)  # fmt: skip
def test_a_document_says_when_it_ends(clause: str, days: tuple[str | None, str | None]) -> None:
    assert days_of(clause) == days


@pytest.mark.parametrize(
    "clause",
    [
        # of a part, or of another document
        "Regulation 5 of these Regulations comes into force on 1 May 2031.",
        "Part 2 comes into force on 1 May 2031.",
        "The Harbour Act comes into force on 1 May 2031.",
        "תחילתה של תקנה 3 לתקנות אלה ביום 1.5.2031.",
        "תחילתו של תיקון מס׳ 4 ביום 1.5.2031.",
        "לגבי סירות מנוע, תחילתן של תקנות אלה ביום 1.5.2031.",
        "מי שלפני תחילתן של תקנות אלה ביום 1.5.2031 שילם אגרה, פטור.",
        # which somebody has yet to fix, or that depends on something
        "These Regulations come into force on a day to be fixed by order.",
        "These Regulations come into force on 1 May 2031 or on an earlier day fixed by order.",
        "These Regulations come into force on 1 May 2031 provided that the Treaty is ratified.",
        "תקנות אלה ייכנסו לתוקף ביום שיקבע השר בצו.",
        "תחילתן של תקנות אלה ביום 1.5.2031 או ביום פרסומן, לפי המאוחר.",
        "תחילתן של תקנות אלה, למעט תקנה 7 ב־1 בחודש שלאחר תום שנה מיום פרסומן.",
        # of which nobody can tell whether it is the last day or the first without
        "This Order ceases to have effect on 1 January 2032.",
        "צו זה יעמוד בתוקפו עד יום 1.1.2032.",
        # words that stand in another document
        "After regulation 4 insert: “5. These Regulations come into force on 1 May 2031.”",
        "After regulation 4 insert:\n“5. Transitional\n(1) Fees double.\nThis Order expires on 31 December 2031.”",
        "בתקנה 4, במקום פסקה (2) יבוא:\n”(2) תקנות אלה ייכנסו לתוקף ביום 1.5.2031;“.",
        # two days
        "These Regulations come into force on 1 May 2031.\nThis Order comes into force on 1 June 2031.",
        # no day at all
        "תחילתן של תקנות אלה ביום 31.2.2031.",
        "These Regulations come into force in May 2031.",
    ],
)
def test_of_others_days_nothing_is_proposed(clause: str) -> None:
    assert days_of(clause) == (None, None)


def test_a_judgment_has_no_days() -> None:
    front = 'בבית המשפט העליון\nע"א 12/31\nהמערער: פלוני\nנ׳\nהמשיב: אלמוני\nפסק דין'
    assert days_of("תחילתו של חוק זה ביום 1.5.2031.", front=front) == (None, None)


DAYS = st.dates(dt.date(1900, 1, 1), dt.date(2150, 12, 31))


@given(day=DAYS, count=st.integers(0, 400))
def test_days_and_weeks_are_counted_without_the_first(day: dt.date, count: int) -> None:
    assert (after(day, count, "day") - day).days == count
    assert (after(day, count, "week") - day).days == 7 * count


@given(day=DAYS, count=st.integers(0, 400))
def test_months_end_on_the_same_number_or_on_the_last_day(day: dt.date, count: int) -> None:
    end = after(day, count, "month")
    assert (end.year - day.year) * 12 + end.month - day.month == count
    assert end.day == day.day or (end.day < day.day and (end + dt.timedelta(days=1)).day == 1)
    assert after(day, count, "year") == after(day, 12 * count, "month")


MONTHS = "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר"


@given(day=DAYS)
def test_every_printed_day_is_read_in_both_languages(day: dt.date) -> None:
    assert classify(f"This Order comes into force on {day:%-d %B %Y}.").valid_from == day.isoformat()
    printed = f"{day.day} ב{MONTHS.split()[day.month - 1]} {day.year}"
    assert classify(f"תחילתו של צו זה ביום {printed}.").valid_from == day.isoformat()
    assert classify(f"תחילתו של צו זה ב-{day.day}.{day.month}.{day.year}.").valid_from == day.isoformat()
