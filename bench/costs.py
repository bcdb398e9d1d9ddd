"""`python -m bench.costs`: what a question costs in calls and tokens, by provider, asked first and asked again."""

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.anthropic_server import AnthropicServer
from bench.anthropic_server.handler import Request
from bench.client import Api, ApiError
from bench.datasets import DataSet, load_set
from bench.load import load, topic_for
from bench.openai_server import OpenAIServer
from bench.stack import PROJECT, StackFailed, embedded
from bench.tables import markdown

CHARACTERS_OF_A_TOKEN = 3
CACHE_S = 3600
# While the index still gathers new chunks, what words weigh changes, and with it the key of a kept answer.
SETTLE = "from search.index import engine; engine().maintain(thorough=True)"
ROUNDS = ("asked first", "asked again")
Requests = list[Request]


def main() -> int:
    # Asked to end, leave through the `with` blocks that stop the servers.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    parser = argparse.ArgumentParser(prog="python -m bench.costs", description=__doc__)
    parser.add_argument("--set", default="heqa")
    parser.add_argument("--limit", type=int, default=40, help="about this many questions and documents of the set")
    chosen = parser.parse_args()
    root = Path(os.environ.get("KB_DATA_SETS", PROJECT / "../shared/data"))
    dataset = load_set(chosen.set, root=root, limit=chosen.limit)
    try:
        rows = [row for server in (claude, chat) for row in _measured(dataset, server)]
    except (ApiError, StackFailed) as error:
        print(error, file=sys.stderr)
        return 2
    head = ["provider", "question", "calls: answer + wordings", "tokens sent: answer + wordings", "took, ms"]
    print(markdown(head, rows))
    return 0


@contextmanager
def claude() -> Iterator[tuple[str, Requests]]:
    with AnthropicServer() as server:
        os.environ.update(ANTHROPIC_API_KEY="bench", ANTHROPIC_BASE_URL=server.url, KB_ANSWERER="", KB_EXPANDER="")
        yield "anthropic", server.requests


@contextmanager
def chat() -> Iterator[tuple[str, Requests]]:
    with OpenAIServer() as server:
        os.environ.update(KB_LLM_BASE_URL=server.url, KB_LLM_MODEL="bench", KB_LLM_API_KEY="bench")
        os.environ.update(KB_ANSWERER="openai", KB_EXPANDER="openai")
        yield "openai", server.requests


def _measured(dataset: DataSet, server: Callable[[], Any]) -> Iterator[list[str]]:
    os.environ.update(KB_ANSWER_CACHE_S=str(CACHE_S), KB_THROTTLE_ASK="100000/s")
    with server() as (provider, requests), embedded(None, keep=False) as stack:
        api = Api(stack.base_url, stack.api_key, connections=4)
        topic_id = topic_for(dataset, api=api, stack=stack)
        load(dataset, api=api, topic_id=topic_id, connections=4)
        stack.shell(SETTLE)
        for name in ROUNDS:
            requests.clear()
            answers = [api.ask(query.text, topic_id=topic_id) for query in dataset.queries]
            yield [provider, name, *_costs(requests, answers)]
        api.close()


def _costs(requests: Requests, answers: Sequence[dict[str, Any]]) -> list[str]:
    """Per question: of the answer, which is streamed, and of the wordings."""
    count = len(answers)
    kinds = [[request for request in requests if request.is_stream is streams] for streams in (True, False)]
    calls = " + ".join(f"{len(kind) / count:.2f}" for kind in kinds)
    tokens = " + ".join(f"{sum(map(_tokens, kind)) / count:,.0f}" for kind in kinds)
    return [calls, tokens, f"{sum(answer['took_ms'] for answer in answers) / count:.0f}"]


def _tokens(request: Request) -> int:
    """About how many tokens the texts of a request have, by their characters."""
    body = request.body
    texts = [body.get("system"), body["messages"], body.get("output_config"), body.get("response_format")]
    return len(json.dumps(texts, ensure_ascii=False)) // CHARACTERS_OF_A_TOKEN


if __name__ == "__main__":
    sys.exit(main())
