"""Every path of the URL conf and every operation of the API, asked by somebody: what is said that they may not see.

Paths and fields are read from the URL conf and the OpenAPI document, so a new one is walked by itself. What a new
name in a path is to be filled with has to be told in `hidden_topics`.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from asgiref.sync import async_to_sync
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.exceptions import NoReverseMatch
from drf_spectacular.generators import SchemaGenerator

from ingest.models import JobEvent
from kb_project.models import AuditEntry
from keeping.exports.files import CitationFormat, FileFormat
from keeping.tables.files import TYPES
from tests.contract.requests import OPERATIONS
from tests.security.hidden_topics import IN_PATHS, IN_QUERIES, WORDS, World
from tests.security.marked import Marked
from tests.servers import PROJECT

NOT_WALKED = ("admin:",)
"""Django's admin: staff alone come in, by what they may do everywhere (`test_admin_is_for_rights_held_everywhere`)."""
JSON = "application/json"
SIGN_IN = "(the sign-in)"  # in place of its address, where an answer leads there
FORMS = {"file_format": [form.value for form in FileFormat], "table_format": list(TYPES)}
"""What the last part of an address may be, by the name that it has in the URL conf."""
ACTING = ("action", "do")
"""Fields of forms whose value says what is done. The values are read from the templates, so new ones are walked too."""


@dataclass(frozen=True)
class Asked:
    """One request. `given` is what it says itself, which an answer may say again."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    form: bool = False
    variants: Sequence[Asked] = ()
    """What is asked too, unless this is refused or leads to the sign-in: who may not come in is told so in any case."""


@dataclass(frozen=True)
class Leak:
    who: str
    asked: Asked
    word: str
    where: str

    def __str__(self) -> str:
        said = dict(self.asked.query) or (self.asked.body if self.asked.form else "") or ""
        return f"{self.who}: {self.asked.method} {self.asked.path} {said}: …{self.where}…"


class _Undo(Exception):
    pass


def leaks(world: World, who: str, asked: Iterable[Asked], *, client: Client | None = None) -> Iterator[Leak]:
    """What is said of topics that somebody may not see, and what is done to them. Nothing changes for good."""
    client, hidden = client or world.client(who), world.hidden(who)
    for one in asked:
        done: list[str] = []
        since = _last_written()
        said = answer(client, one, look=lambda: done.extend(_written(world.unseen(who), since)))  # noqa: B023  # called here
        yield from (Leak(who, one, what, f"done to what is hidden: {what}") for what in done)
        for word in hidden:
            if place := _said(said, word, one):
                yield Leak(who, one, word, place)
        if said.startswith(("200", "302", "400", "409")) and SIGN_IN not in said:
            yield from leaks(world, who, one.variants, client=client)


def answer(client: Client, asked: Asked, *, look: Callable[[], object] = lambda: None) -> str:
    """The whole answer: its status, headers and body, and after a redirect those of the page that it leads to.

    `look` is called before what the request changed is undone.
    """
    said = ""
    try:
        with transaction.atomic():
            response = _send(client, asked)
            said = _text(response)
            look()
            target = response.headers.get("Location", "")
            if target.startswith(reverse("sign-in")):
                return said.replace(target, SIGN_IN)  # it says again what was asked for
            if target.startswith("/"):
                said += _text(client.get(target))
            raise _Undo
    except _Undo:
        return said


def _last_written() -> tuple[int, int]:
    """The newest move of a job and the newest change, as ids."""
    event, entry = JobEvent.objects.order_by("-pk").first(), AuditEntry.objects.order_by("-pk").first()
    return event.pk if event else 0, entry.pk if entry else 0


def _written(topics: Sequence[Marked], since: tuple[int, int]) -> list[str]:
    """What was done to things of the topics since then: moves of jobs, and what is audited."""
    ids = [one.topic.pk for one in topics]
    moves = JobEvent.objects.filter(pk__gt=since[0], job__topic__in=ids)
    changes = AuditEntry.objects.filter(pk__gt=since[1], topic_id__in=ids)
    return [*(str(move) for move in moves), *(str(change) for change in changes)]


def _send(client: Client, asked: Asked) -> Any:
    if asked.method == "GET":
        return client.get(asked.path, asked.query)
    call = getattr(client, asked.method.lower())
    if asked.body is None or asked.form:
        return client.post(asked.path, asked.body or {}) if asked.method == "POST" else call(asked.path)
    return call(asked.path, asked.body, content_type=JSON, headers={"accept": f"{JSON}, text/event-stream"})


def _text(response: Any) -> str:
    content = b"".join(response) if response.streaming and not response.is_async else b""
    if not response.streaming:
        content = response.content
    elif response.is_async:
        content = async_to_sync(_gathered)(response)
    if zipfile.is_zipfile(io.BytesIO(content)):  # a DOCX, whose parts are packed
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            content = b"\n".join(parts.read(name) for name in parts.namelist())
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    return f"{response.status_code}\n{headers}\n{content.decode('utf-8', 'replace')}"


async def _gathered(response: Any) -> bytes:
    return b"".join([piece async for piece in response])


def _said(text: str, word: str, asked: Asked) -> str:
    """Where the word stands, but for what the request said itself."""
    lowered = text.lower()
    given = sorted({piece for piece in _pieces(asked) if word in piece}, key=len, reverse=True)
    for piece in given:
        lowered = lowered.replace(piece, "")
    at = lowered.find(word)
    return lowered[max(0, at - 60) : at + 60] if at >= 0 else ""


def _pieces(asked: Asked) -> Iterator[str]:
    yield asked.path.lower()
    yield from (part.lower() for part in asked.path.split("/"))
    bodies = asked.body.values() if isinstance(asked.body, dict) else ()
    yield from (str(value).lower() for value in (*asked.query.values(), *bodies))


# What is asked.


@cache
def _document() -> Mapping[str, Any]:
    found: Mapping[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


def pages(world: World, who: str) -> list[Asked]:
    """GET of every address, about the things of both topics, with nothing in the query and with hidden things there."""
    found = {}
    for pattern, name in _patterns(get_resolver()):
        for topic in world.topics:
            path = _path(pattern, name, topic)
            if path is None:
                continue
            # The API refuses fields that it does not have: `operations` knows those.
            is_api = path.startswith(("/kb/", "/admin/kb/", "/mcp/"))
            queries = [] if is_api else [WORDS, *(query for hidden in world.unseen(who) for query in _queries(hidden))]
            found[path] = Asked("GET", path, variants=[Asked("GET", path, query) for query in queries])
    return list(found.values())


def files(topic: Marked) -> Iterator[tuple[str, Asked]]:
    """GET of every address of a file about a thing of the topic, in each form, by its name and the form."""
    for pattern, name in _patterns(get_resolver()):
        path = _path(pattern, name, topic) or ""
        query = {"query": WORDS["query"]} if name.startswith("kb-search-") else {}
        forms = next((FORMS[key] for key in pattern.pattern.converters if key in FORMS), None)
        if forms:
            beginning = path.rpartition(".")[0]
            yield from ((f"{name} {form}", Asked("GET", f"{beginning}.{form}", query)) for form in forms)
        elif path.endswith("/citations"):
            yield from ((f"{name} {form}", Asked("GET", path, {**query, "format": form})) for form in CitationFormat)
        elif "." in path.rpartition("/")[2]:
            yield name, Asked("GET", path, query)


def _queries(topic: Marked) -> Iterator[dict[str, Any]]:
    """What names things of a topic: those that pages ask for each alone, then all at once."""
    named = {key: value(topic) for key, value in IN_QUERIES.items()}
    yield {**WORDS, "topic": named["topic"]}
    for name in ("label", "work", "trace", "batch", "ids", "version_of"):
        yield {name: named[name]}
    yield {**WORDS, **{name: value for name, value in named.items() if name not in ("topic", "label", "work")}}


def forms(world: World, who: str) -> list[Asked]:
    """POST of every screen, with hidden things in all fields that may name one, and values that act on them."""
    found = []
    for pattern, name in _patterns(get_resolver()):
        for topic in world.topics:
            path = _path(pattern, name, topic)
            if path is None or path.startswith(("/kb/", "/admin/kb/", "/mcp/", "/sign-", "/i18n/", "/design/")):
                continue
            for hidden in world.unseen(who):
                named = {key: value(hidden) for key, value in IN_QUERIES.items()}
                jobs = [str(hidden.waiting.pk), str(hidden.failed.pk)]
                lists = {"sources": [hidden.new.pk], "jobs": jobs, "labels": [hidden.label().slug]}
                more = {"name": "keeper", "kind": "law", "title": "keeper", "events": [], "code": hidden.failure_code}
                bodies = [{**WORDS, **named, **lists, **more, "sure": "1", **acts} for acts in _acting(path)]
                first, *others = (Asked("POST", path, body=body, form=True) for body in bodies)
                found.append(replace(first, variants=others))
    return list({repr(one): one for one in found}.values())


def _acting(path: str) -> list[dict[str, str]]:
    """What the fields say that act, each value once: all of them where many things are acted on, or one job is."""
    found = [{name: value} for name, value in _acting_values()]
    return found if path.endswith(("/act/", "/act/on/")) or path.startswith("/review/") else found[:1]


@cache
def _acting_values() -> list[tuple[str, str]]:
    written = re.compile(rf'name="({"|".join(ACTING)})" value="([a-z_]+)"')
    pieces = (path.read_text(encoding="utf-8") for path in sorted((PROJECT / "templates").rglob("*.html")))
    found = sorted({pair for piece in pieces for pair in written.findall(piece)})
    assert {("action", "move"), ("action", "retry"), ("do", "discard")} <= set(found)
    return found


def operations(world: World, who: str) -> list[Asked]:
    """Every operation of the API about things of both topics, and with each of its fields naming one of them."""
    paths = _document()["paths"]
    found: list[Asked] = []
    for path, methods in paths.items():
        for method, described in methods.items():
            operation = f"{method.upper()} {path}"
            if operation not in OPERATIONS:
                continue  # that each is there is a test of its own
            for topic in world.topics if method == "get" else world.unseen(who):
                found += _of_operation(operation, described, topic)
    return found


def agents(world: World, who: str) -> list[Asked]:
    """What an agent asks at the addresses of topics, over MCP."""
    calls: list[tuple[str, dict[str, Any]]] = [
        ("tools/list", {}),
        ("tools/call", {"name": "search_legal_kb", "arguments": {"query": WORDS["query"]}}),
    ]
    return [
        Asked("POST", f"/mcp/{slug}/", body={"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters})
        for topic in world.topics
        for slug in topic.topic.slugs()
        for method, parameters in calls
    ]


def _of_operation(operation: str, described: Mapping[str, Any], topic: Marked) -> Iterator[Asked]:
    method, send = operation.split()[0], OPERATIONS[operation](topic)
    body: Any = send.body
    yield Asked(method, send.path, send.query, body, send.form)
    if isinstance(body, dict) and "topic_id" in body:
        yield Asked(method, send.path, send.query, {k: v for k, v in body.items() if k != "topic_id"}, send.form)
    if method == "GET":
        names = [one["name"] for one in described.get("parameters", ()) if one["in"] == "query"]
        required = {name: value for name, value in send.query.items() if name != "topic_id"}
        words = {name: WORDS[name] for name in names if name in WORDS}
        yield Asked(method, send.path, {**required, **words})
        for name in names:
            if name in IN_QUERIES:
                yield Asked(method, send.path, {**required, **words, name: IN_QUERIES[name](topic)})
    elif isinstance(body, dict) and not send.form:
        for name in _fields(described) & IN_QUERIES.keys() - {"topic_id"}:
            without = {k: v for k, v in {**body, **_words(body)}.items() if k != "topic_id"}
            yield Asked(method, send.path, send.query, {**without, name: IN_QUERIES[name](topic)})


def _words(body: Mapping[str, Any]) -> dict[str, str]:
    return {name: WORDS[name] for name in body if name in WORDS}


def _fields(described: Mapping[str, Any]) -> set[str]:
    """The names of the fields of a body."""
    schemas = _document()["components"]["schemas"]
    content = described.get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema", {})
    named = content.get("$ref", "").rpartition("/")[2]
    return set(schemas.get(named, content).get("properties", {}))


def _patterns(resolver: URLResolver, namespaces: tuple[str, ...] = ()) -> Iterator[tuple[URLPattern, str]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = (*namespaces, pattern.namespace) if pattern.namespace else namespaces
            yield from _patterns(pattern, inner)
        elif pattern.name and not (name := ":".join([*namespaces, pattern.name])).startswith(NOT_WALKED):
            yield pattern, name


def _path(pattern: URLPattern, name: str, topic: Marked) -> str | None:
    """The address of a view about a thing of the topic. Fails for a name that `IN_PATHS` does not know."""
    names = getattr(pattern.pattern, "converters", {})
    unknown = names.keys() - IN_PATHS.keys()
    assert not unknown, f"The walk does not know what {name} means by {', '.join(unknown)}: tell it in IN_PATHS."
    try:
        return reverse(name, kwargs={key: IN_PATHS[key](topic) for key in names} or None)
    except NoReverseMatch:
        return None
