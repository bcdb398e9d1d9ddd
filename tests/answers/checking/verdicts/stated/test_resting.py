"""Which sentences are listed as statements, of what, and why one is not judged."""

import datetime as dt

import pytest

from answers.checking.verdicts.check import check
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
HOISTS = """1. Names
In this Act “hoist” means a machine that lifts.
2. Inspection
(1) The owner of a hoist must have it inspected by an engineer within 14 days of its repair.
(2) An owner shall not let the hoist be used before the engineer has signed the book.
3. Fees
The fee for an inspection is $200 and is paid by the owner to the registrar of hoists."""
MOORINGS = """1. הגדרות
בחוק זה, ״מזח״ – מבנה שאליו קושרים סירה.
2. בדיקה
בעל מזח חייב להזמין בדיקה של מהנדס בתוך 14 ימים מיום התיקון.
3. אגרה
האגרה בעד בדיקה משולמת לרשם בידי בעל המזח."""
OWED = "The owner must have the hoist inspected within twenty-one days of its repair"


@pytest.fixture(autouse=True)
def law(db: None) -> None:
    add_document(HOISTS, kind="law", title="Hoists Act 1990")
    add_document(MOORINGS, kind="law", title='חוק המזחים, התש"ן–1990')


def stated(text: str) -> list[tuple[str, str, str]]:
    found = check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1))).statements
    return [(text[one.start : one.end], one.verdict, one.why) for one in found]


@pytest.mark.parametrize(
    "citation",
    [
        "Hoists Act 1990, s 2(1).",
        "See section 2(1) of the Hoists Act 1990.",
        "See s. 2(1) of the Hoists Act 1990 (“the Hoists Act” or “HoA”).",
        "See section 2(1) of the Hoists Act 1990 above.",
        "See Part I, section 2(1) of the Hoists Act 1990 (hereinafter “HoA”).",
    ],
)
def test_a_sentence_rests_on_the_citation_behind_it(citation: str) -> None:
    assert stated(f"{OWED}. {citation}") == [(f"{OWED}.", "contradicts", "")]


@pytest.mark.parametrize(
    "citation",
    [
        'ראו סעיף 2 לחוק המזחים, התש"ן–1990.',
        'כך סעיף 2 לחוק המזחים, התש"ן–1990 (להלן – חוק המזחים).',
        'ראו הוראות סעיף 2 לחוק המזחים, התש"ן–1990, הנזכר לעיל.',
    ],
)
def test_a_hebrew_sentence_rests_on_the_citation_behind_it(citation: str) -> None:
    said = "בעל מזח חייב להזמין בדיקה של מהנדס בתוך עשרים ואחד ימים מיום התיקון."
    assert stated(f"{said} {citation}") == [(said, "contradicts", "")]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The owner of a crane pays the fee each spring. Cranes Act 1991, s 4.", "act_not_here"),
        ("Under section 9 of the Hoists Act 1990 the owner pays a fee each spring.", "provision_not_here"),
        ("The owner pays a fee each spring, as paragraph 7 of Bellweather holds.", "act_unread"),
    ],
)
def test_a_statement_of_what_is_not_here_is_not_judged(text: str, why: str) -> None:
    assert [one[1:] for one in stated(text)] == [("not_checked", why)]


def test_a_sentence_that_names_the_act_rests_on_the_citation_behind_it() -> None:
    said = f"{OWED} by the Act."
    assert stated(f"The Hoists Act 1990 (“the Act”) governs. {said} See section 2(1).")[-1][:2] == (said, "contradicts")


def test_a_clause_and_its_section_are_one_provision() -> None:
    text = f"{OWED} (section 2(1) of the Hoists Act 1990, as all of section 2 has it)."
    assert [(verdict, why) for _, verdict, why in stated(text)] == [("contradicts", "")]
    text = f"{OWED} (section 2(1) of the Hoists Act 1990, as section 3 has it)."
    assert [verdict for _, verdict, _ in stated(text)] == ["not_checked"]


def test_a_citing_sentence_that_says_something_is_a_statement_itself() -> None:
    text = f"{OWED}. Section 2(1) of the Hoists Act 1990 binds whoever owns a hoist."
    assert [one[0] for one in stated(text)] == ["Section 2(1) of the Hoists Act 1990 binds whoever owns a hoist."]


def test_a_sentence_that_quotes_stands_for_no_other() -> None:
    quoted = "“the hoist be used before the engineer has signed the book”"
    text = f"{OWED}. Section 2(2) of the Hoists Act 1990 provides that {quoted}."
    assert stated(text) == []


LAMPS = """1. Lamps
Each keeper of a pier lights all lamps of it before the sun sets on a day of work.
2. Ropes
Each keeper of a pier has all ropes of it counted by a rigger before a boat is moored there.
3. Whistles
What section 2 says of ropes holds of whistles."""
COUNTED = "each keeper of a pier has all ropes of it counted by a rigger before a boat is moored there"


CLEAR = "It is clear from section 1 of the Piers Act 1991 that"
HEBREW = 'מן האמור בסעיף 1 לחוק הרציפים, התשנ"א–1991'
HEBREW_LAMPS = """1. פנסים
השומר מדליק את הפנסים.
2. חבלים
כל שומר רציף בודק את החבלים לפני שסירה נקשרת אליו לפי סעיף 7 לחוק החבלים."""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"By section 1 of the Piers Act 1991, {COUNTED}.", "does_not_say"),
        (f"It is clear from section 1 of the Piers Act 1991 that {COUNTED}.", "does_not_say"),
        (f"In truth {COUNTED} (section 1 of the Piers Act 1991).", "does_not_say"),
        (f"In truth {COUNTED}. See section 1 of the Piers Act 1991.", "does_not_say"),
        (f"By section 2 of the Piers Act 1991, {COUNTED}.", "not_checked"),
        # A section that names the other, a citation of some words alone, other words
        (f"By section 3 of the Piers Act 1991, {COUNTED}.", "not_checked"),
        (f"A keeper hired under section 1 of the Piers Act 1991 knows that {COUNTED}.", "not_checked"),
        (f"In truth {COUNTED} under section 1 of the Piers Act 1991.", "not_checked"),
        (f"By sections 1 and 4 of the Piers Act 1991, {COUNTED}.", "not_checked"),
        (f"{HEBREW} עולה שכל שומר רציף בודק את החבלים לפני שסירה נקשרת אליו לפי סעיף 7 לחוק החבלים", "does_not_say"),
        (f"{CLEAR} {COUNTED}, and that lamps are lit by section 1.", "does_not_say"),
        ("By section 1 of the Piers Act 1991, each rigger has all ropes counted in the morning.", "not_checked"),
    ],
)
def test_the_words_of_a_statement_may_stand_in_another_section(text: str, verdict: str) -> None:
    add_document(LAMPS, kind="law", title="Piers Act 1991")
    add_document(HEBREW_LAMPS, kind="law", title='חוק הרציפים, התשנ"א–1991')
    found = check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1))).statements
    assert {one.verdict for one in found} == {verdict}
    assert {one.at.number for one in found if one.at} == ({"2"} if verdict == "does_not_say" else set())
