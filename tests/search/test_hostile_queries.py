"""Questions nobody asks: whatever the text, an answer or a refusal, and work that grows with the text and no faster."""

import json
import os
import time
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.http import StreamingHttpResponse
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from answers.writing.quotes.pieces import sentences
from extraction.document import Page
from law.chunking import chunk
from law.citations.parsing import find_references
from law.citations.titles import parse_title
from law.structure.lines.clauses import outline
from law.words.analysis import term_positions, terms
from search.retrieval import MAX_QUERY_LENGTH
from sources.citations.source_keys import identifier_keys, identifier_lookups
from tests.search.corpus import add_source, section

pytestmark = pytest.mark.deep

EXAMPLES = int(os.environ.get("KB_FUZZ_STEPS", "40")) // 4
UNITS = (
    "(",
    "[",
    "סעיף 1",
    "1.",
    "(א)",
    '"',
    "־",
    "ְ",
    "1",
    "א",
    "a. ",
    " ",
    "של ",
    "section 1(a)",
    "1-",
    "עד ",
    ", ",
    "/",
    "aB",
    "1,",
    "(1",
    "א'",
    "1 1 ",
    "ו",
    "תש",
    "1.1",
    "-1",
    "פרק א",
    "CHAPTER I ",
    "...",
    "sections 1 to 2, ",
    "ב־",
    "\u05bf",
    "1. ",
    "a\u0301\u0316",
    "(א) ",
    "1.\n",
    "!\n",
    "0-",
    "ע.א. ",
)
SIGNS = "".join(UNITS)


@st.composite
def questions(draw: st.DrawFn) -> str:
    """Any Unicode; pieces that look like citations; one piece over and over, to the longest that is read."""
    match draw(st.integers(0, 3)):
        case 0:
            return draw(st.text(max_size=60))
        case 1:
            return draw(st.text(SIGNS, max_size=200))
        case 2:
            return "".join(draw(st.lists(st.sampled_from(UNITS), max_size=40)))
        case _:
            unit = draw(st.sampled_from(UNITS))
            return (unit * MAX_QUERY_LENGTH)[: MAX_QUERY_LENGTH + draw(st.integers(-1, 1))]


@pytest.fixture
def corpus(db: None) -> None:
    section_1 = section("1", "תשלום", "הבנק ישלם ריבית (א) לפי סעיף 1.")
    add_source(section_1, title='חוק הבנקים, התשמ"א-1981', identifier="ח-1")
    add_source("The bank pays interest under section 1(a).", title="Rules")


def answered(path: str, body: dict[str, Any]) -> int:
    """The status, once the whole answer has been read."""
    headers = {"Accept": "application/json, text/event-stream"}
    # Not the client's own JSON: what no UTF-8 can hold goes as the escape that JSON has for it.
    response: Any = Client(headers=headers).post(path, json.dumps(body), content_type="application/json")
    assert async_to_sync(whole)(response) if response.streaming else response.content
    return response.status_code


async def whole(response: StreamingHttpResponse) -> bytes:
    return b"".join([part async for part in response])


@pytest.mark.usefixtures("corpus")
@settings(
    max_examples=EXAMPLES,
    derandomize="KB_FUZZ_STEPS" not in os.environ,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(question=questions(), mode=st.sampled_from(("lexical", "dense", "hybrid")))
def test_any_question_has_an_answer_or_a_refusal_at_every_door(question: str, mode: str) -> None:
    search = {"query": question, "topic_id": 1, "mode": mode}
    asked = {"question": question, "topic_id": 1}
    assert answered("/kb/search", search) in (200, 400)
    assert answered("/kb/ask", asked) in (200, 400)
    assert answered("/kb/ask/stream", asked) in (200, 400)
    for name, argument in (("search_legal_kb", "query"), ("read_legal_provision", "reference")):
        call = {"name": name, "arguments": {argument: question}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        assert answered("/mcp/general/", message) < 500


def page_of(text: str) -> list[Page]:
    return [Page(number=1, paragraphs=tuple(line for line in text.split("\n") if line))]


READ_BY: dict[str, Callable[[str], object]] = {
    "terms": terms,
    "references": find_references,
    "identifiers": lambda text: (identifier_keys(text), identifier_lookups(text)),
    "titles": parse_title.__wrapped__,  # the function behind its cache
    "clauses": outline,
    "sentences": lambda text: list(sentences(text)),
    "places": lambda text: term_positions([text], frozenset({"אחד"})),
    "laws": lambda text: list(chunk(page_of(text), kind="law")),
    "circulars": lambda text: list(chunk(page_of(text), kind="circular")),
}
SHORT, TIMES_LONGER = 1_000, 8
LINEAR, SQUARE = TIMES_LONGER, TIMES_LONGER**2
LOST_IN_NOISE_S = 0.02


def cpu(read: Callable[[str], object], text: str) -> float:
    """Of three readings the least CPU time of this thread, in seconds."""
    spent = []
    for _ in range(3):
        before = time.thread_time()
        read(text)
        spent.append(time.thread_time() - before)
    return min(spent)


@pytest.mark.parametrize("name", READ_BY)
def test_work_does_not_grow_with_the_square_of_the_text(name: str) -> None:
    """Compared with itself on a shorter text, so that it does not matter how fast the machine is."""
    read = READ_BY[name]
    for unit in UNITS:
        short, long = ((unit * size)[:size] for size in (SHORT, SHORT * TIMES_LONGER))
        taken = cpu(read, long)
        growth = taken / max(cpu(read, short), LOST_IN_NOISE_S / SQUARE)
        assert taken < LOST_IN_NOISE_S or growth < (LINEAR + SQUARE) / 2, (name, unit, growth)
