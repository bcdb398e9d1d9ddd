"""`python -m bench.anthropic_server --words 100 --word-s 0.2`: a model that speaks as slowly as it is told."""

import argparse
import threading

from bench.anthropic_server import AnthropicServer, Block, cited

SENTENCE = 10  # words: text is sent on a sentence at a time

parser = argparse.ArgumentParser(prog="python -m bench.anthropic_server", description=__doc__)
parser.add_argument("--port", type=int, default=0)
parser.add_argument("--words", type=int, default=100, help="words of a streamed answer, each ten cited")
parser.add_argument("--word-s", type=float, default=0.2, help="seconds between two words")
chosen = parser.parse_args()
with AnthropicServer(port=chosen.port) as server:
    sentence = Block("word " * (SENTENCE - 1) + "word. ", [cited(0)])
    server.will_stream(*[sentence] * max(1, chosen.words // SENTENCE), token_s=chosen.word_s)
    print(server.url, flush=True)
    threading.Event().wait()
