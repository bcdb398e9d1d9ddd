"""Every sentence that code and templates mark for translation is there in Hebrew."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import trans_real
from django.utils.translation.template import templatize

ROOT = Path(settings.BASE_DIR)
LITERAL = r"""u?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
# What Django makes of a template for xgettext.
SINGULAR = re.compile(rf"(?<!\w)(?:_|gettext)\({LITERAL}\)")
OF_CONTEXT = re.compile(rf"(?<!\w)pgettext\({LITERAL}, ?{LITERAL}\)")
PLURAL = re.compile(rf"(?<!\w)ngettext\({LITERAL}, ?{LITERAL},")


def of_template(text: str) -> Iterator[str]:
    """What a template marks, of plurals only the singular, by which both are found."""
    marked = templatize(text)
    for pattern in (SINGULAR, PLURAL):
        for found in pattern.finditer(marked):
            yield ast.literal_eval(found[1])
    for found in OF_CONTEXT.finditer(marked):
        yield "\x04".join(map(ast.literal_eval, found.groups()))


def of_module(text: str) -> Iterator[str]:
    """What a module marks, by whatever name it imports Django's functions. A context stands before what it is of."""
    tree = ast.parse(text)
    names = {
        alias.asname or alias.name: 2 if alias.name.startswith(("pgettext", "npgettext")) else 1
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
        if "gettext" in alias.name
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            words = node.args[: names[node.func.id]]
            if words and all(isinstance(word, ast.Constant) and isinstance(word.value, str) for word in words):
                yield "\x04".join(map(ast.literal_eval, words))


def marked() -> set[str]:
    """Of the whole project, without tests and what is installed beside it."""
    rooms = [folder for folder in ROOT.iterdir() if (folder / "__init__.py").exists()]
    modules = [path for room in rooms if room.name not in {"tests", "bench"} for path in room.rglob("*.py")]
    templates = [path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".txt"}]
    found = {text for path in modules for text in of_module(path.read_text(encoding="utf-8"))}
    return found | {text for path in templates for text in of_template(path.read_text(encoding="utf-8"))}


def in_hebrew() -> set[str]:
    """What has a translation, as the service reads them: with those of Django and its apps."""
    hebrew: Any = trans_real.translation("he")
    catalogue = hebrew._catalog.items()
    return {key[0] if isinstance(key, tuple) else key for key, said in catalogue if said}


def test_the_readers_find_what_is_marked() -> None:
    module = """from django.utils.translation import gettext_lazy as _, ngettext as many, pgettext
_('One' ' two'), many('a', 'b', 2), pgettext('finding', 'right'), print('no')"""
    assert set(of_module(module)) == {"One two", "a", "finding\x04right"}
    template = """{% load i18n %}{% translate "It's" %}<p title="{% translate 'Two' %}">
{% blocktranslate count n=n %}{{ n }} law{% plural %}laws{% endblocktranslate %}{% translate "May" context "month" %}"""
    assert set(of_template(template)) == {"It's", "Two", "%(n)s law", "month\x04May"}


def test_everything_that_is_marked_is_said_in_hebrew() -> None:
    found = marked()
    assert len(found) > 1500
    assert sorted(found - in_hebrew()) == []


def test_notes_and_synonyms_have_a_word_each() -> None:
    hebrew: Any = trans_real.translation("he")
    said = [(str(key), text) for key, text in hebrew._catalog.items()]
    assert any("פתק" in text for key, text in said if "note" in key)
    assert [key for key, text in said if "ynonym" in key and "פתק" in text] == []
