"""The parts of an ODT as XML, and a flat ODT, which is XML alone."""

from __future__ import annotations

import zipfile
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from extraction.document import ExtractionFailed
from extraction.packages import NO_ENTITIES, corrupt, part

UNPACKED_LIMIT = 100 << 20  # bytes of the content, which is held whole
NAME = "ODT"
STYLES = "styles.xml"  # a file may do without


def flat_root(path: Path) -> Element:
    """The outermost element of a flat file. Raises ExtractionFailed with code corrupt or too_large."""
    if path.stat().st_size > UNPACKED_LIMIT:
        raise ExtractionFailed("too_large", f"The {NAME} file has more than {UNPACKED_LIMIT >> 20} MB.")
    try:
        return etree.fromstring(path.read_bytes(), etree.XMLParser(**NO_ENTITIES))
    except etree.XMLSyntaxError as error:
        raise corrupt(NAME) from error


def content_of(archive: zipfile.ZipFile, name: str) -> bytes:
    """A part as it is. Raises ExtractionFailed with code too_large."""
    return archive.read(part(archive, name, limit=UNPACKED_LIMIT, name=NAME))


def root_of(archive: zipfile.ZipFile, name: str) -> Element:
    """The outermost element of a part."""
    return etree.fromstring(content_of(archive, name), etree.XMLParser(**NO_ENTITIES))
