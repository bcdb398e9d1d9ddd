"""One hostile file through the isolated reader, and what came of it."""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import tests.fuzz.bytes_kinds
import tests.fuzz.docx_kinds
import tests.fuzz.html_kinds
import tests.fuzz.office_kinds
import tests.fuzz.pdf_drawing_kinds
import tests.fuzz.pdf_kinds
import tests.fuzz.text_kinds  # noqa: F401  the kinds register themselves
from extraction import ExtractionFailed
from extraction.isolation import ReaderCost, draw_page, mark_quotes, read_page_file, read_pages
from law.chunking import chunk
from tests.fuzz.hostile import file_of

MEMORY_MB = 1024  # as the service has it
TIMEOUT_S = 30.0  # the service waits longer; what is slower than this should be known
GRACE_S = 30.0  # on a machine that is busy with other readers
SEEN_BY_OCR = 50  # one file in that many: a page takes seconds
NEWBORN_KB = 150 << 10  # what a reader holds before it has read anything, at most
CODES = frozenset(
    [
        "empty",
        "corrupt",
        "encrypted",
        "no_text_layer",
        "unsupported_type",
        "too_many_pages",
        "too_large",
        "extraction_timeout",
        "extraction_crashed",
    ]
)
TEXT = "text"


@dataclass(slots=True)
class Read:
    """How one file ended: `text`, or a code; `faults` are sentences about what must not be."""

    kind: str
    number: int
    outcome: str = TEXT
    size: int = 0
    seconds: float = 0.0
    cpu_s: float = 0.0
    peak_kb: int = 0
    cut_s: float = 0.0
    faults: list[str] = field(default_factory=list)


def read(kind: str, *, seed: int, number: int) -> Read:
    """Make the file and read it, cut the text into chunks, and of a PDF draw the first page and look for a word."""
    filename, content = file_of(kind, seed=seed, number=number)
    result = Read(kind, number, size=len(content))
    with tempfile.TemporaryDirectory(prefix="kb-fuzz-") as directory:
        path, spill = Path(directory) / filename, Path(directory) / "pages.jsonl"
        path.write_bytes(content)
        del content
        started = time.monotonic()
        try:
            for _ in read_pages(
                path,
                spill,
                ocr=number % SEEN_BY_OCR == 0,
                memory_mb=MEMORY_MB,
                timeout_s=TIMEOUT_S,
                on_end=lambda spent: _spent(result, spent),
            ):
                pass  # all are looked at behind the last
        except ExtractionFailed as failure:
            result.outcome = failure.code
            if failure.code not in CODES or not failure.message.endswith("."):
                result.faults.append(f"ended with {failure.code!r}: {failure.message!r}")
        result.seconds = time.monotonic() - started
        if result.seconds > TIMEOUT_S + GRACE_S:
            result.faults.append(f"took {result.seconds:.0f} s")
        if result.peak_kb > NEWBORN_KB + (MEMORY_MB << 10):
            result.faults.append(f"took {result.peak_kb >> 10} MB")
        if result.outcome == TEXT:
            started = time.thread_time()
            result.faults += _unfit(spill)
            result.cut_s = time.thread_time() - started
        if filename.endswith(".pdf") and number % 5 == 0:
            result.faults += _shown(path, Path(directory))
    return result


def _spent(result: Read, spent: ReaderCost) -> None:
    result.cpu_s, result.peak_kb = spent.cpu_s, spent.peak_kb


def _unfit(spill: Path) -> Iterator[str]:
    """What the database would not take of the pages, and of the chunks that are cut of them."""
    for page in read_page_file(spill):
        for text in (*page.paragraphs, *page.warnings):
            yield from _unstorable(text)
    for kind in ("law", "circular"):
        for draft in chunk(read_page_file(spill), kind=kind):
            for text in (draft.text, draft.section, draft.heading, *draft.path):
                yield from _unstorable(text or "")


def _unstorable(text: str) -> Iterator[str]:
    if "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text):
        yield f"holds what no database stores: {text[:80]!r}"


def _shown(path: Path, directory: Path) -> Iterator[str]:
    for name, ask in (
        ("draw", lambda: draw_page(path, directory / "page.png", number=1, width=200)),
        ("mark", lambda: mark_quotes(path, directory / "marks.json", quotes={"title": (1, "bank pays")})),
    ):
        try:
            ask()
        except ExtractionFailed as failure:
            if failure.code not in CODES | {"no_such_page"}:
                yield f"{name} ended with {failure.code!r}"
