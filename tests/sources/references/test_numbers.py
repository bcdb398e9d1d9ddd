"""Numbers of instruments that no form reads lead to the document that bears them, and to no other."""

import datetime as dt

import pytest
from rest_framework.test import APIClient

from answers.checking.verdicts.check import check
from law.languages import LANGUAGES
from law.metadata.aliases import find_aliases
from law.metadata.head import HeadPage
from law.metadata.lines import lines_of
from law.references.mentions import read_references
from law.references.reasons import Reason
from search.results import Match
from sources.citations.acts_meant import act_key
from sources.citations.source_keys import keys_of
from sources.models import ReferenceWork, Source
from sources.references.background import run_pending
from sources.references.listing import as_certain, reason_of, references_of, status_of, with_status
from sources.references.status import ResolutionStatus
from sources.references.texts import resolve_text
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.citing import first
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
LAW = "1. Ropes\nA rope is replaced.\n2. Knots\nA knot is tied.\n3. Fees\nA fee is paid."
DAY = dt.date(2040, 1, 1)


def scope() -> Scope:
    return Scope(topic_id=first_topic().pk, as_of=DAY)


def meant(text: str) -> list[tuple[str, int | None]]:
    found = resolve_text(text, scope=scope())
    return [(one.target.status.value, one.target.source_id) for one in found]


def bearing(number: str, title: str = "Hoists") -> Source:
    return add_document(LAW, kind="regulation", title=title, identifier=number)


NUMBERS = [
    "B.C. Reg. 168/2031", "Alta Reg 128/2031", "LI 2031/38", "S.R.O. 1180(I)/2031", "P.U. (A) 131/2031", "S 63/2031",
    "A.M. No. 02-6-02-SC", "Royal Decree 1215/2031", "Ministerial Resolution No. 32 of 2031",
    "Decree No. 39/2031/ND-CP",
]  # fmt: skip
HEBREW = ["הנחיית היועץ המשפטי לממשלה מס׳ 1.2000", "הוראת ביצוע 5/2031", 'ת"י 1918']


@pytest.mark.parametrize("number", [*NUMBERS, *HEBREW])
def test_a_number_leads_to_the_document_that_bears_it(number: str) -> None:
    other = bearing("Q.Z. " + number.split()[-1], title="Pulleys")
    here = bearing(number)
    text = f"לפי סעיף 2 ל{number} תשולם אגרה." if number in HEBREW else f"Under section 2 of {number} a fee is paid."
    assert meant(text) == [("resolved", here.pk)]
    [finding] = check(text, scope=scope()).citations
    assert finding.to is not None
    assert finding.to.source_id == here.pk
    here.delete()
    [(status, source)] = meant(text)
    assert source is None, other.identifier
    assert status in ("unread", "not_here")


@pytest.mark.parametrize(
    "query", ["section 2 of S 63/2031", "regulation 2 of LI 63/2031", "סעיף 2 להוראת ביצוע 63/2031"]
)
def test_a_query_finds_no_number_of_another_series(query: str) -> None:
    other = bearing("Q.Z. 63/2031", title="Pulleys")
    hit = first(query)
    assert hit.match is not Match.CITATION
    assert first("section 2 of Q.Z. 63/2031").source.id == other.pk
    assert first("section 2 of 63/2031").match is Match.CITATION


def test_a_reference_waits_for_the_document_that_bears_its_number() -> None:
    citing = add_document(
        "1. Fees\nUnder regulation 2 of KN 2031/38 a fee is paid.", kind="law", title="Piers Act 2032"
    )
    work()
    [reference] = references_of(citing)
    assert (status_of(reference), reason_of(reference)) == (ResolutionStatus.UNREAD, None)
    assert list(with_status(references_of(citing), ResolutionStatus.UNREAD)) == [reference]
    here = bearing("KN 2031/38")
    work()
    [reference] = references_of(citing)
    assert (status_of(reference), reason_of(reference)) == (ResolutionStatus.RESOLVED, Reason.NAMED)
    assert (reference.target_id, reference.target_eid) == (here.pk, "sec_2")
    assert list(as_certain(references_of(citing), 1.0)) == [reference]
    [shown] = APIClient().get(f"/kb/sources/{citing.pk}/references").json()["results"]
    assert (shown["status"], shown["why"]) == ("resolved", "named")


def work() -> None:
    while run_pending():
        pass
    assert not ReferenceWork.objects.exists()


def test_a_number_that_says_no_kind_of_its_own_is_not_surely_that_of_an_act() -> None:
    here = bearing("No. 15 of 2031", title="On strings")
    assert meant("Under section 2 of Act No. 15 of 2031 a fee is paid.") == [("ambiguous", None)]
    [finding] = check("Under section 2 of Act 15 of 2031 a fee is paid.", scope=scope()).citations
    assert [one.source_id for one in finding.nearest] == [here.pk]
    assert meant("Under section 2 of Act No. 16 of 2031 a fee is paid.") == [("not_here", None)]


def test_an_act_of_a_year_is_not_the_one_that_amends_it_in_that_year() -> None:
    here = add_document(LAW, kind="law", title="Hoists (Amendment) Act 2031")
    assert meant("Under section 2 of the Hoists Act 2031 a fee is paid.") == [("not_here", None)]
    assert meant("Under section 2 of the Hoists (Amendment) Act 2031 a fee is paid.") == [("resolved", here.pk)]


ROWS = [row for language in LANGUAGES for row in language.series if row.key and not row.around]
HEADS = [text for row in ROWS for text in row.reads] + ["2031 No. 1403", "Number 15 of 2031", "Act No. 4 of 2031"]


@pytest.mark.parametrize("text", HEADS)
def test_each_number_that_is_taken_from_a_head_is_read_in_texts(text: str) -> None:
    lines = lines_of([HeadPage(None, f"On ropes\n{text}\n1. Ropes are replaced.")])
    for alias in find_aliases(lines, title="On ropes", kind="law"):
        keys = keys_of(topic_id=first_topic().pk, title="On ropes", identifier="", aliases=[alias.value]).identifiers
        of = "לפי סעיף 5 ל{} תשולם אגרה." if "א" <= max(alias.value) <= "ת" else "Under section 5 of {} a rope is new."
        said = of.format(alias.value)
        cited = [one for one in read_references(said, (), title="", kind="") if one.number == "5"]
        assert [act_key(one) in keys for one in cited] == [True], (alias.value, cited, keys)


NAMED_WITH_NUMBER = [
    ("section 2 of the Hoists Act (Cap. 54A, 2009 Rev. Ed.)", "Cap. 54A"),
    ("section 2 of the Hoists Act [Chapter 14:08]", "Chapter 14:08"),
    ("section 2 of the Hoists Act, Chap. 30:01", "Chap. 30:01"),
    ("section 2 of the Hoists Act, R.S.O. 1990, c. H.19", "R.S.O. 1990, c. H.19"),
    ("Article 2 of the Hoists Act (SR 819.1)", "SR 819.1"),
]


@pytest.mark.parametrize(("text", "number"), NAMED_WITH_NUMBER)
def test_a_number_beside_a_title_tells_which_of_those_called_so(text: str, number: str) -> None:
    add_document(LAW, kind="law", title="Hoists Act 1899")
    here = bearing(number, title="Hoists Act")
    assert meant(text)[0] == ("resolved", here.pk)
    here.delete()
    [(status, source), *_] = meant(text)  # whether that of 1899 is meant is not known
    assert (status, source) == ("ambiguous", None)
    [finding, *_] = check(text, scope=scope()).citations
    assert finding.verdict == "ambiguous"
    assert first(text).match is not Match.CITATION


def test_an_act_of_some_year_is_not_surely_what_bears_a_number_with_a_second_version_either() -> None:
    since = dt.date(2020, 1, 1)
    old = add_document(LAW, kind="law", title="Hoists Act 1899", valid_to=since)
    add_document(LAW, kind="law", title="Hoists Act 1899", work_id=old.work_id, valid_from=since)
    [(status, source), *_] = meant("section 2 of the Hoists Act (SR 819.1)")
    assert (status, source) == ("ambiguous", None)


def test_a_number_of_another_year_is_another_instrument() -> None:
    bearing("", title="Law No. 13 of 2030 on Hoists")
    assert first("Article 2 of Law No. 13 of 2031").match is not Match.CITATION


def test_a_name_that_is_cut_short_is_read_by_checks_too() -> None:
    here = add_document(LAW, kind="law", title="Atlantis Penal Code")
    text = "As Atl. Penal Code § 2 says, a fee is paid."
    [*_, finding] = check(text, scope=scope()).citations
    assert finding.to is not None
    assert finding.to.source_id == here.pk
    here.delete()
    [*_, finding] = check(text, scope=scope()).citations
    assert (finding.verdict, finding.why) == ("unreadable", "act_unread")  # not that it is not here


@pytest.mark.parametrize("proposed", ["תזכיר", "הצעת"])
def test_what_is_only_proposed_is_not_the_law(proposed: str) -> None:
    add_document(LAW, kind="law", title='חוק המנופים, התשפ"ה–2025')
    text = f'סעיף 2 ל{proposed} חוק המנופים, התשפ"ה–2025 קובע אגרה.'
    assert all(source is None for _, source in meant(text))
    here = add_document(LAW, kind="law", title=f'{proposed} חוק המנופים, התשפ"ה–2025')
    assert meant(text) == [("resolved", here.pk)]
