"""`manage.py reindex_all`: every document again, with the addresses that it had."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ingest.models import Job
from ingest.stages.run import run_job
from sources.files import storage
from sources.models import Chunk, Provision, Source
from tests.factories import make_topic
from tests.ingest.library.documents import make_document

pytestmark = pytest.mark.django_db(transaction=True)


def addresses(source: Source) -> list[tuple[str, int, int]]:
    return list(
        Provision.objects.filter(source=source).order_by("position").values_list("eid", "span_start", "span_end")
    )


def reindex_all(*arguments: str) -> None:
    call_command("reindex_all", *arguments)
    for job in Job.objects.filter(reindex=True, status="queued"):
        run_job(job.pk)


def test_the_same_text_has_the_same_addresses_again(tmp_path: Path) -> None:
    law = make_document(tmp_path)
    before, chunks = addresses(law), set(Chunk.objects.values_list("pk", flat=True))
    assert [eid for eid, _, _ in before][:2] == ["sec_1", "sec_2"]
    reindex_all()
    assert addresses(law) == before
    assert not chunks & set(Chunk.objects.values_list("pk", flat=True))


def test_documents_from_before_there_were_provisions_get_theirs(tmp_path: Path) -> None:
    old, new = make_document(tmp_path), make_document(tmp_path, "1. שם\nזה החוק.", title="חוק אחר")
    before = addresses(old)
    Provision.objects.filter(source=old).delete()
    Chunk.objects.filter(source=old).update(eid="", gap="")
    reindex_all("--without-provisions")
    assert addresses(old) == before
    assert not Job.objects.filter(reindex=True, source=new).exists()


def test_a_topic_is_chosen_and_a_lost_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    law = make_document(tmp_path)
    call_command("reindex_all", "--topic", make_topic().slug)
    assert "0 queued" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no topic"):
        call_command("reindex_all", "--topic", "nowhere")
    storage.delete(law.file_key)
    with pytest.raises(CommandError, match="1 could not be queued"):
        call_command("reindex_all")
    assert f"refused  source {law.pk}" in capsys.readouterr().out
