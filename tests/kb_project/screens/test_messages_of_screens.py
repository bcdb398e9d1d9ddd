"""The messages of the screens: what holds for all of them."""

import ast
import re
from pathlib import Path

import pytest
from django.conf import settings

MESSAGES = Path(settings.BASE_DIR) / "locale" / "he" / "LC_MESSAGES" / "django.po"
_ENTRY = re.compile(r'^(msgid|msgid_plural|msgstr)(?:\[\d\])? ((?:"(?:[^"\\]|\\.)*"\n?)+)', re.MULTILINE)


def texts(*keywords: str) -> list[str]:
    found = _ENTRY.findall(MESSAGES.read_text(encoding="utf-8"))[2:]  # without the head of the file
    return ["".join(map(ast.literal_eval, text.split("\n")[:-1])) for keyword, text in found if keyword in keywords]


@pytest.mark.parametrize(
    ("keywords", "others"), [(("msgid", "msgid_plural"), '"„״«»'), (("msgstr",), "“”„«»")], ids=["English", "Hebrew"]
)
def test_each_language_has_one_kind_of_quotation_marks(keywords: tuple[str, ...], others: str) -> None:
    """“These” in English, ״these״ in Hebrew."""
    found = texts(*keywords)
    assert len(found) > 500
    assert [text for text in found if re.search(f"[{others}]", re.sub(r"<[^>]*>", "", text))] == []
