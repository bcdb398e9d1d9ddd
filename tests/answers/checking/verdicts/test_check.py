"""Checking a text against the law that is here."""

import datetime as dt

import pytest

from answers.checking.verdicts.check import check
from sources.models import Source
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
The fee for an inspection is $200 and is paid by the owner to the registrar of hoists.
4. Appeals
A person who is refused a certificate may appeal to the tribunal within 30 days of the refusal."""
ROPES = """1. Ropes
A rope that carries a person must be replaced every five years by a qualified rigger.
2. Register
The registrar keeps a register of all ropes that were replaced in the district."""
DAY = dt.date(2026, 1, 1)


@pytest.fixture(autouse=True)
def law(db: None) -> Source:
    add_document(ROPES, kind="law", title="Ropes Act 2001")
    return add_document(HOISTS, kind="law", title="Hoists Act 1990")


def verdicts(text: str) -> tuple[list[str], list[str]]:
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=DAY))
    return [one.verdict for one in report.citations], [one.verdict for one in report.quotations]


@pytest.mark.parametrize(
    ("text", "cited", "quoted"),
    [
        (
            "Section 2(2) of the Hoists Act 1990 says that “An owner shall not let the hoist be used”.",
            ["exists"],
            ["verbatim"],
        ),
        ("“The fee for an inspection is $200” (s. 3 of the Hoists Act 1990).", ["exists"], ["verbatim"]),
        # The act before its section is no section of a list, in which any may have the words.
        (
            "By the Hoists Act 1990, s 2(1), “An owner shall not let the hoist be used”.",
            ["exists", "exists"],
            ["other_provision"],
        ),
        (
            "“An owner shall not let the hoist be used before the engineer has signed” (Hoists Act 1990, s. 3).",
            ["exists", "exists"],
            ["other_provision"],
        ),
        ("Under section 9 of the Hoists Act 1990 a fee is due.", ["no_such_provision"], []),
        ("Under section 2(7) of the Hoists Act 1990 a fee is due.", ["no_such_provision"], []),
        ("Under section 2 of the Hoists Act 1991 a fee is due.", ["another_year"], []),
        ("Under section 2 of the Cranes Act 1991 a fee is due.", ["no_such_document_here"], []),
        (
            "Section 2(2) of the Hoists Act 1990: “An owner shall let the hoist be used before the engineer”.",
            ["exists"],
            ["differs"],
        ),
        (
            "Section 2(1) of the Hoists Act 1990: “An owner shall not let the hoist be used before the engineer”.",
            ["exists"],
            ["other_provision"],
        ),
        (
            "Section 3 of the Hoists Act 1990: “The registrar keeps a register of all ropes that were replaced”.",
            ["exists"],
            ["other_provision"],
        ),
        (
            "Section 3 of the Hoists Act 1990: “Whoever paints a wall blue without leave is liable to a fine”.",
            ["exists"],
            ["not_found"],
        ),
        (
            "In section 3 of the Cranes Act 1991: “Whoever paints a wall blue shall pay”.",
            ["no_such_document_here"],
            ["not_checked"],
        ),
    ],
)
def test_verdicts(text: str, cited: list[str], quoted: list[str]) -> None:
    assert verdicts(text) == (cited, quoted)


DEPOSITS = """1. Names
In this Act a deposit is money that a tenant leaves with a landlord.
2. Duty
[Effective until June 30, 2024]
A landlord keeps the deposit in an account at a bank of the district.
3. Interest
The landlord pays two per cent of the deposit to the tenant in each year.
4. Return
The deposit is returned within thirty days after the tenant has left."""
FEES = """1. הגדרות
בחוק זה, ״אגרה״ – סכום שמשלם בעל עסק לרשות.
2. חובה
(עד יום 30.6.2024): בעל עסק ישלם אגרה לרשות המקומית שבה עסקו.
3. פטור
בעל עסק שמלאו לו שבעים שנים פטור מתשלום האגרה.
4. מועד
האגרה תשולם עד סוף חודש ינואר של כל שנה."""


@pytest.mark.parametrize(
    ("title", "text", "said", "missing"),
    [
        ("Deposits Act 2020", DEPOSITS, "sections 1 to {} of the Deposits Act 2020", "9 of the Deposits Act 2020"),
        ("Deposits Act 2020", DEPOSITS, "ss. 1–{} of the Deposits Act 2020", "9 of the Deposits Act 2020"),
        ("חוק אגרות, התשע״ט–2019", FEES, "סעיפים 1 עד {} לחוק אגרות, התשע״ט–2019", "9 לחוק אגרות, התשע״ט–2019"),
    ],
)
def test_all_of_a_range_is_checked(title: str, text: str, said: str, missing: str) -> None:
    add_document(text, kind="law", title=title)
    scope = Scope(topic_id=first_topic().pk, as_of=DAY)
    *_, end = check(f"See {said.format(9)}.", scope=scope).citations
    assert (end.verdict, end.text, [one.number for one in end.nearest][-1]) == ("no_such_provision", missing, "4")
    *_, far = check(f"See {said.format(4000)}.", scope=scope).citations
    assert far.verdict == "no_such_provision"
    found = check(f"See {said.format(4)}.", scope=scope).citations
    assert [(one.verdict, one.to.number) for one in found if one.to] == [
        ("exists", "1"),
        ("not_in_force", "2"),
        ("exists", "4"),
    ]
    assert found[1].since == dt.date(2024, 7, 1)
    before = check(f"See {said.format(4)}.", scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2024, 1, 1)))
    assert {one.verdict for one in before.citations} == {"exists"}


@pytest.mark.parametrize(
    ("text", "cited", "quoted"),
    [
        ("“The fee for an inspection is $200” (sections 2 to 4 of the Hoists Act 1990).", 2, ["verbatim"]),
        ("Sections 2 to 4 of the Hoists Act 1990: “The fee for an inspection is $200”.", 2, ["verbatim"]),
        ("“A person who is refused a certificate may appeal” (ss. 2–4 of the Hoists Act 1990).", 2, ["verbatim"]),
        (
            "“A person who is refused a certificate may appeal” (ss. 1–3 of the Hoists Act 1990).",
            2,
            ["other_provision"],
        ),
        ("See section 2 of the Hoists Act 1990. Sections 2 to 4 are new. So are ss. 1 through 3.", 5, []),
    ],
)
def test_words_of_any_section_of_a_range_are_right(text: str, cited: int, quoted: list[str]) -> None:
    assert verdicts(text) == (["exists"] * cited, quoted)


@pytest.mark.parametrize(
    ("cited", "verdict"),
    [
        ("section 1(1) to (3)", "verbatim"),
        ("subsections (1) to (3) of section 1", "verbatim"),
        ("section 1(1) and (3)", "other_provision"),
    ],
)
def test_words_of_any_clause_of_a_range_are_right(cited: str, verdict: str) -> None:
    text = "1. Winches\n(1) A winch has a brake.\n(2) The rope of a winch is renewed each year.\n(3) Lamps."
    add_document(text, kind="law", title="Winches Act 1992")
    said = f"“The rope of a winch is renewed each year” ({cited} of the Winches Act 1992)."
    assert verdicts(said) == (["exists"] * 2, [verdict])


@pytest.mark.parametrize(
    "said",
    [
        "clauses 2 to 4 of the lease",
        "sections 2 to 4 of the Cranes Act 1991",
        "sections 2, 3 and 4 of the Cranes Act 1991",
    ],
)
def test_a_range_of_what_is_not_here_is_not_judged(said: str) -> None:
    assert set(verdicts(f"A fee is due under section 3 of the Hoists Act 1990. So say {said}.")[0][1:]) <= {
        "unreadable",
        "no_such_document_here",
    }


LAMPS = """1. Lamps
A lamp of a pier must be lit before the sun has set by the keeper of the pier.
2. Oil
The oil of a lamp is bought by the harbour master from the dealers of the district.
3. Keepers
A keeper of a pier may be dismissed after three nights on which no lamp was lit."""


@pytest.mark.parametrize(
    ("text", "cited", "quoted"),
    [
        pytest.param(
            "“A rope that carries a person as section 1 has it must be strong” (Pier lamps act, 1863, sec. 3).",
            ["exists"],
            ["not_found"],
            id="the quotation before a name names nothing",
        ),
        pytest.param(
            "The Pier lamps act, 1861 is old. Under section 9 of the Hoists Act 1991 a fee is due.\n\n"
            "By section 2 of the Pier lamps act, 1863, “The oil of a lamp is bought by the harbour master”.",
            ["another_year", "exists"],
            ["verbatim"],
            id="an act beside the citation has its own year",
        ),
        pytest.param(
            "See the Ropes Act 2001, s 1. “The fee for an inspection is $200” (section 3 of the Hoists Act 1990). "
            "“A person who is refused a certificate may appeal”: ibid, s 4.",
            ["exists", "exists", "exists", "exists"],
            ["verbatim", "verbatim"],
            id="ibid is what was cited last",
        ),
        pytest.param(
            "The court is referred to section 3 of the Hoists Act 1990, which reads:\n\n“The fee for an inspection is"
            " $200” Section 1 of the Ropes Act 2001 says more.",
            ["exists", "exists"],
            ["verbatim"],
            id="a capital behind a block begins a sentence",
        ),
        pytest.param(
            "The court is referred to section 3 of the Hoists Act 1990, which reads:\n\n“The fee for an inspection is"
            " $200” Ibid, section 4 says more.",
            ["exists", "exists"],
            ["verbatim"],
            id="so does ibid",
        ),
        pytest.param(
            "Section 14 of the Hoists Act 1990 says that “A person who is refused a certificate may appeal”.",
            ["no_such_provision"],
            ["other_provision"],
            id="words of a section that is not there stand in another",
        ),
    ],
)
def test_kinds_that_were_missed(text: str, cited: list[str], quoted: list[str]) -> None:
    add_document(LAMPS, kind="law", title="Pier lamps act, 1863")
    assert verdicts(text) == (cited, quoted)


REGULATION = """Article 4
Oil
1. The oil is bought by the master.
2. The master is paid by the district.
Article 5
Lamps
1. A lamp must be lit before the sun has set:
(a) by hand;
2. The oil of a lamp is bought.
Article 6
Keepers
1. A keeper is named.
2. A keeper is paid."""


def test_the_clauses_of_numbered_paragraphs() -> None:
    add_document(REGULATION, kind="regulation", title="Regulation (EU) 2020/852")
    said = ["Article 5(1) of Regulation (EU) 2020/852.", "Article 5(1)(a) of Regulation (EU) 2020/852."]
    assert verdicts(" ".join(said))[0] == ["exists", "exists"]
    assert verdicts("See Article 6(9) of Regulation (EU) 2020/852.")[0] == ["no_such_provision"]


def test_the_first_clause_behind_a_heading() -> None:
    add_document(
        "3.—(1) A lamp must be lit.\n(2) The oil is bought.\n4. Fees.—(1) A fee is due.\n(2) It is paid at once.",
        kind="law",
        title="Lamp Oil Act 1950",
    )
    assert verdicts("See the Lamp Oil Act 1950, s 3(1). See s 4(2) of that Act.")[0] == ["exists", "exists", "exists"]


def test_another_year_of_an_act_that_was_named() -> None:
    add_document(LAMPS, kind="law", title="Pier lamps act, 1863")
    text = "Section 2 of the Pier lamps act, 1863 is old. So is section 3 of the Pier lamps act, 1871."
    assert verdicts(text)[0] == ["exists", "another_year"]


def test_a_name_that_was_read_short_is_known_again() -> None:
    title = "Piers, lamps at night and Oil Casks Act, 1938"
    add_document(LAMPS, kind="law", title=title)
    text = (
        f"By the {title}, s. 1, a lamp is lit. “The oil of a lamp is bought by the harbour master” (s. 2 of that Act)."
    )
    assert verdicts(text) == (["exists", "exists", "exists"], ["verbatim"])


def test_a_part_of_a_collection_may_follow_the_section() -> None:
    text = "§ 1010.1 Lamps\nA lamp must be lit before the sun has set by the keeper.\n§ 1010.2 Oil\nThe oil is bought."
    add_document(text, kind="regulation", title="12 CFR Part 1010—LAMPS")
    said = "By section 1010.1 of 12 CFR Part 1010, “A lamp must be lit before the sun has set”."
    assert verdicts(said) == (["exists"], ["verbatim"])
    assert verdicts(said.replace("1010.1 ", "1010.41 ")) == (["no_such_provision"], ["other_provision"])


def test_a_citation_ends_with_the_name_of_its_act() -> None:
    add_document("7. השבה\nהמשכיר ישיב את הפיקדון.", kind="law", title="חוק הגנה על פיקדונות שכירות, התשפ״ד–2024")
    text = "לפי סעיף 7 לחוק הגנה על פיקדונות שכירות הכסף יושב."
    [found] = check(text, scope=Scope(topic_id=first_topic().pk, as_of=DAY)).citations
    assert text[found.start : found.end] == found.text == "סעיף 7 לחוק הגנה על פיקדונות שכירות"


def test_an_act_that_is_too_long_to_compare_is_not_said_to_lack_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("answers.checking.verdicts.texts.MAX_WHOLE_LENGTH", 10)
    text = "The Hoists Act 1990 says “an owner may let the hoist be used before the engineer has signed”."
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=DAY))
    assert [(one.verdict, one.why) for one in report.quotations] == [("not_checked", "bound_reached")]


def test_what_is_repealed_does_not_exist() -> None:
    text = "1. Cranes\nA crane is a machine.\n2. (Repealed)\n3. Fees\nThe fee is $10.\n4. [Repealed, 2001, c. 4]"
    text += "\n5. Keepers\nA keeper is named. [9/2003] 6. [ Repealed by Act 5 of 2018 ]"
    add_document(text, kind="law", title="Cranes Act 1991")
    told = "; ".join(f"section {number} of the Cranes Act 1991" for number in (2, 4, 6, 3))
    found = check(told, scope=Scope(topic_id=first_topic().pk, as_of=DAY)).citations
    assert [one.verdict for one in found] == ["not_in_force", "not_in_force", "not_in_force", "exists"]
    said = ("Repealed", "Repealed, 2001", "6. [ Repealed by Act 5 of 2018 ]")
    assert all(words in one.law for words, one in zip(said, found, strict=False))
