"""Series of instruments, collections of law and reports, as rows of data: how each is printed, and the key it gives."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_FILES = ("series.toml", "reports.toml")


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
