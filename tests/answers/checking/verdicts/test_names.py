"""Which act a citation means: longer names, names that a text gives, the act named last."""

import datetime as dt

import pytest

from answers.checking.verdicts.check import check
from sources.citations.missing import missing_section
from sources.scope import Scope
from tests.answers.checking.verdicts.test_check import HOISTS, ROPES
from tests.answers.checking.verdicts.test_manners import PIERS
from tests.factories import first_topic, make_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

CASKS = """Article 1
The cooper closes the casks of the town before the first day of winter.
Article 2
The dealer sells the oil of the casks to whoever asks for it in the town."""
MOLES = """סעיף 1. איסור
לא יעמוד אדם על המזח בשעת סערה בלא רשות מאת מנהל הנמל.
סעיף 2. עונש
העובר על הוראת סעיף 1 ישלם קנס לקופת הנמל."""
NIGHT = "Piers, Night Lamps and Oil Casks Act, 1938"


@pytest.fixture(autouse=True)
def law(db: None) -> None:
    add_document(ROPES, kind="law", title="Ropes Act 2001")
    add_document(HOISTS, kind="law", title="Hoists Act 1990")
    add_document(PIERS, kind="law", title="Convention on the Lights of Piers")
    add_document(CASKS, kind="law", title="Convention on the oil of casks")
    add_document(MOLES, kind="law", title='חוק לא תעמוד על המזח, התשנ"ח–1998')
    add_document(ROPES, kind="law", title=NIGHT)
    add_document(ROPES, kind="law", title="Casks (Exports) Act 2004")
    add_document(MOLES, kind="law", title="חוק־יסוד: המזח")
    add_document(MOLES, kind="law", title='חוק הסירות (עגינה), התש"ס–2000')


def cited(text: str) -> list[str]:
    """Verdicts on what is cited of an act, with the first word that tells which one."""
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1)))
    titles = {one.start: one.to.title.split(" ")[-1] for one in report.citations if one.to and one.to.eid}
    return [f"{one.verdict} {titles.get(one.start, '')}".strip() for one in report.citations]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            "Article 1 of the Convention on the Lights of Piers. Article 2 of the Convention on the oil of casks,"
            " and Article 1 of the said Convention.",
            ["exists Piers", "exists casks", "exists casks"],
            id="a name that begins like the one before",
        ),
        pytest.param(
            "Article 1 of the Convention on the Lights of Piers. Article 7 of the Convention on the paint of boats.",
            ["exists Piers", "unreadable"],
            id="such a name of what is not here",
        ),
        pytest.param(
            "Article 1 of the Convention on the Lights of Piers. Article 2 of the Convention on its own is enough.",
            ["exists Piers", "exists Piers"],
            id="what follows is no name",
        ),
        pytest.param(
            "The Ropes Act 2001 (“the Act”) is old. Section 4 of the Hoists Act 1990 is not. It binds us (s 4).\n"
            "It binds all (s 4).",
            ["exists", "exists 1990", "unreadable", "no_such_provision"],
            id="a bare section that may be of two acts is not missing",
        ),
        pytest.param(
            "The Hoists Act 1990 (“HA 1990”) and the Ropes Act 2001 (“the Act”): HA 1990, s 4; section 3 of the HA 1990"
            "; section 9 of the HA 1990; Ropes Act 2001, s 1; the Act, s 2.",
            [
                *["exists"] * 2,
                *["exists 1990"] * 2,
                "no_such_provision",
                "exists",
                "exists 2001",
                "exists",
                "exists 2001",
            ],
            id="a short name with a year",
        ),
        pytest.param(
            'חוק לא תעמוד על המזח, התשנ"ח–1998 (להלן: "חוק המזח"). לפי סעיף 1 לחוק המזח. סעיף 9 לחוק המזח.',
            ["exists", "exists", "no_such_provision"],
            id="a name with a verb",
        ),
        pytest.param(
            "סעיף 1 לחוק הסירות (אורות), סעיף 1 לחוק הסירות (אורות) חל, סעיף 1 לחוק הסירות (עגינה) חל,"
            " סעיף 1 לחוק הסירות (ראו שם) חל.",
            ["unreadable", "unreadable", 'exists התש"ס–2000', 'exists התש"ס–2000'],
            id="a name with the brackets of another act",
        ),
        pytest.param(
            'סעיף 1 לחוק לא תעמוד על המזח, התשנ"ח–1998. סעיף 2 לחוק האמור. שם, סעיף 1, ושם, סעיף 9.',
            ["exists", "exists", "exists", "no_such_provision"],
            id="that act after a name with a verb",
        ),
        pytest.param(
            "The Hoists Act 1990 (“the Act”) is old. Ropes Act 2001, s 2; the Act, s 4.",
            ["exists", "exists", "exists 2001", "exists", "exists 1990"],
            id="what follows a semicolon is of another citation",
        ),
        pytest.param(
            f"Section 1 of the {NIGHT}. Ibid, s 2. See ibid, s 9.",
            ["exists 1938", "exists 1938", "no_such_provision"],
            id="ibid after a name with commas",
        ),
        pytest.param("Section 1 of the Ropes Act 1999.", ["another_year"], id="another year"),
        pytest.param(
            "Section 1 of the Casks Act 1999.",
            ["no_such_document_here"],
            id="a name without the brackets of another act",
        ),
        pytest.param(
            "סעיף 1 לחוק־יסוד: המזח. סעיף 2 לחוק היסוד קובע עונש. סעיף 1 לחוק-יסוד: המזח, וסעיף 2 לחוק היסוד.",
            ["exists המזח"] * 4,
            id="the one basic law",
        ),
        pytest.param(
            'סעיף 1 לחוק לא תעמוד על המזח, התשנ"ח–1998, חל. סעיף 2 לחוק קובע קנס.',
            ["exists", "exists"],
            id="the one act, before another word",
        ),
    ],
)
def test_names(text: str, found: list[str]) -> None:
    assert [one.removesuffix(' התשנ"ח–1998') for one in cited(text)] == found


@pytest.mark.parametrize(
    ("year", "verdict"),
    [('התשנ"ח–1998', "exists"), ('התשנ"ח–1999', "another_year"), ('התשנ"ו–1998', "another_year")],
)
def test_one_wrong_year_of_the_two_is_told(year: str, verdict: str) -> None:
    add_document(MOLES, kind="law", title='חוק המזחים והסירות, התשנ"ח–1998')
    assert cited(f"סעיף 2 לחוק המזחים והסירות, {year} קובע עונש.")[0].split()[0] == verdict
    called = 'סעיף 1 לחוק המזחים והסירות, התשנ"ח–1998 (להלן: "חוק המזחים"). '
    assert cited(f"{called}סעיף 2 לחוק המזחים\nוהסירות, {year}.")[1].split()[0] == verdict


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Section 3 of the Hoists Act 1990 binds. The Hoists Act 1991 does not. By section 4 it ends.", "unreadable"),
        ("Section 3 of the Hoists Act 1990. Section 2 of the Hoists Act 1991.\n\nBy section 4 it ends.", "unreadable"),
        ("The Hoists Act 1991 does not bind.\n\nBy section 4 it ends.", "unreadable"),
        ("Section 3 of the Hoists Act 1990 binds.\n\nHoists Act 2012\n\nBy section 4 it ends.", "unreadable"),
        ("Section 3 of the Moles Act 1985 binds. Now the Moles Act 1999.\n\nSection 1 fines.", "exists 1999"),
        ('סעיף 1 לחוק הרציפים, התשנ"ח–1998 חל.\n\nחוק הרציפים, התשע"ה–2015\n\nלפי סעיף 2.', "unreadable"),
        ('סעיף 1 לחוק הרציפים, התשנ"ח–1998. ראו חוק הרציפים, התשנ"ח–1989. לפי סעיף 2.', "unreadable"),
    ],
)
def test_a_bare_section_is_not_accused_for_a_year_that_was_told_before(text: str, last: str) -> None:
    add_document(MOLES, kind="law", title='חוק הרציפים, התשנ"ח–1998')
    for year in (1985, 1999):
        add_document(HOISTS, kind="law", title=f"Moles Act {year}")
    assert cited(text)[-1] == last


def test_a_title_goes_on_over_a_line_end() -> None:
    behind = "which the harbour master has not answered in any letter.\n\nThe end."
    assert cited(f"There remains section 1 of the Ropes\nAct 2001, {behind}") == ["exists 2001"]


def test_a_name_that_titles_hold_with_more_words_may_mean_each_of_them() -> None:
    codes = [
        add_document(ROPES, kind="law", title=f"Oxbow Municipal Code Title {title}")
        for title in ("1 - Carts", "2 - Docks")
    ]
    add_document(ROPES, kind="law", title="Oxbow Municipal Code Title 3 - Hidden", topic=make_topic())
    text = "Under section 3 of the Oxbow Code and section 3 of the Cranes Act 1991 a fee is due."
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1)))
    assert [one.verdict for one in report.citations] == ["ambiguous", "no_such_document_here"]
    assert [one.source_id for one in report.citations[0].nearest] == [code.pk for code in codes]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Section 1 of the Cattle Exports Act 2024 applies.", "ambiguous"),
        ("Section 1 of the Cattle Exports Act 2023 applies.", "no_such_document_here"),
        ("Section 1 of the Cattle Imports Act 2024 applies.", "no_such_document_here"),
        ("Section 1 of the Cattle Exports Regulations 2024 applies.", "no_such_document_here"),
        ('סעיף 1 לחוק העגינה, התשפ"ד–2024, חל.', "ambiguous"),
        ('סעיף 1 לחוק העגינה, התשפ"ג–2023, חל.', "no_such_document_here"),
    ],
)
def test_a_name_of_some_words_of_a_title_of_its_year_may_mean_that(text: str, verdict: str) -> None:
    cattle = add_document(ROPES, kind="law", title="Beast Welfare (Cattle Exports) Act 2024")
    boats = add_document(MOLES, kind="law", title='חוק הסירות (היתרי עגינה), התשפ"ד–2024')
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1)))
    [found] = report.citations
    here = cattle if text.isascii() else boats
    assert (found.verdict, found.to) == (verdict, None)
    assert [one.source_id for one in found.nearest] == ([here.pk] if verdict == "ambiguous" else [])


@pytest.mark.parametrize("printed", ["L. 214-", "L.214-", "L 214-", "L214-"])
def test_a_letter_before_the_number_of_a_code_is_one_with_and_without_its_point(printed: str) -> None:
    words = "moors a boat at the pier for the night and pays the fee."
    code = add_document(
        "\n".join(f"Article {printed}{n}\nWho {words}" for n in (1, 2, 3)), kind="law", title="Pier Code"
    )
    text = "Art. L214-2 of the Pier Code, art. L. 214-3 of the Pier Code and art. L214-9 of the Pier Code."
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1)))
    assert [one.verdict for one in report.citations] == ["exists", "exists", "no_such_provision"]
    assert [one.to.number.replace(" ", "")[-5:] for one in report.citations[:2] if one.to] == ["214-2", "214-3"]
    assert missing_section(code.pk, "L214-2") is missing_section(code.pk, "L.214-2") is None


def test_a_document_is_found_by_the_long_and_the_annotated_name_of_its_code() -> None:
    said = "moors a boat at the pier for the night and pays the fee."
    numbers = "\n".join(f"28-330{n}. Boats\nWho {said}" for n in (1, 2, 3))
    interest = add_document(numbers, kind="law", title="Interest and Usury", identifier="D.C. Code Title 28")
    parts = "\n".join(f"§ 1015.{n} Boats\nWho {said}" for n in (1, 2, 3))
    boats = add_document(parts, kind="law", title="Boats of Banks", identifier="12 CFR Part 1015")
    text = "D.C. Code Ann. § 28-3302. Section 28-3303 of the District of Columbia Official Code. 12 C.F.R. sec. 1015.2."
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1)))
    found = [(one.to.source_id, one.to.number) for one in report.citations if one.to]
    assert found == [(interest.pk, "28-3302"), (interest.pk, "28-3303"), (boats.pk, "1015.2")]


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("Section 1 of the Barrel Care Act.", ["ambiguous"]),
        ("סעיף 1 לחוק הסירות.", ["ambiguous"]),
        ("Section 1 of the Barrel Care (Exports) Act.", ["exists"]),
        ("Section 1 of the Barrel Care Act. See the Barrel Care (Exports) Act 2004.", ["exists", "exists"]),
    ],
)
def test_an_undated_name_without_the_words_in_brackets_may_be_of_another_act(text: str, verdicts: list[str]) -> None:
    add_document(ROPES, kind="law", title="Barrel Care (Exports) Act 2004")
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1)))
    assert [one.verdict for one in report.citations] == verdicts


@pytest.mark.parametrize(("name", "verdict"), [("BACEXA", "exists"), ("the Barrel Care Act", "ambiguous")])
def test_a_short_name_leaves_no_words_out(name: str, verdict: str) -> None:
    add_document(ROPES, kind="law", title="Barrel Care (Exports) Act 2004", aliases=["BACEXA"])
    report = check(f"Section 1 of {name}.", scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1)))
    assert [one.verdict for one in report.citations] == [verdict]
