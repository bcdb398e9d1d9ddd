"""Columns to begin with, for six kinds of documents, in each language."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("templates.toml")
LANGUAGES = ["en", "he"]


@cache
def _all() -> list[dict[str, Any]]:
    return list(tomllib.loads(_FILE.read_text(encoding="utf-8"))["template"])


NAMES = [one["name"] for one in _all()]


def templates(language: str) -> list[dict[str, Any]]:
    """Name, title and columns of each, in one of `LANGUAGES`."""
    return [
        {"name": one["name"], "title": one[language], "columns": columns_of(one["name"], language)} for one in _all()
    ]


def columns_of(name: str, language: str) -> list[dict[str, Any]]:
    """The columns of a template, as a table is made of them."""
    template = next(one for one in _all() if one["name"] == name)
    return [
        {
            "title": column[language][0],
            "question": column[language][1],
            "type": column["type"],
            "options": column["options"][language] if "options" in column else [],
            "hint": "",
            "unit": column["unit"][language] if "unit" in column else "",
        }
        for column in template["columns"]
    ]
