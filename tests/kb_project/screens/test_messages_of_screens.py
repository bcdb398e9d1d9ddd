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


@pytest.mark.parametrize(
    ("keywords", "others"),
    [
        (("msgid", "msgid_plural"), r"\b[Ll]og(ged)? (in|out)\b|\b[Ll]ogin\b|\bthis once\b"),
        (("msgstr",), r"\b[בהוכלמש]{1,2}-[%{<\w]|\b(הזו|כזו|שלך|לך|אינך|החליט/ה)\b|דואר|היסטוריה"),
    ],
    ids=["English", "Hebrew"],
)
def test_one_thing_is_said_in_one_way(keywords: tuple[str, ...], others: str) -> None:
    """People sign in. In Hebrew a prefix ends with a maqaf, several people are spoken to, and mail is דוא״ל."""
    assert [text for text in texts(*keywords) if re.search(others, text)] == []
