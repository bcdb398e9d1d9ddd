"""Traces as a collector gets them from the processes of the service: of an upload and of a question."""

import json
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from subprocess import Popen
from typing import Any

import pytest
import requests

from ingest.models import Job
from tests.collector import CollectedSpan, Collector, collecting
from tests.factories import LAW
from tests.journeys.client import Client
from tests.journeys.test_web import running
from tests.openai_server import OpenAIServer
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

FILENAME = "סודי-ביותר.txt"
QUESTION = "מה גובה דמי האיחור בהחזרת ספר?"
QUOTE = "דמי איחור"
MODEL_KEY = "sk-very-secret-key"
CLIENT_TRACE, CLIENT_SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def environment_of(collector: Collector, model: OpenAIServer) -> dict[str, str]:
    return {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_BSP_SCHEDULE_DELAY": "600000",  # nothing is sent before a process is told to end
        "KB_WEB_PROCESSES": "2",
        "KB_LLM_BASE_URL": model.url,
        "KB_LLM_MODEL": "a-model",
        "KB_LLM_API_KEY": MODEL_KEY,
        "KB_ANSWERER": "openai",
        "KB_CLASSIFIER": "openai",
    }


def take_in(client: Client) -> None:
    """Upload a file by a client that traces too, and confirm what is proposed for it."""
    client.session.headers.update({"traceparent": f"00-{CLIENT_TRACE}-{CLIENT_SPAN}-01", "baggage": "who=somebody"})
    _, batch = client.upload_batch([(FILENAME, LAW.encode())])
    del client.session.headers["traceparent"]
    job_id = batch["jobs"][0]["job_id"]
    wait_until(lambda: Job.objects.get(pk=job_id).status == "awaiting_review")
    assert client.post(f"/admin/kb/jobs/{job_id}/commit", {"kind": "law", "title": "חוק הספריות"})[0] == 202
    assert client.finished(job_id)["status"] == "done"


def ask(client: Client) -> str:
    """Ask as a stream; gives the id of the request."""
    url = f"{client.url}/kb/ask/stream"
    with requests.post(url, json={"question": QUESTION}, stream=True, timeout=60) as said:
        done = json.loads(said.content.decode().rpartition("event: done\ndata: ")[2])
        assert (done["status"], len(done["citations"])) == ("answered", 1), done
        return said.headers["X-Request-Id"]


def test_an_upload_is_one_trace_and_a_question_another(
    start_worker: Callable[..., Popen[bytes]], start_classifier: Callable[..., Popen[bytes]]
) -> None:
    with OpenAIServer() as model, collecting() as collector, ThreadPoolExecutor(2) as pool:
        environment = environment_of(collector, model)
        workers = [pool.submit(start, **environment) for start in (start_worker, start_classifier)]
        with running(**environment) as web:
            processes: list[Popen[Any]] = [web.process, *(worker.result() for worker in workers)]
            client = Client(f"http://127.0.0.1:{web.port}")
            take_in(client)
            model.forget_promises()
            model.will_say({"statements": [{"text": "נגבים.", "citations": [{"passage": 1, "quote": QUOTE}]}]})
            request_id = ask(client)
            assert collector.spans == []
            for process in processes:
                process.send_signal(signal.SIGTERM)
            for process in processes:
                process.wait(60)
        asked = collector.named("POST /kb/ask/stream")
        print(collector.tree(CLIENT_TRACE), collector.tree(asked.trace), sep="\n\n")  # with pytest -s

        check_upload(collector)
        assert model.requests[0].headers["traceparent"].split("-")[1] == CLIENT_TRACE
        assert "baggage" not in model.requests[0].headers
        assert asked.attributes["kb.request_id"] == request_id
        check_question(collector, asked)
        assert not [span for span in collector.spans if "healthz" in span.name]
        key = client.session.headers["Authorization"].removeprefix("Api-Key ")
        for secret in (FILENAME, *QUESTION.split(), QUOTE, "הספריות", MODEL_KEY, key, "somebody"):
            assert secret.encode() not in collector.sent, secret


def check_upload(collector: Collector) -> None:
    entry = ["POST /admin/kb/upload-batch", "accept file"]
    upload = collector.trace(CLIENT_TRACE)
    assert [span.name for span in upload if span.parent == CLIENT_SPAN] == entry[:1]
    services = {span.name: span.service for span in upload}
    assert [services[name] for name in (*entry, "classify job", "index job")] == [
        *("kb-web", "kb-web", "kb-classifier1", "kb-worker1")
    ]
    assert len({span.trace for span in collector.spans if span.name in ("classify job", "index job")}) == 1

    def path(name: str) -> list[str]:
        return collector.path([span for span in upload if span.name == name][-1])

    published = collector.named("publish document")
    last = collector.named("analyse chunks")
    assert last.attributes["kb.chunks.last"] == published.attributes["kb.chunks"] - 1
    assert path(last.name) == [*entry, "index job", "stage document", last.name]
    assert path(published.name) == [*entry, "index job", published.name]
    assert path("COPY kb_chunk") == [*entry, "index job", published.name, "COPY kb_chunk"]
    assert path("chat a-model") == [*entry, "classify job", "chat a-model"]
    read = [span for span in upload if span.name == "read document"]
    assert {collector.path(span)[-2] for span in read} == {"classify job", "index job"}
    assert read[-1].attributes["kb.reader.peak_kb"] > 0
    # The person's decision is a trace of its own, with a link.
    commit = collector.named("POST /admin/kb/jobs/<uuid:job_id>/commit")
    assert (commit.trace != CLIENT_TRACE, commit.links, commit.parent) == (True, (CLIENT_TRACE,), "")


def check_question(collector: Collector, asked: CollectedSpan) -> None:
    question = collector.trace(asked.trace)
    assert (asked.parent, asked.kind, asked.attributes["http.response.status_code"]) == ("", "SERVER", 200)
    stages = [span.name for span in question if span.parent == asked.id and span.kind == "INTERNAL"]
    assert stages == ["expand question", "retrieve", "answer"]
    chat = next(span for span in question if span.name == "chat a-model")
    assert collector.path(chat) == [asked.name, "answer", "chat a-model"]
    assert (chat.kind, chat.attributes["gen_ai.request.model"]) == ("CLIENT", "a-model")
    assert chat.attributes["gen_ai.usage.input_tokens"] == 100
    assert chat.attributes["gen_ai.usage.output_tokens"] == 25
    verified = collector.named("verify quote")
    assert (collector.path(verified)[1:], verified.attributes) == (["answer", "verify quote"], {"kb.verified": True})
    assert {"find citations", "find words", "find meanings", "read passages"} <= {span.name for span in question}
    assert any(span.name.startswith("SELECT kb_") and span.kind == "CLIENT" for span in question)
    # The answer's row is written, and `done` is sent, before the span of the request ends.
    assert collector.named("INSERT kb_answer_trace").end_ns < asked.end_ns == max(span.end_ns for span in question)
