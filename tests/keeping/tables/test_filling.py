"""Filling cells: by words, by a model, and what is never said."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.db.models import F, Q
from django.utils import timezone

from kb_project.llm import chain, spending
from kb_project.llm.protocol import Usage
from kb_project.llm.roles import ANSWERS
from keeping.models import CellStatus, Table, TableCell, TableRow
from keeping.tables import making, rows
from keeping.tables.reading import by_model, claims, filling
from keeping.tables.reading.document import CellReason, Reading
from sources.models import Source
from tests.factories import make_topic
from tests.keeping.tables.made import ARBITRATION, BEGINS, LEASE, RENT, cells, fill, lease, table
from tests.openai_server import OpenAIServer, in_settings, parts_of
from tests.search.corpus import add_document, replace_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def chat(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    with in_settings(settings, monkeypatch, KB_ANSWERER="openai") as server:
        yield server


def stated(value: str, quote: str, passage: int = 1) -> dict[str, Any]:
    return {"outcome": "stated", "value": value, "passage": passage, "quote": quote}


NOT_STATED = {"outcome": "not_stated", "value": "", "passage": 0, "quote": ""}


def test_words_fill_cells_with_quotes() -> None:
    for number in (1, 2):
        lease(number)
    made = table(BEGINS, RENT)
    assert fill() == 4
    found = cells(made)
    begins, rent = found["Lease 2", "Begins"], found["Lease 2", "Rent"]
    assert (begins.status, begins.value) == ("answered", "2021-05-02")
    assert begins.quote == "The lease begins on 2 May 2021."
    assert begins.eid == "para_2"
    assert (rent.status, rent.value) == ("answered", {"number": 2500, "unit": "shekels"})
    assert begins.searched["way"] == "words"
    assert begins.searched["read"] == begins.searched["passages"] > 0
    assert Table.objects.get(pk=made.pk).filled_at


def test_not_stated_is_said_of_what_was_read_in_full_alone() -> None:
    lease(1)
    lease(2, unread_pages=[3])
    lease(3, unread_pages=None)
    lease(4, lost=[{"page": 1, "what": "picture", "characters": None}])
    made = table(ARBITRATION)
    fill()
    found = {title: (cell.status, cell.why) for (title, _), cell in cells(made).items()}
    unread = ("undecided", CellReason.PAGES_NOT_READ)
    assert found == {"Lease 1": ("not_stated", ""), "Lease 2": unread, "Lease 3": unread, "Lease 4": unread}


def test_what_words_cannot_tell_is_undecided_beside_its_quote() -> None:
    lease(1)
    question = {"title": "Subletting", "question": "Shall the tenant sublet the workshop?", "type": "yes_no"}
    made = table(question)
    fill()
    [cell] = cells(made).values()
    assert (cell.status, cell.value, cell.why) == ("undecided", None, CellReason.NO_VALUE)
    assert cell.quote == "The tenant shall not sublet the workshop."


def test_a_model_is_believed_where_its_quote_is_there(chat: OpenAIServer) -> None:
    lease(1)
    made = table(BEGINS)
    chat.will_say(stated("2021-05-01", "The lease begins  on 1 May 2021"))
    assert fill() == 1
    [cell] = cells(made).values()
    # The passage that it names is another one: the words stand in none that it was told of under that number.
    assert (cell.status, cell.why, cell.quote) == ("undecided", CellReason.NOT_THERE, "")
    passages, question = parts_of(chat.requests[0].body)
    number = next(one["passage"] for one in passages["passages"] if "1 May 2021" in one["text"])
    assert question == {"question": BEGINS["question"], "type": "date"}
    chat.forget_promises()
    chat.will_say(stated("2021-05-01", "The lease begins  on 1 May 2021", number))
    making.read_again(made, _all())
    fill()
    [cell] = cells(made).values()
    assert (cell.status, cell.value, cell.quote) == ("answered", "2021-05-01", "The lease begins on 1 May 2021")
    assert cell.searched["model"] == "openai a-model"
    assert cell.searched["calls"] == 1


def _all() -> Q:
    return Q()


@pytest.mark.parametrize(
    ("value", "status", "why"),
    [
        ("2021-05-09", "undecided", CellReason.NOT_IN_QUOTE),
        ("in spring", "undecided", CellReason.NO_VALUE),
        ("2021-05-01", "answered", ""),
    ],
)
def test_a_day_that_the_quote_does_not_hold_is_no_answer(chat: OpenAIServer, value: str, status: str, why: str) -> None:
    source = lease(1)
    made = table(BEGINS)
    number = next(
        at for at, text in enumerate(source.chunks.order_by("seq").values_list("text", flat=True), 1) if "May" in text
    )
    chat.will_say(stated(value, "begins on 1 May 2021", number))
    fill()
    [cell] = cells(made).values()
    assert (cell.status, cell.why) == (status, why)
    assert cell.quote == "begins on 1 May 2021"


def test_a_document_too_long_for_its_calls_is_not_read_in_full(
    chat: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_model, "MAX_READ_LENGTH", 60)
    monkeypatch.setattr(by_model, "MAX_CALLS", 2)
    lease(1)
    made = table(BEGINS)
    chat.will_say(NOT_STATED)
    fill()
    [cell] = cells(made).values()
    assert (cell.status, cell.why) == ("undecided", CellReason.NOT_ALL_READ)
    assert cell.searched["calls"] == len(chat.requests) == 2
    assert cell.searched["read"] < cell.searched["passages"]
    monkeypatch.setattr(by_model, "MAX_CALLS", 50)
    making.read_again(made, _all())
    fill()
    [cell] = cells(made).values()
    assert (cell.status, cell.searched["read"]) == ("not_stated", cell.searched["passages"])


def test_a_provider_that_errs_is_tried_again_and_then_has_failed(chat: OpenAIServer) -> None:
    lease(1)
    made = table(BEGINS)
    chat.will_say(status=500)
    for attempt in (1, 2, 3):
        _free()
        assert fill() == 1
        [cell] = cells(made).values()
        assert cell.why == CellReason.PROVIDER
        assert cell.status == ("waiting" if attempt < 3 else "failed")
        if attempt < 3:
            assert cell.next_at is not None
            assert cell.next_at > timezone.now()
            assert fill() == 0
            TableCell.objects.update(next_at=None)
    chat.forget_promises()
    chat.will_say(NOT_STATED)
    _free()
    assert making.read_again(made, _all()) == 1
    fill()
    assert cells(made)["Lease 1", "Begins"].status == "not_stated"


def _free() -> None:
    """As if no model had ever failed."""
    for model in ANSWERS.models():
        chain.note_answer(model.key, role=by_model.ROLE)


def test_a_budget_that_is_spent_puts_cells_off(chat: OpenAIServer, settings: Any) -> None:
    topic = make_topic(name="Frugal")
    lease(1, topic=topic)
    settings.KB_LLM_DAILY_TOKENS = 10
    spending.count(Usage(input_tokens=10, calls=1), role="tables", provider="openai", topic="Frugal")
    made = table(BEGINS, topic=topic)
    assert fill() == 1
    [cell] = cells(made).values()
    assert (cell.status, cell.why, cell.attempts) == ("waiting", CellReason.BUDGET, 0)
    assert not chat.requests
    settings.KB_ANSWERER = "openai,extractive"
    TableCell.objects.update(next_at=None)
    fill()
    assert cells(made)["Lease 1", "Begins"].value == "2021-05-01"


def test_no_more_are_read_at_a_time_than_may_be(settings: Any) -> None:
    settings.KB_TABLE_CONCURRENCY = 2
    lease(1)
    table(BEGINS, RENT, ARBITRATION)
    held = [claims.take() for _ in range(3)]
    assert held[0] is not None
    assert held[1] is not None
    assert held[2] is None
    assert claims.record(held[0], Reading(status=CellStatus.NOT_STATED))
    assert claims.take() is not None


def test_tables_take_turns() -> None:
    lease(1)
    first, second = table(BEGINS, RENT), table(BEGINS, RENT)
    order = []
    for _ in range(4):
        held = claims.take()
        assert held is not None
        order.append(held.cell.table_id)
    assert order == [first.pk, second.pk] * 2


def test_a_cell_of_a_lost_worker_is_read_by_another_and_recorded_once() -> None:
    lease(1)
    made = table(BEGINS)
    lost = claims.take()
    assert lost is not None
    assert claims.take() is None
    TableCell.objects.update(held_until=F("held_until") - timedelta(hours=1))
    assert claims.is_due()
    assert fill() == 1
    assert not claims.record(lost, Reading(status=CellStatus.NOT_STATED))
    assert cells(made)["Lease 1", "Begins"].value == "2021-05-01"


def test_a_cell_that_ends_its_worker_each_time_has_failed() -> None:
    lease(1)
    made = table(BEGINS)
    for _ in range(claims.MAX_ATTEMPTS):
        assert claims.take() is not None
        TableCell.objects.update(held_until=F("held_until") - timedelta(hours=1))
    assert claims.take() is None
    [cell] = cells(made).values()
    assert (cell.status, cell.why) == ("failed", CellReason.LOST)


def test_what_cannot_be_read_fails_alone(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    lease(1)
    made = table(BEGINS, RENT)
    TableCell.objects.filter(column__title="Rent").update(attempts=1)
    made.columns.filter(title="Begins").update(question=" ")  # which no search takes
    fill()
    found = cells(made)
    assert (found["Lease 1", "Begins"].status, found["Lease 1", "Begins"].why) == ("failed", CellReason.ERROR)
    assert found["Lease 1", "Rent"].status == "answered"


def test_a_paused_table_is_left_alone() -> None:
    lease(1)
    made = table(BEGINS)
    making.pause(made, paused=True)
    assert not claims.is_due()
    assert fill() == 0
    making.pause(made, paused=False)
    assert fill() == 1


def test_a_column_that_changes_is_read_again_alone() -> None:
    lease(1)
    made = table(BEGINS, RENT)
    fill()
    column = made.columns.get(title="Rent")
    making.change_column(column, {"title": "Monthly rent"})
    assert not claims.is_due()
    making.change_column(column, {"unit": "ILS"})
    assert fill() == 1
    assert cells(made)["Lease 1", "Monthly rent"].value == {"number": 1500, "unit": "ILS"}


def test_new_documents_get_rows_and_changed_ones_are_marked() -> None:
    first = lease(1, content_sha256="a" * 64)
    made = table(BEGINS)
    fill()
    lease(2)
    Table.objects.update(looked_at=None)
    assert rows.look_for_all() == 1
    assert Table.objects.get(pk=made.pk).filled_at is None
    assert fill() == 1
    assert len(cells(made)) == 2
    replace_text(first, LEASE.format(landlord="Quarry Ltd", begins="7 June 2022", rent="1"))
    Source.objects.filter(pk=first.pk).update(content_sha256="b" * 64)
    rows.look(made.pk)
    row = TableRow.objects.select_related("source", "table").get(source=first)
    assert row.changed_at
    assert row.now_id == first.pk
    assert cells(made)["Lease 1", "Begins"].value == "2021-05-01"
    making.read_row_again(row)
    assert fill() == 1
    assert cells(made)["Lease 1", "Begins"].value == "2022-06-07"
    rows.look(made.pk)
    assert TableRow.objects.get(pk=row.pk).changed_at is None


def test_a_version_that_came_into_force_marks_the_row_of_the_one_before() -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    old = lease(1, valid_from=date(2020, 1, 1))
    made = table(BEGINS)
    Source.objects.filter(pk=old.pk).update(valid_to=yesterday)
    new = lease(2, valid_from=yesterday, work_id=old.work_id)
    rows.look(made.pk)
    marked = TableRow.objects.get(table=made, source=old)
    assert (marked.changed_at is not None, marked.now_id) == (True, new.pk)
    assert TableRow.objects.get(table=made, source=new).changed_at is None


def test_a_document_that_moves_away_leaves_the_table() -> None:
    source = lease(1)
    made = table(BEGINS)
    Source.objects.filter(pk=source.pk).update(topic=make_topic())
    rows.look(made.pk)
    assert cells(made) == {}


def test_rows_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MAX_ROWS", 2)
    for number in (1, 2, 3):
        lease(number)
    made = table(BEGINS)
    assert (len(cells(made)), made.left_out) == (2, 1)


def test_a_citation_leads_to_what_it_cites() -> None:
    act = add_document("1. Tools\nA tool is kept dry.", kind="law", title="Workshop Tools Act 1990")
    add_document(
        "1. Basis\nThis notice is issued under section 1 of the Workshop Tools Act 1990.",
        kind="circular",
        title="Notice",
        unread_pages=[],
    )
    question = {"title": "Basis", "question": "Under what is this notice issued?", "type": "citation"}
    made = table(question, kind=["circular"])
    fill()
    [cell] = cells(made).values()
    assert cell.status == "answered"
    assert cell.value == {
        "text": "section 1 of the Workshop Tools Act 1990",
        "source_id": act.pk,
        "eid": "sec_1",
        "title": "Workshop Tools Act 1990",
        "number": "1",
    }


def test_nothing_is_filled_where_nothing_waits() -> None:
    assert not filling.fill_next()
