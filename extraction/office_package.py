"""Opens XLSX and PPTX within bounds, and refuses what their libraries cannot read."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from extraction.document import ExtractionFailed
from extraction.packages import corrupt, open_package

UNPACKED_LIMIT = 300 << 20  # bytes of all parts together. A zip bomb unpacks to more.
# What openpyxl, python-pptx and the parsers below them raise for files that are not as they should be.
_DAMAGED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, SyntaxError, RecursionError)


@contextmanager
def open_office(path: Path, *, name: str) -> Iterator[zipfile.ZipFile]:
    """The archive. Raises ExtractionFailed as `open_package`, and with too_large before anything is unpacked."""
    with open_package(path, name=name) as archive:
        size = sum(member.file_size for member in archive.infolist())
        if size > UNPACKED_LIMIT:
            sentence = f"The {name} file unpacks to {size >> 20} MB, more than is read."
            raise ExtractionFailed("too_large", sentence)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield archive
        except _DAMAGED as error:
            raise corrupt(name) from error
