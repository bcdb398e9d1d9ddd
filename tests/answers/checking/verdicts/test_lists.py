"""Each citation and quotation of a text stands in one list, with one outcome, and the counts add up."""

import datetime as dt
from itertools import accumulate

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from answers.checking.verdicts.check import check
from answers.checking.verdicts.findings import VERDICTS, Outcome
from sources.scope import Scope
from tests.answers.checking.verdicts.test_check import HOISTS, ROPES
from tests.factories import first_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

CITED = (
    "Section 2 of the Hoists Act 1990",
    "s. 2(7) of the Hoists Act 1990",
    "section 9 of the Ropes Act 2001",
    "section 4 of the Cranes Act 1991",
    "sections 1 to 3 of the Ropes Act 2001",
    "section 2 of the Hoists Act 1994",
    "Regulation (EU) 2020/852",
    "ibid, section 3",
    "סעיף 3 לחוק המנופים, התש״ן–1990",
)
QUOTED = (
    "The fee for an inspection is $200",
    "An owner shall let the hoist be used before the engineer",
    "nobody ever asked me for the keys of that old house",
    "the owner",
    "7",
    "הבעלים ישלם את האגרה לרשם המנופים בכל שנה",
)
MARKS = ("“”", "”“", "„”", "„“", '""', "«»", "‘’")
BETWEEN = (" says ", ". ", ": ", ", and ", ".\n\n", " (see) ", "; ", " in 14 days. ", " — ", ".¹ ", "\n\n1. ")
PIECES = st.lists(
    st.one_of(
        st.tuples(st.just("cited"), st.sampled_from(CITED)),
        st.tuples(
            st.just("quoted"),
            st.builds(lambda words, marks: marks[0] + words + marks[1], *map(st.sampled_from, (QUOTED, MARKS))),
        ),
        st.tuples(st.just("text"), st.text(alphabet="ab אב.,;:()[]0\n \t", max_size=30)),
    ),
    min_size=1,
    max_size=12,
)


@pytest.fixture(autouse=True)
def law(db: None) -> None:
    add_document(ROPES, kind="law", title="Ropes Act 2001")
    add_document(HOISTS, kind="law", title="Hoists Act 1990")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=PIECES, between=st.lists(st.sampled_from(BETWEEN), min_size=12, max_size=12))
def test_each_item_stands_in_one_list(pieces: list[tuple[str, str]], between: list[str]) -> None:
    parts = [part for (_, piece), joint in zip(pieces, between, strict=False) for part in (piece, joint)]
    starts = list(accumulate(map(len, parts), initial=0))[::2]
    text = "".join(parts)
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1))).as_json()

    items = [one for kind in VERDICTS for one in report[kind]]
    outcomes = report["counts"]["outcomes"]
    assert set(outcomes) == {outcome.value for outcome in Outcome}
    assert sum(outcomes.values()) == len(items) == sum(sum(report["counts"][kind].values()) for kind in VERDICTS)
    for kind in ("citations", "quotations"):
        places = [(one["start"], one["end"]) for one in report[kind]]
        assert len(places) == len(set(places)), text
        assert places == sorted(places), text
    assert all(one["why"] for one in items if one["verdict"] in ("not_checked", "unreadable", "no_such_document_here"))
    assert not report["not_checked"]  # all of it was read

    for (kind, piece), start in zip(pieces, starts, strict=False):
        end = start + len(piece)
        if kind == "text":
            continue
        quoted = [one for one in report["quotations"] if one["start"] < end and start < one["end"]]
        cited = [one for one in report["citations"] if one["start"] < end and start < one["end"]]
        assert quoted or (kind == "cited" and cited) or not any(map(str.isalpha, piece)), (text, piece)


def test_what_was_not_compared_is_not_right() -> None:
    text = (
        "Section 2(1) of the Hoists Act 1990 gives the owner fourteen days. “The fee for an inspection is $200” (s 3 of"
        " the Hoists Act 1990).\n\nElsewhere: “A rope that carries a person must be replaced every five years”."
    )
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1))).as_json()
    assert [one["outcome"] for one in report["citations"]] == ["exists", "exists"]
    assert [(one["verdict"], one["outcome"]) for one in report["quotations"]] == [
        ("verbatim", "right"),
        ("found_here", "exists"),
    ]
    assert {one["outcome"] for one in report["statements"]} == {"not_judged"}
