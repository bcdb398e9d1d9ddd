"""A classifier that is killed, or loses its database, while a bad model reads for a survey: it errs, hangs, invents."""

import json
import time
from collections.abc import Callable
from subprocess import Popen
from threading import Lock
from typing import Any

import pytest
from django.db import connection

from keeping.models import Survey, SurveyReading
from keeping.surveys import making
from keeping.surveys.reading.by_model import SurveyReason
from tests.cut_connections import cut_connections
from tests.factories import first_topic
from tests.keeping.surveys.reader import FINED, ProvisionReader, text_of
from tests.openai_server import Reply, parts_of
from tests.search.corpus import add_document
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
KILLS, DOCUMENTS = 6, 48
# Every reading that is written leaves a line.
LOG = """
CREATE TABLE kb_test_reading (key text);
CREATE FUNCTION kb_test_reading() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO kb_test_reading VALUES (NEW.key); RETURN NULL; END $$;
CREATE TRIGGER kb_test_reading AFTER INSERT OR UPDATE ON kb_survey_reading
    FOR EACH ROW EXECUTE FUNCTION kb_test_reading();
"""
NO_LOG = """
DROP TRIGGER kb_test_reading ON kb_survey_reading;
DROP FUNCTION kb_test_reading;
DROP TABLE kb_test_reading;
"""


class BadReader(ProvisionReader):
    """What it does badly depends on the number of the request. `asked` counts how often it was sent each text."""

    def __init__(self) -> None:
        self.count, self.invented, self.most_at_once, self._now = 0, 0, 0, 0
        self._counting = Lock()
        super().__init__()

    def next_reply(self, body: dict[str, Any]) -> Reply:
        with self._counting:
            self.count += 1
            number = self.count
        provisions = parts_of(body)[1]["provisions"]
        if number % 9 == 0:
            return Reply(text="Let me think about that.")
        if number % 11 == 0:
            return Reply(status=500)
        verdicts = [self.verdict(one) for one in provisions]
        if number % 7 == 0:
            for one in verdicts:
                one |= {"says": "yes", "quote": "owes the minister a song"}
            self.invented += len(verdicts)
        return Reply(text=json.dumps({"provisions": verdicts}), delay_s=8.0 if number % 13 == 0 else 0.3)


def test_no_provision_is_read_twice_whatever_happens_to_who_reads(
    start_classifier: Callable[..., Popen[bytes]],
) -> None:
    for number in range(1, DOCUMENTS + 1):
        add_document(text_of(number), kind="law", title=f"Ferries Act {number}", unread_pages=[])
    with connection.cursor() as cursor:
        cursor.execute(LOG)
    try:
        with BadReader() as server:
            settings = {
                "KB_ANSWERER": "openai",
                "KB_LLM_BASE_URL": server.url,
                "KB_LLM_MODEL": "a-model",
                "KB_LLM_API_KEY": "test-key",
                "KB_TABLE_CONCURRENCY": "2",
            }
            one = Survey.objects.create(topic=first_topic(), by="rina", description="penalties", by_model=True)
            for kill in range(1, KILLS + 1):
                classifier = start_classifier(**settings)
                making.hint()
                wait_until(lambda least=kill * 12: SurveyReading.objects.count() >= least or read_on())  # type: ignore[misc]
                if kill % 2 == 0:
                    wait_until(cut_connections, passing=True)
                    stall()
                    wait_until(lambda least=kill * 12 + 6: SurveyReading.objects.count() >= least or read_on())  # type: ignore[misc]
                classifier.kill()
                classifier.wait()
                stall()
            start_classifier(**settings)
            while Survey.objects.get().status in ("queued", "running"):
                read_on()
                time.sleep(0.5)
            if Survey.objects.get().status == "failed":
                making.repeat(one)
                while Survey.objects.get().status in ("queued", "running"):
                    read_on()
                    time.sleep(0.5)
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*), count(DISTINCT key) FROM kb_test_reading")
            written, keys = cursor.fetchone() or (0, 0)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(NO_LOG)
    assert written == keys == SurveyReading.objects.count()
    one.refresh_from_db()
    assert one.status == "done"
    report = one.report or {}
    assert report["certificate"]["provisions_read"] == keys
    assert all(FINED.fullmatch(row["quote"]) for row in report["yes"])
    invented = SurveyReading.objects.filter(why=SurveyReason.NOT_THERE).count()
    unusable = SurveyReading.objects.filter(why=SurveyReason.UNUSABLE).count()
    assert invented <= server.invented
    lost = sum("fine" in row["quote"] for row in report["undecided"])
    assert len(report["yes"]) + lost >= DOCUMENTS
    print(
        f"\n{keys} provisions, {server.count} calls of which {one.calls} counted, {one.tokens} tokens,"
        f" {len(report['yes'])} yes, {invented} invented quotes refused, {unusable} unusable"
    )


def stall() -> None:
    """Have whoever made the survey be taken for dead."""
    Survey.objects.filter(status="running").update(progress_at="2020-01-01T00:00Z")


def read_on() -> bool:
    """Let what was put off go on at once. Never an end by itself."""
    Survey.objects.filter(status="queued").update(next_at=None)
    making.hint()
    return False
