"""A server on this machine that re-ranks, in the form of TEI or in that of Jina, Cohere and vLLM.

    with RerankServer(TEI) as server:
        server.will_fail(status=429)                         # the next request; the others are answered
        ...                                                  # settings.KB_RERANKER_URL = server.url
        server.requests[-1].body                             # what was sent

A text scores as many points as it has words of the query, unless the server is made with another `score`. A member of
the request that the form does not have is refused, as are more texts than the form takes.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.local_server import LocalCall, ProtocolServer, Request

PATH = "/rerank"


@dataclass(frozen=True, kw_only=True)
class Form:
    """`required` and `optional` are the members of a request with their types; `texts` is the one with the texts."""

    texts: str
    required: Mapping[str, type]
    optional: Mapping[str, type]
    most: int
    needs_key: bool = False

    def broken_rule(self, request: Request) -> tuple[int, str] | None:
        """The status and message for a request that is not taken; None for a good one."""
        body = request.body
        if self.needs_key and not request.headers.get("authorization", "").startswith("Bearer "):
            return 401, "no key"
        known = {**self.required, **self.optional}
        for name, value in body.items():
            if name not in known or not isinstance(value, known[name]):
                return 422, f"unexpected: {name}"
        if missing := self.required.keys() - body.keys():
            return 422, f"missing: {missing}"
        if not 0 < len(body[self.texts]) <= self.most or not all(isinstance(text, str) for text in body[self.texts]):
            return 422, "too few or too many texts, or other things"
        return None


TEI = Form(
    texts="texts",
    required={"query": str, "texts": list},
    optional={"raw_scores": bool, "return_text": bool, "truncate": bool, "truncation_direction": str},
    most=32,
)
JINA = Form(
    texts="documents",
    required={"model": str, "query": str, "documents": list},
    optional={"top_n": int, "return_documents": bool},
    most=1000,
    needs_key=True,
)
VLLM = Form(
    texts="documents",
    required={"query": str, "documents": list},
    optional={"model": str, "top_n": int, "truncate_prompt_tokens": int},
    most=1000,
)


@dataclass(frozen=True, kw_only=True)
class Failure:
    """What goes wrong with one request."""

    status: int = 200
    delay_s: float = 0.0  # silence before the first byte
    drip_s: float = 0.0  # one byte of white space after the other for so long
    raw: bytes | None = None  # sent in place of the JSON


class RerankServer(ProtocolServer):
    """Serves from a thread between `with` and its end."""

    path = PATH

    def __init__(self, form: Form, *, score: Callable[[str, str], float] | None = None, port: int = 0) -> None:
        self.form, self.score = form, score or _words_in_common
        self.requests: list[Request] = []
        self._failures: list[Failure] = []
        super().__init__(_Reranking, port=port)

    def will_fail(self, **how: Any) -> None:
        """Have the next request that has no failure yet go wrong."""
        with self._lock:
            self._failures.append(Failure(**how))

    def next_failure(self) -> Failure:
        with self._lock:
            return self._failures.pop(0) if self._failures else Failure()

    def answer(self, body: Mapping[str, Any]) -> Any:
        """The scores, best first, in the server's form."""
        scored = [(self.score(body["query"], text), index) for index, text in enumerate(body[self.form.texts])]
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        if self.form is TEI:
            return [{"index": index, "score": score} for score, index in scored]
        rows = [{"index": index, "relevance_score": score} for score, index in scored]
        return {"model": body.get("model", "a-model"), "results": rows[: body.get("top_n") or None]}


class _Reranking(LocalCall):
    server_of: RerankServer

    def do_POST(self) -> None:
        request = self.request_sent()
        self.server_of.requests.append(request)
        if request.path != PATH:
            return self._say(404, {"error": "no such path"})
        if problem := self.server_of.form.broken_rule(request):
            return self._say(problem[0], {"error": problem[1]})
        failure = self.server_of.next_failure()
        if failure.delay_s and self._pause(failure.delay_s):
            return None
        if failure.drip_s:
            return self._drip(failure.drip_s)
        if failure.status != 200:
            return self._say(failure.status, {"error": "as promised"})
        return self._say(200, self.server_of.answer(request.body), failure.raw)

    def _say(self, status: int, answer: Any, raw: bytes | None = None) -> None:
        data = json.dumps(answer).encode() if raw is None else raw
        self.write_json_head(status, len(data), {})
        self.wfile.write(data)

    def _drip(self, seconds: float) -> None:
        self.close_connection = True
        self.write_json_head(200, 1_000_000, {})
        for _ in range(int(seconds / 0.05)):
            self.wfile.write(b" ")
            if self._pause(0.05):
                return


def _words_in_common(query: str, text: str) -> float:
    return float(len(set(query.lower().split()) & set(text.lower().split())))
