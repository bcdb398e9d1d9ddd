"""Writes compound files, as old Office files and messages of Outlook are: [MS-CFB] with small streams only."""

import struct
from itertools import pairwise
from pathlib import Path

SECTOR, SMALL_SECTOR, LARGEST = 512, 64, 4096
END, FREE, FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
NOTHING = 0xFFFFFFFF

Tree = dict[str, "bytes | Tree"]


def compound_file(path: Path, tree: Tree) -> Path:
    path.write_bytes(compound(tree))
    return path


def compound(tree: Tree) -> bytes:
    """A file of storages (dictionaries) and streams (at most 4,095 bytes each)."""
    entries: list[list[object]] = []
    small = bytearray()
    small_chain: list[int] = []

    def add(name: str, inside: "bytes | Tree", kind: int) -> int:
        place = len(entries)
        entries.append([name, kind, NOTHING, NOTHING, END, 0])
        if isinstance(inside, bytes):
            assert len(inside) < LARGEST
            if inside:
                entries[place][4], entries[place][5] = len(small_chain), len(inside)
                count = -(-len(inside) // SMALL_SECTOR)
                small_chain.extend([*range(len(small_chain) + 1, len(small_chain) + count), END])
                small.extend(inside.ljust(count * SMALL_SECTOR, b"\0"))
            return place
        inner = [add(one, content, 2 if isinstance(content, bytes) else 1) for one, content in sorted(inside.items())]
        for left, right in pairwise(inner):  # a tree that is a list is one all the same
            entries[left][2] = right
        entries[place][3] = inner[0] if inner else NOTHING
        return place

    add("Root Entry", tree, 5)
    small_fat = struct.pack(f"<{len(small_chain)}I", *small_chain)
    directory_size = -(-len(entries) // 4) * SECTOR
    parts = [_filled(small_fat, b"\xff"), b"", _filled(bytes(small), b"\0")]
    small_fat_count, small_count = len(parts[0]) // SECTOR, len(parts[2]) // SECTOR
    directory_count = directory_size // SECTOR
    starts = [1, 1 + small_fat_count, 1 + small_fat_count + directory_count]
    entries[0][4], entries[0][5] = starts[2] if small else END, len(small)
    parts[1] = _filled(b"".join(map(_entry, entries)), b"\0")
    fat = [FAT]
    for start, count in zip(starts, (small_fat_count, directory_count, small_count), strict=True):
        fat += [*range(start + 1, start + count), END] if count else []
    assert len(fat) <= SECTOR // 4
    fat += [FREE] * (SECTOR // 4 - len(fat))
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack(
        "<HHHHH6xIIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, starts[1], 0, LARGEST, starts[0], small_fat_count, END, 0, 0
    )
    head += struct.pack("<108I", *[NOTHING] * 108)
    return head + struct.pack("<128I", *fat) + b"".join(parts)


def _filled(content: bytes, by: bytes) -> bytes:
    return content.ljust(-(-len(content) // SECTOR) * SECTOR, by)


def _entry(entry: list[object]) -> bytes:
    name, kind, right, child, start, size = entry
    written = f"{name}\0".encode("utf-16-le")
    return struct.pack("<64sHBBIII36xIQ", written, len(written), kind, 1, NOTHING, right, child, start, size)
