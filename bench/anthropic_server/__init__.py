"""A server on this machine that speaks the Messages API as of 2026-10-21, for tests and benchmarks with the real SDK.

    with AnthropicServer() as server:
        server.will_answer({"kind": "law"})                  # the text of the answer, as JSON
        server.will_answer(status=529)                       # an error
        server.will_stream(Block("So.", [cited(0)]))         # for the requests that ask for a stream
        ...                                                  # settings.ANTHROPIC_BASE_URL = server.url
        server.requests[-1].body                             # what the SDK sent

Whole answers and streams are promised apart: each is given in the order in which it was promised, and the last one is
repeated. Where nothing was promised, a stream cites every search result, and a whole answer is as empty as its schema
allows. Bodies that break a rule of the API are answered with 400.
"""

from bench.anthropic_server.script import Answer, Block, StreamedReply, cited
from bench.anthropic_server.server import AnthropicServer
from bench.local_server import Request

__all__ = ["Answer", "AnthropicServer", "Block", "Request", "StreamedReply", "cited"]
