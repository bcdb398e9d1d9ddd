"""The entries that come with the languages (`law/languages/*/synonyms.txt`), read once in a process."""

import re
from collections.abc import Iterator
from functools import cache

from django.conf import settings

from law.languages import LANGUAGES
from law.words.stored import DEFAULT_WEIGHT
from law.words.synonyms import Layer, SynonymEntry

_BETWEEN = re.compile(r"[,\n]")
_FIELD = re.compile(r"\[(.+)\]")
_ENTRY = re.compile(r"(?P<words>[^=]+)=(?P<means>[^=@]+)(?:@(?P<weight>[01](?:\.\d+)?))?")


@cache
def base_entries() -> tuple[SynonymEntry, ...]:
    """Every entry of every language, in the order of the files."""
    return tuple(entry for language in LANGUAGES for entry in read_entries(language.synonyms))


@cache
def base_layer() -> Layer:
    """The entries as searches use them. All topics share them."""
    return Layer(base_in_use())


def base_in_use() -> tuple[SynonymEntry, ...]:
    """The entries that searches use: none with `KB_SYNONYMS=0`."""
    return base_entries() if settings.KB_SYNONYMS else ()


def read_entries(text: str) -> Iterator[SynonymEntry]:
    """The entries of a file: `words, words = meaning, meaning @0.6`. Raises ValueError for a line of no such form."""
    field = ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        if heading := _FIELD.fullmatch(line):
            field = heading[1]
        elif entry := _ENTRY.fullmatch(line):
            weight = float(entry["weight"] or DEFAULT_WEIGHT)
            yield SynonymEntry(split_list(entry["words"]), split_list(entry["means"]), weight, field)
        else:
            raise ValueError(f"line {number} of the synonyms is no entry: {line}")


def split_list(text: str) -> tuple[str, ...]:
    """The parts of a text between commas or on lines of their own, each once, without those that are empty."""
    return tuple(dict.fromkeys(filter(None, (" ".join(part.split()) for part in _BETWEEN.split(text)))))
