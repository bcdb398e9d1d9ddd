"""A number that several countries give is linked only where its country is not another one."""

import datetime as dt

import pytest

from answers.checking.verdicts.check import check
from law.words.countries import countries_of_document, country_behind, country_of_key
from search.results import Match
from sources.models import Source
from sources.references.background import run_pending
from sources.references.listing import references_of, status_of
from sources.references.status import ResolutionStatus
from sources.references.texts import resolve_text
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.citing import first
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
LAW = "1. Ropes\nA rope is replaced.\n2. Knots\nA knot is tied.\n3. Fees\nA fee is paid."
GHANA, KENYA = "Hoists Act (Ghana)", "Ropes Act (Kenya)"
NUMBERS = [
    "Act 12 of 2031",
    "Ordinance 12 of 2031",
    "L.N. 12 of 2031",
    "G.N. 12 of 2031",
    "Cap. 512",
    "Royal Decree 12/2031",
]


def scope() -> Scope:
    return Scope(topic_id=first_topic().pk, as_of=dt.date(2040, 1, 1))


def bearing(number: str, title: str, *, text: str = LAW) -> Source:
    return add_document(text, kind="law", title=title, identifier=number)


def link(source: Source) -> tuple[ResolutionStatus, int | None]:
    while run_pending():
        pass
    [reference] = references_of(source)
    return status_of(reference), reference.target_id


def citing(number: str, title: str) -> Source:
    return add_document(f"1. Knots\nSection 2 of {number} applies to knots.", kind="law", title=title)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_is_of_the_country_of_its_document(number: str) -> None:
    here = bearing(number, GHANA)
    assert link(citing(number, "Piers Act (Ghana)")) == (ResolutionStatus.RESOLVED, here.pk)
    assert link(citing(number, "Piers Act (Kenya)")) == (ResolutionStatus.NOT_HERE, None)


def test_of_two_acts_with_one_number_that_of_the_country_is_meant() -> None:
    bearing("Act 12 of 2031", GHANA)
    here = bearing("Act 12 of 2031", KENYA)
    assert link(citing("Act 12 of 2031", "Piers Act (Kenya)")) == (ResolutionStatus.RESOLVED, here.pk)


@pytest.mark.parametrize("said", ["of {}", "of the Laws of {}", "({})"])
def test_a_text_may_name_the_country(said: str) -> None:
    here = bearing("Act 12 of 2031", GHANA)
    named = f"Act 12 of 2031 {said}"
    assert link(citing(named.format("Ghana"), "Piers Act (Kenya)")) == (ResolutionStatus.RESOLVED, here.pk)
    assert link(citing(named.format("Uganda"), "Rafts Act (Ghana)")) == (ResolutionStatus.NOT_HERE, None)


@pytest.mark.parametrize("said", ["the Ugandan Act 12 of 2031", "Uganda's Act 12 of 2031"])
def test_a_country_before_a_number_is_another(said: str) -> None:
    bearing("Act 12 of 2031", GHANA)
    assert link(citing(said, "Rafts Act (Ghana)")) == (ResolutionStatus.NOT_HERE, None)


def test_a_section_behind_a_country_is_of_the_number_before_it() -> None:
    here = bearing("Act 12 of 2031", GHANA)
    [one] = resolve_text("Under Act 12 of 2031 of Ghana, section 2, a knot is tied.", scope=scope())[1:]
    assert (one.target.source_id, one.target.eid) == (here.pk, "sec_2")


@pytest.mark.parametrize(
    ("citing_title", "cited_title"), [("Piers", GHANA), ("Piers Act (Ghana)", "Hoists"), ("Piers", "Hoists")]
)
def test_where_a_country_is_not_known_one_of_a_collection_of_one_is_meant(citing_title: str, cited_title: str) -> None:
    here = bearing("Act 12 of 2031", cited_title)
    assert link(citing("Act 12 of 2031", citing_title)) == (ResolutionStatus.RESOLVED, here.pk)


@pytest.mark.parametrize(
    ("citing_title", "cited_title"), [("Piers", GHANA), ("Piers Act (Ghana)", "Hoists"), ("Piers", "Hoists")]
)
def test_in_a_collection_of_several_it_is_ambiguous(citing_title: str, cited_title: str) -> None:
    add_document(LAW, kind="law", title="Rafts Act (Ghana)")
    bearing("S.I. 2031/77", "Rafts Regulations")
    bearing("Act 12 of 2031", cited_title)
    assert link(citing("Act 12 of 2031", citing_title)) == (ResolutionStatus.AMBIGUOUS, None)


def test_regulations_of_the_union_make_no_collection_of_several_countries() -> None:
    bearing("Regulation (EU) 2031/679", "Rafts")
    here = bearing("Act 12 of 2031", GHANA)
    assert link(citing("Act 12 of 2031", "Piers")) == (ResolutionStatus.RESOLVED, here.pk)


def test_a_brief_is_told_that_it_is_not_certain_which_act_is_meant() -> None:
    bearing("S.I. 2031/77", "Rafts Regulations")
    here = bearing("Act 12 of 2031", GHANA)
    [finding] = check("Under section 2 of Act 12 of 2031 a knot is tied.", scope=scope()).citations
    assert finding.to is None
    [finding] = check("Under section 2 of Act 12 of 2031 of Ghana a knot is tied.", scope=scope()).citations
    assert finding.to is not None
    assert finding.to.source_id == here.pk
    [finding] = check("Under section 2 of Act 12 of 2031 of Kenya a knot is tied.", scope=scope()).citations
    assert finding.to is None


def test_a_question_asks_for_what_is_here_unless_it_names_another_country() -> None:
    bearing("S.I. 2031/77", "Rafts Regulations")
    here = bearing("Act 12 of 2031", GHANA)
    for query in ("section 2 of Act 12 of 2031", "section 2 of Act 12 of 2031 of Ghana"):
        assert (first(query).match, first(query).source.id) == (Match.CITATION, here.pk)
    assert first("section 2 of Act 12 of 2031 of Kenya").match is not Match.CITATION


def test_what_is_known_of_a_country() -> None:
    assert country_of_key("si:77:2031") == "gb"
    assert country_of_key("cap:57:malta") == "mt"
    assert country_of_key("act:12:2031") == ""
    assert countries_of_document("Ports Act (Kenya)", ["act:12:2031"]) == {"ke"}
    assert countries_of_document("Kenya Independence Act", ["32016r0679"]) == set()
    assert countries_of_document("חוק הנמלים", []) == {"il"}
    assert country_behind("Act 5 of the Laws of Malta, s", 5) == ("mt", 26)
    assert country_behind("Act 5 of Maltazone", 5) == ("", 5)
