"""A range that a document cites is of its ends and of all that stands between them."""

from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ingest.documents import edit
from sources import references
from sources.models import Reference, ReferenceWork, Source
from sources.references.existing import MAX_BETWEEN, CitedRange, between
from sources.references.listing import WorkProvision, cited_counts, citing, documents_of, references_of
from tests.search.corpus import add_document, replace_text

pytestmark = pytest.mark.django_db
TITLE, HEBREW = "Deposits Act 2020", "חוק הפיקדונות, התשע״ט–2019"
NUMBERS = ["1", "2", "3", "4", "4A", "5", "5B", "6", "7"]


def work() -> None:
    while references.run_pending():
        pass
    assert not ReferenceWork.objects.exists()


def act(numbers: list[str], **fields: Any) -> Source:
    text = "\n".join(f"{number}. Deposits {number}\nA deposit of class {number} is returned." for number in numbers)
    return add_document(text, kind="law", **{"title": TITLE, **fields})


def hebrew_act(numbers: list[str]) -> Source:
    text = "\n".join(f"{number}. פיקדון {number}\nפיקדון מסוג {number} יוחזר לשוכר." for number in numbers)
    return add_document(text, kind="law", title=HEBREW)


def circular(cited: str, **fields: Any) -> Source:
    return add_document(f"The board recalls that {cited} apply.", kind="circular", title="Circular", **fields)


def cited_in(target: Source) -> set[str]:
    """The provisions that are cited, by what *cited by* of each says, and by the counts beside them."""
    places = [WorkProvision(target.work_id, one.eid) for one in target.provisions.all()]
    for with_own in (False, True):
        listed = {one.eid: citing(target, one, with_own=with_own).count() for one in target.provisions.all()}
        counted = {place.eid: times for place, times in cited_counts(places, with_own=with_own).items()}
        assert counted == {eid: times for eid, times in listed.items() if times}
    return set(counted)


@pytest.mark.parametrize(
    ("cited", "found"),
    [
        (f"sections 4 to 6 of the {TITLE}", "4 4a 5 5b 6"),
        (f"ss. 4–6 of the {TITLE}", "4 4a 5 5b 6"),
        (f"§§ 3 through 5B of the {TITLE}", "3 4 4a 5 5b"),
        (f"sections 2 to 3 and 5 to 6 of the {TITLE}", "2 3 5 5b 6"),
        (f"sections 6 to 4 of the {TITLE}", "6 4"),  # backwards
        (f"sections 5 to 9 of the {TITLE}", "5 5b 6 7"),  # whose end is not there
        (f"sections 1 to 4000 of the {TITLE}", "1 2 3 4 4a 5 5b 6 7"),
        (f"sections 8 to 4000 of the {TITLE}", ""),
        (f"section 4(1) to (3) of the {TITLE}", "4"),
        (f"sections 4-100 of the {TITLE}", "4 4a 5 5b 6 7"),
        (f"sections 4 up to and including 6 of the {TITLE}", "4 4a 5 5b 6"),
        (f"sections 4 to 5B, both inclusive, of the {TITLE}", "4 4a 5 5b"),
        (f"sections 2 to 4 of Part 3 of Schedule 1 to the {TITLE}", ""),
    ],
)
def test_what_stands_between_the_ends_is_cited(cited: str, found: str) -> None:
    target, _ = act(NUMBERS), circular(cited)
    work()
    assert cited_in(target) == {f"sec_{number}" for number in found.split()}


@pytest.mark.parametrize(
    ("cited", "found"),
    [
        (f"section 1(1) to (4) of the {TITLE}", ["sec_1__subsec_2", "sec_1__subsec_3"]),
        (f"subsections (2) to (4) of section 1 of the {TITLE}", ["sec_1__subsec_3"]),
        (f"section 1(2)(a) to (c) of the {TITLE}", ["sec_1__subsec_2__para_b"]),
        (f"section 1(1) and (4) of the {TITLE}", None),
        (f"section 1(4) to (1) of the {TITLE}", None),
        (f"section 1(1) to (9) of the {TITLE}", None),
        (f"section 1(1) to (2)(b) of the {TITLE}", None),
    ],
)
def test_a_range_of_clauses_holds_those_between(cited: str, found: list[str] | None) -> None:
    text = "1. Deposits\n(1) One.\n(2) Two of:\n(a) some;\n(b) others;\n(c) more.\n(3) Three.\n(4) Four."
    target, source = add_document(text, kind="law", title=TITLE), circular(cited)
    work()
    first = Reference.objects.filter(source=source).earliest("span_start")
    assert (first.target_id, first.target_between) == (target.pk, found)
    assert "sec_1" in cited_in(target)


def test_a_hebrew_range_has_its_lettered_sections() -> None:
    target = hebrew_act(["1", "2", "3", "4", "4א", "5", "5ב", "6"])
    add_document(f"הוראות סעיפים 4 עד 6 ל{HEBREW} יחולו.", kind="circular", title="חוזר")
    work()
    assert cited_in(target) == {"sec_4", "sec_4a", "sec_5", "sec_5b", "sec_6"}


def test_a_range_inside_of_the_document_counts() -> None:
    text = "\n".join(f"{number}. פיקדון {number}\nפיקדון יוחזר." for number in range(1, 6))
    source = add_document(f"{text}\n6. סייג\nסעיפים 2 עד 4 לא יחולו.", kind="law", title=HEBREW)
    work()
    assert cited_in(source) == {"sec_2", "sec_3", "sec_4"}


def test_items_of_a_schedule_are_not_sections() -> None:
    schedule = "SCHEDULE 1\n" + "\n".join(f"{number}. Form {number}." for number in range(1, 7))
    text = "\n".join(f"{number}. Deposits {number}\nA deposit is returned." for number in range(1, 7))
    target = add_document(f"{text}\n{schedule}", kind="law", title=TITLE)
    circular(f"paragraphs 2 to 4 of Schedule 1 to the {TITLE}")
    work()
    assert cited_in(target) - {"sched_1"} == {"sched_1__item_2", "sched_1__item_3", "sched_1__item_4"}


def test_a_hyphen_inside_of_a_number_is_no_range() -> None:
    text = "\n".join(
        f"Section 5-{number}. Deposits\nA deposit of class {number} is returned." for number in range(1, 8)
    )
    target = add_document(text, kind="law", title=TITLE)
    circular(f"section 5-7 of the {TITLE}")
    work()
    assert cited_in(target) == {"sec_5-7"}


def test_a_range_is_right_while_its_act_comes_changes_and_goes() -> None:
    source = circular(f"sections 4 to 6 of the {TITLE}", published_at=date(2021, 5, 1))
    work()
    [first, last] = references_of(source)
    assert (first.target_id, first.target_between, last.target_id) == (None, None, None)
    target = act(NUMBERS, valid_from=date(2020, 1, 1), valid_to=date(2022, 1, 1))
    work()
    assert references_of(source)[0].target_between == ["sec_4a", "sec_5", "sec_5b"]
    assert [one.pk for one in documents_of(citing(target, target.provisions.get(eid="sec_5")), "source")] == [source.pk]
    newer = act(["4", "5", "6"], valid_from=date(2022, 1, 1), work_id=target.work_id)
    work()
    assert references_of(source)[0].target == target
    assert citing(newer, newer.provisions.get(eid="sec_5")).count() == 1
    replace_text(target, "4. One\nA deposit.\n5. Two\nA deposit.\n5C. Three\nA deposit.\n6. Four\nA deposit.")
    work()
    assert references_of(source)[0].target_between == ["sec_5", "sec_5c"]
    edit.edit(target.pk, {"title": "Hoists Act 1990"}, by="test")
    edit.edit(newer.pk, {"title": "Hoists Act 1990"}, by="test")
    work()
    assert references_of(source)[0].target_between is None
    edit.edit(newer.pk, {"title": TITLE}, by="test")
    work()
    assert references_of(source)[0].target_between == ["sec_5"]
    edit.delete(newer.pk, by="test")
    work()
    assert not Reference.objects.exclude(target_between=None).exists()


def test_of_a_section_that_is_printed_twice_one_is_meant() -> None:
    text = (
        "1. One\nA deposit is returned.\n2. Two\n[Effective until June 30, 2021]\nA deposit is kept for a year."
        "\n2. Two\n[Effective July 1, 2021]\nA deposit is kept for two years.\n3. Three\nA deposit is paid."
    )
    target = add_document(text, kind="law", title=TITLE)
    eids = [one.eid for one in target.provisions.order_by("position")]
    for day, number in ((date(2020, 1, 1), 1), (date(2022, 1, 1), 2)):
        source = circular(f"sections 1 to 3 of the {TITLE}", published_at=day)
        work()
        assert references_of(source)[0].target_between == [eids[number]]


def test_of_very_many_the_ends_alone_are_kept() -> None:
    target = act([str(number) for number in range(1, MAX_BETWEEN + 4)])
    work()
    last = f"sec_{MAX_BETWEEN + 2}"
    fits, more = (CitedRange(target.pk, (first,), (last,), None) for first in ("sec_1", "sec_0"))
    found = between([fits, more])
    assert (len(found[fits]), found[more]) == (MAX_BETWEEN, ())


def test_ranges_cost_one_query_more() -> None:
    act(NUMBERS)
    counts = []
    for cited in ("section 4 of", "sections 4 to 6 of", "sections 4 to 6, 1 to 3 and 2 to 7 of"):
        work()
        circular(f"{cited} the {TITLE}")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            work()
        counts.append(len(queries))
    assert counts[1:] == [counts[0] + 1] * 2
