"""Which sources a job's document says that it ends: those that are found, each alone."""

from collections.abc import Callable

import pytest

from ingest.models import Job
from ingest.similar.naming import documents_named, ended_by
from sources.models import Source
from tests.factories import make_job, make_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

MakeJob = Callable[..., Job]


def job_saying(*named: str, replaced: bool = True, kind: str = "circular", day: str | None = None) -> Job:
    clauses = [{"named": one, "replaced": replaced, "day": day, "page": 2, "quote": f"replaces {one}"} for one in named]
    return make_job(confirmed=None, ai_suggestions={"kind": kind, "valid_from": "2031-05-01", "ends": clauses})


@pytest.fixture
def circular() -> Source:
    return add_document("Fees.", title="Pier fees", kind="circular", identifier="Circular 5/2029")


def test_it_is_found_by_its_number_or_its_title(circular: Source) -> None:
    law = add_document("אגרות.", title='חוק המזחים, התש"ץ–2029', kind="law")
    assert [(one.source, one.is_replaced) for one in ended_by(job_saying("Circular No. 5/2029"))] == [(circular, True)]
    found = ended_by(job_saying('חוק המזחים, התש"ץ–2029', 'חוק המזחים, התש"ץ–2029', replaced=False))
    assert [(one.source, one.is_replaced, str(one.day)) for one in found] == [(law, False, "2031-05-01")]
    assert [str(one.day) for one in ended_by(job_saying("Circular 5/2029", day="2031-07-01"))] == ["2031-07-01"]


def test_what_is_of_another_kind_is_not_replaced(circular: Source) -> None:
    [found] = ended_by(job_saying("Circular 5/2029", kind="law"))
    assert not found.is_replaced


def test_of_two_that_may_be_meant_none_is_named(circular: Source) -> None:
    add_document("Other fees.", title="Ferry fees", kind="circular", identifier="Circular 5/2029")
    assert ended_by(job_saying("Circular 5/2029")) == []


def test_what_is_not_in_the_topic_is_not_named() -> None:
    add_document("Fees.", topic=make_topic(), title="Pier fees", identifier="Circular 5/2029")
    assert ended_by(job_saying("Circular 5/2029", "Pier fees")) == []
    assert ended_by(make_job(ai_suggestions={})) == []


def test_words_may_name_several_documents() -> None:
    words = 'תקנות המזחים, התש"ץ–2029, ותקנות הסירות, התש"ץ–2030'
    assert [one.title for one in documents_named(words)] == ['תקנות המזחים, התש"ץ–2029', 'תקנות הסירות, התש"ץ–2030']
    assert [one.title for one in documents_named("Pier fees")] == ["Pier fees"]
