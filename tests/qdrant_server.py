"""Qdrant's REST API on this machine, as far as `qdrant_client` calls for it, over an engine in this process.

    with QdrantServer() as server:
        client = QdrantClient(url=server.url, api_key=server.api_key or None)
        with server.failing():                               # every call is answered with 503
            ...
        with server.hanging():                               # no call is answered
            ...
        server.close()                                       # connections are refused from here on

The engine is the client's own local mode. The paths and bodies are those of Qdrant's OpenAPI description.
"""

import importlib.metadata
import re
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote, urlsplit

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json
from qdrant_client import QdrantClient
from qdrant_client.http import models

from tests.local_server import LocalCall, ProtocolServer

CALLS_KEPT = 10_000
VERSION = importlib.metadata.version("qdrant-client")  # the client warns of a server that is much older or newer


class QdrantServer(ProtocolServer):
    """Serves from a thread between `with` and its end. `calls` has the last ones: "PUT /collections/a/points"."""

    def __init__(self, *, api_key: str = "") -> None:
        self.engine = QdrantClient(":memory:")  # threads may not share it
        self.api_key = api_key
        self.calls: deque[str] = deque(maxlen=CALLS_KEPT)
        self.is_failing = self.is_hanging = False
        super().__init__(_QdrantCall)

    @contextmanager
    def failing(self) -> Iterator[None]:
        self.is_failing = True
        try:
            yield
        finally:
            self.is_failing = False

    @contextmanager
    def hanging(self) -> Iterator[None]:
        self.is_hanging = True
        try:
            yield
        finally:
            self.is_hanging = False

    def close(self) -> None:
        self.__exit__(None, None, None)

    def answer(self, method: str, path: str, body: bytes) -> Any:
        """The result of a call. Raises `_Refusal` and what the engine raises."""
        for route, (kind, work) in ROUTES.items():
            if found := re.fullmatch(route.replace("{name}", "(?P<name>[^/]+)"), f"{method} {path}"):
                try:
                    asked = kind.validate_python(from_json(body)) if kind else None
                except ValueError as error:
                    raise _Refusal(400, f"Format error in JSON body: {error}") from None
                name = unquote(found["name"]) if found.re.groups else ""
                with self._lock:
                    is_known = not name or self.engine.collection_exists(name)
                    if route == CREATE and is_known:
                        raise _Refusal(409, f"Wrong input: Collection `{name}` already exists!")
                    if not is_known and route not in (CREATE, DROP, EXISTS):
                        raise _Refusal(404, f"Not found: Collection `{name}` doesn't exist!")
                    return work(self.engine, name, asked)
        raise _Refusal(404, f"Not found: {method} {path}")


class _Refusal(Exception):
    """A status and what is wrong."""


class _QdrantCall(LocalCall):
    server_of: QdrantServer

    def _serve(self) -> None:
        begun, server, path = time.monotonic(), self.server_of, urlsplit(self.path).path
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        server.calls.append(f"{self.command} {path}")
        while server.is_hanging:
            if self._pause(0.05):
                self.close_connection = True
                return
        status, answer = self._outcome(path, body)
        if path != "/" or status != 200:
            outcome = {"result": answer, "status": "ok"} if status == 200 else {"status": {"error": answer}}
            answer = {**outcome, "time": time.monotonic() - begun}
        data = to_json(answer)
        self.write_json_head(status, len(data), {})
        self.wfile.write(data)

    do_GET = do_PUT = do_POST = do_DELETE = _serve

    def _outcome(self, path: str, body: bytes) -> tuple[int, Any]:
        """The status and the result, or what is wrong."""
        server = self.server_of
        if server.is_failing:
            return 503, "Service unavailable: as promised"
        if path == "/":
            return 200, {"title": "qdrant - vector search engine", "version": VERSION}
        if server.api_key and self.headers.get("api-key") != server.api_key:
            return 401, "Invalid API key or JWT"
        try:
            return 200, server.answer(self.command, path, body)
        except _Refusal as refusal:
            return refusal.args
        except ValueError as error:
            return 400, f"Wrong input: {error}"
        except Exception as error:
            return 500, f"Service internal error: {error!r}"


def _create(engine: Any, name: str, body: models.CreateCollection) -> Any:
    names = {"vectors": "vectors_config", "sparse_vectors": "sparse_vectors_config"}
    return engine.create_collection(name, **{names.get(key, key): value for key, value in body})


def _scroll(engine: Any, name: str, body: models.ScrollRequest) -> Any:
    shown = True if body.with_payload is None else body.with_payload
    points, next_offset = engine.scroll(name, limit=body.limit or 10, offset=body.offset, with_payload=shown)
    return {"points": points, "next_page_offset": next_offset}


POINTS = "/collections/{name}/points"
CREATE, DROP, EXISTS = "PUT /collections/{name}", "DELETE /collections/{name}", "GET /collections/{name}/exists"
# What is called, the form of its body, and the engine's work.
CALLS: dict[str, tuple[Any, Callable[[Any, str, Any], Any]]] = {
    EXISTS: (None, lambda engine, name, _: {"exists": engine.collection_exists(name)}),
    CREATE: (models.CreateCollection, _create),
    DROP: (None, lambda engine, name, _: engine.delete_collection(name)),
    "PUT /collections/{name}/index": (
        models.CreateFieldIndex,
        lambda engine, name, body: engine.create_payload_index(name, body.field_name, body.field_schema),
    ),
    f"PUT {POINTS}": (models.PointsList, lambda engine, name, body: engine.upsert(name, body.points)),
    f"POST {POINTS}/delete": (models.PointsSelector, lambda engine, name, body: engine.delete(name, body)),
    f"POST {POINTS}/query/batch": (
        models.QueryRequestBatch,
        lambda engine, name, body: engine.query_batch_points(name, body.searches),
    ),
    f"POST {POINTS}/scroll": (models.ScrollRequest, _scroll),
}
ROUTES = {call: (TypeAdapter(form) if form else None, work) for call, (form, work) in CALLS.items()}
