"""The day of publication, and the many days that documents print and that are not it."""

import pytest

from ingest.stages.classify.rules_classifier import RulesClassifier
from ingest.stages.classify.suggestions import verified
from law.metadata.head import DocumentHead, HeadPage

LAW = 'חוק הטיילות, התשפ"ד–2024'
RULES = 'תקנות הטיילות (שילוט), התשפ"ד–2024'


def published_at(text: str, *, page: int | None = 1) -> str | None:
    head = DocumentHead(pages=(HeadPage(page, text),))
    proposal = RulesClassifier().classify(head, deadline_s=45, is_unwanted=lambda: False)
    for evidence in proposal.evidence:
        assert verified(evidence, head.pages), evidence
    return proposal.published_at


@pytest.mark.parametrize(
    "text",
    [
        # what a law says of itself
        f"{LAW}\n1. תחילה\nתחילתו שלושים ימים מיום פרסומו.(החוק פורסם ביום 21 ביולי 2024).",
        f"{LAW}\n1. תחילה\nתחילתו 30 ימים מיום פרסומו (החוק פורסם ביום ט\"ו בתמוז התשפ\"ד (21 ביולי 2024)).",
        f"{LAW}\n1. תחילה\nתחילתו בתום שנה.החוק פורסם ברשומות ב-21.7.2024.",
        f"{LAW}\n1. תחילה\nחוק זה פורסם בספר החוקים 4012, עמ' 7, ביום 21.7.2024.",
        f"{LAW}\n1. תחילה\nבתום שנה.יום פרסום החוק: ט\"ו בתמוז התשפ\"ד (21 ביולי 2024).",
        f"{LAW}\n1. הגדרות\n”יום הפרסום“ – ט\"ו בתמוז התשפ\"ד (21 ביולי 2024);",
        f"{LAW}\nתאריך פרסום: 21.07.2024\n1. מטרה",
        f"{LAW}\n* התקבל בכנסת ביום ט\"ו בתמוז התשפ\"ד (21 ביולי 2024); הצעת החוק ודברי הסבר פורסמו בהצעות חוק "
        "הממשלה – 77, מיום ג׳ בטבת התשפ\"ד (15 בדצמבר 2023), עמ' 60.\n1. מטרה",
        f"{LAW}\nנתקבל בכנסת ביום ט\"ו בתמוז התשפ\"ד\n1. מטרה",  # the Hebrew day alone
        f"{RULES}\n1. תחילה\nבתום חודש מיום פרסומן.(תקנות אלה פורסמו ביום א׳, 21.7.2024).",
        # the gazette
        f"רשומות\nספר החוקים\nט\"ו בתמוז התשפ\"ד\n4012\n21 ביולי 2024\n{LAW}\n1. מטרה",
        f"ספר החוקים 4012, ט\"ו בתמוז התשפ\"ד, 21.7.2024\n{LAW}\n* התקבל בכנסת ביום 9 ביולי 2024\n1. מטרה",
        f"{LAW}\n[ס\"ח התשפ\"ד 4012 (21.7.2024), עמ' 60]\n1. מטרה",
        # circulars and judgments
        "משרד הטיילות\nתאריך: 21/07/2024\nלכבוד מנהלי הטיילות\nהנדון: שעות שקט\nחוזר זה קובע שעות.",
        "21-07-2024\nלכבוד מנהלי הטיילות\nהנדון: שעות שקט\nחוזר זה קובע שעות.",
        "משרד הטיילות\nט״ו בתמוז תשפ״ד\nלכבוד מנהלי הטיילות\nהנדון: שעות שקט\n",
        "חוזר מס' 12/2024 מיום 21.7.2024\nהנדון: שעות שקט\n",
        "בית משפט השלום בנמל\nת\"א 55102-03-21\nאגודת הדייגים נ' יונתן שחף\nפסק דין\nניתן היום, ט\"ו בתמוז התשפ\"ד, "
        "21 ביולי 2024, בהעדר הצדדים.\n",
        # broken by the sheet
        f"{LAW}\n1. תחילה\nתחילתו של חוק זה שלושים ימים מיום פרסומו, ולעניין סעיף 7 – שנה. החוק פורסם ביום\n"
        "ט\"ו בתמוז התשפ\"ד (21 ביולי 2024).",
        f"{LAW}\n1. תחילה\nתחילתו של חוק זה שלושים ימים מיום פרסומו, ולעניין סעיף 7 – שנה. החוק פורסם ביום ט\"ו בתמוז\n"
        "התשפ\"ד (21 ביולי 2024).",
    ],
)  # fmt: skip
def test_a_hebrew_document_tells_its_day(text: str) -> None:
    assert published_at(text) == "2024-07-21"


@pytest.mark.parametrize(
    "text",
    [
        # beginnings and ends, though in the very year of the title
        "תחילתו של חוק זה ביום כ\"ג בטבת התשפ\"ד (4 בינואר 2024).",
        "תחילתו של חוק זה ביום פרסומו, והוראות סעיף 3 יחולו החל ביום 1 ביולי 2024.",
        "”היום הקובע“ – ט\"ו בתמוז התשפ\"ד (21 ביולי 2024);",
        "”יום התחילה“ – 21.7.2024;",
        "מי שערב יום הפרסום הפעיל טיילת, ובלבד שהגיש בקשה עד יום 21.7.2024, רשאי להמשיך.",
        "בטיילת שנבנתה אחרי יום הפרסום – ט\"ו בתמוז התשפ\"ד (21 ביולי 2024).",
        "היתר שניתן ביום 21.7.2024 יעמוד בתוקפו.",
        "תוקפו של חוק זה עד יום 21.7.2024.",
        # other documents
        "(תיקון מס׳ 3 פורסם ביום 21.7.2024).",
        "לעניין תקנות שפורסמו ביום 21.7.2024.",
        "חוק המזרקות (תיקון), התשפ\"ד–2024 (החוק פורסם ביום 21.7.2024).",
        "תקנות המזרקות (אגרות), התשפ\"ד–2024 פורסמו ביום 21.7.2024.",
        "הודעה לפי סעיף 3 פורסמה ביום 21.7.2024.",
        "הודעה לפי החוק פורסמה ביום 21.7.2024.",
        "(התקנות פורסמו ביום 21.7.2024).",  # made under the law
        "המדד שפורסם ביום 21.7.2024.",
        "כאמור בהחלטה מיום 21.7.2024.",
        "ועדה שמונתה בהחלטת הממשלה מס' 12 מיום 21.7.2024.",
        # no full day
        "החוק פורסם בתמוז התשפ\"ד.",
        "החוק פורסם ביום ט\"ו בתמוז.",
        # of another year than the title's
        "(החוק פורסם ביום 21.7.2029).",
    ],
)  # fmt: skip
def test_a_day_of_something_else_is_not_the_laws(text: str) -> None:
    assert published_at(f"{LAW}\n1. הוראות\n{text}") is None
    assert published_at(f"{LAW}\n1. הוראות\n{text}", page=None) is None


@pytest.mark.parametrize(
    "line",
    [
        "תחילה: 21.7.2024",
        "תאריך תחילה: 21.7.2024",
        "בתוקף מיום 21.7.2024",
        "נכון ליום 21.7.2024",
        "תאריך הדיון: 21.7.2024",
    ],
)
def test_a_line_of_the_head_that_says_what_else_its_day_is_does_not_count(line: str) -> None:
    assert published_at(f"{LAW}\n{line}\n1. מטרה") is None


def test_regulations_do_not_take_day_of_law_they_are_made_under() -> None:
    assert published_at(f"{RULES}\n1. הגדרות\n(החוק פורסם ביום 21.7.2024).") is None


@pytest.mark.parametrize(
    "text",
    [
        "Pier Act 2031\nDate of Enactment: 4 March 2031\n1. Scope",
        "Pier Act 2031\n1. Scope\n1.1 This Act was enacted on 4 March 2031.",
        "Pier Act 2031\n[The Act was published on March 4, 2031]\n1. Scope",
        "Pier Rules 2031\nMade - - - - 4th March 2031\nLaid before Parliament 9th March 2031\n"
        "Coming into force 1st May 2031\n1. Scope",
        "Pier Rules 2031\nMade by the Harbour Minister on 4 March 2031\n1. Scope",
        "Official Gazette No. 12, 4 March 2031\nPier Rules 2031\nMade on 20 February 2031\n1. Scope",
        "Circular No. 4/2031, issued on 4 March 2031\nSubject: Fog signals\n1. Scope",
        "CIRCULAR\nDate: 4 March 2031\nEffective date: 1 May 2031\nSubject: Fog signals\n1. Scope",
        "Fog signals: guidance\nPublished 4 March 2031\nLast updated 9 September 2031\n1. Scope",
        "Harbour Office\nAdelaide Quay, 4 March 2031\nFog signals at night\n1. Scope",
        "BAY COURT OF APPEALS\nJanuary 9, 2031 Session\nMara v. Gull Ferries\nNo. 31-0042\nDecided: March 4, 2031\n",
        "BAY COURT OF APPEALS\nArgued: January 9, 2031\nMara v. Gull Ferries\nNo. 31-0042\nFiled on the 4th day of "
        "March, 2031\n",
        "BAY COURT OF APPEALS\nLindqvist v. Gull Ferries\nNo. 31-0042\nFILED\nMarch 4, 2031\n",
    ],
)
def test_an_english_document_tells_its_day(text: str) -> None:
    assert published_at(text) == "2031-03-04"


@pytest.mark.parametrize(
    "text",
    [
        "They come into force on 4 March 2031.",
        "This Act shall come into operation on 4 March 2031.",
        "“Appointed day” means 4 March 2031.",
        "A licence issued on 4 March 2031 stays valid.",
        "The Harbour Order made on 4 March 2031 is repealed.",
        "Law No. 4, issued on 4 March 2031, applies.",
        "The Guidance notes dated 4 March 2031 issued by the Board apply.",
        "The Convention was signed in Port Bay on 4 March 2031.",
        "The Rules were published on 4 March 2031.",  # made under the Act
        "The Act was published in March 2031.",
        "This Act was enacted on 4/3/2031.",  # nobody can tell
        "The Act was amended on 4 March 2031.",
    ],
)
def test_a_day_of_something_else_is_not_the_acts(text: str) -> None:
    assert published_at(f"Pier Act 2031\n1. Provisions\n{text}") is None
    assert published_at(f"Pier Act 2031\n1. Provisions\n1.1 {text}", page=None) is None


@pytest.mark.parametrize(
    "line", ["Effective Date: 4 March 2031", "Coming into force 4 March 2031", "Valid until 4 March 2031"]
)
def test_line_of_the_head_that_names_another_day_does_not_count(line: str) -> None:
    assert published_at(f"Pier Act 2031\n{line}\n1. Provisions") is None


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_message_has_the_day_on_which_it_was_sent(language: str) -> None:
    body = {
        "en": "The promenade was closed. The notice was published on 1 February 2024.",
        "he": "שלום רב,\nהטיילת נסגרה. ההודעה פורסמה ביום 1.2.2024.",
    }[language]
    to = "To: The registry of promenades <registry@example.org>, Noa <noa@example.org>"
    head = f"Promenades\nFrom: Dov <dov@example.org>\n{to}\nDate: Fri, 08 Mar 2024 10:20:00 +0200"
    assert published_at(f"{head}\n{body}", page=None) == "2024-03-08"
    assert published_at(f"{head}\n{body}\nFrom: Noa\nDate: Thu, 07 Mar 2024 09:00:00 +0200", page=None) == "2024-03-08"


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("תאריך: 21.7.24", "2024-07-21"),
        ("תאריך 21/07/24", "2024-07-21"),
        ("תאריך: 21-7-24", "2024-07-21"),
        ("מכתב מיום 21.7.24", "2024-07-21"),
        ("Date: 21/7/24", "2024-07-21"),
        ("חוזר 21.7.24", None),  # it may be its number
        ("סעיף 21.7.24", None),
        ("21.7.24", None),
        ("Circular 21.7.24", None),
        ("Date: 3/7/24", None),  # nobody can tell the day from the month
    ],
)
def test_a_year_of_two_digits_counts_behind_the_word_for_a_date(line: str, day: str | None) -> None:
    hebrew = any("א" <= letter <= "ת" for letter in line)
    rest = "הנדון: ניקוי מזרקות\n1. כל מזרקה תנוקה." if hebrew else "Subject: Fountains\n1. Every fountain is cleaned."
    assert published_at(f"{line}\n{rest}") == day
