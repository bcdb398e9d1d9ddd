"""Which provisions of the topic references point to."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date

import pytest

from law.citations.titles import parse_title
from law.references.mentions import Citation, read_references
from law.words.abbreviations import SIGN
from sources import provisions
from sources.citations.acts_meant import act_key
from sources.citations.source_keys import identifier_keys
from sources.citations.titles import title_starts
from sources.models import Source
from sources.references.status import ResolutionStatus
from sources.references.targets import ReferenceTarget, resolve_mentions
from tests.factories import first_topic, make_topic
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
YEAR = "התשמ״ג–1983"
ENGLISH = "Part 1: General\n1. Scope\n(1) All piers.\n(a) Old ones.\nSchedule 1\n1. Fees\nA fee."


def targets(text: str) -> list[ReferenceTarget]:
    mentions = read_references(text, (), title="", kind="")
    return resolve_mentions(mentions, topics=[first_topic().pk], source_id=None, provisions=())


def own_targets(source: Source, text: str) -> list[ReferenceTarget]:
    placed = list(provisions.in_order(source.pk))
    mentions = read_references(text, placed, title=source.title, kind=source.kind)
    return resolve_mentions(mentions, topics=[source.topic_id], source_id=source.pk, provisions=placed)


@pytest.mark.parametrize(
    ("text", "eid", "found"),
    [
        (f"סעיף 3(ב)(2) לחוק הספריות, {YEAR}", "sec_3__subsec_b__para_2", True),
        ("לפי סעיף 3א לחוק הספריות,", "sec_3a", True),
        ("פרק ב׳ לחוק הספריות,", "chp_2", True),
        (f"לפי חוק הספריות, {YEAR},", "", True),
        (f"סעיף 99 לחוק הספריות, {YEAR},", "", False),
    ],
)
def test_a_reference_leads_to_the_provision_of_its_act(text: str, eid: str, found: bool) -> None:
    law = add_document(LAW, kind="law", title=f"חוק הספריות, {YEAR}")
    add_document(LAW, kind="law", title=f"חוק הספרים, {YEAR}")
    assert targets(text) == [ReferenceTarget(status=ResolutionStatus.RESOLVED, source_id=law.pk, eid=eid, found=found)]


@pytest.mark.parametrize(
    ("text", "eid"),
    [
        ("section 1(1)(a) of the Pier Act 1998", "sec_1__subsec_1__para_a"),
        ("Part 1 of the Pier Act 1998", "part_1"),
        ("paragraph 1 of Schedule 1 to the Pier Act 1998", "sched_1__item_1"),
    ],
)
def test_parts_and_schedules_have_addresses(text: str, eid: str) -> None:
    act = add_document(ENGLISH, kind="law", title="Pier Act 1998")
    (target,) = targets(text)
    assert (target.source_id, target.eid) == (act.pk, eid)
    assert provisions.find(act.pk, target.eid)


def test_a_recital_is_no_part_of_an_act() -> None:
    add_document(ENGLISH, kind="law", title="Pier Act 1998")
    (target,) = targets("recital 1 of the Pier Act 1998")
    assert (target.eid, target.found) == ("", False)


def test_a_document_leads_to_its_own_provisions() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    found = own_targets(law, "לפי סעיף 3(א) או סעיף 70, ולפי פרק א׳ וחוק הגנים, התש״ן–1990")
    assert [(one.source_id, one.eid, one.found) for one in found] == [
        (law.pk, "sec_3__subsec_a", True),
        (None, "", False),  # where it says so, and not at the document's beginning
        (law.pk, "chp_1", True),
        (None, "", False),
    ]
    assert targets("לפי סעיף 3") == [ReferenceTarget(status=ResolutionStatus.UNREAD, found=False)]


@pytest.mark.parametrize(
    ("cited", "title", "same"),
    [
        ("חוק הביטחון, התש״ן–1990", "חוק הבטחון, תש״ן–1990", True),
        ("חוק הגנים, התש״ן–1990", "חוק הגנים (אגרות), התש״ן–1990", True),
        ("חוק הגנים (אגרות), התש״ן–1990", "חוק הגנים (רישוי), התש״ן–1990", False),
        ("חוק הגנים (אגרות), התש״ן–1990", "חוק הגנים, התש״ם–1980", False),
        ("חוק הגנים, התש״ן–1990", "חוק הגנים הלאומיים, התש״ן–1990", False),
        ("חוק הגנים, התש״ן–1990", "חוק הגנים, התש״ם–1980", False),
        ("חוק הגנים, התש״ן–1990", "חוק הגנים, התש״ן–1989", True),
        ("חוק הגנים, התש״ן–1990", "חוק הגנים", True),
        ("חוק הגנים, 1995", "חוק הגנים, התש״ף", False),
        ("חוק הגנים, 2020", "חוק הגנים, התש״ף", True),
        ("Regulation (EU) No 575/2031", "Regulation (EU) No 575/2031 of the Council on gardens", True),
        ("Regulation (EC) No 1/2031", "Regulation (EC) No 1/2031 of the Council on gardens", True),
        ("Kilns Act 61 of 1973", "Kilns Act 71 of 2008", False),
        ("Kilns Act No. 61 of 1973", "Kilns Act 61 of 1973", True),
    ],
)
def test_an_act_is_told_by_its_words_and_then_by_its_year(cited: str, title: str, same: bool) -> None:
    act = add_document("1. כללי\nהוראה.", kind="law", title=title)
    assert [one.source_id for one in targets(f"לפי {cited}.")] == [act.pk if same else None]


def test_a_year_decides_between_acts_of_one_name() -> None:
    older, newer = (add_document("1. כללי\nהוראה.", kind="law", title=f"חוק הגנים, {year}") for year in (1980, 1990))
    assert [one.source_id for one in targets("לפי חוק הגנים, 1980; וחוק הגנים, 1990;")] == [older.pk, newer.pk]
    add_document("1. כללי\nהוראה אחרת.", kind="law", title="חוק הגנים, 1990")
    assert [one.status for one in targets("לפי חוק הגנים, 1990;")] == [ResolutionStatus.AMBIGUOUS]


@pytest.mark.parametrize("text", ["paragraph 1 of Schedule 2", "section 1 of Part 7"])
def test_a_number_of_a_division_that_is_not_there_is_no_section_of_the_act(text: str) -> None:
    act = add_document(ENGLISH, kind="law", title="Pier Act 1998")
    assert own_targets(act, f"As {text} says.") == [ReferenceTarget(status=ResolutionStatus.NOT_HERE, found=False)]
    (target,) = targets(f"As {text} of the Pier Act 1998 says.")
    assert (target.source_id, target.eid, target.found) == (act.pk, "", False)


def test_a_part_of_a_collection_is_found_by_its_numbers() -> None:
    title = add_document("§ 552. Records.\nAll.", kind="law", title="United States Code, Title 5—Kennels")
    found = targets("as 5 U.S.C. 552 and 6 U.S.C. 552 say")
    assert [(one.source_id, one.eid) for one in found] == [(title.pk, "sec_552"), (None, "")]
    mentions = read_references("as 6 U.S.C. 552 says", (), title="", kind="")
    assert [act_key(one) for one in mentions] == ["usc:6"]


@pytest.mark.parametrize(
    ("title", "text", "found"),
    [
        ("Regulation (EU) 2016/679", "Article 5 of 32016R0679", True),
        ("Regulation (EU) 2016/679", "32016R0679 and OJ C 12/3", True),
        ("Regulation (EU) 2024/1689", "OJ L, 2024/1689, 12.7.2024", True),
        ("Regulation (EC) No 1049/2001", "32001R1049", True),
        ("Regulation (EEC) No 1408/71", "31971R1408", True),
        ("Directive 95/46/EC", "31995L0046", True),
        ("Directive 2016/679/EU", "32016R0679", False),
        ("Regulation (EU) 2016/680", "32016R0679", False),
        ("Regulation (EU) 2016/679", "OJ L 119, 4.5.2016, p. 1", False),
    ],
)
def test_an_act_of_the_union_is_found_by_its_other_numbers(title: str, text: str, found: bool) -> None:
    act = add_document("Article 5\nRecords\nAll.", kind="regulation", title=title)
    assert targets(f"It amends {text}.")[0].source_id == (act.pk if found else None)


def test_cases_and_short_names_are_found_by_their_keys() -> None:
    judgment = add_document("1. נפסק.", kind="caselaw", title="פלוני נ׳ אלמוני", identifier='ע"א 1234/05')
    book = add_document("3.4.1\nA rule.", kind="regulation", title="Conduct of Business", identifier="COBS")
    found = targets('נפסק בע"א 1234/05; COBS 3.4.1 applies')
    assert [one.source_id for one in found] == [judgment.pk, book.pk]


def test_another_topic_is_never_seen() -> None:
    add_document(LAW, kind="law", title="חוק הספריות", topic=make_topic(slug="other"))
    text = f"סעיף 3 לחוק הספריות, {YEAR}"
    assert targets(text) == [ReferenceTarget(status=ResolutionStatus.NOT_HERE, found=False)]


def test_a_whole_document_is_resolved_in_three_queries(
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    for number in range(5):
        add_document(LAW, kind="law", title=f"חוק הספריות {'אבגדה'[number]}, {YEAR}")
    text = " ".join(f"סעיף 3(א) לחוק הספריות {letter}, {YEAR};" for letter in "אבגדה" * 20)
    mentions = read_references(text, (), title="", kind="")
    topics = [first_topic().pk]
    with django_assert_num_queries(3):
        found = resolve_mentions(mentions, topics=topics, source_id=None, provisions=())
    assert all(one.found for one in found)


@pytest.mark.parametrize(
    ("mention", "title", "identifier"),
    [
        (Citation(start=0, end=1, title="חוק הביטחון, התש״ן–1990"), "חוק הבטחון, תש״ן–1990", ""),
        (Citation(start=0, end=1, title="חוק הגנים (אגרות)"), "חוק הגנים (אגרות), התש״ן–1990", ""),
        (Citation(start=0, end=1, title="COBS"), "Conduct of Business", "COBS"),
        (Citation(start=0, end=1, identifier='בע"א 1234/05'), "", 'ע"א 1234/05'),
    ],
)
def test_waiting_reference_is_found_by_keys_of_act_that_arrives(mention: Citation, title: str, identifier: str) -> None:
    keys = [*identifier_keys(identifier), *([SIGN + identifier.casefold()] if identifier.isalpha() else [])]
    assert act_key(mention) in [*title_starts(title), *keys]


def test_an_act_that_is_spelled_as_its_title_waits_under_the_stored_key() -> None:
    title = f"חוק הספריות (אגרות), {YEAR}"
    assert act_key(Citation(start=0, end=1, title=title)) == parse_title(title).start
    title = "Hoists (No. 2) Act 1990"
    assert act_key(Citation(start=0, end=1, title=title)) == parse_title(title).start
    assert act_key(Citation(start=0, end=1, internal=True, number="5")) == ""


def test_a_section_that_is_printed_twice_is_cited_as_it_read_on_the_day() -> None:
    title = f"חוק המזחים, {YEAR}"
    text = f"{title}\n1. אגרה\nאגרה תשולם בדואר.\n1. אגרה\n(החל מיום 1.7.2021): אגרה תשולם ברשת.\n2. שם\nשמו כך."
    source = add_document(text, kind="law", title=title)
    mentions = read_references(f"לפי סעיף 1 ל{title}, וסעיף 2 לחוק האמור", (), title="", kind="")
    for day, eid in ((date(2021, 6, 30), "sec_1"), (date(2021, 7, 1), "sec_1_2"), (None, "sec_1")):
        days = [day] * len(mentions)
        found = resolve_mentions(mentions, topics=[first_topic().pk], source_id=None, provisions=(), days=days)
        assert [(one.source_id, one.eid) for one in found] == [(source.pk, eid), (source.pk, "sec_2")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("under section 3 of the Kites Act 2031 it", True),
        ("under section 3 of the Kites Act 2030 it", False),
        ("under section 3 of the Kites Act it", True),
        ("see 2031, c. 26, s. 3", True),
        ("see 2031, c. 27, s. 3", False),
    ],
)
def test_a_reference_finds_an_act_by_its_aliases(text: str, found: bool) -> None:
    title = "An Act to make provision about strings"
    numbered = "\n".join(f"{number}. Heading.\nThe keeper shall wind." for number in range(1, 5))
    act = add_document(f"{title}\n{numbered}", kind="law", title=title, aliases=["Kites Act 2031", "2031 c. 26"])
    [*_, target] = targets(text)
    assert (target.source_id, target.eid) == ((act.pk, "sec_3") if found else (None, ""))


def test_of_two_parts_of_a_collection_that_one_is_meant_that_has_the_section() -> None:
    fees, lamps = (
        add_document("\n".join(f"§ {one}. Fees\nA fee is paid." for one in numbers), kind="law", title=title)
        for numbers, title in (
            (("28-3901", "28-3902"), "D.C. Official Code, Title 28, Chapter 39. Fees of Piers."),
            (("28-3301", "28-3302"), "D.C. Official Code, Title 28, Chapter 33. Lamps of Piers."),
        )
    )
    [first], [second], [third] = (targets(f"D.C. Code § 28-{one}") for one in ("3902", "3301", "4001"))
    assert (first.source_id, second.source_id) == (fees.pk, lamps.pk)
    assert (third.status, set(third.candidates)) == (ResolutionStatus.AMBIGUOUS, {fees.pk, lamps.pk})
