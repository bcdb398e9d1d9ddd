"""A classifier that is killed, or loses its database, while it fills a table. Its model hangs and invents quotes."""

import json
import re
import time
from collections.abc import Callable
from subprocess import Popen
from threading import Lock
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now

from keeping.models import UNFINISHED, Table, TableCell
from keeping.tables import making
from keeping.tables.reading.document import CellReason
from tests.cut_connections import cut_connections
from tests.keeping.tables.made import BEGINS, RENT, lease, table
from tests.openai_server import OpenAIServer, Reply, parts_of
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
KILLS, DOCUMENTS = 6, 12
TENANT = {"title": "Tenant", "question": "Who is the tenant?", "type": "party"}
PET = {"title": "Pet", "question": "Which pet may be kept?", "type": "text"}
SAID = {
    BEGINS["question"]: r"The lease begins on (\d+) May 2021",
    RENT["question"]: r"The monthly rent of the workshop is ([\d,]+) shekels",
    TENANT["question"]: r"and (Orchard Tools Ltd) as tenant",
}
# Every cell that is written with an outcome leaves a line.
LOG = """
CREATE TABLE kb_test_outcome (cell_id bigint);
CREATE FUNCTION kb_test_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO kb_test_outcome VALUES (NEW.id); RETURN NULL; END $$;
CREATE TRIGGER kb_test_outcome AFTER UPDATE OF filled_at ON kb_table_cell
    FOR EACH ROW WHEN (NEW.filled_at IS NOT NULL) EXECUTE FUNCTION kb_test_outcome();
"""
NO_LOG = """
DROP TRIGGER kb_test_outcome ON kb_table_cell;
DROP FUNCTION kb_test_outcome;
DROP TABLE kb_test_outcome;
"""


class Reader(OpenAIServer):
    """Reads the passages that it is sent. What it does badly depends on the number of the request."""

    def __init__(self) -> None:
        self.count, self.invented = 0, 0
        self._counting = Lock()
        super().__init__()

    def next_reply(self, body: dict[str, Any]) -> Reply:
        with self._counting:
            self.count += 1
            number = self.count
        passages, asked = parts_of(body)
        if number % 17 == 0:
            return Reply(text="Let me think about that.")
        output = {"outcome": "not_stated", "value": "", "passage": 0, "quote": ""}
        for one in passages["passages"]:
            found = re.search(SAID.get(asked["question"], "(?!)"), one["text"])
            if found:
                value = f"2021-05-{int(found[1]):02}" if "May" in found[0] else found[1]
                output = {"outcome": "stated", "value": value, "passage": one["passage"], "quote": found[0]}
        if number % 11 == 0 and output["quote"]:
            output["quote"] = "The tenant owes the landlord a song"
            with self._counting:
                self.invented += 1
        return Reply(text=json.dumps(output), delay_s=8.0 if number % 13 == 0 else 0.2)


def look_again() -> bool:
    """Have what was put off read at once, as beat has it in time. Never an end by itself."""
    TableCell.objects.filter(status="waiting").update(next_at=None)
    making.hint_now()
    return False


def end_leases() -> None:
    TableCell.objects.filter(status="running").update(held_until="2020-01-01T00:00Z")


def read() -> int:
    return TableCell.objects.exclude(status__in=UNFINISHED).count()


def test_a_table_is_filled_once_whatever_happens_to_who_fills_it(
    start_classifier: Callable[..., Popen[bytes]],
) -> None:
    for number in range(1, DOCUMENTS + 1):
        lease(number)
    with connection.cursor() as cursor:
        cursor.execute(LOG)
    try:
        with Reader() as server:
            settings = {
                "KB_ANSWERER": "openai",
                "KB_LLM_BASE_URL": server.url,
                "KB_LLM_MODEL": "a-model",
                "KB_LLM_API_KEY": "test-key",
                "KB_TABLE_CONCURRENCY": "5",
            }
            made = table(BEGINS, RENT, TENANT, PET)
            for kill in range(1, KILLS + 1):
                classifier = start_classifier(**settings)
                making.hint_now()
                wait_until(lambda least=kill * 4: read() >= least or look_again())  # type: ignore[misc]
                assert TableCell.objects.filter(status="running", held_until__gt=Now()).count() <= 5
                if kill % 2 == 0:
                    wait_until(cut_connections, passing=True)
                    end_leases()
                    wait_until(lambda least=kill * 4 + 2: read() >= least or look_again())  # type: ignore[misc]
                classifier.kill()
                classifier.wait()
                end_leases()
            start_classifier(**settings)
            while TableCell.objects.filter(status__in=UNFINISHED).exists():
                before = read()
                wait_until(lambda before=before: read() > before or not _unfinished() or look_again())  # type: ignore[misc]
                time.sleep(0.2)
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*), count(DISTINCT cell_id) FROM kb_test_outcome")
            assert cursor.fetchone() == (DOCUMENTS * 4, DOCUMENTS * 4)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(NO_LOG)
    wait_until(lambda: Table.objects.get(pk=made.pk).filled_at)
    cells = list(TableCell.objects.select_related("row__source", "column"))
    invented = [cell for cell in cells if cell.why == CellReason.NOT_THERE]
    lost = [cell for cell in cells if cell.why in (CellReason.LOST, CellReason.UNUSABLE)]
    for cell in cells:
        if cell in invented or cell in lost:
            assert (cell.value, cell.quote) == (None, "")
            continue
        number = int(cell.row.source.title.split()[1])
        expected = {
            "Begins": f"2021-05-{number:02}",
            "Rent": {"number": number * 1000 + 500, "unit": ""},
            "Tenant": "Orchard Tools Ltd",
            "Pet": None,
        }[cell.column.title]
        assert cell.value == expected
        assert cell.status == ("not_stated" if expected is None else "answered")
        passage = cell.row.source.chunks.filter(pk=cell.chunk_id or 0)
        assert not cell.quote or passage.filter(text__contains=cell.quote).exists()
    assert len(invented) <= server.invented
    print(f"\n{len(cells)} cells, {server.count} calls, {len(invented)} invented quotes refused, {len(lost)} lost")


def _unfinished() -> bool:
    return TableCell.objects.filter(status__in=UNFINISHED).exists()
