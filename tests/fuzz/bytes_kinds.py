"""Damage that knows nothing of the format: bits, cuts, blocks moved, blocks of other files."""

import random

from tests.fuzz import seeds
from tests.fuzz.hostile import hostile

EXTREMES = (
    b"\x00",
    b"\xff",
    b"\x7f\xff\xff\xff",
    b"\xff\xff\xff\xff",
    b"99999999999",
    b"-1",
    b"\xed\xa0\x80",
    b"<<",
    b"((",
)


def _seed(chance: random.Random, format: str) -> tuple[str, bytes]:
    if format == "pdf":
        return "seed.pdf", chance.choice(seeds.pdfs())
    if format == "docx":
        return "seed.docx", chance.choice(seeds.docxs())
    if format == "html":
        return "seed.html", chance.choice(seeds.pages())
    return chance.choice(seeds.texts())


def _flipped(chance: random.Random, content: bytes) -> bytes:
    out = bytearray(content)
    for _ in range(chance.choice((1, 2, 4, 16, 64, 512))):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def _cut(chance: random.Random, content: bytes) -> bytes:
    start = chance.choice((0, 0, chance.randrange(len(content))))
    return content[start : chance.randrange(start, len(content)) + 1]


def _spliced(chance: random.Random, content: bytes) -> bytes:
    out = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(out))
        block = bytes(out[start : start + chance.choice((1, 16, 200, 4_000))])
        place = chance.randrange(len(out))
        match chance.randrange(4):
            case 0:
                out[place:place] = block * chance.choice((1, 2, 50))
            case 1:
                out[place : place + len(block)] = block
            case 2:
                del out[place : place + len(block)]
            case _:
                out[place : place + 4] = chance.choice(EXTREMES)
        out = out or bytearray(b"x")
    return bytes(out)


def _crossed(chance: random.Random, content: bytes) -> bytes:
    other = _seed(chance, chance.choice(FORMATS))[1]
    place, end = chance.randrange(len(content)), chance.randrange(len(other))
    return content[:place] + other[chance.randrange(end + 1) : end] + content[place:]


FORMATS = ("pdf", "docx", "html", "text")
DAMAGES = {"bits flipped": _flipped, "cut off": _cut, "blocks moved": _spliced, "another file inside": _crossed}


def _register(format: str, name: str) -> None:
    @hostile(f"{format}: {name}", weight=6 if format in ("pdf", "docx") else 2)
    def make(chance: random.Random) -> tuple[str, bytes]:
        filename, content = _seed(chance, format)
        return filename, DAMAGES[name](chance, content)


for _format in FORMATS:
    for _name in DAMAGES:
        _register(_format, _name)
