"""The properties of a message, a recipient or a file in a compound file of Outlook ([MS-OXMSG])."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Iterator

from olefile import OleFileIO

from extraction.text.encodings import decoded

Place = tuple[str, ...]

_UNICODE, _EIGHT_BIT, _BINARY, _OBJECT, _INTEGER, _TIME = "001F", "001E", "0102", "000D", 0x0003, 0x0040
_FIXED = "__properties_version1.0"
# How many bytes are before the properties of fixed size, by what they belong to.
_HEAD_OF_FILE, _HEAD_OF_MESSAGE, _HEAD_OF_OTHERS = 32, 24, 8
_EPOCH = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)


class Properties:
    """Those of the storage at `place`. A property that is not there is empty."""

    def __init__(self, file: OleFileIO, place: Place = ()) -> None:
        self._file = file
        self._place = place
        if not place:
            head = _HEAD_OF_FILE
        else:
            head = _HEAD_OF_MESSAGE if place[-1].startswith("__substg1.0_") else _HEAD_OF_OTHERS
        content = self._stream(_FIXED)
        fixed = struct.iter_unpack("<HHI8s", content[head : head + (len(content) - head) // 16 * 16])
        self._fixed: dict[tuple[int, int], bytes] = {(name, kind): value for kind, name, _, value in fixed}

    @property
    def is_message(self) -> bool:
        """Whether there are any properties at all: objects of other programs have none."""
        return bool(self._file.exists([*self._place, _FIXED]))

    def text(self, *names: int) -> str:
        """The first of these properties that is a text which is not empty."""
        for name in names:
            wide = self._stream(_stream_name(name, _UNICODE)).decode("utf-16-le", "replace")
            if text := (wide or decoded(self._stream(_stream_name(name, _EIGHT_BIT)))).rstrip("\0"):
                return text
        return ""

    def data(self, name: int) -> bytes:
        return self._stream(_stream_name(name, _BINARY))

    def number(self, name: int) -> int:
        return int.from_bytes(self._fixed.get((name, _INTEGER), b"")[:4], "little")

    def time(self, *names: int) -> dt.datetime | None:
        """The first of these properties that is a time."""
        for name in names:
            ticks = int.from_bytes(self._fixed.get((name, _TIME), b""), "little")
            if ticks:
                return _EPOCH + dt.timedelta(microseconds=ticks // 10)
        return None

    def object(self, name: int) -> Properties | None:
        """What is in a property that is a storage of its own."""
        place = (*self._place, _stream_name(name, _OBJECT))
        return Properties(self._file, place) if self._file.exists(list(place)) else None

    def inner(self, kind: str) -> Iterator[Properties]:
        """Those of the storages of a kind in this one, as `__recip_version1.0_`, in their order."""
        found = {tuple(one) for one in self._file.listdir(streams=False, storages=True)}
        depth = len(self._place)
        for place in sorted(one for one in found if one[:depth] == self._place and len(one) == depth + 1):
            if place[-1].startswith(kind):
                yield Properties(self._file, place)

    def _stream(self, name: str) -> bytes:
        place = [*self._place, name]
        if not self._file.exists(place):
            return b""
        content: bytes = self._file.openstream(place).read()
        return content


def _stream_name(name: int, kind: str) -> str:
    return f"__substg1.0_{name:04X}{kind}"
