"""An act is found by what it is cited by besides its title, and by nothing that another act is called."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from ingest.documents.edit import edit
from search.results import Match
from sources.models import Source
from tests.search.citing import search
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
TEXT = "\n".join(f"{number}. Heading.\nThe keeper of a kite shall wind its string." for number in range(1, 6))


def act(title: str, *aliases: str, **fields: Any) -> Source:
    return add_document(f"{title}\n{TEXT}", kind="law", title=title, aliases=list(aliases), **fields)


ALIASES = ("Kites Act 2031", "2031 c. 26", "Cap. 491", "GDKF", "17 CFR 1072")


@pytest.mark.parametrize(
    "typed",
    [
        "section 3 of the Kites Act 2031",
        "s 3 Kites Act",
        "Kites Act 2031, s 3(1)",
        "2031 c. 26, s. 3",
        "2031, c. 26, s. 3",
        "2031 chapter 26, section 3",
        "section 3, Cap. 491",
        "GDKF, section 3",
        "section 3 of GDKF",
        "17 CFR 1072, section 3",
    ],
)
def test_every_alias_leads_to_the_act(typed: str) -> None:
    wanted = act("An Act to make provision about the winding of strings", *ALIASES)
    act("Strings Act 2031", "2031 c. 27", "Cap. 492")
    first = search(typed).hits[0]
    assert (first.source.id, first.section, first.match) == (wanted.pk, "3", Match.CITATION)
    *_, resolved = APIClient().post("/kb/resolve", {"text": typed}, format="json").json()["references"]
    assert (resolved["status"], resolved["to"]["source_id"]) == ("resolved", wanted.pk)


def test_an_alias_without_a_year_has_that_of_the_title() -> None:
    act("Computer Kites Act 2018", "Computer Kites Act")
    found = search("section 3 of the Computer Kites Act 2015")
    assert Match.CITATION not in {hit.match for hit in found.hits}
    assert found.not_found is not None
    assert found.not_found.source_id is None


def test_an_edited_alias_counts_at_once() -> None:
    source = act("An Act about strings", "Kites Act 2031")
    edit(source.pk, {"aliases": ["Ropes Act 2031"]}, by="test")
    assert search("section 3 of the Ropes Act 2031").hits[0].match is Match.CITATION
    assert search("section 3 of the Kites Act 2031").hits[0].match is not Match.CITATION


def test_a_longer_title_is_not_taken_for_an_alias_in_it() -> None:
    act("An Act about strings", "Kites Act 2031")
    amending = act("Kites Act 2031 (Amendment) Regulations 2033")
    first = search("regulation 3 of the Kites Act 2031 (Amendment) Regulations 2033").hits[0]
    assert first.source.id == amending.pk


@pytest.mark.parametrize("kind", ["Act", "Law", "Ordinance", "Decree"])
def test_a_number_of_a_year_is_that_of_one_type_of_act(kind: str) -> None:
    wanted, *_ = [act(f"On {one}", f"{one} No. 4 of 2031") for one in (kind, "Proclamation", "Edict")]
    assert search(f"section 3, {kind} No. 4 of 2031").hits[0].source.id == wanted.pk
    Source.objects.filter(pk=wanted.pk).delete()
    assert Match.CITATION not in {hit.match for hit in search(f"section 3, {kind} No. 4 of 2031").hits}


def test_a_number_without_a_type_is_found_with_one() -> None:
    wanted = act("On strings", "No. 15 of 2031")
    assert search("section 3, Act No. 15 of 2031").hits[0].source.id == wanted.pk


@pytest.mark.parametrize("title", ["Ports Act 12 of 2031", "Ports Act 2031"])
def test_an_act_of_that_number_and_another_name_is_not_meant(title: str) -> None:
    act(title, "Act 12 of 2031")
    missing = search("section 3 of the Hoists Act 12 of 2031").not_found
    assert missing is not None
    assert missing.source_id is None
    assert search("section 3 of the Ports Act 12 of 2031").hits[0].match is Match.CITATION


def test_a_number_that_a_named_act_lacks_is_said_to_be_missing() -> None:
    act("Kites Act")
    missing = search("Kites Act 9.9").not_found
    assert missing is not None
    assert missing.number == "9.9"
