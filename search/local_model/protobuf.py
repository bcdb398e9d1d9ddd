"""Messages of protocol buffers, from which ONNX Runtime and SentencePiece read their models, written field by field.

The numbers of the fields stand in the `.proto` files of the two. The package onnx would write them too, and is 30 MB.
"""

import struct

_VARINT, _BYTES, _FLOAT = 0, 2, 5


def number(field: int, value: int) -> bytes:
    """A field that holds a whole number that is not negative."""
    return _varint(field << 3 | _VARINT) + _varint(value)


def data(field: int, *parts: bytes | str) -> bytes:
    """A field that holds a text, bytes, or a message of the parts."""
    content = b"".join(part.encode() if isinstance(part, str) else part for part in parts)
    return _varint(field << 3 | _BYTES) + _varint(len(content)) + content


def float32(field: int, value: float) -> bytes:
    return _varint(field << 3 | _FLOAT) + struct.pack("<f", value)


def _varint(value: int) -> bytes:
    """Seven bits to a byte, the lowest first. The highest bit says that more follow."""
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)
