"""Tells how a text was encoded that does not say so: byte order mark, UTF-8, UTF-7, or the code page that fits it."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

LEGACY = "cp1255"
BLOCK_BYTES = 1 << 16
_SAMPLE = 1 << 16  # characters of lines that are not ASCII
_WESTERN, _DOS = "cp1252", "cp862"
CODE_PAGES = frozenset({LEGACY, _WESTERN, _DOS})  # what is guessed by words
_UNASKED = frozenset({"iso-8859-1", "iso-8859-15", "windows-1252", "latin1"})  # what programs declare unasked
# UTF-8 with a damaged character here and there is still UTF-8: reading it as a code page would spoil all of it.
_TOLERATED_DAMAGE = 0.02
_MIN_ZEROS, _MIN_UTF16_LENGTH, _PAGES_OF_LETTERS = 0.02, 16, b"\x00\x05\x20\xfb"
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_MUCH_DAMAGE = 0.3  # where no code page makes words of it
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    *((b"+/v" + digit, "utf-7") for digit in (b"8", b"9", b"+", b"/")),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ONE_BYTE = re.compile(r"(?:windows-|cp)125\d|iso-8859-\d+|latin-?1|us-ascii|ascii")
_LAST_OF_OLD_LETTERS = "\u05ff"  # Latin, Greek, Cyrillic and Hebrew ones come before it
_NOT_ASCII = re.compile("[^\x00-\x7f]+")
_UNDECODED = re.compile("[\udc80-\udcff]+")
_WORD = re.compile(rb"[A-Za-z\x80-\x84\x86-\x95\x98-\x9f\xa1-\xff]+")  # dashes, dots and wide spaces divide words
_ASCII_WORD = re.compile(rb"[A-Za-z]{2,}")
_HEBREW_LETTER = re.compile(rb"[\xe0-\xfa]")
_HEBREW_WORD = re.compile(rb"[\x80-\xbf\xd7\xd8]*[\xe0-\xfa][\x80-\xd8\xe0-\xfa\xfd\xfe]+")
_DOS_WORD = re.compile(rb"[\x80-\x9a]{2,}")
_WESTERN_LETTER = rb"[A-Za-z\x9a\x9c\x9e\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\xff]"
_WESTERN_MARK = rb"[\x80\x82-\x8c\x8e\x91-\x95\x98\x99\x9b\x9f\xa1-\xbf\xd7\xf7]"
_WESTERN_WORD = re.compile(
    rb"%(mark)b*%(letter)b+(?:[\x91\x92\xad\xb4\xb7]%(letter)b+)*%(mark)b*"
    % {b"letter": _WESTERN_LETTER, b"mark": _WESTERN_MARK}
)
_ACCENT = re.compile(rb"[\x9a\x9c\x9e\xc0-\xff]")
_SIGNS = re.compile(rb"[\x80-\xbf]+")
_SHEKEL = b"\xa4"
_NO_WORDS_OF, _NO_WORDS_OF_ALL = 0.2, 0.02  # words of no code page, of those that are not ASCII and of all
# UTF-8 that was read in a Western code page and saved as UTF-8 again.
_SAVED_TWICE = re.compile("[ÂÃÐ×Ø][\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")
# A suffix tells the direction of Hebrew. A code page is named with the vendor before its number.
_ISO_8859 = re.compile(r"(?:x_|cs)?iso_?8859_?(\d+)_?[ie]?")
_CODE_PAGE = re.compile(r"(?:x_|ms_)?(?:windows|win|cp|dos|ibm|oem)_?(\d{3,4})(?:_[ie])?")
_OTHERS = {"visual": LEGACY, "logical": LEGACY, "x_mac_hebrew": LEGACY, "utf8mb4": "utf-8"}


class UnknownEncoding(ValueError):
    """No encoding makes words of the text."""


def by_mark(head: bytes) -> str | None:
    """The encoding that the byte order mark names."""
    return next((encoding for mark, encoding in _BOMS if head.startswith(mark)), None)


def unmarked(head: bytes) -> str | None:
    """UTF-16 without its mark: each second byte is that of Latin or Hebrew letters, or of quotation marks."""
    head = head[: len(head) // 2 * 2]
    if head.count(0) < _MIN_ZEROS * len(head) or len(head) < _MIN_UTF16_LENGTH:
        return None
    for encoding, first in (("utf-16-le", 1), ("utf-16-be", 0)):
        pages = head[first::2]
        if len(pages.translate(None, _PAGES_OF_LETTERS)) <= _TOLERATED_DAMAGE * len(pages):
            text = head.decode(encoding, "replace")
            return None if _CONTROLS.search(text) else encoding
    return None


def decoded(content: bytes, charset: str = "") -> str:
    """The text by its declared character set, UTF-8, or the code page that fits best. Damage becomes U+FFFD.

    What can be no text of one byte a letter, as it is sound UTF-8, is not taken for one.
    """
    if _ONE_BYTE.fullmatch(charset) and not content.isascii() and not _damage([content]):
        charset = "utf-8"
    if charset and not (charset in _UNASKED and code_page(content) in (LEGACY, _DOS)):
        try:
            return content.decode(LEGACY if "8859-8" in charset else charset)
        except (LookupError, ValueError):
            pass
    if is_utf7(content):
        return content.decode("utf-7")
    return content.decode(_found(_damage([content]), lambda: content) or LEGACY, "replace")


def in_utf8(content: bytes) -> bytes:
    """What is marked as Unicode, or is UTF-16 without a mark, as UTF-8 without it. Others as they are."""
    marked = by_mark(content[:4]) or unmarked(content[:BLOCK_BYTES])
    if marked in (None, "utf-8"):
        return content.removeprefix(codecs.BOM_UTF8)
    return content.decode(marked, "replace").lstrip("\ufeff").encode("utf-8", "replace")


def is_utf7(content: bytes) -> bool:
    """Is it ASCII in which other letters are packed as `+BdAF0Q-`? By accident nearly nothing can be read so."""
    if b"+" not in content or not content.isascii():
        return False
    try:
        foreign = "".join(_NOT_ASCII.findall(content.decode("utf-7")))
    except ValueError:
        return False
    letters = sum(char.isalpha() and char <= _LAST_OF_OLD_LETTERS for char in foreign)
    return letters > 0.5 * len(foreign)


def guess(path: Path) -> str:
    """The encoding of the whole file, read once in blocks. Raises UnknownEncoding."""
    with path.open("rb") as file:
        if marked := by_mark(file.read(4)):
            return "utf-8-sig" if marked == "utf-8" else marked  # without the mark, as the others are
        file.seek(0)
        head = file.read(BLOCK_BYTES)
        if found := unmarked(head):
            return found
        if is_utf7(head[: head.rfind(b"\n") + 1] or head):
            return "utf-7"
        file.seek(0)
        damage = _damage(iter(lambda: file.read(BLOCK_BYTES), b""))
    found = _found(damage, lambda: sample(path, "latin-1").encode("latin-1"))
    if found is None:
        raise UnknownEncoding
    return found


def _found(damage: float, content: Callable[[], bytes]) -> str | None:
    """The encoding of a text of which so much is no UTF-8."""
    if damage <= _TOLERATED_DAMAGE:
        return "utf-8"
    return code_page(content()) or ("utf-8" if damage <= _MUCH_DAMAGE else None)


def _damage(blocks: Iterable[bytes]) -> float:
    """Which share of the characters that are not ASCII is no UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    foreign = damaged = 0
    for block in blocks:
        text = decoder.decode(block)
        if not text.isascii():
            foreign += sum(map(len, _NOT_ASCII.findall(text)))
            damaged += sum(map(len, _UNDECODED.findall(text)))
    return damaged / foreign if foreign else 0


def sample(path: Path, encoding: str) -> str:
    """The first lines that have other characters than ASCII, up to 65,536 characters."""
    found: list[str] = []
    size = 0
    with path.open(encoding=encoding, errors="ignore") as file:
        while size < _SAMPLE and (line := file.readline(BLOCK_BYTES)):
            if not line.isascii():
                found.append(line)
                size += len(line)
    return "".join(found)


def code_page(content: bytes) -> str | None:
    """The code page in which most words of a text are words: Hebrew of Windows or DOS, or Western. None if in none."""
    content = content[:_SAMPLE]
    words = [word for word in _WORD.findall(content) if not word.isascii()]
    found = Counter(filter(None, map(_page_of, words)))
    unknown = found.pop("unknown", 0)
    all_words = len(words) + len(_ASCII_WORD.findall(content))
    if unknown > _NO_WORDS_OF * (found.total() + unknown) and unknown > _NO_WORDS_OF_ALL * all_words:
        return None
    if found:
        return found.most_common(1)[0][0]
    return LEGACY if _HEBREW_LETTER.search(content) or _SHEKEL in content else _WESTERN


def _page_of(word: bytes) -> str:
    """The code page that a word is of. "" where it fits several."""
    if _DOS_WORD.fullmatch(word):
        return _DOS
    if _HEBREW_WORD.fullmatch(word) and len(_HEBREW_LETTER.findall(word)) > 1:
        return LEGACY
    if _WESTERN_WORD.fullmatch(word) and not _ACCENT.search(word):
        return ""
    ascii_letters = len(word) - len(word.translate(None, bytes([*range(65, 91), *range(97, 123)])))
    if ascii_letters and _WESTERN_WORD.fullmatch(word) and len(word) <= 4 * ascii_letters:
        return _WESTERN
    few = len(set(word)) <= 2  # lines of a table, single letters
    return "" if few or _SIGNS.fullmatch(word) else "unknown"


def is_saved_twice(text: str) -> bool:
    """Is it UTF-8 that a program took for a Western code page when it saved it, as `×©×œ×•×` for `שלום`?"""
    if not any(sign in text for sign in "ÂÃÐ×Ø"):
        return False
    foreign = sum(map(len, _NOT_ASCII.findall(text)))
    return 2 * len(_SAVED_TWICE.findall(text)) > 0.5 * foreign > 5


def _known_as(name: str) -> codecs.CodecInfo | None:
    """What a name that mail programs write, and Python does not know, stands for. None if that is nothing we know."""
    name = name.lower().replace("-", "_")
    if found := _ISO_8859.fullmatch(name):
        other = LEGACY if found[1] == "8" else f"iso8859_{found[1]}"
    elif found := _CODE_PAGE.fullmatch(name):
        other = f"cp{found[1]}"
    else:
        other = _OTHERS.get(name, "")
    try:
        return codecs.lookup(other) if other and other != name else None
    except LookupError:
        return None


codecs.register(_known_as)
