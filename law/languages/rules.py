"""Kinds of rules in statutes, as the languages name and say them (`rules.toml` beside each language)."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from law.languages import LANGUAGES

_FILE = "rules.toml"


@dataclass(frozen=True)
class RuleWords:
    """A kind of rule in one language: patterns that name it, and patterns of sentences that say one."""

    name: str
    named: tuple[str, ...]
    says: tuple[str, ...]


@cache
def rule_words() -> tuple[RuleWords, ...]:
    """Those of all languages, in the order of the files."""
    rows = (row for file in _files() for row in file["rules"])
    return tuple(RuleWords(row["name"], tuple(row["named"]), tuple(row["says"])) for row in rows)


@cache
def asking_words() -> frozenset[str]:
    """Words of who asks for a rule that say nothing of which one."""
    return frozenset(word for file in _files() for word in file["asks"].split())


@cache
def _files() -> tuple[dict[str, Any], ...]:
    folders = (Path(__file__).parent / type(language).__module__.rpartition(".")[2] for language in LANGUAGES)
    paths = (folder / _FILE for folder in folders)
    return tuple(tomllib.loads(path.read_text(encoding="utf-8")) for path in paths if path.exists())
