"""The functions that `docs/code.md` names are entered in the order in which it names them."""

import inspect
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from types import CodeType, FrameType
from typing import Any

import pytest
from django.conf import settings

from ingest.stages.run import run_job
from sources.models import Source
from tests.answers.asking.asking import ask
from tests.factories import upload_text

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "# Pier rules\n\n## 1. Fees\nWhoever moors a boat at the pier pays the harbour master twelve coins a season.\n"


def named(heading: str) -> list[str]:
    page = (settings.BASE_DIR / "docs" / "code.md").read_text()
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([\w.]+)`", section, re.MULTILINE)


def code_of(name: str) -> CodeType:
    function: Any = inspect.unwrap(resolve_name(name))
    code = function.__code__
    assert isinstance(code, CodeType)
    return code


@contextmanager
def entered(names: list[str]) -> Iterator[list[str]]:
    """Those of the functions that are entered meanwhile, in any thread, each once."""
    known, found = {code_of(name): name for name in names}, list[str]()

    def note(frame: FrameType, event: str, _: object) -> None:
        name = known.get(frame.f_code) if event == "call" else None
        if name and name not in found:
            found.append(name)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def test_one_file_and_one_question_go_as_the_page_says(tmp_path: Path) -> None:
    file, question = named("How one file becomes law"), named("How one question is answered")
    assert len(file) > 5
    assert len(question) > 5
    with entered(file) as went:
        run_job(upload_text(tmp_path, TEXT, filename="pier.md").pk)
    assert went == file
    topic_id = Source.objects.get().topic_id
    with entered(question) as went:
        answer = ask("What does whoever moors a boat at the pier pay?", topic_id=topic_id)
    assert answer["status"] == "answered", answer
    assert went == question
