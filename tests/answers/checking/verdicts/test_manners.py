"""The manners in which people cite and quote, none of which is accused without reason or passed over."""

import datetime as dt

import pytest

from answers.checking.verdicts.check import check
from answers.checking.verdicts.findings import Report
from sources.scope import Scope
from tests.answers.checking.verdicts.test_check import HOISTS, ROPES
from tests.factories import first_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

PIERS = """Article 1
The keeper lights the lamp of the pier before the sun has set on every day.
Article 2
The harbour master buys the oil of the lamp from the dealers of the district."""
OIL = """Article 4
Oil
1. The oil of the lamps is bought by the harbour master of the town.
2. The master is paid by the district on the first day of the month.
Article 5
Lamps
1. A lamp must be lit before the sun has set.
2. The oil of a lamp is bought.
Article 6
Keepers
1. A keeper is named.
2. A keeper is paid."""
BARGES = """סעיף 1. חובת רישום
לא ישוט אדם בדוברה בלא רישיון מאת הממונה על הנמל.
סעיף 2. אגרה
אגרת הרישיון היא מאה שקלים חדשים ותשולם ביום הרישום."""


@pytest.fixture(autouse=True)
def law(db: None) -> None:
    add_document(ROPES, kind="law", title="Ropes Act 2001")
    add_document(HOISTS, kind="law", title="Hoists Act 1990")
    add_document(PIERS, kind="law", title="Convention on the lights of piers")
    add_document(OIL, kind="regulation", title="Regulation (EU) 2020/852", aliases=["LAMPS"])
    add_document(BARGES, kind="law", title="חוק הדוברות, התש״ן–1990")


def report_of(text: str) -> Report:
    return check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1)))


FEE = "“The fee for an inspection is $200”"
RULE = "“An owner shall not let the hoist be used before the engineer has signed”"


@pytest.mark.parametrize(
    ("text", "cited", "quoted"),
    [
        pytest.param(
            "By the Convention on the lights of piers (hereinafter “the Convention”), Article 2 of the Convention,"
            " „The harbour master buys the oil of the lamp“.",
            ["exists", "exists"],
            ["verbatim"],
            id="a name that only the collection knows",
        ),
        pytest.param(
            f"The Hoists Act 1990 (“the Act”) applies. Section 4 of the Cranes Act 1950 does not.\n\n{FEE} (s 3).",
            ["exists", "no_such_document_here", "exists"],
            ["verbatim"],
            id="a bare section is of the Act, not of one that is not here",
        ),
        pytest.param(
            "Section 3 of the Hoists Act 1990 is plain, still less does section 18 of the Barrows Act 1922 help.",
            ["exists", "no_such_document_here"],
            [],
            id="the name of the citation before is not its own",
        ),
        pytest.param(
            "Section 3 of the Hoists Act 1990, § 3 BGB, Art. 2 Abs. 1 GG, art. 3 Code civil and section 2 Cr.P.C.",
            [
                "exists",
                "no_such_document_here",
                "no_such_document_here",
                "no_such_document_here",
                "unreadable",  # whose words are cut short: it may be here in full
            ],
            [],
            id="foreign acts are not the one before them",
        ),
        pytest.param(
            "Section 2 of the Hoists Act 1990; Roe v Doe 2031 SCC 12, at para. 3; 347 U.S. 483.",
            ["exists", "no_such_document_here", "no_such_document_here", "no_such_document_here"],
            [],
            id="a paragraph of a judgment that is not here",
        ),
        pytest.param(
            "Section 2 of the Hoists Act 1990. Roe, op. cit., section 3. Section 4 above. Id. § 3.",
            ["exists", "unreadable", "unreadable", "unreadable"],
            [],
            id="what was cited in a book or above is not known",
        ),
        pytest.param(
            "Section 2 of the Hoists Act 1990. Id. § 3; id. § 33.",
            ["exists", "exists", "no_such_provision"],
            [],
            id="id. is the act before",
        ),
        pytest.param(
            "Section 2(1) and (9) of the Hoists Act 1990, paragraphs (2) and (8) of section 2 of the Hoists Act 1990.",
            ["exists", "no_such_provision", "exists", "no_such_provision"],
            [],
            id="each of the clauses of a list",
        ),
        pytest.param(
            "We know the Hoists Act of Atlantis, but see section 2 of the Hoists Act of Atlantis.",
            ["no_such_document_here", "no_such_document_here"],
            [],
            id="an act of another land is another act",
        ),
        pytest.param(
            "סעיף י״א לחוק הדוברות, התש״ן–1990. שם, סעיף 2, וסעיף 1 לעיל.",
            ["no_such_provision", "exists", "unreadable"],
            [],
            id="letters that count, and the act before",
        ),
        pytest.param(
            f"{RULE} (s 2(2) of the Hoists Act 1990), so “the engineer has signed the book”. It costs"
            " “The fee for an inspection is $200”.",
            ["exists"],
            ["verbatim", "verbatim", "found_here"],
            id="a quotation with no citation of its own",
        ),
        pytest.param(
            f"{RULE} (s 2(2) of the Hoists Act 1990). The owner reads “must”.",
            ["exists"],
            ["verbatim", "too_short_to_tell"],
            id="one word may stand anywhere",
        ),
        pytest.param(
            f"See section 3 of the Hoists Act 1990. {FEE} Ibid. The rest is silence (ibid.).",
            ["exists", "exists", "exists"],
            ["verbatim"],
            id="ibid alone is a citation",
        ),
        pytest.param(
            f"{FEE} Section 3 of the Hoists Act 1990. “Paid by the owner to the registrar of hoists.” Id. {RULE}",
            ["exists", "exists"],
            ["verbatim", "verbatim", "found_here"],
            id="id. between two quotations",
        ),
        pytest.param(
            "On Monday Dan wrote:\n> Section 3 of the Hoists Act 1990 says “The fee for an inspection is $300”.\n> Bye",
            ["exists"],
            ["differs"],
            id="a message that is answered is part of the text",
        ),
        pytest.param(
            "Article 4(2) of Regulation (EU) 2020/852: “The oil of the lamps is bought by the harbour master”.",
            ["exists"],
            ["other_provision"],
            id="numbered paragraphs are told apart",
        ),
        pytest.param(
            "Section 3 of the Hoists Act 1990 and LAMPS Art. 4(2): “The master is paid by the district”.",
            ["exists", "exists"],
            ["verbatim"],
            id="a short name may go before",
        ),
        pytest.param(
            "Article 1 para. 1 of the Convention on the lights of piers is old.",
            ["unreadable"],
            [],
            id="paragraphs that nobody numbered are not missed",
        ),
        pytest.param(
            'לפי חוק הדוברות, התש"ן–1990 (להלן: "חוק הדוברות" או "החוק"), סעיף 2 לחוק קובע את הסכום: '
            '"אגרת הרישיון היא מאה שקלים חדשים".',
            ["exists", "exists"],
            ["verbatim"],
            id="two names in one bracket",
        ),
        pytest.param(
            'סעיף 1 לחוק הדוברות, התש"ן–1990 קובע: "ישוט אדם בדוברה בלא רישיון מאת הממונה".',
            ["exists"],
            ["differs"],
            id="a negation lost before the first word",
        ),
        pytest.param(
            'בסעיף 1 לחוק הדוברות, התש"ן–1990 נקבע כי "ישוט אדם בדוברה בלא רישיון מאת הממונה".',
            ["exists"],
            ["differs"],
            id="a negation lost where a clause begins",
        ),
        pytest.param(
            'בעל סירה נקי, לפי סעיף 1 לחוק הדוברות, התש"ן–1990, "ישוט אדם בדוברה".',
            ["exists"],
            ["not_checked"],
            id="a negation that may be lost",
        ),
        pytest.param(
            'לפי סעיף 1 לחוק הדוברות, התש"ן–1990, הנתבע "ישוט אדם בדוברה בלא רישיון".',
            ["exists"],
            ["not_checked"],
            id="a negation that a sentence may say in any words",
        ),
        pytest.param(
            "Nobody disputes it. Section 2(2) of the Hoists Act 1990 provides that “let the hoist be used before”.",
            ["exists"],
            ["differs"],
            id="a sentence that ends with a short word is no negation of the next",
        ),
        pytest.param(
            "Section 2(2) of the Hoists Act 1990 is clear. “let the hoist be used before the engineer”.",
            ["exists"],
            ["differs"],
            id="a negation lost where a sentence begins",
        ),
        pytest.param(
            'לפי סעיף 1 לחוק הדוברות, התש"ן–1990 אסור: "ישוט אדם בדוברה בלא רישיון מאת הממונה".',
            ["exists"],
            ["verbatim"],
            id="a negation said in other words",
        ),
    ],
)
def test_manners(text: str, cited: list[str], quoted: list[str]) -> None:
    report = report_of(text)
    assert [one.verdict for one in report.citations] == cited
    names = ("the Convention", "the Act", "חוק הדוברות", "החוק")  # stand in quotation marks, too
    assert [one.verdict for one in report.quotations if one.text not in names] == quoted


@pytest.mark.parametrize("cited", ["Sections 3 and 4", "Sections 2, 3 and 4", "Sections 2 to 4", "ss 2–4"])
def test_sections_that_are_cited_together_share_a_quotation(cited: str) -> None:
    report = report_of(f"{cited} of the Hoists Act 1990: {FEE}, and “paid by the owner to the registrar of hoists”.")
    assert [one.verdict for one in report.quotations] == ["verbatim", "verbatim"]


@pytest.mark.parametrize(
    "said",
    [
        "Section 4 of the Hoists Act 1990 is old. The keeper said: “nobody ever came to look at my hoist at all”.",
        'סעיף 1 לחוק הדוברות, התש"ן–1990 ישן. העד סיפר: "איש לא בא לראות את הסירה שלי כל החורף".',
    ],
)
def test_words_of_a_witness_are_not_accused(said: str) -> None:
    assert [(one.verdict, one.why) for one in report_of(said).quotations] == [("not_checked", "not_law")]


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("Section 3 of the Hoists Act 1990 says “an inspection is $900”.", "differs"),
        (
            "Section 3 of the Hoists Act 1990 is old. The keeper wrote that “an inspection is $900”.",
            "too_short_to_tell",
        ),
        ('לפי סעיף 2 לחוק הדוברות, התש"ן–1990, מגיש כתב התביעה ישלם "היא מאתיים שקלים חדשים".', "differs"),
        ("Section 3 of the Hoists Act 1990 says “an inspection is $200”. It says “an inspection is $900”.", "differs"),
        ("Section 3 of the Hoists Act 1990 says “the fee for one”.", "differs"),
        ('סעיף 2 לחוק הדוברות, התש"ן–1990, קובע כי "מאתיים שקלים חדשים".', "differs"),
        ("Section 4 of the Hoists Act 1990 does not say “within 15 days”.", "too_short_to_tell"),
        ("Section 4 of the Hoists Act 1990 is amended: for “within 15 days”.", "too_short_to_tell"),
        ("Section 4 of the Hoists Act 1990 applies and the notice said “within 15 days”.", "too_short_to_tell"),
        ("The bill proposes that section 4 of the Hoists Act 1990 says “within 15 days”.", "too_short_to_tell"),
        ("Section 4 of the Hoists Act 1990 says “within 15 days” nowhere.", "too_short_to_tell"),
        ("Section 4 of the Hoists Act 1990 says “within thirty days”.", "too_short_to_tell"),
        ('לפי סעיף 2 לחוק הדוברות, התש"ן–1990, הוא כתב תשובה: "מאתיים שקלים חדשים".', "too_short_to_tell"),
        ('סעיף 1 לחוק הדוברות, התש"ן–1990 חל. בכתב ההגנה נאמר "ישוט אדם בדוברה בלא רישיון".', "not_checked"),
        ('סעיף 1 לחוק הדוברות, התש"ן–1990 חל. בכתב ההגנה נאמר "איש לא בא לראות את הסירה".', "not_checked"),
        ("Section 4 of the Hoists Act 1990 says “within 15 days”.", "differs"),
        (
            "Section 2(2) of the Hoists Act 1990 is old. He wrote: “let the hoist be used before the engineer”.",
            "not_checked",
        ),
        ("Section 4 of the Hoists Act 1990 says “within 14 days”.", "too_short_to_tell"),  # as section 2 does,
    ],
)
def test_few_words_are_accused_where_they_are_said_to_be_of_the_law(said: str, verdict: str) -> None:
    assert [one.verdict for one in report_of(said).quotations][-1] == verdict


def test_clauses_that_are_cited_together_share_a_quotation() -> None:
    text = (
        "“An owner shall not let the hoist be used before the engineer” (section 2(1) and (2) of the Hoists Act 1990)."
    )
    assert [one.verdict for one in report_of(text).quotations] == ["verbatim"]


@pytest.mark.parametrize(
    ("cited", "verdict"),
    [
        ("sections 2 and 3 of the Hoists Act 1990", "verbatim"),
        ("Hoists Act 1990, ss 2, 3", "verbatim"),
        ("section 2 of the Hoists Act 1990). (S 3 of the Hoists Act 1990", "other_provision"),
    ],
)
def test_a_quotation_is_of_any_section_of_the_list_behind_it(cited: str, verdict: str) -> None:
    assert [one.verdict for one in report_of(f"{FEE} ({cited}).").quotations] == [verdict]


def test_what_a_contract_numbers_is_no_section() -> None:
    text = "Section 3 of the Hoists Act 1990 applies. The deed says otherwise (clause 9), and so do we (para 31)."
    assert [one.verdict for one in report_of(text).citations][1:] == ["unreadable", "unreadable"]


TWICE = """13. Boats
A boat that is let for hire must have two oars and a bell of brass.
14. Oars
(a) An oar is made of ash wood by a joiner of the town.
(b) A joiner who makes an oar puts his mark on it.
14. Bells
(a) A bell is rung by the master of the boat whenever fog has fallen.
(c) A bell is cast by a founder of the district.
15. Fog
Fog is declared by the keeper of the pier."""


@pytest.mark.parametrize(
    ("cited", "quoted"),
    [
        ("section 14", "A bell is rung by the master of the boat"),
        ("section 14(a)", "A bell is rung by the master of the boat"),
        ("section 14", "A joiner who makes an oar puts his mark on it"),
    ],
)
def test_of_two_sections_with_a_number_either_is_meant(cited: str, quoted: str) -> None:
    add_document(TWICE, kind="law", title="Boats Act 1955")
    report = report_of(f"“{quoted}” ({cited} of the Boats Act 1955).")
    assert [one.verdict for one in report.quotations] == ["verbatim"]


def test_no_clause_of_two_sections_with_a_number_is_missed() -> None:
    add_document(TWICE, kind="law", title="Boats Act 1955")
    text = "Section 14(c) of the Boats Act 1955. Section 13(c) of the Boats Act 1955."
    assert [one.verdict for one in report_of(text).citations] == ["unreadable", "no_such_provision"]


def test_words_with_marks_of_clauses_are_found_elsewhere() -> None:
    add_document(
        "1. Fares\nThe duty to pay under subsections (b), (c) or (d) does not apply at night.\n2. Night\nIt is dark.",
        kind="law",
        title="Ferries Act 1960",
    )
    said = "“The duty to pay under subsections (b), (c) or (d) does not apply” (section 3 of the Hoists Act 1990)."
    assert [one.verdict for one in report_of(said).quotations] == ["other_provision"]
