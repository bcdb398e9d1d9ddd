"""What the server is told to say: whole answers, and streams of blocks with citations, good and bad."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.anthropic_server.rules import blocks_of

Body = dict[str, Any]
Cite = Callable[[Body], dict[str, Any]]

USAGE = {
    "input_tokens": 100,
    "output_tokens": 25,
    "cache_creation_input_tokens": 30,
    "cache_read_input_tokens": 20,
}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """How any answer begins: an error status instead of it, or a silence before it."""

    stop_reason: str = "end_turn"
    thinking: bool = False  # an empty thinking block comes first, as models of the fifth generation send it
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0  # silence before the first byte


@dataclass(frozen=True, kw_only=True)
class Answer(Reply):
    """A whole answer: its text, and how badly it is delivered."""

    text: str = ""
    drip_s: float = 0.0  # one byte of white space after the other for so long, then the answer
    cut: bool = False  # the connection is dropped in the middle of the body


@dataclass(frozen=True)
class Block:
    """A text block; `citations` are made from the request's body, see `cited`."""

    text: str
    citations: Sequence[Cite] = ()
    citations_first: bool = False  # before the text of their block: the API promises no order


@dataclass(frozen=True, kw_only=True)
class StreamedReply(Reply):
    """A stream of blocks, a word at a time. What goes wrong does so after `breaks_after` words."""

    blocks: Sequence[Block] | None = None  # None: every search result is cited
    token_s: float = 0.0  # silence after each word
    breaks_after: int = 1
    error: str = ""  # type of an error event that ends the stream
    cut: bool = False  # the connection is dropped
    no_stop: bool = False  # the stream ends as if all was said
    stall_s: float = 0.0  # silence, and then the stream goes on


def cited(passage: int, first: int = 0, last: int | None = None, **changes: Any) -> Cite:
    """A citation of the blocks `first` to `last` (itself, where None) of a search result; `changes` make it false."""

    def citation(body: Body) -> dict[str, Any]:
        result = search_results(body)[passage]
        end = (first if last is None else last) + 1
        return {
            "type": "search_result_location",
            "search_result_index": passage,
            "start_block_index": first,
            "end_block_index": end,
            "source": result["source"],
            "title": result["title"],
            "cited_text": "".join(block["text"] for block in result["content"][first:end]),
            **changes,
        }

    return citation


def search_results(body: Body) -> list[dict[str, Any]]:
    return [block for _, block in blocks_of(body) if block["type"] == "search_result"]


def message(told: Reply, content: list[dict[str, Any]], *, model: str) -> dict[str, Any]:
    """A message of the API around its content."""
    thinking = [{"type": "thinking", "thinking": "", "signature": "test"}] if told.thinking else []
    return {
        "id": "msg_test",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [*thinking, *content],
        "stop_reason": told.stop_reason,
        "stop_sequence": None,
        "stop_details": None,
        "container": None,
        "usage": USAGE,
    }


def least(schema: Any) -> Any:
    """The emptiest answer that a schema of an object allows."""
    empty = {"array": [], "string": "", "object": {}, "integer": 0, "number": 0, "boolean": False}
    properties = (schema or {}).get("properties", {})
    return {name: empty.get(of.get("type")) for name, of in properties.items()}


def opening(told: StreamedReply, *, model: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events before the first block: names and data."""
    start = {**message(told, [], model=model), "content": [], "stop_reason": None}
    yield "message_start", {"message": start}
    yield "ping", {}
    if told.thinking:
        yield from _block(0, {"type": "thinking", "thinking": "", "signature": ""}, [])


def blocks(told: StreamedReply, body: Body) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of the text blocks."""
    said = told.blocks
    if said is None:
        said = [Block(f"Passage {n + 1} says so. ", [cited(n)]) for n in range(len(search_results(body)))]
    for index, block in enumerate(said, start=int(told.thinking)):
        texts = [{"type": "text_delta", "text": word} for word in re.findall(r"\s*\S+\s*", block.text)]
        cites = [{"type": "citations_delta", "citation": cite(body)} for cite in block.citations]
        begun: dict[str, Any] = {"type": "text", "text": "", **({"citations": []} if cites else {})}
        yield from _block(index, begun, cites + texts if block.citations_first else texts + cites)


def closing(told: StreamedReply) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events after the last block."""
    end = {"stop_reason": told.stop_reason, "stop_sequence": None, "stop_details": None, "container": None}
    yield "message_delta", {"delta": end, "usage": {"output_tokens": USAGE["output_tokens"]}}
    yield "message_stop", {}


def _block(index: int, begun: dict[str, Any], deltas: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "content_block_start", {"index": index, "content_block": begun}
    for delta in deltas:
        yield "content_block_delta", {"index": index, "delta": delta}
    yield "content_block_stop", {"index": index}
