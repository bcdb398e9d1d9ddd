"""Series of instruments and collections of law, as rows of data: how each is printed, and the key that it gives."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_FILE = "series.toml"


@dataclass(frozen=True, kw_only=True)
class Series:
    """Instruments that are named by a number, or a collection whose parts are documents.

    `printed` are the ways in which texts write the name: `S.I. [No. ]{year}/{number}`. What is in square
    brackets may be missing, `(of|/)` is either, and a word in curly brackets is a number: one of `fields`, or
    as `FIELDS` has it. An abbreviation with points is read without them and with spaces behind them too.
    Queries write in any case, unless the row is `cased`: then its letters are common words otherwise. In `head`
    are forms that name a document only where they are a line of its head.

    `around` says that the name of a collection stands around the number of a section, as in `12 CFR 1072.1`:
    that is no instrument by itself. Where the numbers of its sections begin with that of the part, `divided` is
    the sign behind it: `-` in `Idaho Code § 71-121`, which is of title 71. Then `printed` are the names alone.

    `key` are the fields that tell one of the series from another, in their order. `same_as` is the series whose
    keys it gives. `shown` is how a document's number is shown. `reads` are examples and the keys that they
    give, `refuses` what is none of the series.
    """

    name: str
    printed: tuple[str, ...]
    key: tuple[str, ...]
    country: str = ""
    head: tuple[str, ...] = ()
    shown: str = ""
    same_as: str = ""
    cased: bool = False
    around: bool = False
    divided: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    reads: dict[str, str] = field(default_factory=dict)
    refuses: tuple[str, ...] = ()


def read_series(folder: Path) -> tuple[Series, ...]:
    """The rows in the folder of a language, in their order. Raises TypeError for one with a column that is unknown."""
    said = tomllib.loads((folder / _FILE).read_text(encoding="utf-8"))
    return tuple(_row(row) for row in said["series"])


def _row(row: dict[str, Any]) -> Series:
    columns: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return Series(**columns)
