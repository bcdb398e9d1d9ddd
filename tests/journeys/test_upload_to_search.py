"""The main job, end to end: a legal file goes in over HTTP, a worker takes it up, the right section comes out."""

import io
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import docx
import psutil
import pytest
import requests

from extraction import libreoffice
from ingest.jobs.claims import sweep
from search.index import engine
from sources.models import Chunk, Source
from tests.extraction.compound import compound
from tests.extraction.offices import ODF, as_doc, mail, odt_file, pptx_file, rtf_file, xlsx_file
from tests.extraction.word_files import package, paragraph, part, relations
from tests.factories import LAW
from tests.ingest.jobs.holders import holder, process_of
from tests.journeys.client import Client
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

REGULATION = """<html><head><meta charset="utf-8"><title>x</title></head><body><main>
<h1>Harbour Pilotage Regulations 2021</h1>
<p>1. Interpretation</p><p>In these regulations a pilot is a person licensed under regulation 4.</p>
<p>2. Duty to take a pilot</p><p>The master of a vessel over 500 tons shall take a pilot when entering the harbour.</p>
</main></body></html>"""


def as_docx(text: str) -> bytes:
    document = docx.Document()
    for line in text.splitlines():
        document.add_paragraph(line)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def of_word_online(path: Path) -> bytes:
    """A file with its main part under another name, a rule in HTML, and a comment."""
    parts = {
        "_rels/.rels": relations(("a", "officeDocument", "word/document2.xml")),
        "word/document2.xml": part("document", '<w:body><w:altChunk r:id="b"/></w:body>'),
        "word/_rels/document2.xml.rels": relations(("b", "aFChunk", "rule.html"), ("c", "comments", "comments.xml")),
        "word/rule.html": "<html><body><p>Rule on docxoddly, section 7<sup>3</sup>.</p></body></html>",
        "word/comments.xml": part("comments", f"<w:comment>{paragraph('Ask Dana.')}</w:comment>"),
    }
    return package(path, parts).read_bytes()


def in_office_formats(directory: Path) -> dict[str, bytes]:
    """A file of each format, which holds a word of its own: the name of the format, spelt `oddly`."""
    rtf = rtf_file(directory / "a.rtf", r"Rule on rtfoddly.\par")
    odt = odt_file(directory / "a.odt", "<text:p>Rule on odtoddly.</text:p>")
    section = '<section eId="sec_7"><num>7.</num><content><p>Rule on xmloddly.</p></content></section>'
    law = f"<akomaNtoso><act><body>{section}</body></act></akomaNtoso>"
    made = {"a.rtf": rtf.read_bytes(), "a.odt": odt.read_bytes(), "a.xml": law.encode()}
    for path in (
        xlsx_file(directory / "a.xlsx", ["Rule", "Fee"], ["Rule on xlsxoddly.", 7]),
        pptx_file(directory / "a.pptx", "Rules", "Rule on pptxoddly."),
    ):
        made[path.name] = path.read_bytes()
    made["a.docx"] = of_word_online(directory / "online.docx")
    made["a.eml"] = mail(text="Rule on emloddly.").as_bytes()
    made["a.mbox"] = b"From dana Mon Jan  5 10:00:00 2026\n" + mail(text="Rule on mboxoddly.").as_bytes()
    made["a.msg"] = compound(
        {"__substg1.0_1000001F": "Rule on msgoddly.".encode("utf-16-le"), "__properties_version1.0": bytes(32)}
    )
    flat = f'<office:document {ODF} office:mimetype="application/vnd.oasis.opendocument.text">'
    text = "<office:body><office:text><text:p>Rule on fodtoddly.</text:p></office:text></office:body>"
    made["a.fodt"] = f'<?xml version="1.0"?>{flat}{text}</office:document>'.encode()
    if libreoffice.program():
        (directory / "a.docx").write_bytes(as_docx("Rule on docoddly."))
        made["a.doc"] = as_doc(directory / "a.docx").read_bytes()
    return made


def test_documents_of_every_format_become_searchable(asgi_server: str, worker: Popen[bytes], tmp_path: Path) -> None:
    client = Client(asgi_server)
    office = in_office_formats(tmp_path)
    uploads = {
        "law.txt": (LAW.encode(), "law", 'חוק הספריות הציבוריות לדוגמה, התשפ"ד–2024'),
        "חוק הגשרים.docx": (
            as_docx(LAW.replace("הספריות הציבוריות", "הגשרים").replace("ספר", "גשר")),
            "law",
            "חוק הגשרים",
        ),
        "pilotage.html": (REGULATION.encode(), "regulation", "Harbour Pilotage Regulations 2021"),
        "circular.md": (
            "# חוזר 7/2023\n\nלמנהלי הספריות: יש לפרסם את שעות הפתיחה בכל כניסה.".encode(),
            "circular",
            "חוזר 7/2023",
        ),
        **{name: (content, "regulation", f"Rule in {name}") for name, content in office.items()},
    }
    jobs = {}
    for filename, (content, kind, title) in uploads.items():
        status, answer = client.upload(filename, content, kind=kind, title=title)
        assert (status, answer["status"]) == (202, "queued"), answer
        jobs[filename] = answer["job_id"]
    for filename, job_id in jobs.items():
        job = client.finished(job_id)
        assert job["status"] == "done", job
        assert job["filename"] == filename
        assert [event["to"] for event in job["events"]] == ["queued", "processing/embedding", "done"]
    engine().maintain()

    first = client.search("סעיף 2 לחוק הספריות הציבוריות לדוגמה")[0]
    assert (first["match"], first["section"]) == ("citation", "2")
    assert first["text"].startswith("2. זכות השאלה")
    first = client.search("דמי איחור בהחזרת ספר")[0]
    assert first["section"] == "3"
    assert "דמי" in [first["text"][start:end] for start, end in first["highlights"]]
    first = client.search("vessel needs pilots to enter the harbour", kind="regulation")[0]
    assert (first["source"]["title"], first["section"]) == ("Harbour Pilotage Regulations 2021", "2")
    first = client.search("פטור ממאחרים מדמי איחורים", mode="semantic")[0]
    assert first["section"] == "3"
    assert client.search("שעות הפתיחה", kind=["circular"])[0]["source"]["title"] == "חוזר 7/2023"
    for name in office:
        assert client.search(f"{name[2:]}oddly")[0]["source"]["title"] == f"Rule in {name}"
    assert client.search("xmloddly")[0]["eid"] == "sec_7"
    assert "section 7³." in client.search("docxoddly")[0]["text"]
    status, sources = client.get("/kb/sources", topic_id=1, kind="regulation")
    lost = {source["filename"]: source["lost"] for source in sources["results"]}
    assert lost["a.docx"] == [{"page": None, "what": "note", "characters": 8}]
    assert lost["a.odt"] == lost["a.rtf"] == lost["pilotage.html"] == []

    status, sources = client.get("/kb/sources", topic_id=1, kind="law")
    assert (status, sources["count"]) == (200, 2)
    source = next(item for item in sources["results"] if item["filename"] == "law.txt")
    assert (source["chunks"] > 0, source["pages"], source["labels"]) == (True, None, [])
    assert client.get(f"/kb/sources/{source['id']}") == (200, source)
    answer = requests.get(f"{asgi_server}/kb/sources/{source['id']}/file", timeout=60)
    assert answer.content == LAW.encode()
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    status, twin = client.upload("again.txt", LAW.encode())
    assert (status, twin["code"], twin["source_id"]) == (409, "duplicate_document", source["id"])


def test_a_worker_killed_in_the_middle_loses_nothing_and_doubles_nothing(
    asgi_server: str, start_worker: Callable[..., Popen[bytes]]
) -> None:
    """Both the child that works and, at the second time, the whole worker are killed with SIGKILL."""
    environment = {"KB_STALLED_AFTER_S": "3", "KB_HEARTBEAT_S": "0.2"}
    first = start_worker(**environment)
    client = Client(asgi_server)
    long_law = "חוק ארוך, התש״ף–2020\n\n" + "\n".join(
        f"{number}. סעיף מספר {number}\n" + f"הוראה {number} תחול על כל אדם ועל כל תאגיד. " * 180
        for number in range(1, 901)
    )
    _, answer = client.upload("long.txt", long_law.encode())
    job_id = answer["job_id"]

    child = process_of(job_id)
    time.sleep(0.5)
    assert client.get(f"/admin/kb/jobs/{job_id}")[1]["status"] == "processing"
    child.kill()
    again = wait_until(lambda: (now := holder(job_id)) != child.pid and now)
    assert again
    for process in psutil.Process(first.pid).children(recursive=True):
        process.kill()
    first.kill()
    first.wait(60)
    start_worker(**environment)
    wait_until(sweep)
    job = client.finished(job_id, seconds=120)
    assert (job["status"], job["attempts"]) == ("done", 3), job
    source = Source.objects.get()
    sequence = list(Chunk.objects.filter(source=source).order_by("seq").values_list("seq", flat=True))
    assert len(sequence) == len(set(sequence)) == source.chunk_count
    sections = set(Chunk.objects.filter(source=source).values_list("section", flat=True))
    assert {str(number) for number in range(1, 901)} <= sections


def test_files_and_names_that_mean_harm_do_none(asgi_server: str, worker: Popen[bytes]) -> None:
    client = Client(asgi_server)
    status, problem = client.upload("statement.pdf", b"MZ\x90\x00" + bytes(range(256)) * 40)
    assert (status, problem["code"]) == (415, "unsupported_type")
    status, problem = client.upload("empty.pdf", b"")
    assert (status, problem["code"]) == (400, "empty")
    odd = "1. תנאי\x00\n\ufffe\x1b[31m גוף הסעיף".encode() + b"\xed\xa0\x80" + " סוף.".encode()
    status, answer = client.upload("../../a\x01\u202eb;rm -rf.txt", odd)
    assert status == 202, answer
    job = client.finished(answer["job_id"])
    assert job["status"] == "done", job
    assert "/" not in job["filename"]
    assert "\u202e" not in job["filename"]
    assert all("\x00" not in chunk.text for chunk in Chunk.objects.all())
    wrong = [{"kind": "poem"}, {"title": "a\x00b"}, {"topic_id": "x"}, {"colour": "red"}, {"published_at": "1.1.20"}]
    for fields in wrong:
        status, problem = client.upload("law.txt", LAW.encode(), **fields)
        assert status == 400, (fields, problem)
        assert problem["code"] in ("invalid", "unknown_parameter")
        assert problem["errors"]
    status, problem = client.upload("law.txt", LAW.encode(), topic_id=987654)
    assert (status, problem["code"]) == (400, "unknown_topic")
