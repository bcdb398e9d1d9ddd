"""Traces as a collector gets them from the processes of the service: of an upload and of a question."""

import json
from collections.abc import Callable, Iterator
from subprocess import Popen

import pytest
import requests

from bench.openai_server import OpenAIServer
from ingest.models import Job
from tests.collector import Collector, collecting
from tests.factories import LAW
from tests.journeys.client import Client
from tests.journeys.test_web import running
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

FILENAME = "סודי-ביותר.txt"
QUESTION = "מה גובה דמי האיחור בהחזרת ספר?"
QUOTE = "דמי איחור"
CLIENT_TRACE, CLIENT_SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as collector:
        yield collector


def steered(collector: Collector, model: OpenAIServer) -> dict[str, str]:
    return {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        "KB_WEB_PROCESSES": "1",
        "KB_LOG_FORMAT": "json",
        "KB_LLM_BASE_URL": model.url,
        "KB_LLM_MODEL": "a-model",
        "KB_LLM_API_KEY": "sk-very-secret-key",
        "KB_ANSWERER": "openai",
        "KB_CLASSIFIER": "openai",
    }


def test_an_upload_is_one_trace_to_its_last_chunk_and_a_question_one_to_its_quotes(
    start_worker: Callable[..., Popen[bytes]],
    start_classifier: Callable[..., Popen[bytes]],
    collector: Collector,
) -> None:
    with OpenAIServer() as model:
        environment = steered(collector, model)
        start_worker(**environment)
        start_classifier(**environment)
        with running(**environment) as web:
            client = Client(f"http://127.0.0.1:{web.port}")

            # The upload, by a client that traces too.
            client.session.headers["traceparent"] = f"00-{CLIENT_TRACE}-{CLIENT_SPAN}-01"
            client.session.headers["baggage"] = "who=somebody"
            _, batch = client.upload_batch([(FILENAME, LAW.encode())])
            del client.session.headers["traceparent"]
            job_id = batch["jobs"][0]["job_id"]
            wait_until(lambda: Job.objects.get(pk=job_id).status == "awaiting_review", within_s=20)
            decision = {"kind": "law", "title": "חוק הספריות הציבוריות"}
            assert client.post(f"/admin/kb/jobs/{job_id}/commit", decision)[0] == 202
            assert client.finished(job_id)["status"] == "done"

            indexed = collector.named("index job")
            upload = collector.trace(CLIENT_TRACE)
            assert {span.trace for span in (indexed, collector.named("classify job"))} == {CLIENT_TRACE}
            assert [span.name for span in upload if span.parent == CLIENT_SPAN] == ["POST /admin/kb/upload-batch"]
            services = {span.name: span.service for span in upload}
            assert services["accept file"] == services["POST /admin/kb/upload-batch"] == "kb-web"
            assert (services["classify job"], services["index job"]) == ("kb-classifier1", "kb-worker1")
            last = collector.named("analyse and embed chunks")
            entry = ["POST /admin/kb/upload-batch", "accept file"]
            assert collector.path(last) == [*entry, "index job", "stage document", "analyse and embed chunks"]
            assert collector.path(collector.named("publish document")) == [*entry, "index job", "publish document"]
            published = collector.named("publish document").attributes["kb.chunks"]
            assert last.attributes["kb.chunks.last"] == published - 1
            assert collector.path(collector.named("chat a-model")) == [*entry, "classify job", "chat a-model"]
            assert model.requests[0].headers["traceparent"].split("-")[1] == CLIENT_TRACE
            assert "baggage" not in model.requests[0].headers
            read = [span for span in upload if span.name == "read document"]
            assert {collector.path(span)[-2] for span in read} == {"classify job", "index job"}
            assert read[-1].attributes["kb.reader.peak_kb"] > 0
            # The person's decision is a trace of its own, with a link.
            commit = collector.named("POST /admin/kb/jobs/<uuid:job_id>/commit")
            assert (commit.trace != CLIENT_TRACE, commit.links, commit.parent) == (True, (CLIENT_TRACE,), "")

            # The question.
            statement = {"text": "דמי איחור נגבים.", "citations": [{"passage": 1, "quote": QUOTE}]}
            model.forget_promises()
            model.will_say({"statements": [statement]})
            with requests.post(
                f"{client.url}/kb/ask/stream", json={"question": QUESTION}, stream=True, timeout=30
            ) as said:
                request_id = said.headers["X-Request-Id"]
                events = said.content.decode()
            done = json.loads(events.rpartition("event: done\ndata: ")[2])
            assert (done["status"], len(done["citations"])) == ("answered", 1), done
            asked = collector.named("POST /kb/ask/stream")
            question = collector.trace(asked.trace)
            assert (asked.parent, asked.kind, asked.attributes["kb.request_id"]) == ("", "SERVER", request_id)
            inside = [span.name for span in question if span.parent == asked.id]
            assert [name for name in inside if name in ("expand question", "retrieve", "answer")] == [
                "expand question",
                "retrieve",
                "answer",
            ]
            chat = collector.named("chat a-model")
            assert collector.path(chat) == ["POST /kb/ask/stream", "answer", "chat a-model"]
            assert (chat.kind, chat.attributes["gen_ai.request.model"]) == ("CLIENT", "a-model")
            assert chat.attributes["gen_ai.usage.input_tokens"] == 100
            assert chat.attributes["gen_ai.usage.output_tokens"] == 25
            verified = collector.named("verify quote")
            assert (collector.path(verified)[-2], verified.attributes) == ("answer", {"kb.verified": True})
            assert {"find citations", "find words", "find meanings", "read passages"} <= {s.name for s in question}
            assert any(span.name.startswith("SELECT kb_") and span.kind == "CLIENT" for span in question)
            # The trace of the answer is written, and `done` is sent, before the request's span ends.
            assert collector.named("INSERT kb_answer_trace").end_ns < asked.end_ns
            assert max(span.end_ns for span in question) == asked.end_ns

            print(collector.tree(CLIENT_TRACE), collector.tree(asked.trace), sep="\n\n")  # with pytest -s

            # And no content leaves.
            assert not [s for s in collector.spans if s.name.startswith(("GET /healthz", "GET /readyz"))]
            key = client.session.headers["Authorization"].removeprefix("Api-Key ")
            for secret in (FILENAME, *QUESTION.split(), QUOTE, "הספריות", "sk-very-secret-key", key, "somebody"):
                assert secret.encode() not in collector.sent, secret
