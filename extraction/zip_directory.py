"""Measures the list of entries of a ZIP archive before it is read, as each entry takes memory."""

from pathlib import Path

_ZIP_END, _ZIP_END_BYTES, _ZIP_COMMENT_BYTES = b"PK\x05\x06", 22, 65_536
_ZIP64_LOCATOR, _ZIP64_BYTES = b"PK\x06\x07", 56 + 20  # the record and its locator, before the end of a large archive


def directory_bytes(path: Path) -> int:
    """The size of the archive's list of entries as `zipfile` finds it. 0 if the archive does not say."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _ZIP64_BYTES - _ZIP_END_BYTES - _ZIP_COMMENT_BYTES))
        tail = file.read()
    end = len(tail) - _ZIP_END_BYTES
    if not (tail.startswith(_ZIP_END, max(0, end)) and tail.endswith(b"\0\0")):
        end = tail.rfind(_ZIP_END)
    if end < 0:
        return 0
    length = int.from_bytes(tail[end + 12 : end + 16], "little")
    large = end - _ZIP64_BYTES
    if large >= 0 and tail[end - 20 : end].startswith(_ZIP64_LOCATOR):
        return max(length, int.from_bytes(tail[large + 40 : large + 48], "little"))
    return length
