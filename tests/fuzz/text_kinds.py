"""Text and Markdown that repeat or encode what no document does."""

import random

from tests.fuzz import seeds
from tests.fuzz.hostile import HEAVY, hostile
from tests.fuzz.html_kinds import HTML

TEXT, MARKDOWN = "hostile.txt", "hostile.md"
STRANGE = (
    "\x00",
    "‮",
    "⁦",
    "‏",
    "﻿",
    "￾",
    "",
    "\u2028",
    "\x0b",
    "\x85",
    "́",
    "ᄀ",
    "ﷺ",
    "🏴",
    "𝟙",
    "\ud800",
    "\udc80",
    "א",
    "ְ",
    "­",
    "\t",
    "\r",
    "\n",
    "\U000e0041",
    "\U0010ffff",
    "½",
    "İ",
    "ß",
)


@hostile("text: strange characters", weight=4)
def strange(chance: random.Random) -> tuple[str, bytes]:
    text = "".join(chance.choice((*STRANGE, *seeds.LAW)) for _ in range(chance.choice((5, 300, 5_000))))
    encoding = chance.choice(("utf-8", "utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7"))
    return chance.choice((TEXT, MARKDOWN, HTML)), text.encode(
        encoding, "surrogatepass" if encoding != "utf-7" else "replace"
    )


@hostile("text: UTF-16 without its mark, and halves of characters", weight=2)
def halves(chance: random.Random) -> tuple[str, bytes]:
    content = seeds.LAW.encode(chance.choice(("utf-16-le", "utf-16-be", "utf-32-le")))
    content = chance.choice((b"", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00")) + content
    return TEXT, content[: chance.randrange(3, len(content))] + chance.choice((b"", b"\xd8", b"\x00\xdc", b"\xff"))


@hostile("text: bytes that are no text", weight=2)
def noise(chance: random.Random) -> tuple[str, bytes]:
    size = chance.choice((1, 4, 40, 5_000, 100_000))
    raw = chance.randbytes(size)
    return chance.choice((TEXT, MARKDOWN, HTML, "a.pdf", "a.docx", "a")), chance.choice(
        (raw, bytes(b | 0x80 for b in raw), b"\x00" * size)
    )


@hostile("text: one line of 50 MB", weight=HEAVY / 2)
def one_line(chance: random.Random) -> tuple[str, bytes]:
    unit = chance.choice((b"a", b"a ", "א".encode(), b"\t", b"1.", b"(", "סעיף ".encode(), b"."))
    return chance.choice((TEXT, MARKDOWN)), unit * ((50 << 20) // len(unit))


@hostile("text: millions of short lines", weight=HEAVY)
def short_lines(chance: random.Random) -> tuple[str, bytes]:
    unit = chance.choice((b"\n", b"a\n", b"\r", "1. א\n".encode(), b"# x\n", b"|\n", "סעיף 1\n".encode(), b"(a)\n"))
    return chance.choice((TEXT, MARKDOWN)), unit * (chance.choice((1, 8)) << 20)


@hostile("text: accents upon accents", weight=0.3)
def accents(chance: random.Random) -> tuple[str, bytes]:
    marks = chance.choice(("̖̀", "ְּ", "̀", "़゙̖", "ᅡᆨ"))
    run = "a" + marks * chance.choice((1_000, 30_000, 300_000))
    return chance.choice((TEXT, MARKDOWN, HTML)), ("<p>" + run).encode()


@hostile("text: markup that opens and never closes", weight=1)
def markup(chance: random.Random) -> tuple[str, bytes]:
    unit = chance.choice(
        (
            "[",
            "](",
            "[a](",
            "*a ",
            "**",
            "_a ",
            "`",
            "``a",
            "<a",
            "<!--",
            "<http:",
            "|",
            "| -",
            "\\",
            "&amp",
            "&#",
            "> ",
            "~~a",
            "[a][",
            "#",
            "- ",
            "1. ",
            "![",
            "<a b ",
            "a*",
            "-|",
            "(",
            "\\*",
        )
    )
    return MARKDOWN, (unit * chance.choice((500, 20_000, 90_000))).encode()


@hostile("text: headings and numbers that look like sections", weight=2)
def sections(chance: random.Random) -> tuple[str, bytes]:
    units = (
        "סעיף 1",
        "1.",
        "(א)",
        "(1)",
        "פרק א'",
        "1א.",
        "Section 9.",
        "§ 3",
        "תוספת",
        "CHAPTER IV",
        "9.9.9.9",
        "(((",
        "א.",
        "\t",
        " ",
        "־",
    )
    lines = [
        "".join(chance.choice((*units, " ", "א", "x")) for _ in range(chance.choice((1, 5, 400)))) for _ in range(200)
    ]
    return TEXT, chance.choice(("\n", "\n\n", " ", "")).join(lines).encode()
