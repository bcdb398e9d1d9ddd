"""Opens the files that are zip archives of XML, as DOCX and ODT are, and says what is wrong with those that are not."""

import errno
import lzma
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lxml import etree

from extraction.document import ExtractionFailed

# lxml refuses text nodes over 10 MB and more than 256 levels of nesting by itself.
NO_ENTITIES = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
# What zipfile, the packings it knows and lxml raise.
DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError),
    *(etree.XMLSyntaxError, KeyError),
)
UNPACKED_LIMIT = 300 << 20  # bytes of all parts together. A zip bomb unpacks to more.
# What openpyxl, python-pptx and the parsers below them raise for files that are not as they should be.
_DAMAGED_OFFICE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, SyntaxError, RecursionError)


@contextmanager
def open_package(path: Path, *, name: str) -> Iterator[zipfile.ZipFile]:
    """The archive. `name` is the program or format that people know the file by.

    Raises ExtractionFailed with code corrupt, encrypted or unsupported_type, also for what is found while its parts are
    read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except DAMAGED as error:
        raise corrupt(name) from error
    except OSError as error:
        # A place to read from that cannot be in any file, and what bz2 says of a damaged stream, which has no number.
        if error.errno not in (errno.EINVAL, None):
            raise
        raise corrupt(name) from error
    except NotImplementedError as error:
        sentence = f"The {name} file is compressed in a way that is not read. Save it again and upload it."
        raise ExtractionFailed("unsupported_type", sentence) from error
    except RuntimeError as error:  # zipfile has no class of its own for a password
        raise encrypted(name) from error


@contextmanager
def open_office(path: Path, *, name: str) -> Iterator[zipfile.ZipFile]:
    """The archive of an XLSX or PPTX, which a library reads. Raises ExtractionFailed as `open_package`,
    and with too_large before anything is unpacked."""
    with open_package(path, name=name) as archive:
        size = sum(member.file_size for member in archive.infolist())
        if size > UNPACKED_LIMIT:
            raise _too_large(name, size)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield archive
        except _DAMAGED_OFFICE as error:
            raise corrupt(name) from error


def part(archive: zipfile.ZipFile, path: str, *, limit: int, name: str) -> zipfile.ZipInfo:
    """A member of the archive. Raises ExtractionFailed with code too_large: zipfile never unpacks more than it says."""
    member = archive.getinfo(path)
    if member.file_size > limit:
        raise _too_large(name, member.file_size)
    return member


def encrypted(name: str) -> ExtractionFailed:
    """The refusal of a file that needs a password."""
    return ExtractionFailed(
        "encrypted", f"The {name} file needs a password. Save it without a password and upload it again."
    )


def corrupt(name: str) -> ExtractionFailed:
    """The refusal of a file that is damaged."""
    return ExtractionFailed("corrupt", f"The {name} file is damaged or was cut off on its way. Upload it again.")


def _too_large(name: str, size: int) -> ExtractionFailed:
    return ExtractionFailed("too_large", f"The {name} file unpacks to {size >> 20} MB, more than is read.")
