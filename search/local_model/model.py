"""Texts to vectors: pieces of words, what stands for each, the graph, and the mean of what comes out."""

import re
from pathlib import Path
from tempfile import TemporaryFile
from typing import Literal

import numpy as np
import onnxruntime
import sentencepiece
from numpy.typing import NDArray

from search.local_model import graph
from search.local_model.protobuf import data, float32, number
from search.local_model.weights_file import WeightsFile, unpacked

Kind = Literal["query", "passage"]

BEGIN, PAD, END, UNKNOWN = 0, 1, 2, 3  # ids of pieces
MAX_PIECES = 510  # that it reads at once; a longer text is read in parts
_SPACES = re.compile("  +")
_SPACE = "\u2581"  # of SentencePiece


class Stopped(Exception):
    """Somebody had the embedding stopped."""


class Stop:
    """With which another thread stops an embedding within a millisecond or two."""

    def __init__(self) -> None:
        self.options = onnxruntime.RunOptions()

    def ask(self) -> None:
        self.options.terminate = True

    @property
    def is_asked(self) -> bool:
        return bool(self.options.terminate)


class Model:
    """Any number of threads may use it at a time. Each embeds one text on itself alone.

    Texts are not put together: what goes into a matrix is rounded as a whole, so a vector would depend on its
    neighbours, and together they are not faster.
    """

    def __init__(self, path: Path) -> None:
        file = WeightsFile(path)
        self._characters = file.characters
        self._pieces = sentencepiece.SentencePieceProcessor(model_proto=_pieces_model(file))
        self._words = file.blocks("emb.word", columns=graph.WIDTH)
        kinds = file.values("emb.type").reshape(-1, graph.WIDTH)  # all pieces are of the first
        self._places = file.values("emb.pos").reshape(-1, graph.WIDTH) + kinds[0]
        self._session = _session(graph.onnx_model(file))

    def vector(self, text: str, kind: Kind, *, stop: Stop | None = None) -> NDArray[np.float32]:
        """Of length 1. Of a text that is read in parts it is their mean, by how many pieces each has.

        Raises Stopped.
        """
        pieces = self.pieces(f"{kind}: {text}")
        total = np.zeros(graph.WIDTH, np.float32)
        for start in range(0, max(1, len(pieces)), MAX_PIECES):
            part = pieces[start : start + MAX_PIECES]
            total += max(1, len(part)) * self._mean([BEGIN, *part, END], stop)
        vector: NDArray[np.float32] = total / np.linalg.norm(total)
        return vector

    def pieces(self, text: str) -> list[int]:
        """The ids of the pieces of a text."""
        text = _SPACES.sub(" ", text.translate(self._characters))
        marked = text if text.startswith(" ") else f" {text}"
        found: list[int] = self._pieces.encode(marked.replace(" ", _SPACE))
        return found

    def _mean(self, ids: list[int], stop: Stop | None) -> NDArray[np.float32]:
        embedded = unpacked(self._words[ids]) + self._places[: len(ids)]
        try:
            [[found]] = self._session.run([graph.OUTPUT], {graph.INPUT: embedded[None]}, stop and stop.options)
        except Exception as error:
            if stop and stop.is_asked:
                raise Stopped from error
            raise
        mean: NDArray[np.float32] = found.mean(axis=0)
        return mean


def _session(model: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # no slower, and what a long text took is given back
    options.log_severity_level = 3
    with TemporaryFile() as file:  # it has no name that could be left behind; given the bytes, a session keeps them
        file.write(model)
        file.seek(0)
        return onnxruntime.InferenceSession(f"/dev/fd/{file.fileno()}", options, providers=["CPUExecutionProvider"])


def _pieces_model(file: WeightsFile) -> bytes:
    """The pieces with their scores, as SentencePiece reads them. It leaves texts as they are: `pieces` sees to that."""
    known = (slice(0, UNKNOWN), slice(UNKNOWN + 1, len(file.scores)))
    before, after = (_messages(file.pieces, file.ends, file.scores, some) for some in known)
    unknown = data(1, data(1, "<unk>"), float32(2, 0.0), number(3, 2))
    unigram = data(2, number(3, 1), number(40, UNKNOWN), number(41, BEGIN), number(42, END), number(43, PAD))
    as_it_is = data(3, number(3, 0), number(4, 0), number(5, 0))
    return b"".join([before, unknown, after, unigram, as_it_is])


def _messages(letters: NDArray[np.uint8], ends: NDArray[np.uint32], scores: NDArray[np.float32], some: slice) -> bytes:
    """`data(1, data(1, piece), float32(2, score))` of each piece, of all at once: there are a quarter of a million.

    None has as many as 120 bytes, so each length is one byte.
    """
    starts, lengths = ends[:-1][some].astype(np.int64), np.diff(ends)[some].astype(np.int64)
    around = 9 * np.arange(len(starts))  # bytes of the messages before, without their pieces
    begins = starts - starts[0] + around
    scored = begins + 4 + lengths
    written = np.zeros(scored[-1] + 5, np.uint8)
    written[begins], written[begins + 1], written[begins + 2], written[begins + 3] = 0x0A, lengths + 7, 0x0A, lengths
    own = letters[starts[0] : starts[-1] + lengths[-1]]
    written[np.arange(len(own)) + np.repeat(around + 4, lengths)] = own
    written[scored] = 0x15
    written[scored[:, None] + np.arange(1, 5)] = scores[some].view(np.uint8).reshape(-1, 4)
    return written.tobytes()
