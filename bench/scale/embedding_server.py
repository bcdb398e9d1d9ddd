"""A local server that speaks OpenAI's embeddings API and answers with `text_vectors`; for measuring, not for searching.

`python -m bench.scale.embedding_server --port 9000`, then KB_EMBEDDER=openai, KB_EMBEDDING_BASE_URL=http://127.0.0.1:9000/v1,
KB_EMBEDDING_MODEL and KB_EMBEDDING_DIMENSION as `environment` has them.
"""

import argparse
import json
import socket
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import uvicorn

from bench.scale.text_vectors import DIMENSION, text_vector
from tests.local_server import server_process

MODEL = "bench-hashed-384"
DIGITS = 5

Message = MutableMapping[str, Any]


async def application(
    scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """The ASGI application: POST /v1/embeddings, and GET of anything to see that it is there."""
    if scope["type"] != "http":
        return
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    status, answer = (200, embeddings(body)) if scope["method"] == "POST" else (200, {"model": MODEL})
    content = json.dumps(answer).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def embeddings(body: bytes) -> dict[str, Any]:
    """The answer to a request as OpenAI's API has it."""
    given = json.loads(body)["input"]
    texts = [given] if isinstance(given, str) else given
    return {
        "object": "list",
        "model": MODEL,
        "data": [
            {"object": "embedding", "index": place, "embedding": text_vector(text).round(DIGITS).tolist()}
            for place, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": 0, "total_tokens": 0},
    }


def environment(base_url: str) -> dict[str, str]:
    """The settings that lead the service to this server."""
    return {
        "KB_EMBEDDER": "openai",
        "KB_EMBEDDING_BASE_URL": base_url,
        "KB_EMBEDDING_MODEL": MODEL,
        "KB_EMBEDDING_DIMENSION": str(DIMENSION),
        "KB_EMBEDDING_API_KEY": "none",
    }


@contextmanager
def running() -> Iterator[str]:
    """Start the server in a process of its own, and stop it at the end; yields its base URL. Raises ServerFailed."""
    with server_process("bench.scale.embedding_server", "--port", "0") as process:
        yield process.url


def main() -> None:
    """Print the base URL as the first line and serve."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale.embedding_server", description=__doc__)
    parser.add_argument("--port", type=int, default=9000)
    text_vector("")  # makes the projection before the first request does
    listener = socket.create_server(("127.0.0.1", parser.parse_args().port))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/v1", flush=True)
    uvicorn.Server(uvicorn.Config(application, log_level="warning", access_log=False)).run([listener])


if __name__ == "__main__":
    main()
