"""A server on this machine that speaks OpenAI's chat-completions API, after its public description.

    with OpenAIServer() as server:
        server.will_say({"wordings": ["fee"]})               # the answer, as JSON; a string as it is
        server.will_say(status=429, headers={"retry-after": "0"})
        ...                                                  # settings.KB_LLM_BASE_URL = server.url
        server.requests[-1].body                             # what was sent

Answers are given in the order in which they were promised, whole or as a stream as the request asks, and the last one
is repeated. Where nothing was promised, an answer is as empty as its schema allows. A parameter that the API does not
have, or the dialect refuses, is answered with 400. A `Dialect` is how one of the servers differs from the description.
"""

from bench.openai_server.rules import LLAMA_CPP, OLLAMA, OPENAI, REASONING, VLLM, Dialect
from bench.openai_server.server import OpenAIServer, Reply, passages_of

__all__ = ["LLAMA_CPP", "OLLAMA", "OPENAI", "REASONING", "VLLM", "Dialect", "OpenAIServer", "Reply", "passages_of"]
