"""`python -m bench.anthropic_server --words 100 --word-s 0.2`: a model that speaks as slowly as it is told."""

import argparse
import threading

from bench.anthropic_server import AnthropicServer, Block, cited

parser = argparse.ArgumentParser(prog="python -m bench.anthropic_server", description=__doc__)
parser.add_argument("--port", type=int, default=0)
parser.add_argument("--words", type=int, default=100, help="words of a streamed answer, which ends with a citation")
parser.add_argument("--word-s", type=float, default=0.2, help="seconds between two words")
chosen = parser.parse_args()
with AnthropicServer(port=chosen.port) as server:
    server.will_stream(Block("word " * chosen.words, [cited(0)]), token_s=chosen.word_s)
    print(server.url, flush=True)
    threading.Event().wait()
