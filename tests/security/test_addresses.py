"""Where the service goes by itself, and where it sends people: nowhere that a request can name."""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pydantic
import pytest
from asgiref.sync import async_to_sync
from django.core.checks import run_checks
from django.test import Client

from kb_project.api.openapi_files import openapi_document
from kb_project.clients.addresses import is_loopback, is_metadata
from kb_project.errors import ProviderError
from kb_project.llm.chat import ChatModel
from kb_project.llm.claude import open_client
from kb_project.llm.protocol import ModelRequest
from labels.models import Label
from search.embedders.http import OpenAIEmbedder
from search.rerankers.http import HttpReranker

pytestmark = pytest.mark.django_db
ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "javascript:alert(1)",
    "http:///evil.example",
)


def found(identifier: str, *, deploy: bool = False) -> list[str]:
    checks = run_checks(tags=["security"], include_deployment_checks=deploy)
    return [str(message.msg) for message in checks if message.id == identifier]


# --- providers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "169.254.170.2",
        "2852039166",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "[::ffff:169.254.169.254]",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "100.100.100.200",
        "metadata.google.internal",
        "METADATA.google.internal.",
    ],
)
def test_metadata_service_of_a_cloud_is_refused_unless_allowed(settings: Any, host: str) -> None:
    settings.KB_EMBEDDING_BASE_URL = f"http://{host}:80/v1"
    assert [sentence.split()[0] for sentence in found("kb.E021")] == ["KB_EMBEDDING_BASE_URL"]
    settings.KB_ALLOW_LINK_LOCAL = True
    assert found("kb.E021") == []


@pytest.mark.parametrize("url", ["ftp://example.org", "file:///etc/passwd", "example.org", "http://", "http://[::1"])
def test_an_address_that_is_none_of_http_is_refused(settings: Any, url: str) -> None:
    settings.ANTHROPIC_BASE_URL = url
    assert [sentence.split()[0] for sentence in found("kb.E020")] == ["ANTHROPIC_BASE_URL"]


def test_a_password_does_not_belong_into_an_address(settings: Any) -> None:
    settings.ANTHROPIC_BASE_URL = "https://name:secret@example.org"
    (sentence,) = found("kb.E020")
    assert "secret" not in sentence


def test_plain_http_to_another_machine_is_warned_of(settings: Any) -> None:
    settings.KB_EMBEDDING_BASE_URL = "http://embedder.example/v1"
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "sources.files.s3_storage.DocumentS3Storage",
            "OPTIONS": {"endpoint_url": "http://minio:9000"},
        },
    }
    named = [sentence.split()[0] for sentence in found("kb.W001", deploy=True)]
    assert named == ["KB_EMBEDDING_BASE_URL", "KB_S3_ENDPOINT_URL"]
    for url in ("http://127.0.0.1:9000", "http://localhost:9000", "http://[::1]:9", "https://embedder.example"):
        settings.KB_EMBEDDING_BASE_URL = url
        assert "KB_EMBEDDING_BASE_URL" not in " ".join(found("kb.W001", deploy=True)), url


def test_ordinary_addresses_pass(settings: Any) -> None:
    settings.ANTHROPIC_BASE_URL = "https://api.anthropic.com"
    settings.KB_EMBEDDING_BASE_URL = "https://10.1.2.3/v1"  # a provider inside one's own network
    assert found("kb.E020") + found("kb.E021") == []
    assert is_loopback("127.8.9.1")
    assert not is_loopback("127.0.0.1.example.org")
    assert not is_metadata("169.254.169.254.example.org")


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("DATABASE_URL", "postgres://kb:change-me@db/kb", "kb.W003"),
        ("REDIS_URL", "redis://:change-me@redis/0", "kb.W003"),
        ("KB_HTTPS", False, "kb.W002"),
    ],
)
def test_check_deploy_names_what_everybody_knows(settings: Any, name: str, value: Any, number: str) -> None:
    settings.KB_HTTPS = True
    assert found(number, deploy=True) == []
    setattr(settings, name, value)
    assert len(found(number, deploy=True)) == 1


def test_no_request_but_those_for_webhooks_can_name_an_address_to_call() -> None:
    """No other field of the whole API is one, so a provider's address comes from the settings alone."""
    named: set[str] = set()

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            named.update(node.get("properties", {}) if isinstance(node.get("properties"), dict) else ())
            if "in" in node and "name" in node:
                named.add(node["name"])
            for inner in node.values():
                walk(inner)
        elif isinstance(node, list):
            for inner in node:
                walk(inner)

    openapi_document.cache_clear()  # other tests have it of other paths
    document = openapi_document(public_requires_key=False)
    paths = {path: methods for path, methods in document["paths"].items() if "/webhook" not in path}
    schemas = {name: node for name, node in document["components"]["schemas"].items() if "Webhook" not in name}
    walk({"paths": paths, "schemas": schemas})
    assert {"query", "topic_id", "file"} <= named
    suspicious = ("url", "uri", "host", "endpoint", "webhook", "callback", "href", "server", "proxy")
    of_answers = {"next", "previous", "url"}
    assert {name for name in named if any(word in name.lower() for word in suspicious)} <= of_answers


class Servers:
    """A server that leads every request on to another, which notes who comes."""

    def __init__(self) -> None:
        self.visitors: list[str] = []
        servers = self

        class Target(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                servers.visitors.append(self.path)
                self.send_response(200)
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *arguments: Any) -> None: ...

        self._target = ThreadingHTTPServer(("127.0.0.1", 0), Target)

        class Leading(Target):
            def do_POST(self) -> None:
                self.send_response(307)
                self.send_header("Location", f"http://localhost:{servers._target.server_port}/stolen")
                self.send_header("Content-Length", "0")
                self.end_headers()

        self._leading = ThreadingHTTPServer(("127.0.0.1", 0), Leading)
        for server in (self._target, self._leading):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._leading.server_port}"

    def stop(self) -> None:
        for server in (self._target, self._leading):
            server.shutdown()
            server.server_close()


@pytest.fixture
def leading() -> Iterator[Servers]:
    servers = Servers()
    yield servers
    servers.stop()


def test_embedding_provider_cannot_lead_key_and_text_elsewhere(leading: Servers) -> None:
    embedder = OpenAIEmbedder(model="m", base_url=leading.url, api_key="secret", dimension=8)
    with pytest.raises(ProviderError):
        embedder.embed(["a law"], "query")
    assert leading.visitors == []


def test_nor_can_a_reranker(leading: Servers) -> None:
    with pytest.raises(ProviderError):
        HttpReranker(url=leading.url, api_key="secret").scores("a query", ["a law"], timeout_s=5)
    assert leading.visitors == []


def test_nor_can_the_model_s(leading: Servers) -> None:
    import anthropic

    async def ask() -> None:
        async with open_client(api_key="secret", base_url=leading.url, timeout_s=5, max_retries=0) as client:
            await client.messages.create(model="m", max_tokens=5, messages=[{"role": "user", "content": "a law"}])

    with pytest.raises(anthropic.APIStatusError):
        async_to_sync(ask)()
    assert leading.visitors == []


def test_nor_can_a_server_of_openais_api(leading: Servers) -> None:
    class Form(pydantic.BaseModel):
        kind: str

    request = ModelRequest(system=("Classify.",), parts=("a law",), form=Form, max_tokens=5)
    model = ChatModel(name="m", api_key="secret", base_url=leading.url)
    with pytest.raises(ProviderError):
        async_to_sync(model.complete)(request, timeout_s=5, retries=0)
    assert leading.visitors == []


# --- people -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ELSEWHERE)
def test_nobody_is_led_to_another_site(client: Client, staff: Any, url: str) -> None:
    turned = client.post("/i18n/setlang/", {"language": "he", "next": url})
    assert turned.headers["Location"] == "/"
    entered = client.post(f"/admin/login/?next={url}", {"username": "dana", "password": "x", "next": url})
    assert entered.status_code == 302
    assert urlsplit(entered.headers["Location"]).netloc == ""
    assert "evil" not in entered.headers["Location"]
    made = client.post("/labels/new/", {"name": "Rent", "next": url})
    assert made.status_code == 302
    assert "evil" not in made.headers["Location"]
    asked = client.get(f"/labels/{Label.objects.get().pk}/delete/", {"next": url}).content.decode()
    assert not [box for box in re.findall(r'name="next" value="([^"]*)"', asked) if not box.startswith("/labels/")]


@pytest.mark.parametrize("value", ["he\r\nX-Forged: 1", "/a\r\nSet-Cookie: x=1", "\u0130\n"])
def test_no_value_starts_a_header_of_its_own(client: Client, staff: Any, value: str) -> None:
    answers = [
        client.post("/i18n/setlang/", {"language": value, "next": value}),
        client.post("/admin/login/", {"username": "dana", "password": "x", "next": value}),
        client.get("/ask/", {"q": value}),
        client.get("/kb/topics", headers={"X-Request-Id": value.replace("\n", " ").replace("\r", " ")}),
    ]
    for answer in answers:
        assert "X-Forged" not in answer.headers
        assert all("\n" not in text and "\r" not in text for pair in answer.headers.items() for text in pair)
        assert "x" not in answer.cookies


def test_a_problem_repeats_what_was_sent_as_json_alone(client: Client) -> None:
    answer = client.get("/kb/topics", {"<script>alert(1)</script>": "1"})
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert "<script>" in json.loads(answer.content)["detail"]
