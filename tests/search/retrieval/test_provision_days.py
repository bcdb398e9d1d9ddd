"""As of a day only those passages are found, cited, quoted and counted that read so on it."""

from datetime import date
from typing import Any

import pytest
from rest_framework.test import APIClient

from answers.agent.read_tool import ReadTool
from answers.agent.search_tool import SearchTool
from search.retrieval import retrieve
from search.retrieval.listing import Listing
from sources.models import Chunk, Provision, Source
from sources.scope import Scope
from tests.answers.asking.asking import ask_both
from tests.search.corpus import add_document, add_source

pytestmark = pytest.mark.django_db(transaction=True)

TITLE = 'חוק בתי קפה, התש"ף–2020'
TEXT = f"""{TITLE}
1. רישיון
בית קפה יחזיק רישיון בתוקף.
2. שעות סגירה
בית קפה ייסגר בשעה עשר בלילה.
2. שעות סגירה
(החל מיום 1.7.2021): בית קפה ייסגר בשעת חצות.
3. אגרת רישיון
(א) אגרת רישיון תשולם בדואר.(החל מיום 1.7.2021): אגרת רישיון תשולם ברשת.
(ב) אגרה ששולמה לא תוחזר.
4. עונשין
המפר הוראה מהוראות חוק זה דינו קנס."""
CLOSING, FEE = "באיזו שעה ייסגר בית קפה?", "היכן תשולם אגרת רישיון?"
BEFORE, AFTER = "2021-06-30", "2021-07-01"
ASKED = (
    (CLOSING, "עשר בלילה", "חצות"),
    (FEE, "בדואר", "ברשת"),
    (f"סעיף 2 ל{TITLE}", "עשר בלילה", "חצות"),
    (f"סעיף 3(א) ל{TITLE}", "בדואר", "ברשת"),
    ('"אגרת רישיון תשולם"', "בדואר", "ברשת"),
)


@pytest.fixture
def act() -> Source:
    return add_document(TEXT, kind="law", title=TITLE)


def search(query: str, **more: Any) -> dict[str, Any]:
    answer = APIClient().post("/kb/search", {"query": query, **more}, format="json")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"mode": "semantic"},
        {"mode": "lexical"},
        {"group": "document"},
        {"kind": "law"},
        {"facets": True, "sort": "newest"},
    ],
)
@pytest.mark.parametrize("gathered", [True, False])
def test_each_day_has_its_text(act: Source, more: dict[str, Any], gathered: bool) -> None:
    if not gathered:
        add_document(TEXT, kind="law", title=TITLE)  # what is fresh is searched in another way
    for query, then, now in ASKED:
        for day, there, gone in ((BEFORE, then, now), (AFTER, now, then)):
            found = search(query, as_of=day, **more)
            texts = [hit["text"] for hit in found["results"]]
            assert not [text for text in texts if gone in text], (query, day)
            if more.get("group") != "document" and more.get("mode") != "semantic":
                assert there in texts[0], (query, day)
        both = " ".join(hit["text"] for hit in search(query, versions="all", limit=20)["results"])
        assert then in both
        assert now in both


def test_lists_count_what_was_in_force_only(act: Source) -> None:
    days = {BEFORE: date(2021, 6, 30), AFTER: date(2021, 7, 1), None: None}
    counted = {
        day: retrieve(
            '"בית קפה ייסגר"', scope=Scope(topic_id=1, as_of=as_of), listing=Listing(facets=True), limit=5
        ).passages
        for day, as_of in days.items()
    }
    assert counted == {BEFORE: 1, AFTER: 1, None: 2}


def test_as_many_are_found_as_are_in_force() -> None:
    """Though what is not in force scores higher, and makes all of the first candidates."""
    ended = "Water Act\n" + "\n".join(
        f"{number}. Water of river {number}\n(until 30 June 2021): water of the river {number}."
        for number in range(1, 320)
    )
    add_document(ended, kind="law", title="Water Act")
    rest = [add_source(f"a long text number {one} that mentions water once, among others") for one in range(12)]
    for mode in ("lexical", "hybrid", "semantic"):
        hits = retrieve("water river", scope=Scope(topic_id=1, as_of=date(2024, 1, 1)), limit=13, mode=mode).hits
        assert {source.pk for source in rest} <= {hit.source.id for hit in hits}, mode
        assert not [hit for hit in hits if "until 30 June" in hit.text]


def test_a_hit_says_from_when_until_when_it_reads_so(act: Source) -> None:
    told = {
        hit["eid"]: (hit["source"]["valid_from"], hit["source"]["valid_to"], hit["source"]["status"])
        for hit in search(CLOSING, versions="all", limit=20)["results"]
        if hit["section"] in ("1", "2")
    }
    assert told == {
        "sec_1": (None, None, "undated"),
        "sec_2": (None, "2021-07-01", "superseded"),
        "sec_2_2": ("2021-07-01", None, "in_force"),
    }


def test_the_days_are_within_those_of_the_source() -> None:
    add_document(TEXT, kind="law", title=TITLE, valid_from=date(2020, 1, 1), valid_to=date(2023, 1, 1))
    told = {
        hit["eid"]: (hit["source"]["valid_from"], hit["source"]["valid_to"], hit["source"]["status"])
        for hit in search(CLOSING, versions="all", limit=20)["results"]
        if hit["section"] == "2"
    }
    assert told == {
        "sec_2": ("2020-01-01", "2021-07-01", "superseded"),
        "sec_2_2": ("2021-07-01", "2023-01-01", "repealed"),
    }


def test_an_answer_quotes_the_text_of_the_day(act: Source) -> None:
    for day, there, gone in ((BEFORE, "עשר בלילה", "חצות"), (AFTER, "חצות", "עשר בלילה")):
        answer, _ = ask_both(CLOSING, as_of=day)
        assert answer["status"] == "answered"
        quotes = " ".join(citation["quote"] for citation in answer["citations"])
        assert there in quotes
        assert gone not in quotes
        assert {citation["status"] for citation in answer["citations"]} == {"in_force"}


def test_what_nothing_in_force_answers_is_said_with_its_days() -> None:
    source = add_document(
        f"{TITLE}\n1. רישיון\nבית קפה יחזיק רישיון.\n2. שעות סגירה\n(החל מיום 1.7.2021): בית קפה ייסגר בשעת חצות.",
        kind="law",
        title=TITLE,
    )
    answer, _ = ask_both(CLOSING, as_of=BEFORE)
    assert (answer["status"], answer["reason"]) == ("insufficient_evidence", "not_in_force")
    [version] = answer["versions"]
    assert (version["source_id"], version["valid_from"], version["status"]) == (source.pk, "2021-07-01", "not_yet")


def test_tools_give_the_text_of_the_day(act: Source) -> None:
    for tool, about in ((SearchTool, {"query": CLOSING}), (ReadTool, {"reference": f"סעיף 2 ל{TITLE}"})):
        made = tool(topic_id=1, topic_name="General")
        for day, there, gone in ((BEFORE, "עשר בלילה", "חצות"), (AFTER, "חצות", "עשר בלילה")):
            text = made.call(about | {"as_of": day}).text
            assert there in text
            assert gone not in text
    whole = ReadTool(topic_id=1, topic_name="General")
    for day, there, gone in ((BEFORE, "בדואר", "ברשת"), (AFTER, "ברשת", "בדואר")):
        text = whole.call({"reference": f"סעיף 3 ל{TITLE}", "as_of": day}).text
        assert there in text
        assert "לא תוחזר" in text
        assert gone not in text
    old = whole.call({"reference": f"{act.pk}#sec_2", "as_of": AFTER}).text  # an address is read as it is
    assert "עשר בלילה" in old
    assert "in force until before: 2021-07-01" in old


def test_provisions_and_passages_keep_their_days(act: Source) -> None:
    days = dict(Provision.objects.filter(source=act).values_list("eid", "valid_to"))
    assert days == {"sec_1": None, "sec_2": date(2021, 7, 1), "sec_2_2": None, "sec_3": None, "sec_4": None}
    assert Chunk.objects.filter(source=act, valid_from=date(2021, 7, 1)).count() == 2
    listed = APIClient().get(f"/kb/sources/{act.pk}/provisions").json()["results"]
    assert [(one["valid_from"], one["valid_to"]) for one in listed][1:3] == [(None, "2021-07-01"), ("2021-07-01", None)]
    one = APIClient().get(f"/kb/sources/{act.pk}/provisions/sec_2_2").json()
    assert (one["valid_from"], one["valid_to"]) == ("2021-07-01", None)
