"""What is cited and not there is said to be missing, and nothing else is."""

import datetime as dt
from typing import Any

import pytest
from django.db.models.signals import post_init

from answers.agent import search_legal_kb
from search.results import Match, Retrieval
from sources.citations import UnresolvedCitation
from sources.models import Chunk, Provision, Source
from sources.references.texts import resolve_text
from sources.scope import Scope
from tests.factories import first_topic, make_topic
from tests.search.citing import search
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
BEGUN, ENDED, TODAY, COMING = (dt.date(year, 1, 1) for year in (2020, 2021, 2026, 2090))


def act(title: str, *numbers: str, **fields: Any) -> int:
    lines = (f"{number}. כותרת\nהוראה {number} בעניין פלוני." for number in numbers or ("1", "2", "3", "17"))
    return add_document("\n".join(lines), **{"kind": "law", "title": title, **fields}).pk


def missing(query: str, **scope: Any) -> UnresolvedCitation:
    found = search(query, **scope)
    assert found.not_found, query
    assert found.hits or found.not_found.source_id is None
    assert not cited(found), query
    return found.not_found


def cited(found: Retrieval) -> list[str]:
    return [hit.section for hit in found.hits if hit.match is Match.CITATION]


def test_of_a_long_act_only_the_nearest_sections_are_made_of_their_rows() -> None:
    act("חוק הפטנטים", *map(str, range(1, 60)))
    made: list[Provision] = []

    def note(instance: Provision, **_: Any) -> None:
        made.append(instance)

    post_init.connect(note, sender=Provision)
    try:
        found = missing("סעיף 90 לחוק הפטנטים")
    finally:
        post_init.disconnect(note, sender=Provision)
    assert [one.number for one in found.nearest] == ["56", "57", "58", "59"]
    assert len(made) == 4


def test_section_that_act_does_not_have_is_said_with_nearest() -> None:
    source_id = act('חוק הפטנטים, התשכ"ז–1967', "1", "2", "5", "5א", "6", "9", "10")
    act("חוק העיצובים", "4", "7", "90")
    for query, number, nearest in (
        ("סעיף 90 לחוק הפטנטים", "90", ["5א", "6", "9", "10"]),
        ("מה קובע סעיף 7 לחוק הפטנטים?", "7", ["5א", "6", "9", "10"]),
        ("חוק הפטנטים, סעיף 4(א)", "4", ["1", "2", "5", "5א"]),
        ("סעיף 5ב לחוק הפטנטים, תשכ״ז-1967", "5ב", ["5", "5א", "6", "9"]),
    ):
        one = missing(query)
        assert (one.source_id, one.title, one.number) == (source_id, 'חוק הפטנטים, התשכ"ז–1967', number), query
        assert [near.number for near in one.nearest] == nearest, query
    assert one.nearest[1].eid == "sec_5a"
    assert missing("הוראה בסעיף 90", source_ids=(source_id,)).source_id == source_id


def test_what_is_cited_and_not_in_force_is_said_to_be_here(client: Any) -> None:
    """Else its act would be said not to be here, or other sections would come without a word."""
    whole = act("Ferry Act 1990", valid_to=ENDED)
    part = act("חוק הסירות, התשנ״ח–1998", "1", "2", "3")
    coming = act("Harbour Act 2030", valid_from=COMING)
    Chunk.objects.filter(source_id=part, section="2").update(valid_from=BEGUN, valid_to=ENDED)
    act("Borough Act 1999")
    for query, source_id, number, holds in (
        ("section 1 of the Ferry Act 1990", whole, "1", "repealed: not in force since 1 Jan 2021"),
        ("סעיף 2(א) לחוק הסירות", part, "2", "repealed: not in force since 1 Jan 2021"),
        ("Harbour Act 2030, s. 17", coming, "17", "not yet in force: only from 1 Jan 2090"),
    ):
        one = missing(query, as_of=TODAY)
        assert (one.source_id, one.number, one.holds) == (source_id, number, holds), query
        assert [near.number for near in one.nearest] == [number], query
        assert holds in client.get("/", {"q": query}).content.decode(), query
        told = client.post("/kb/search", {"query": query}, content_type="application/json").json()["not_found"]
        assert (told["source_id"], told["holds"], told["nearest"][0]["number"]) == (source_id, holds, number)
        asked = client.post("/kb/ask", {"question": query}, content_type="application/json").json()
        assert asked["status"] == "insufficient_evidence", asked
        assert f"{number} of" in search_legal_kb(first_topic()).run({"query": query})
    assert cited(search("סעיף 2 לחוק הסירות", as_of=BEGUN)) == ["2"]
    assert cited(search("section 1 of the Ferry Act 1990")) == ["1"], "where the day does not count"


def test_of_several_versions_the_nearest_to_the_day_is_told() -> None:
    first = act("Ferry Act 1990", valid_from=BEGUN, valid_to=ENDED)
    work, till = Source.objects.get(pk=first).work_id, dt.date(2023, 1, 1)
    last = act("Ferry Act 1990", valid_from=ENDED, valid_to=till, work_id=work)
    act("Borough Act 1999")
    for day, source_id, holds in (
        (TODAY, last, "repealed: not in force since 1 Jan 2023"),
        (dt.date(2019, 1, 1), first, "superseded: not in force since 1 Jan 2021"),
    ):
        one = missing("section 1 of the Ferry Act 1990", as_of=day)
        assert (one.source_id, one.holds) == (source_id, holds)


def test_section_that_no_version_has_is_missing_on_each_day() -> None:
    ended = act("Ferry Act 1990", valid_to=ENDED)
    kept = act("Boats Act 1998")
    for query, source_id in (("section 90 of the Ferry Act 1990", ended), ("section 90 of the Boats Act 1998", kept)):
        one = search(query, as_of=TODAY).not_found
        assert one, query
        assert (one.source_id, one.holds) == (source_id, ""), query


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("סעיף 17 לחוק העונשין", "חוק העונשין"),
        ("מה קובע סעיף 17 לחוק העונשין לגבי קנס?", "חוק העונשין"),
        ('חוק העונשין, התשל"ז–1977, סעיף 17', 'חוק העונשין, התשל"ז–1977'),
        ("סעיף 1 לחוק שירות המדינה (משמעת)", "חוק שירות המדינה (משמעת)"),
        ("תקנה 2 לתקנות הגנת הפרטיות", "תקנות הגנת הפרטיות"),
        ("section 2 of the Penal Act 1990", "Penal Act 1990"),
        ("Theft Act 1968, s. 1", "Theft Act 1968"),
        ("regulation 3 of the Data Protection Regulations", "Data Protection Regulations"),
    ],
)
def test_an_act_that_is_not_here_is_said_so(query: str, title: str) -> None:
    act("חוק שירות המדינה (גמלאות)")
    act("חוק הגנת הפרטיות")
    act("Harbour Act 2006")
    act("חוק העונשין, התשל״ז–1977", topic=make_topic())
    assert missing(query) == UnresolvedCitation(source_id=None, title=title, number=missing(query).number)


@pytest.mark.parametrize(
    "query",
    [
        "סעיף 5 להסכם",
        "סעיף 5 לחוק",
        "סעיף 5 לחוק הזה",
        "סעיף 5 לחוק קובע פיצוי",
        "סעיף 5 לחוק הפרטיות",
        "סעיף 17 לחוק הגנת הפרטייות",
        "סעיף 17 לחוק הגנת",
        'סעיף 5 לחוק סד"פ',
        "סעיף 5 לצו מניעה",
        "סעיף 5 לפקודה",
        "סעיף 5",
        "section 5 of my contract",
        "section 5 of the act",
        "section 5 of the 2008 Act",
        "s 5 of nothing",
        "section 5 of the agreement under the Companies Act",
        "section 5 says when directors act",
        "Part 5 of the Companies Act",
        "Schedule 5 para 2 of the Harbour Act",
    ],
)
def test_what_may_be_here_or_is_no_act_is_not_said_to_be_missing(query: str) -> None:
    act('חוק הגנת הפרטיות, התשמ"א–1981')
    act("חוק הגנת הצומח", "5")
    act("Harbour Act 2006")
    assert search(query).not_found is None


def test_shortened_names_still_find_their_section() -> None:
    act('חוק סדר הדין הפלילי (סמכויות אכיפה – מעצרים), התשנ"ו–1996')
    act('חוק פיצויי פיטורים, התשכ"ג–1963')
    act('פקודת הנזיקין [נוסח חדש], התשכ"ח–1968')
    for query in (
        "סעיף 17 לחוק המעצרים",
        "סעיף 17 לחוק סדר הדין הפלילי",
        "סעיף 17 לחוק פצויי פטורים, תשכ״ג–1963",
        "סעיף 17 לפקודת הנזיקין (נוסח חדש)",
        "סעיף 17 לפקודת הנזיקין (נוסח משולב)",
    ):
        found = search(query)
        assert (found.not_found, cited(found)) == (None, ["17"]), query


@pytest.mark.parametrize(
    ("here", "query"),
    [
        ("Hoists Act 1961", "section 7 of the Hoists Act 2020"),
        ("Hoists Act 1961", "Hoists Act 2020, section 7"),
        ('חוק המנופים, התשכ"א–1961', 'סעיף 7 לחוק המנופים, התש"ף–2020'),
    ],
)
def test_an_act_of_another_year_is_never_the_answer(here: str, query: str) -> None:
    act(here)
    found = search(query)
    assert cited(found) == []
    assert found.not_found is not None
    assert "2020" in found.not_found.title


def test_a_year_misprinted_in_one_calendar_is_understood() -> None:
    act('חוק שירות המדינה, התשי"ט–1959')
    found = search('סעיף 17 לחוק שירות המדינה, תשי"ט–1956')
    assert (found.not_found, cited(found)) == (None, ["17"])


@pytest.mark.parametrize(
    ("number", "certain"), [("90", True), ("5ב", True), ("4", False), ("3", False), ("9א", True), ("11", True)]
)
def test_it_is_certain_only_where_the_numbering_is_whole(number: str, certain: bool) -> None:
    act("חוק הפטנטים", "1", "2", "5", "5א", "6", "7", "8", "9", "10")
    assert missing(f"סעיף {number} לחוק הפטנטים").certain is certain


@pytest.mark.parametrize(
    ("number", "certain"),
    [("28-3912", False), ("28-4104", False), ("29-101", False), ("3.4", True), ("3.2", False), ("9.1", True)],
)
def test_it_is_certain_only_where_numbers_that_begin_so_are_whole(number: str, certain: bool) -> None:
    signed = ("§ 28–3909", "§ 28–3910", "§ 28–3911")
    numbers = signed if "-" in number else ("1.1", "1.2", "2.1", "2.2", "3.1", "3.3", "4.1", "4.2")
    if number == "3.4":
        numbers = (*numbers, "3.2")
    act("Hoists Code", *numbers)
    unit = "§" if "-" in number else "section"
    assert missing(f"{unit} {number} of the Hoists Code").certain is certain


def test_a_number_that_only_begins_others_is_not_said_to_be_missing() -> None:
    act("Hoists Act 1990", "§ 2–1001", "§ 2–1002", "§ 2–1003")
    assert search("section 2 of the Hoists Act 1990").not_found is None


def test_act_of_year_is_meant_though_another_has_the_section() -> None:
    act("Hoists Act 1961")
    newer = act("Hoists Act 2020", "3")
    found = search("section 7 of the Hoists Act 2020")
    assert cited(found) == []
    assert found.not_found is not None
    assert found.not_found.source_id == newer


def test_what_else_a_query_cites_comes_first_nevertheless() -> None:
    source_id = act("חוק הפטנטים")
    found = search("סעיף 2 לחוק הפטנטים וסעיף 9 לחוק העונשין")
    assert found.not_found == UnresolvedCitation(source_id=None, title="חוק העונשין", number="9")
    assert cited(found) == ["2"]
    assert found.hits[0].source.id == source_id


def test_an_act_with_more_words_than_the_name_is_not_said_to_lack_a_section() -> None:
    act("תקנות ניירות ערך (דוחות תקופתיים של תאגיד חוץ)")
    for query in ("תקנה 90 לתקנות ניירות ערך (דוחות תקופתיים)", "תקנה 90 לתקנות דוחות תקופתיים"):
        assert search(query).not_found is None, query
    act("חוק המכר (דירות), תשל״ה–1974")
    assert missing("סעיף 90 לחוק המכר").source_id
    assert missing("סעיף 2 לחוק המכר, התשכ״ח–1968").source_id is None


def test_a_document_that_numbers_nothing_is_not_said_to_lack_a_number() -> None:
    add_document("פתיחה\nדברים כלליים.", kind="circular", title="חוזר בעניין פיקדונות", identifier="חוזר 2024-9-1")
    assert search("חוזר 2024-9-1 סעיף 4").not_found is None


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Oxbow Municipal Code § 12.08.010(8)", "Oxbow Municipal Code"),
        ("section 3 of the Oxbow Code", "Oxbow Code"),
    ],
)
def test_what_may_be_one_of_those_here_is_said_to_be_uncertain(query: str, name: str) -> None:
    streets = act("Oxbow Municipal Code Title 12 - Streets", "12.04.010", "12.04.020")
    traffic = act("Oxbow Municipal Code Title 10 - Traffic in Ports", "10.04.010", "10.04.020")
    act("Oxbow Fees Act", "1", "2")
    act("Oxbow Municipal Code Title 11 - Secret", "11.04.010", topic=make_topic())
    one = missing(query, topic_id=first_topic().pk)
    assert (one.source_id, one.title, one.certain, one.nearest) == (None, name, False, ())
    assert [named.source_id for named in one.uncertain] == [streets, traffic]  # that with fewest other words first
    assert one.sentence == f"It is not certain which document is meant by “{name}”."
    titles = "Oxbow Municipal Code Title 12 - Streets; Oxbow Municipal Code Title 10 - Traffic in Ports"
    assert one.explanation == f"{one.sentence} The nearest are {titles}."
    assert search(query, topic_id=first_topic().pk).unread == (name,)


def test_initials_of_a_code_are_those_of_each_of_its_parts() -> None:
    streets = act("Oxbow Municipal Code Title 12 - Streets", "12.04.010", "12.04.020")
    traffic = act("Oxbow Municipal Code Title 10 - Traffic in Ports", "10.04.010", "10.04.020")
    for part, number in ((streets, "12.04"), (traffic, "10.04")):
        assert cited(search(f"OMC {number}.020")) == [f"{number}.020"]
        lacking = search(f"OMC {number}.030").not_found
        assert lacking
        assert lacking.source_id == part
        [to] = resolve_text(f"Under OMC {number}.020 a fee is due.", scope=Scope(topic_id=first_topic().pk))
        assert (to.target.source_id, to.target.found) == (part, True)


@pytest.mark.parametrize("name", ["Kite Service Agreement", "Oxbow Code of Ordinances"])
def test_a_section_is_missing_of_what_a_part_of_its_title_names(name: str) -> None:
    source_id = act("Common Kite Service Agreement", "1", "2", "3")
    code = act("Oxbow Code of Ordinances, Chapter 1 Carts", "1-1", "1-2", "1-3")
    number = "1-16" if "Code" in name else "16"
    assert missing(f"{name} § {number}").source_id == (code if "Code" in name else source_id)


def test_abbreviated_words_are_not_understood() -> None:
    act("Oxbow Municipal Code Title 12 - Streets", "12.04.010", "12.04.020")
    found = search("Oxb. Munic. Code § 3")
    assert found.not_found is None
    assert found.unread == ("Oxb. Munic. Code",)


def test_a_section_is_missing_of_the_act_that_is_known_by_its_number() -> None:
    title = "Federal Decree-Law No. (20) of 2018 On the Money of Kites and of Other Toys"
    source_id = act(title, *map(str, range(1, 30)))
    assert missing("Article (132) of Federal Decree-Law No. (20) of 2018").source_id == source_id
