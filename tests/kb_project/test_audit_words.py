"""Every action that is written into the audit has words for people."""

import ast
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils.translation import override

from kb_project.audit import THINGS, VERBS, thing_of, verb_of

ROOT = Path(settings.BASE_DIR)
MADE_UP = {
    "identity.create",
    "group.edit",
    "watchwebhook.renew_secret",
}  # of two parts, put together as they are written


def actions() -> Iterator[str]:
    rooms = [folder for folder in ROOT.iterdir() if (folder / "__init__.py").exists()]
    for path in (path for room in rooms if room.name not in {"tests", "bench"} for path in room.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call):
                named = [word.value for word in call.keywords if word.arg == "action"]
                told = call.args[1:2] if ast.unparse(call.func) in {"_record", "note_read"} else []
                yield from (
                    str(one.value) for one in [*named, *told] if isinstance(one, ast.Constant) and "." in str(one.value)
                )


def test_every_action_is_said_in_hebrew() -> None:
    found = set(actions())
    assert len(found) > 30
    with override("he"):
        for action in found | MADE_UP:
            assert not verb_of(action).isascii(), action
            assert not thing_of(action).isascii(), action


def test_an_action_nobody_knows_is_shown_as_it_is() -> None:
    assert (verb_of("moon.paint"), thing_of("moon.paint")) == ("moon.paint", "moon")


def test_words_are_of_something_that_is_written() -> None:
    parts = [action.split(".") for action in set(actions()) | MADE_UP]
    assert set(THINGS) - {thing for thing, _ in parts} == set()
    assert set(VERBS) - {verb for _, verb in parts} - {"give", "end"} == set()
