"""The server: what was promised, what was asked, and who waits for an answer now."""

import json
import time
from typing import Any, TypeVar

from tests.anthropic_server import script
from tests.anthropic_server.handler import Handler
from tests.anthropic_server.script import Answer, Block, StreamedReply
from tests.local_server import ProtocolServer, Request

T = TypeVar("T", Answer, StreamedReply)


class AnthropicServer(ProtocolServer):
    """Serves from a thread between `with` and its end.

    `most_at_once` is the highest number of calls that were under way at a time: neither answered, nor given up by
    a client that hung up. `left_at` are the times (`time.monotonic()`) at which clients hung up during a stream;
    `words` counts what all streams have said. `refuses` names options that the model does not support.
    """

    def __init__(self, *, port: int = 0) -> None:
        self.refuses: tuple[str, ...] = ()
        self.requests: list[Request] = []
        self.left_at: list[float] = []
        self.words = 0
        self.most_at_once = 0
        self._under_way: set[Handler] = set()
        self._answers: list[Answer] = []
        self._streams: list[StreamedReply] = []
        super().__init__(Handler, port=port)

    @property
    def streams(self) -> list[Request]:
        """The requests that asked for a stream."""
        return [request for request in self.requests if request.is_stream]

    def will_answer(self, content: Any = None, **options: Any) -> None:
        """Promise one more whole answer; `content` is a string as it is, anything else as JSON."""
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        with self._lock:
            self._answers.append(Answer(text=text, **options))

    def will_stream(self, *blocks: Block, **options: Any) -> None:
        """Promise one more stream, of these blocks or, without any, of one for each search result."""
        with self._lock:
            self._streams.append(StreamedReply(blocks=blocks or None, **options))

    def forget_promises(self) -> None:
        """What is promised from here on is given at once, not after what was promised before."""
        with self._lock:
            self._answers.clear()
            self._streams.clear()

    def next_answer(self, body: dict[str, Any]) -> Answer:
        schema = ((body.get("output_config") or {}).get("format") or {}).get("schema")
        return self._next(self._answers, Answer(text=json.dumps(script.least(schema))))

    def next_stream(self) -> StreamedReply:
        return self._next(self._streams, StreamedReply())

    def _next(self, promised: list[T], usual: T) -> T:
        with self._lock:
            return promised.pop(0) if len(promised) > 1 else promised[0] if promised else usual

    def begin(self, call: Handler, request: Request) -> None:
        with self._lock:
            self.requests.append(request)
            self._under_way.add(call)
            self.most_at_once = max(self.most_at_once, self._count())

    def end(self, call: Handler) -> None:
        with self._lock:
            self._under_way.discard(call)

    def said(self) -> None:
        with self._lock:
            self.words += 1

    def was_left(self) -> None:
        with self._lock:
            self.left_at.append(time.monotonic())

    @property
    def at_once(self) -> int:
        """How many calls are under way now."""
        with self._lock:
            return self._count()

    def _count(self) -> int:
        # A call's own thread may be late to see that its client is gone, and the next client is quick.
        return sum(not call.is_left() for call in self._under_way)
