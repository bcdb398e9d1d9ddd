"""The words of a language as rows of data: TOML files beside its modules, and the reader of them.

Series of instruments, collections of law and reports are rows too: how each is printed, and the key it gives.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_args

from law.patterns import regex

Words = TypeVar("Words")
Fields = Mapping[str, str | list[str]]
_FILES = ("series.toml", "reports.toml")


@dataclass(frozen=True, kw_only=True)
class Division:
    """A part, chapter, schedule or whatever else of the kind, as it is cited and as it is printed above its sections.

    It is cited by its `name`, by `several` where these are listed, and by a `short` form, unless `is_cited` says that
    it is not cited by its word alone. `heads` are the words over it, in small letters: languages with capitals print
    them with one, or in capitals. Addresses of provisions call it `address`. In an `annex` sections count anew.
    """

    name: str
    several: str = ""
    short: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    address: str = ""
    is_cited: bool = True
    annex: bool = False
    acts_too: bool = False


@dataclass(frozen=True, kw_only=True)
class DivisionWords:
    """The divisions of a language, and numbers in words from one on: `two`, and `second` with all its forms."""

    divisions: tuple[Division, ...] = ()
    numbers: tuple[str, ...] = ()
    ordinals: tuple[str, ...] = ()

    @property
    def kinds(self) -> Mapping[str, str]:
        """What a short or plural form is short for, or the plural of."""
        return {word: one.name for one in self.divisions for word in (*one.short, one.several) if word}

    @property
    def annexes(self) -> frozenset[str]:
        return frozenset(one.name for one in self.divisions if one.annex)

    @property
    def addresses(self) -> Mapping[str, str]:
        """How addresses begin, by the word over a division."""
        return {word: one.address for one in self.divisions for word in one.heads if one.address}

    @property
    def places(self) -> Mapping[str, int]:
        """What a number in words stands for."""
        rows = (self.numbers, self.ordinals)
        return {form: place for words in rows for place, forms in enumerate(words, 1) for form in forms.split()}

    @property
    def spelled(self) -> list[str]:
        """Numbers, the longest first: `twenty` is the beginning of `twenty-one`."""
        return sorted(self.numbers, key=len, reverse=True)

    def fields(self) -> dict[str, list[str]]:
        """What other rows may say of them: as they are cited, and as they are printed over their sections."""
        cited = [one for one in self.divisions if one.is_cited]
        heads = [(one, word) for one in self.divisions for word in one.heads]
        bodies = [word for one, word in heads if not one.annex]
        return {
            "division": [word for one in cited for word in (one.several, one.name) if word],
            "divisions": [one.several for one in self.divisions if one.several],
            "short_division": sorted((word for one in cited for word in one.short), key=len, reverse=True),
            "head": list(dict.fromkeys(form for word in bodies for form in (word.upper(), word.capitalize()))),
            "annex_head": sorted((word for one, word in heads if one.annex), key=len, reverse=True),
            "spelled": self.spelled,
            "ordinal": sorted(" ".join(self.ordinals).split(), key=len, reverse=True),
        }


def read_rows(file: Path, *, given: Fields = MappingProxyType({})) -> dict[str, Any]:
    """The rows of a file by their names.

    `{name}` in a row stands for one of `[fields]`, each of which may use those above it, for what is `given`, or for
    the names in a table of the file. A field that is a list is any of these.
    """
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    own, known = said.pop("fields", {}), dict[str, str]()
    names = {name: sorted(row, key=len, reverse=True) for name, row in said.items() if isinstance(row, dict)}
    for name, value in {**names, **given, **own}.items():
        known[name] = _filled(f"(?:{'|'.join(value)})" if isinstance(value, list) else value, known)
    return {name: _filled(value, known) for name, value in said.items()}


def read_patterns(
    file: Path, *, given: Fields = MappingProxyType({}), table: str = ""
) -> Mapping[str, re.Pattern[str]]:
    """The rows of a file, or of a `table` of it, as patterns. A list is one of alternatives."""
    rows = read_rows(file, given=given)
    rows = rows[table] if table else rows
    return {name: regex(_either(row)) for name, row in rows.items() if not isinstance(row, dict)}


def read_words(file: Path, shape: type[Words], *, table: str = "", given: Fields = MappingProxyType({})) -> Words:
    """The rows of a file, or of a `table` of it, as an object of a data class, which says what each row is.

    A list is one of alternatives where the class has a pattern, and ignores case where that is compiled. A row may be
    tables, which are objects of a data class again. Raises TypeError for a row that is unknown.
    """
    rows = read_rows(file, given=given)
    rows = rows[table] if table else rows
    types = {one.name: one.type for one in fields(shape)}  # type: ignore[arg-type]
    return shape(**{name: _as_type(types.get(name), row) for name, row in rows.items()})


def _as_type(kind: Any, row: Any) -> Any:
    """A row by the type that the data class has for it."""
    of = next(iter(get_args(kind)), None)
    if isinstance(of, type) and is_dataclass(of):
        return tuple(of(**one) for one in row)
    return _AS_TYPE.get(kind, lambda same: same)(row)


def _either(row: str | tuple[str, ...]) -> str:
    return row if isinstance(row, str) else "|".join(row)


def _pattern(row: str | tuple[str, ...]) -> re.Pattern[str]:
    return regex(_either(row), re.IGNORECASE)


_AS_TYPE: Mapping[Any, Callable[[Any], Any]] = {
    str: _either,
    frozenset[str]: frozenset,
    re.Pattern[str]: _pattern,
    tuple[re.Pattern[str], ...]: lambda rows: tuple(map(_pattern, rows)),
    tuple[tuple[re.Pattern[str], str], ...]: lambda rows: tuple((_pattern(row), said) for row, said in rows),
    Mapping[int, str]: lambda rows: {int(number): row for number, row in rows.items()},
    Mapping[str, str]: lambda rows: {name: _either(row) for name, row in rows.items()},
    Mapping[str, re.Pattern[str]]: lambda rows: {name: _pattern(row) for name, row in rows.items()},
}


def _filled(value: Any, known: Mapping[str, str]) -> Any:
    """A row with what its fields stand for."""
    if isinstance(value, str):
        for name, pattern in known.items() if "{" in value else ():
            value = value.replace(f"{{{name}}}", pattern)
        return value
    if isinstance(value, list):
        return tuple(_filled(one, known) for one in value)
    return {name: _filled(one, known) for name, one in value.items()} if isinstance(value, dict) else value


@dataclass(frozen=True, kw_only=True)
class Series:
    r"""Instruments that are named by a number, or a collection whose parts are documents.

    `printed` are the ways in which texts write the name: `S.I. [No. ]{year}/{number}`. What is in square brackets may
    be missing, `(of|/)` is either, and a word in curly brackets is one of `fields`, or else a number of the usual kind.
    Before a bracket that texts print stands a backslash. A field is a pattern, with `{name}` for another field, or a
    list of words in such forms. `[fields]` of a file are those of all its rows. An abbreviation with points is read
    without them too, unless the row is `pointed`. Queries write in any case, unless it is `cased`: then its letters are
    common words otherwise. In `head` are forms that name a document only where they are a line of its head. `begins`
    are the characters with which a form may begin that begins with a field, if not with a digit.

    With `ends_title` the title of an act may go on with it, which is whole without: `Ports Act, Cap. 57`.

    `around` says that the name of a collection stands around the number of a section, as in `12 CFR 1072.1`:
    that is no instrument by itself. Where the numbers of its sections begin with that of the part, `divided` is
    the sign behind it: `-` in `Idaho Code § 71-121`, which is of title 71. Then `printed` are the names alone. Those of
    a book of `rules` stand before the number of a rule: `Fed. R. Civ. P. 12`. `judgment` marks what is named by where
    it is printed or filed.

    `key` are the fields that tell one of the series from another, in their order. Judgments and books have none.
    `same_as` is the series whose keys it gives, `numbered` how that writes the number, the likeliest first. `shown` is
    how a document's number is shown, and the title of a book. `reads` are examples and the keys that they give, `''`
    for none, `refuses` what is none of the series.
    """

    name: str
    printed: tuple[str, ...]
    key: tuple[str, ...] = ()
    country: str = ""
    head: tuple[str, ...] = ()
    shown: str = ""
    same_as: str = ""
    numbered: tuple[str, ...] = ()
    begins: str = "0"
    cased: bool = False
    pointed: bool = False
    around: bool = False
    judgment: bool = False
    rules: bool = False
    ends_title: bool = False
    divided: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    reads: dict[str, str] = field(default_factory=dict)
    refuses: tuple[str, ...] = ()


def read_series(folder: Path) -> tuple[Series, ...]:
    """The rows in the folder of a language, in their order. Raises ValueError, with the file and row that is wrong."""
    return tuple(row for name in _FILES if (path := folder / name).exists() for row in _rows(path))


def _rows(path: Path) -> Iterator[Series]:
    place = str(path)
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
        for row in said["series"]:
            place = f"{path}, row {row.get('name', 'without a name')}"
            yield _row(row, said.get("fields", {}))
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(f"{place}: {error}") from error


def _row(row: dict[str, Any], fields: dict[str, Any]) -> Series:
    columns: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    read = Series(**{**columns, "fields": {**fields, **row.get("fields", {})}})
    for printed in (*read.printed, *read.head):
        form = re.sub(r"\\.", "", printed)
        if any(form.count(opens) != form.count(closes) for opens, closes in ("[]", "()", "{}")):
            raise ValueError(f"a bracket of {printed!r} is not closed")
    return read
