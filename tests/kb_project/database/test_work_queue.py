"""Noted work is looked for in one place, and each task is started while there is something for it to do."""

import logging

import pytest

from kb_project.celery import app
from kb_project.database import work_queue
from kb_project.database.rows import fetch
from kb_project.database.work_queue import look_for, tasks_with_work

pytestmark = pytest.mark.django_db

NOTES = {
    "sources.tasks.work_on_references": "kb_reference_work (topic_id, act_key) VALUES (1, 'act')",
    "sources.tasks.work_on_changes": "kb_change_work (work_id) VALUES (7)",
    "sources.tasks.work_on_radar": "kb_radar_work (work_id) VALUES (7)",
    "keeping.notebooks.tasks.look_at_notes": "kb_note_work (work_id) VALUES (7)",
    "keeping.watches.tasks.work_on_watches": "kb_watch_work (work_id, what) VALUES (7, 'note')",
}


@pytest.mark.parametrize("task", NOTES)
def test_task_is_started_while_something_is_noted(task: str) -> None:
    app.loader.import_default_modules()
    assert task not in tasks_with_work()
    fetch(f"INSERT INTO {NOTES[task]} RETURNING 1", [])
    assert task in tasks_with_work()


def test_what_cannot_be_asked_keeps_no_other_waiting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(work_queue, "_looks", {})

    def fails() -> bool:
        raise RuntimeError("not now")

    look_for("first", fails)
    look_for("second", lambda: True)
    with caplog.at_level(logging.ERROR):
        assert tasks_with_work() == ["second"]
    assert "Whether first has something to do" in caplog.text


def test_what_comes_before_may_fail_and_the_work_is_done() -> None:
    done: list[int] = []
    notes = work_queue.WorkQueue("kb_change_work", about="work_id", lock=1)
    fetch("INSERT INTO kb_change_work (work_id) VALUES (7), (8) RETURNING 1", [])

    def fails() -> int:
        raise RuntimeError("not now")

    def step(work_id: int) -> int:
        done.append(work_id)
        fetch("DELETE FROM kb_change_work WHERE work_id = %s RETURNING 1", [work_id])
        return 1

    assert notes.run_for(5, step, before=fails) == 2
    assert done == [7, 8]
