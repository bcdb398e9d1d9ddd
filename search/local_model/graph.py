"""The model as a graph of ONNX, made from the weights file: the twelve layers of a BERT, with matrices in 8 bits.

The matrices are rounded once more, each row to whole numbers up to 64: so no sum of two products overflows the 16 bits
in which processors without VNNI add them. What goes into a matrix is rounded to 8 bits as a whole, and the largest
number in it sets the scale. Where a few numbers are far larger than the others, too little is left of these. So the
last matrix of three layers stays in 4 bits as it is stored, and its numbers are rounded in blocks of 32 with scales of
their own. That takes a tenth longer. Without it the cosine to vectors of 32-bit arithmetic falls from .998 to .996.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from search.local_model.protobuf import data, float32, number
from search.local_model.weights_file import BLOCK, WeightsFile, unpacked

WIDTH = 384  # numbers of a piece, and of a vector
WIDER = 1536
LAYERS = 12
HEADS = 12
EPSILON = 1e-12
MAX_WEIGHT = 64
IN_BLOCKS = ("l0.fo", "l4.fo", "l5.fo")  # into these go numbers of which a few are far larger than the others
INPUT, OUTPUT = "embedded", "pieces"
_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int64": 7}
_RUNTIME = "com.microsoft"  # the operators that ONNX Runtime adds to those of ONNX


def onnx_model(file: WeightsFile) -> bytes:
    """From what stands for each piece of a text ([1, pieces, WIDTH]) to what it means there (the same shape)."""
    graph = _Graph(file)
    found = graph.normalised(INPUT, "emb.ln")
    for layer in range(LAYERS):
        found = graph.layer(found, f"l{layer}.")
    operators = [data(8, number(2, 17)), data(8, data(1, _RUNTIME), number(2, 1))]
    return b"".join([number(1, 9), *operators, data(7, *graph.parts(found))])


@dataclass
class _Graph:
    file: WeightsFile
    nodes: list[bytes] = field(default_factory=list)
    tensors: list[bytes] = field(default_factory=list)

    def parts(self, last: str) -> Iterator[bytes]:
        """The fields of the graph."""
        yield from self.nodes
        yield data(1, data(1, last), data(2, OUTPUT), data(4, "Identity"))
        yield data(2, "multilingual-e5-small")
        yield from self.tensors
        for place, name in ((11, INPUT), (12, OUTPUT)):
            lengths = [data(1, number(1, 1)), data(1, data(2, "pieces")), data(1, number(1, WIDTH))]
            yield data(place, data(1, name), data(2, data(1, number(1, _TYPES["float32"]), data(2, *lengths))))

    def layer(self, given: str, layer: str) -> str:
        """Each piece looks at the others, then by itself."""
        asked = self.product(given, *(f"{layer}{name}" for name in "qkv"), width=WIDTH)
        three = [f"{layer}{name}.out" for name in "qkv"]
        self.node("Split", [asked, self.tensor(f"{layer}three", np.full(3, WIDTH, np.int64))], three, axis=2)
        seen = self.node("MultiHeadAttention", three, [f"{layer}seen"], _RUNTIME, num_heads=HEADS)
        found = self.normalised(self.product(seen, f"{layer}ao", width=WIDTH), f"{layer}aln", beside=given)
        wider = self.node("Gelu", [self.product(found, f"{layer}fi", width=WIDTH)], [f"{layer}gelu"], _RUNTIME)
        return self.normalised(self.product(wider, f"{layer}fo", width=WIDER), f"{layer}oln", beside=found)

    def normalised(self, given: str, name: str, *, beside: str = "") -> str:
        """Each row, with that of `beside` added, to a mean of 0 and a deviation of 1, then scaled and moved."""
        by = [self.tensor(f"{name}.{one}", self.file.values(f"{name}.{one}")) for one in "wb"]
        if beside:
            return self.node("SkipLayerNormalization", [given, beside, *by], [name], _RUNTIME, epsilon=EPSILON)
        return self.node("LayerNormalization", [given, *by], [name], axis=2, epsilon=EPSILON)

    def product(self, given: str, *names: str, width: int) -> str:
        """With the matrices, one under the other, and what is added of each."""
        blocks = np.concatenate([self.file.blocks(f"{name}.w", columns=width) for name in names])
        added = self.tensor(f"{names[0]}.b", np.concatenate([self.file.values(f"{name}.b") for name in names]))
        if names[0] in IN_BLOCKS:
            return self._product_in_blocks(given, names[0], blocks, added)
        weights = unpacked(blocks)
        scales = np.abs(weights).max(axis=1) / MAX_WEIGHT
        rounded = np.clip(np.round(weights / scales[:, None]), -MAX_WEIGHT, MAX_WEIGHT).astype(np.int8)
        by = [
            self.tensor(f"{names[0]}.w", rounded.T),
            self.tensor(f"{names[0]}.scale", scales),
            self.tensor(f"{names[0]}.zero", np.zeros(len(scales), np.int8)),
            added,
        ]
        return self.node("DynamicQuantizeMatMul", [given, *by], [f"{names[0]}.product"], _RUNTIME)

    def _product_in_blocks(self, given: str, name: str, blocks: NDArray[np.void], added: str) -> str:
        halves = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], axis=-1)
        rows, across = blocks.shape
        by = [
            self.tensor(f"{name}.w", halves[..., 0::2] | halves[..., 1::2] << 4),
            self.tensor(f"{name}.scale", blocks["scale"].astype(np.float32)),
            "",
            "",
            added,
        ]
        shape = {"K": across * BLOCK, "N": rows, "bits": 4, "block_size": BLOCK, "accuracy_level": 4}
        return self.node("MatMulNBits", [given, *by], [f"{name}.product"], _RUNTIME, **shape)

    def node(
        self, operator: str, given: list[str], found: list[str], domain: str = "", **attributes: int | float
    ) -> str:
        """An operator with its inputs and outputs. Returns the first output."""
        fields = [*(data(1, name) for name in given), *(data(2, name) for name in found), data(4, operator)]
        for name, value in attributes.items():
            kind = (float32(2, value), number(20, 1)) if isinstance(value, float) else (number(3, value), number(20, 2))
            fields.append(data(5, data(1, name), *kind))
        self.nodes.append(data(1, *fields, data(7, domain)))
        return found[0]

    def tensor(self, name: str, values: NDArray) -> str:
        shape = [number(1, length) for length in values.shape]
        content = data(9, np.ascontiguousarray(values).tobytes())
        self.tensors.append(data(5, *shape, number(2, _TYPES[values.dtype.name]), data(8, name), content))
        return name
