"""What the rules read off documents of each kind, in both languages."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.stages.classify.proposal import FIELDS, RawProposal
from ingest.stages.classify.rules_classifier import RulesClassifier
from ingest.stages.classify.suggestions import verified
from law.metadata.head import DocumentHead, HeadPage, LabelName


def classify(*pages: str, paged: bool = True, labels: Sequence[LabelName] = ()) -> RawProposal:
    head = DocumentHead(
        pages=tuple(HeadPage(number if paged else None, text) for number, text in enumerate(pages, 1)),
        labels=tuple(labels),
    )
    proposal = RulesClassifier().classify(head, deadline_s=45, is_unwanted=lambda: False)
    for evidence in proposal.evidence:
        kept = verified(evidence, head.pages)
        assert kept is not None, evidence
        assert kept["page"] == evidence.page
    supported = {evidence.field for evidence in proposal.evidence}
    assert {name for name in FIELDS if getattr(proposal, name)} == supported
    return proposal


STATUTE = """ספר החוקים 4012
י"ב בתמוז התשפ"ו (27 ביוני 2026)
חוק המזרקות העירוניות (שעות הפעלה והגנה על
עוברי אורח), התשפ"ו–2026
1. מטרה
חוק זה נועד להבטיח כי מזרקות ברחובות העיר יפעלו בשעות קבועות, בלא רעש מופרז ובלא סכנה לעוברי אורח ולבעלי חיים.
2. הגדרות
בחוק זה –
"מזרקה" – מתקן הזורק מים לנוי.
"""


def test_a_hebrew_statute_gives_its_title_gazette_and_day() -> None:
    proposal = classify(STATUTE)
    assert proposal.kind == "law"
    assert proposal.title == 'חוק המזרקות העירוניות (שעות הפעלה והגנה על עוברי אורח), התשפ"ו–2026'
    assert proposal.subject == "המזרקות העירוניות (שעות הפעלה והגנה על עוברי אורח)"
    assert proposal.identifier == "ספר החוקים 4012"
    assert proposal.published_at == "2026-06-27"
    assert proposal.summary is not None
    assert proposal.summary.startswith("חוק זה נועד להבטיח")


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("חוק־יסוד: הגינה", "law"),
        ('פקודת המגדלורים [נוסח חדש], תשל"ב–1972', "law"),
        ('הצעת חוק הטיילות, התשפ"ד–2024', "law"),
        ('חוק עזר לעיר הבדויה (שילוט), התשפ"ד–2024', "regulation"),
        ('תקנות הטיילות (אגרות), תש"ט–1949', "regulation"),
        ('צו הגנים (סגירה), התש"ף–2020', "regulation"),
        ("כללי לשכת הגננים (אתיקה)", "regulation"),
        ('הנחיות הגנן הראשי (השקיה), התשע"ב–2012', "regulation"),
        ("הנחיות הגנן הראשי להשקיה", "circular"),
        ("נוהל טיפול בעצים", "circular"),
        ("חוזר מנהל אגף הגנים", "circular"),
        ("מדריך לגנן המתחיל", "tool"),
        ("טופס בקשה לכריתת עץ", "tool"),
        ("Data Gardens Act 2021", "law"),
        ("Ferry Operators (Licensing) Rules 2025", "regulation"),
        ("Lighthouse Order 1998", "regulation"),
        ("Guidance on the Ferry Operators Rules", "circular"),
        ("Guiding Principles for Harbour Regulation", "circular"),
        ("Code of Conduct for Pilots", "circular"),
        ("Guide to the Ferry Act 2020", "tool"),
        ("Moving berths: checklist", "tool"),
        ("Standard Form of Mooring Agreement", "tool"),
    ],
)
def test_the_kind_is_what_the_title_calls_the_document(title: str, kind: str) -> None:
    proposal = classify(f"{title}\n1. ראשית\n")
    assert (proposal.kind, proposal.title) == (kind, title)


def test_english_rules_with_the_day_they_were_made() -> None:
    proposal = classify(
        "Ferry Operators (Licensing) Rules 2025\n"
        "Instrument FO 7/2025, made on 9 March 2025 by the Harbour Minister under section 4 of the Ferry Law.\n"
        "1. Application\n"
        "These Rules apply to every company that carries passengers across the bay for payment, whatever its flag.\n"
        "They come into force on 1 May 2025.\n",
        paged=False,
    )
    assert (proposal.kind, proposal.identifier, proposal.published_at) == ("regulation", "FO 7/2025", "2025-03-09")
    assert proposal.subject == "Ferry Operators (Licensing)"
    assert proposal.summary is not None
    assert proposal.summary.startswith("These Rules apply to every company")


def test_the_day_on_which_a_statute_begins_is_not_the_day_of_its_publication() -> None:
    proposal = classify('חוק הטיילות, התשפ"ד–2024\n1. תחילה\nתחילתו של חוק זה ביום כ"ח בטבת התשפ"ה (1 בינואר 2025).\n')
    assert proposal.published_at is None


def test_only_a_note_of_its_own_publication_counts() -> None:
    law = 'חוק הטיילות, התשפ"ד–2024\n1. תחילה\nתחילתו שלושים ימים מיום פרסומו.'
    assert classify(law + 'החוק פורסם ביום ט"ו בתמוז התשפ"ד (21 ביולי 2024).').published_at == "2024-07-21"
    assert classify(law + " (תיקון מס' 3 פורסם ביום 3.4.2031).").published_at is None
    assert classify(law + " לעניין תקנות שפורסמו ביום 3.4.2024.").published_at is None


def test_a_circular_is_named_by_its_subject_and_its_number() -> None:
    proposal = classify(
        "חוזר מספר 2031-2-9\nהממונה על המזרקות\nט' בניסן התשצ\"א (2 באפריל 2031)\n"
        "ניקוי מזרקות לפני החג\n1. רקע\nחוזר זה קובע את סדר הניקוי של מזרקות ציבוריות בשבוע שלפני החג, ואת "
        "הדיווח עליו לממונה על המזרקות.\n",
        paged=False,
    )
    assert (proposal.kind, proposal.identifier, proposal.published_at) == ("circular", "2031-2-9", "2031-04-02")
    assert proposal.title == "ניקוי מזרקות לפני החג"


def test_a_subject_line_is_the_title() -> None:
    proposal = classify(
        "State of the Bay\nCircular No. 12/2031\nTo: all pilots\nSubject: Fog signals at night\n1. Scope\n"
    )
    assert (proposal.kind, proposal.title, proposal.identifier) == ("circular", "Fog signals at night", "12/2031")
    assert classify("לכבוד בעלי המזרקות\nהנדון: שעות שקט\n").title == "שעות שקט"


def test_a_hebrew_judgment_gives_parties_case_number_and_day() -> None:
    proposal = classify(
        "בית משפט השלום בנמל\nת\"א 55102-03-31\nלפני כב' השופטת ר' אלמוג\n"
        'התובעת:\nאגודת הדייגים בע"מ\nנגד\nהנתבע:\nיונתן שחף\n'
        'פסק דין מיום כ"ג בטבת התשצ"ב (7 בינואר 2032)\n'
        "התובעת סיפקה לנתבע רשתות דיג ולא קיבלה תמורה; הנתבע טען שהרשתות נקרעו בלילה הראשון, והטענה נדחתה.\n"
    )
    assert proposal.kind == "caselaw"
    assert proposal.title == "אגודת הדייגים בע\"מ נ' יונתן שחף"
    assert (proposal.identifier, proposal.published_at) == ('ת"א 55102-03-31', "2032-01-07")


def test_an_english_judgment_with_a_caption_in_two_columns() -> None:
    proposal = classify(
        "BAY COUNTY COURT OF APPEALS\nMara Lindqvist ) Docket No. 31-0042\n)\nv. ) Lower No. 7\n)\n"
        "Gull Ferries, Inc. )\nAffirmed\nJudge Oduya delivered the opinion of the court.\nFILED\nMar 4, 2031\n"
        "In this appeal, a passenger who slipped on a wet gangway claims that the ferry company failed to warn her.\n"
    )
    assert (proposal.kind, proposal.title) == ("caselaw", "Mara Lindqvist v. Gull Ferries, Inc.")
    assert (proposal.identifier, proposal.published_at) == ("31-0042", "2031-03-04")


def test_a_statute_about_courts_is_no_judgment() -> None:
    proposal = classify('תקנות בתי המשפט (שעון קיר), התשפ"ד–2024\n1. בית משפט יציב שעון קיר באולם.\n')
    assert proposal.kind == "regulation"
    code = "Title 48. Foods and Drugs.\nChapter 1. Adulteration.\n§ 48-101. Sale.\nThe court shall hear the defendant."
    assert classify(code).kind is None


def test_a_document_without_a_head_is_named_by_its_own_words() -> None:
    proposal = classify("1. INTRODUCTION\n1.1 These Rules may be cited as the Mooring Rules.\n1.2 Application\n")
    assert (proposal.kind, proposal.title, proposal.subject) == ("regulation", "Mooring Rules", "Mooring")
    nameless = classify("1. INTRODUCTION\n1.1 This Guidance explains how pilots report fog.\n")
    assert (nameless.kind, nameless.title) == ("circular", None)


def test_a_summary_is_of_the_documents_own_words() -> None:
    proposal = classify(
        "Pier Act 2030\n1. Definitions\n"
        "“Pier” means a structure that reaches into the water and on which people may walk, fish or wait for boats.\n"
        "2. Duty\nThe owner of a pier must light it from dusk to dawn and repair it before the winter of every year.\n"
    )
    assert proposal.summary == (
        "The owner of a pier must light it from dusk to dawn and repair it before the winter of every year."
    )


def test_existing_labels_of_the_title_or_text_are_proposed() -> None:
    labels = [
        LabelName("mzrkvth", "מזרקות"),
        LabelName("quiet-hours", "quiet hours"),
        LabelName("fish", "דגים"),
        LabelName("walkers", "עוברי אורח"),
    ]
    proposal = classify(STATUTE, labels=labels)
    assert [label.slug for label in proposal.labels] == ["mzrkvth", "walkers"]


def test_a_document_without_any_clue_gives_nothing() -> None:
    proposal = classify("12\n---\n7.8\n")
    assert not any(getattr(proposal, name) for name in FIELDS)


@given(
    st.lists(
        st.text(alphabet=st.sampled_from('חוקתנצו אב"׳–-v.נ\n\t()1290/:;“”AaWith of Court No'), max_size=400),
        max_size=3,
    )
)
def test_no_text_makes_the_rules_fail_or_invent_evidence(pages: list[str]) -> None:
    classify(*pages)


@pytest.mark.parametrize(
    "above",
    ["טיוטה", "טיוטה להערות הציבור", "טיוטה – לא להפצה", "טיוטה מס' 3", "[טיוטה לדיון]", "נוסח טיוטה לעיון הציבור"],
)
def test_a_line_that_says_that_this_is_a_draft_is_no_title(above: str) -> None:
    rules = 'תקנות המזרקות (ניקוי), התשפ"ו–2026'
    assert classify(f"{above}\n\n{rules}\n\n1. כל מזרקה תנוקה.").title == rules


@pytest.mark.parametrize(
    "above",
    ["DRAFT", "Draft for public consultation", "Exposure Draft", "DRAFT – NOT FOR CIRCULATION", "[Draft v2]"],
)
def test_nor_is_one_in_english(above: str) -> None:
    assert classify(f"{above}\n\nFountain Rules 2026\n\n1. Every fountain is cleaned.").title == "Fountain Rules 2026"


@pytest.mark.parametrize("title", ["טיוטת תקנות המזרקות", "טיוטה: תקנות המזרקות", "Draft Fountain Rules 2026"])
def test_a_draft_of_something_is_a_title(title: str) -> None:
    assert classify(f"{title}\n\n1. כל מזרקה תנוקה.").title == title


@pytest.mark.parametrize(
    ("above", "title"),
    [
        ("LAWS OF SALTMARCH", "FOUNTAINS ACT 2019"),
        ("The Republic of Saltmarch", "Fountains Act 2019"),
        ("City of Saltmarch", "City of Saltmarch: Fountains By-law"),
        ("eSaltmarch Municipality", "Fountains By-law, 2015"),
        ("STATUTORY INSTRUMENTS", "The Fountains (Hours) Regulations 2024"),
        ("EUROPEAN UNION", "Regulation (EU) 2031/7 on fountains"),
        ("Not for publication", "Fountains (Amendment) Bill"),
        ("לא לפרסום", "הצעת חוק המזרקות (תיקון מס' 4), התשפ\"ד–2024"),
        ('בלמ"ס', 'תקנות המזרקות, התשפ"ד–2024'),
    ],
)
def test_a_line_of_who_issues_it_or_who_may_read_it_is_no_title(above: str, title: str) -> None:
    assert classify(f"{above}\n{title}\n1. Fountains\nA fountain has a pump.").title == title


def test_a_document_that_names_only_its_office_is_called_so() -> None:
    assert classify("City of Saltmarch\n1. Fountains\nA fountain has a pump.").title == "City of Saltmarch"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Title 7—Waters\nPART 310—FOUNTAINS\nSec.\n310.1 Scope.\n310.2 Pumps.", "Title 7, PART 310—FOUNTAINS"),
        ("Title 7. Waters.\nChapter 3. Fountains.\n§ 7–301. Pumps.\nA pump.", "Title 7, Chapter 3. Fountains"),
        # The first chapter of a volume that is here as a whole.
        ("TITLE 7—WATERS\nCHAPTER 1—FOUNTAINS\nSec.\n1. Scope.\n2. Pumps.", "TITLE 7—WATERS"),
    ],
)
def test_a_part_of_a_code_is_called_by_its_volume_and_itself(text: str, title: str) -> None:
    assert classify(text).title == title


@pytest.mark.parametrize(
    ("one", "other", "title"),
    [
        ("R E G I N A", "ADA STONE", "REGINA v ADA STONE"),
        ("Ada Stone", "Fountain Works Ltd (Costs)", "Ada Stone v Fountain Works Ltd (Costs)"),
        ("Ada Stone", "Fountain Works Ltd (1)", "Ada Stone v Fountain Works Ltd"),
        ("Ada Stone ... Appellant(s)", "Fountain Works ... Respondent(s)", "Ada Stone v Fountain Works"),
    ],
)
def test_parties_are_named_whole(one: str, other: str, title: str) -> None:
    head = "IN THE COURT OF APPEAL\nCase No: 2021/0137\nMR JUSTICE REED"
    assert classify(f"{head}\n________\n{one}\n- v -\n{other}\n________\nJUDGMENT\nThe appeal fails.").title == title


@pytest.mark.parametrize(
    ("head", "title"),
    [
        (
            "IN THE HIGH COURT\nCivil Division\nCase No. 12/2019\n---\nADA STONE\nAppellant\nv.\nREPUBLIC",
            "ADA STONE v. REPUBLIC",
        ),
        ('בית המשפט העליון\nע"א 1234/19\n---\nעדה אבן המערערת\nנ\'\nמזרקות בע"מ המשיבה', "עדה אבן נ' מזרקות בע\"מ"),
    ],
)
def test_a_line_of_dashes_does_not_stand_between_parties(head: str, title: str) -> None:
    assert classify(f"{head}\nJUDGMENT\nThe appeal fails.").title == title


def test_a_judgment_without_a_caption_is_one_by_whom_it_speaks_of() -> None:
    text = "Smith against Jones\nThe plaintiff bought a horse from the defendant.\nThis court finds for the plaintiff."
    assert classify(text).kind == "caselaw"
