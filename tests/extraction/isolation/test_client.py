"""A reader in its own process: what it reads arrives, and what goes wrong stays there."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from extraction import ExtractionFailed, Page, extract
from extraction.isolation import read_page_file, read_pages
from extraction.isolation.client import PROJECT
from tests.extraction.isolation.processes import SLOW_HTML, end_pool, pool, readers
from tests.extraction.pdf.making import image_pdf
from tests.waiting import wait_until


@pytest.fixture
def page_file(tmp_path: Path) -> Any:
    return tmp_path / "pages.jsonl"


def text_file(tmp_path: Path, lines: int = 3) -> Any:
    path = tmp_path / "notes.txt"
    path.write_text("".join(f"שורה {number}\n" for number in range(lines)), encoding="utf-8")
    return path


def is_dead(process: Any) -> Any:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() == psutil.STATUS_ZOMBIE
    return True


def code_of(path: Path, page_file: Path, **limits: Any) -> Any:
    with pytest.raises(ExtractionFailed) as caught:
        list(read_pages(path, page_file, **limits))
    return caught.value.code


def test_pages_are_those_of_a_direct_reading(tmp_path: Path, page_file: Path) -> None:
    path = text_file(tmp_path, lines=1_200)
    assert list(read_pages(path, page_file)) == list(extract(path))


def test_page_file_can_be_read_again_and_holds_every_field(tmp_path: Path, page_file: Path) -> None:
    assert (
        list(read_pages(text_file(tmp_path), page_file))
        == list(read_page_file(page_file))
        == list(read_page_file(page_file))
        == [Page(number=None, paragraphs=("שורה 0", "שורה 1", "שורה 2"))]
    )


def test_pages_come_while_the_reader_goes_on_to_the_next(tmp_path: Path, page_file: Path) -> None:
    path = text_file(tmp_path, lines=400_000)
    with contextlib.closing(read_pages(path, page_file)) as pages:
        first = next(pages)
        assert [reader.is_running() for reader in readers()] == [True]
    assert first == next(extract(path))


@pytest.mark.deep
def test_a_late_taker_of_pages_misses_none(tmp_path: Path, page_file: Path) -> None:
    path = text_file(tmp_path, lines=1_200)
    list(read_pages(path, page_file))  # the pool is there from now on
    pages = read_pages(path, page_file, timeout_s=2)
    first = next(pages)
    time.sleep(2)
    assert [first, *pages] == list(extract(path))


def test_failure_keeps_its_code_and_sentence(tmp_path: Path, page_file: Path) -> None:
    path = tmp_path / "program.bin"
    path.write_bytes(b"MZ" + bytes(500))
    with pytest.raises(ExtractionFailed) as caught:
        list(read_pages(path, page_file, filename="law.pdf"))
    assert caught.value.code == "unsupported_type"
    assert "program" in caught.value.message


def test_original_name_decides_between_text_and_markdown(tmp_path: Path, page_file: Path) -> None:
    path = tmp_path / "upload"
    path.write_text("# Title", encoding="utf-8")
    list(read_pages(path, page_file, filename="notes.md"))
    assert next(read_page_file(page_file)).paragraphs == ("Title",)


def test_reader_that_takes_too_long_is_stopped(tmp_path: Path, page_file: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(SLOW_HTML)
    assert code_of(path, page_file, timeout_s=0.5) == "extraction_timeout"
    wait_until(lambda: not readers())


def test_reader_that_takes_too_much_memory_is_crash_of_its_own(tmp_path: Path, page_file: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(SLOW_HTML)
    assert code_of(path, page_file, memory_mb=8) == "extraction_crashed"
    list(read_pages(text_file(tmp_path), page_file))


def test_reader_is_stopped_when_no_more_pages_are_wanted(tmp_path: Path, page_file: Path) -> None:
    with contextlib.closing(read_pages(text_file(tmp_path, lines=400_000), page_file)) as pages:
        next(pages)
    assert not readers()


def test_killed_reader_is_a_crash(tmp_path: Path, page_file: Path) -> None:
    pages = read_pages(text_file(tmp_path, lines=400_000), page_file)
    next(pages)
    for reader in readers():
        reader.kill()
    with pytest.raises(ExtractionFailed) as caught:
        list(pages)
    assert caught.value.code == "extraction_crashed"


def test_no_zombie_is_left(tmp_path: Path, page_file: Path) -> None:
    for _ in range(3):
        list(read_pages(text_file(tmp_path), page_file))
    assert not readers()


def test_threads_read_side_by_side(tmp_path: Path) -> None:
    path = text_file(tmp_path, lines=2_000)
    expected = list(extract(path))
    found = {}

    def read(number: Any) -> None:
        page_file = tmp_path / f"{number}.jsonl"
        list(read_pages(path, page_file))
        found[number] = list(read_page_file(page_file))

    threads = [threading.Thread(target=read, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(6), expected)


@pytest.mark.deep
def test_killed_pool_is_replaced(tmp_path: Path, page_file: Path) -> None:
    path = text_file(tmp_path)
    list(read_pages(path, page_file))
    pool().kill()
    assert list(read_pages(path, page_file)) == list(extract(path))


@pytest.mark.deep
def test_a_killed_pool_costs_no_page_and_repeats_none(tmp_path: Path, page_file: Path) -> None:
    path = text_file(tmp_path, lines=400_000)
    pages = read_pages(path, page_file)
    first = [next(pages), next(pages)]
    pool().kill()
    assert [*first, *pages] == list(extract(path))


@pytest.mark.deep
def test_readers_die_with_a_killed_pool(tmp_path: Path) -> None:
    full = tmp_path / "full.pipe"  # so that the reader waits instead of ending by itself
    os.mkfifo(full)
    held_open = os.open(full, os.O_RDWR)
    with contextlib.closing(read_pages(text_file(tmp_path, lines=400_000), full)) as pages:
        next(pages)
        [reader] = readers()
        pool().kill()
        wait_until(lambda: is_dead(reader))
    os.close(held_open)
    list(read_pages(text_file(tmp_path), tmp_path / "next.jsonl"))


@pytest.mark.deep
def test_forked_worker_gets_a_pool_of_its_own(tmp_path: Path, page_file: Path) -> None:
    path = text_file(tmp_path)
    list(read_pages(path, page_file))
    before = pool().pid
    child = os.fork()
    if child == 0:
        try:
            list(read_pages(path, tmp_path / "child.jsonl"))
            os._exit(0 if pool().pid != before else 2)
        except BaseException:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert list(read_page_file(tmp_path / "child.jsonl")) == list(extract(path))
    assert pool().pid == before


@pytest.mark.deep
def test_reader_dies_with_a_killed_application(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(SLOW_HTML)
    script = tmp_path / "application.py"  # no main guard: readers must not import it
    script.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(PROJECT)!r})\n"
        "from extraction.isolation import read_pages\n"
        "print('started', flush=True)\n"
        f"list(read_pages({str(page)!r}, {str(tmp_path / 'page_file')!r}))\n"
    )
    application = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    family = psutil.Process(application.pid)
    wait_until(lambda: len(family.children(recursive=True)) == 2)
    descendants = family.children(recursive=True)
    application.send_signal(signal.SIGKILL)
    assert application.communicate()[0] == "started\n"
    _, alive = psutil.wait_procs(descendants, timeout=60)
    assert not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


def test_readers_load_neither_django_nor_celery() -> None:
    modules = "extraction.isolation.pool, extraction.isolation"
    check = f"import sys, {modules}; sys.exit(any(name.split('.')[0] in ('django', 'celery') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", check], cwd=Path(PROJECT), check=False).returncode == 0


def test_a_full_disk_is_no_fault_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space"):
        list(read_pages(text_file(tmp_path), "/dev/full"))


@pytest.mark.parametrize("name", ["gone.txt", "gone.docx", "gone.pdf"])
def test_a_file_that_went_away_is_no_crash(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileNotFoundError):
        list(read_pages(tmp_path / name, tmp_path / "page_file"))


@pytest.fixture
def ocr_pid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A Tesseract that never ends; the file has its process number once it runs."""
    program, pid = tmp_path / "bin" / "tesseract", tmp_path / "pid"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\n[ "$1" = --list-langs ] && echo heb && exit 0\necho $$ > {pid}\nexec sleep 300\n')
    program.chmod(0o755)
    notes, first = text_file(tmp_path), tmp_path / "first.jsonl"
    list(read_pages(notes, first))
    with monkeypatch.context() as patched:
        patched.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
        end_pool()  # the next one knows the new path
        yield pid
    end_pool()
    list(read_pages(notes, first))


@pytest.mark.deep
@pytest.mark.parametrize(
    ("victim", "outcome"), [(lambda: readers()[0], "extraction_crashed"), (pool, "extraction_timeout")]
)
def test_ocr_ends_with_a_killed_reader_or_pool(
    tmp_path: Path, page_file: Path, ocr_pid: Any, victim: Any, outcome: str
) -> None:
    programs = []

    def kill_amid_ocr() -> None:
        wait_until(lambda: ocr_pid.exists() and ocr_pid.read_text())
        programs.append(psutil.Process(int(ocr_pid.read_text())))
        victim().kill()

    killer = threading.Thread(target=kill_amid_ocr)
    killer.start()
    assert code_of(image_pdf(tmp_path / "scan.pdf", "A page"), page_file, timeout_s=5) == outcome
    killer.join()
    wait_until(lambda: is_dead(programs[0]))


def test_pool_that_is_asked_nothing_ends_and_the_next_document_is_read(
    tmp_path: Path, page_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = text_file(tmp_path)
    list(read_pages(path, page_file))
    end_pool()
    monkeypatch.setattr("extraction.isolation.client.IDLE_S", 0.3)
    assert list(read_pages(path, page_file))
    first = pool()
    wait_until(lambda: not psutil.pid_exists(first.pid))
    monkeypatch.undo()
    assert list(read_pages(path, page_file))
    assert pool() != first
