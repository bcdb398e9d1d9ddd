"""Citations resolved to chunks."""

import pytest

from search.retrieval import Match
from sources.models import Chunk
from tests.factories import make_topic
from tests.search.citing import first, law, search
from tests.search.corpus import add_source, passage, section

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "query",
    [
        'סעיף 2א לחוק חוזה הביטוח, התשמ"א–1981',
        "בסעיף 2א(ב) לחוק חוזה הביטוח",
        "שבסעיף 2א לחוק חוזה ביטוח",
        "מה קובע סעיף 2א לחוק חוזה הביטוח לגבי פיצוי?",
        "חוק חוזה הביטוח, סעיף 2א",
        "ס׳ 2א של חוק חוזה הביטוח",
        "סעיף 2א לחוק חוזה הַבִּטּוּחַ".replace("בִּטּוּחַ", "ביטוח"),
    ],
)
def test_a_cited_section_comes_first(query: str) -> None:
    source = law('חוק חוזה הביטוח, התשמ"א–1981')
    law('חוק הביטוח הלאומי, התשנ"ה–1995')
    law('חוק החוזים (חלק כללי), התשל"ג–1973')
    hit = first(query)
    assert (hit.source.id, hit.section, hit.match) == (source.pk, "2א", Match.CITATION)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("סעיף 3 לחוק הנוער", 'חוק הנוער (שפיטה, ענישה ודרכי טיפול), התשל"א–1971'),
        ("סעיף 3 לחוק הנוער (שפיטה", 'חוק הנוער (שפיטה, ענישה ודרכי טיפול), התשל"א–1971'),
        ("סעיף 3 לחוק שירות המדינה גמלאות", 'חוק שירות המדינה (גמלאות) [נוסח משולב], התש"ל–1970'),
        ("סעיף 3 לחוק שירות המדינה (גמלאות) [נוסח משולב]", 'חוק שירות המדינה (גמלאות) [נוסח משולב], התש"ל–1970'),
        ("סעיף 3 לחוק שירות המדינה (משמעת)", 'חוק שירות המדינה (משמעת), התשכ"ג–1963'),
        ("תקנה 3 לתקנות דוחות תקופתיים ומיידיים", 'תקנות ניירות ערך (דו"חות תקופתיים ומיידיים), התש"ל–1970'),
        ("סעיף 3 לפקודת הרופאים", 'פקודת הרופאים [נוסח חדש], התשל"ז–1976'),
        ("סעיף 3 לכללי לשכת עורכי הדין (אתיקה מקצועית)", 'כללי לשכת עורכי הדין (אתיקה מקצועית), התשמ"ו–1986'),
    ],
)
def test_short_and_bracketed_titles_find_their_act(query: str, title: str) -> None:
    for other in (
        'חוק הנוער (שפיטה, ענישה ודרכי טיפול), התשל"א–1971',
        'חוק עבודת הנוער, התשי"ג–1953',
        'חוק שירות המדינה (גמלאות) [נוסח משולב], התש"ל–1970',
        'חוק שירות המדינה (משמעת), התשכ"ג–1963',
        'תקנות ניירות ערך (דו"חות תקופתיים ומיידיים), התש"ל–1970',
        'תקנות ניירות ערך (חיתום), התשס"ז–2007',
        'פקודת הרופאים [נוסח חדש], התשל"ז–1976',
        'כללי לשכת עורכי הדין (אתיקה מקצועית), התשמ"ו–1986',
        'חוק לשכת עורכי הדין, התשכ"א–1961',
    ):
        law(other)
    hit = first(query)
    assert (hit.source.title, hit.section, hit.match) == (title, "3", Match.CITATION)


def test_the_year_decides_between_acts_of_one_name() -> None:
    law('תקנות המים, התשי"ט–1959')
    law('תקנות המים, התש"ף–2020')
    assert first('תקנה 1 לתקנות המים, התש"ף–2020').source.title.endswith("2020")
    assert first('תקנה 1 לתקנות המים, התשי"ט–1959').source.title.endswith("1959")


@pytest.mark.parametrize(
    "query",
    [
        "section 12(3) of the Harbour Act 2006",
        "Harbour Act 2006, s. 12",
        "s. 12 Harbour Act",
        "SECTION 12 of the harbour act",
    ],
)
def test_english_citations_are_resolved(query: str) -> None:
    add_source(section("11", "", "Pilots."), section("12", "", "Dues."), title="Harbour Act 2006")
    add_source(section("12", "", "Dues."), title="Airport Act 2006")
    hit = first(query)
    assert (hit.source.title, hit.section, hit.match) == ("Harbour Act 2006", "12", Match.CITATION)


def test_a_dotted_rule_number_needs_no_title_when_it_is_clear() -> None:
    add_source(section("18.8.1", "", "One."), section("18.8.2", "", "Two."), title="Rulebook")
    assert first("What does Rule 18.8.2 require?").section == "18.8.2"
    assert first("18.8.2").match is Match.CITATION


def test_a_bare_section_number_cites_nothing_without_a_title() -> None:
    law("חוק הפטנטים")
    assert all(hit.match is not Match.CITATION for hit in search("סעיף 2").hits)


def test_a_bare_section_number_is_enough_within_one_source() -> None:
    source = law("חוק הפטנטים")
    hit = first("סעיף 2", source_ids=(source.pk,))
    assert (hit.section, hit.match) == ("2", Match.CITATION)


def test_a_section_that_does_not_exist_falls_back_to_the_words() -> None:
    source = law("חוק הפטנטים")
    found = search("סעיף 99 לחוק הפטנטים")
    assert found.hits
    assert all(hit.match is Match.LEXICAL for hit in found.hits)
    assert found.hits[0].source.id == source.pk


def test_part_of_long_section_that_holds_the_clause_comes_first() -> None:
    add_source(
        section("7", "", "(א) הוראה ראשונה"),
        section("7", "", "(ב) הוראה שנייה"),
        section("8", "", "(ב) אחרת"),
        title="חוק המים",
    )
    hits = search("סעיף 7(ב) לחוק המים").hits
    assert [hit.text for hit in hits[:2]] == ["(ב) הוראה שנייה", "(א) הוראה ראשונה"]


def test_a_citation_never_leaves_the_scope() -> None:
    other = make_topic()
    law("חוק הפטנטים", topic=other)
    law("חוק המים")
    assert all(hit.match is not Match.CITATION for hit in search("סעיף 2 לחוק הפטנטים").hits)
    assert first("סעיף 2 לחוק הפטנטים", topic_id=other.pk).match is Match.CITATION
    assert first("סעיף 2 לחוק הפטנטים", topic_id=None).match is Match.CITATION
    assert not search("סעיף 2 לחוק הפטנטים", topic_id=other.pk, kinds=("circular",)).hits


def test_a_cited_chunk_is_listed_once() -> None:
    law("חוק המים")
    ids = [hit.chunk_id for hit in search("סעיף 2 לחוק המים").hits]
    assert len(ids) == len(set(ids)) == Chunk.objects.count()


def test_of_named_act_section_that_fits_the_rest_comes_first() -> None:
    add_source(
        section("1", "תחולה", "חוק מדידת מים חל על מדידת מים כאמור בחוק זה"),
        section("11", "עבירות", "המפר דינו קנס"),
        title='חוק מדידת מים, התשט"ו–1955',
    )
    add_source(section("4", "עבירות", "עבירות לפי חוק אחר"), title="חוק הדגים")
    assert first("עבירות חוק מדידת מים").section == "11"


def test_passages_that_happen_to_be_titles_do_not_displace_the_answer() -> None:
    add_source("Risk management", title="Risk management")
    answer = add_source("The risk management function reports to the board every quarter.", title="")
    assert first("how often does the risk management function report to the board").source.id == answer.pk


def test_schedule_of_same_number_is_not_mistaken_for_section() -> None:
    main = section("2", "עיקר", "סעיף עיקרי")
    item = passage("פרט בתוספת")
    add_source(main, item, title="חוק המים")
    assert first("סעיף 2 לחוק המים").text == "סעיף עיקרי"
