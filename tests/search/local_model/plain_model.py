"""The model computed plainly: the best way through a text by a table of all pieces, and 32-bit arithmetic in numpy."""

import math
import re
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from search.local_model.weights_file import WeightsFile, unpacked

UNKNOWN = 3
erf = np.vectorize(math.erf)


class PlainModel:
    def __init__(self, path: Path) -> None:
        self.file = WeightsFile(path)

    @cached_property
    def scores(self) -> dict[bytes, tuple[int, float]]:
        letters, ends = self.file.pieces.tobytes(), self.file.ends.tolist()
        return {
            letters[ends[place] : ends[place + 1]]: (place, score)
            for place, score in enumerate(self.file.scores.tolist())
            if place != UNKNOWN
        }

    def pieces(self, text: str) -> list[int]:
        text = re.sub(" +", " ", text.translate(self.file.characters))
        text = (text if text.startswith(" ") else " " + text).replace(" ", "\u2581")
        unknown = float(self.file.scores.min()) - 10
        best: list[tuple[float, int, int]] = [(0.0, 0, 0)]
        for end in range(1, len(text) + 1):
            ways = [(best[end - 1][0] + unknown, end - 1, UNKNOWN)]
            for start in range(max(0, end - 48), end):
                if found := self.scores.get(text[start:end].encode()):
                    ways.append((best[start][0] + found[1], start, found[0]))
            best.append(max(ways))
        ids, at = [], len(text)
        while at:
            _, at, piece = best[at]
            ids.append(piece)
        return ids[::-1]

    def vector(self, text: str) -> NDArray[np.float32]:
        ids = [0, *self.pieces(text), 2]
        words = unpacked(self.file.blocks("emb.word", columns=384)[ids])
        places, kinds = (self.file.values(f"emb.{name}").reshape(-1, 384) for name in ("pos", "type"))
        found = self.normalised(words + places[: len(ids)] + kinds[0], "emb.ln")
        for layer in range(12):
            found = self.layer(found, f"l{layer}.")
        mean = found.mean(axis=0)
        return np.asarray(mean / np.linalg.norm(mean))

    def layer(self, given: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        asked, keys, values = (self.product(given, name + one).reshape(-1, 12, 32).swapaxes(0, 1) for one in "qkv")
        near = asked @ keys.swapaxes(1, 2) / math.sqrt(32)
        shares = np.exp(near - near.max(axis=-1, keepdims=True))
        seen = (shares / shares.sum(axis=-1, keepdims=True) @ values).swapaxes(0, 1).reshape(given.shape)
        found = self.normalised(given + self.product(seen, f"{name}ao"), f"{name}aln")
        wider = self.product(found, f"{name}fi")
        wider = (wider * (1 + erf(wider / math.sqrt(2))) / 2).astype(np.float32)
        return self.normalised(found + self.product(wider, f"{name}fo"), f"{name}oln")

    def product(self, given: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        weights = unpacked(self.file.blocks(f"{name}.w", columns=given.shape[1]))
        return np.asarray(given @ weights.T + self.file.values(f"{name}.b"))

    def normalised(self, given: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        moved = given - given.mean(axis=-1, keepdims=True)
        scaled = moved / np.sqrt((moved**2).mean(axis=-1, keepdims=True) + 1e-12)
        return np.asarray(scaled * self.file.values(f"{name}.w") + self.file.values(f"{name}.b"))
