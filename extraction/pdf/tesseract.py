"""Has Tesseract read an image, where it and its Hebrew data are installed: lines of words, and which side is up."""

import functools
import logging
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass

from extraction.pdf.page_reader import HEBREW_PAGE
from extraction.text.characters import hebrew_letters, letters
from kb_project.processes.ending import exit_with_parent

DPI = 200  # as good as 300 on Hebrew print, and faster
PAGE_TIMEOUT_SECONDS = 60
SURE_LATIN = 85.0  # confidence from which a Latin word of the bilingual reading is believed

_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z'’.&-]*[A-Za-z]")
_HEBREW = re.compile("[א-ת]")
_TURN = re.compile(r"^Rotate: (90|180|270)$", re.M)
_EDGE_SIGNS = ".,;:()[]\"'!?"

logger = logging.getLogger(__name__)


class OcrFailed(Exception):
    """Tesseract gave no text for the page: it failed or took too long."""


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A word with its box in pixels from the top left, and Tesseract's confidence (0-100)."""

    text: str
    left: int
    top: int
    right: int
    bottom: int
    confidence: float


@dataclass(frozen=True, slots=True)
class OcrLine:
    """Words in reading order."""

    words: tuple[OcrWord, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@functools.cache
def languages() -> frozenset[str]:
    """What Tesseract can read here: languages, and the direction of print. None without it. Cached for the process."""
    program = shutil.which("tesseract")
    if program is None:
        return frozenset()
    try:
        listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        logger.warning("tesseract is on the PATH but does not answer: %s", error)
        return frozenset()
    return frozenset(listed.stdout.split()) & {"heb", "eng", "osd"}


def available() -> bool:
    return "heb" in languages()


def recognise(image: bytes, *, timeout: float = PAGE_TIMEOUT_SECONDS) -> list[OcrLine]:
    """Lines of a page image (PNM or PNG at DPI), in reading order.

    Tesseract reads Hebrew better alone than together with English, where it takes short Hebrew words for English. The
    second reading therefore gives only the Latin words it is sure of, or tells that the page is not Hebrew. Raises
    OcrFailed.
    """
    lines = _read(image, language="heb", timeout=timeout)
    if "eng" not in languages() or not _may_hold_latin(lines):
        return lines
    try:
        both = _read(image, language="heb+eng", timeout=timeout)
    except OcrFailed as error:
        logger.info("second reading for Latin words failed: %s", error)
        return lines
    words = " ".join(line.text for line in both)
    if hebrew_letters(words) > HEBREW_PAGE * letters(words):
        return with_latin_words(lines, both)
    try:  # the words of a line that is read as Hebrew follow one another from the right
        return _read(image, language="eng", timeout=timeout)
    except OcrFailed as error:
        logger.info("third reading in English failed: %s", error)
        return both


def quarters_to_turn(image: bytes) -> int:
    """How many quarter turns clockwise lay the print level. 0 where Tesseract does not tell."""
    if "osd" not in languages():
        return 0
    try:
        told = _tesseract(image, "--psm", "0", language="osd", timeout=PAGE_TIMEOUT_SECONDS)
    except OcrFailed as error:  # too few letters
        logger.info("the direction of a page was not found: %s", error)
        return 0
    found = _TURN.search(told)
    return int(found[1]) // 90 if found else 0


def _may_hold_latin(lines: Iterable[OcrLine]) -> bool:
    """Whether many words are doubtful in the Hebrew reading or have Latin letters."""
    words = [word for line in lines for word in line.words]
    doubtful = sum(1 for word in words if word.confidence < 60 or _LATIN_WORD.search(word.text))
    return doubtful > 0.03 * len(words)


def _read(image: bytes, *, language: str, timeout: float) -> list[OcrLine]:
    return parse_tsv(_tesseract(image, "tsv", language=language, timeout=timeout))


def _tesseract(image: bytes, *wanted: str, language: str, timeout: float) -> str:
    command = ["tesseract", "stdin", "stdout", "-l", language, "--dpi", str(DPI), *wanted]
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}  # its threads cost more than they give
    try:
        done = subprocess.run(
            command,
            input=image,
            capture_output=True,
            timeout=timeout,
            check=True,
            env=environment,
            preexec_fn=exit_with_parent(os.getpid(), signal.SIGKILL),  # the reader may be killed without a word
        )
    except subprocess.TimeoutExpired as error:
        raise OcrFailed(f"no answer within {timeout:g} s") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise OcrFailed(str(error)) from error
    return done.stdout.decode("utf-8", errors="replace")


def parse_tsv(tsv: str) -> list[OcrLine]:
    """Lines of Tesseract's TSV: level, page, block, paragraph, line, word, left, top, width, height, conf, text."""
    lines: dict[tuple[str, ...], list[OcrWord]] = {}
    for row in tsv.splitlines():
        fields = row.split("\t")
        if len(fields) != 12 or fields[0] != "5" or not fields[11].strip():
            continue
        left, top, width, height = (int(field) for field in fields[6:10])
        word = OcrWord(
            text=fields[11].strip(),
            left=left,
            top=top,
            right=left + width,
            bottom=top + height,
            confidence=float(fields[10]),
        )
        lines.setdefault(tuple(fields[1:5]), []).append(word)
    return [OcrLine(tuple(words)) for words in lines.values()]


def with_latin_words(lines: list[OcrLine], both: list[OcrLine]) -> list[OcrLine]:
    """The Hebrew reading with the sure Latin words of the bilingual one in place of what covers the same spot."""
    latin = [
        word
        for line in both
        for word in line.words
        if word.confidence >= SURE_LATIN
        and _LATIN_WORD.fullmatch(word.text.strip(_EDGE_SIGNS))
        and not _HEBREW.search(word.text)
    ]
    return [OcrLine(tuple(_replaced(line.words, latin))) for line in lines]


def _replaced(words: tuple[OcrWord, ...], latin: list[OcrWord]) -> list[OcrWord]:
    """Each word or the Latin one over it. A Latin word that covers several replaces the first of them."""
    placed: list[OcrWord] = []
    used: set[int] = set()
    for word in words:
        number = next((n for n, other in enumerate(latin) if _covers(other, word)), None)
        if number is None:
            placed.append(word)
        elif number not in used:
            used.add(number)
            placed.append(latin[number])
    return placed


def _covers(latin: OcrWord, word: OcrWord) -> bool:
    """Do the two share more than half of the Hebrew reading's word?"""
    width = min(latin.right, word.right) - max(latin.left, word.left)
    height = min(latin.bottom, word.bottom) - max(latin.top, word.top)
    area = (word.right - word.left) * (word.bottom - word.top)
    return width > 0 and height > 0 and width * height > 0.5 * area
