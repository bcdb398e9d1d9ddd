"""Opens the files that are zip archives of XML, as DOCX and ODT are, and says what is wrong with those that are not."""

import errno
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lxml import etree

from extraction.document import ExtractionFailed

_ZIP_END, _ZIP_END_BYTES, _ZIP_COMMENT_BYTES = b"PK\x05\x06", 22, 65_536
_ZIP64_LOCATOR, _ZIP64_BYTES = b"PK\x06\x07", 56 + 20  # the record and its locator, before the end of a large archive
# lxml refuses text nodes over 10 MB and more than 256 levels of nesting by itself.
NO_ENTITIES = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
# What zipfile, the packings it knows and lxml raise.
DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError),
    *(etree.XMLSyntaxError, KeyError),
)


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


def part(archive: zipfile.ZipFile, path: str, *, limit: int, name: str) -> zipfile.ZipInfo:
    """A member of the archive. Raises ExtractionFailed with code too_large: zipfile never unpacks more than it says."""
    member = archive.getinfo(path)
    if member.file_size > limit:
        raise ExtractionFailed(
            "too_large", f"The {name} file unpacks to {member.file_size >> 20} MB, more than is read."
        )
    return member


def encrypted(name: str) -> ExtractionFailed:
    """The refusal of a file that needs a password."""
    return ExtractionFailed(
        "encrypted", f"The {name} file needs a password. Save it without a password and upload it again."
    )


def corrupt(name: str) -> ExtractionFailed:
    """The refusal of a file that is damaged."""
    return ExtractionFailed("corrupt", f"The {name} file is damaged or was cut off on its way. Upload it again.")


def directory_bytes(path: Path) -> int:
    """The size of the archive's list of entries as `zipfile` finds it. 0 if the archive does not say.

    It is measured before the list is read, as each entry takes memory.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _ZIP64_BYTES - _ZIP_END_BYTES - _ZIP_COMMENT_BYTES))
        tail = file.read()
    end = len(tail) - _ZIP_END_BYTES
    if not (tail.startswith(_ZIP_END, max(0, end)) and tail.endswith(b"\0\0")):
        end = tail.rfind(_ZIP_END)
    if end < 0:
        return 0
    length = int.from_bytes(tail[end + 12 : end + 16], "little")
    large = end - _ZIP64_BYTES
    if large >= 0 and tail[end - 20 : end].startswith(_ZIP64_LOCATOR):
        return max(length, int.from_bytes(tail[large + 40 : large + 48], "little"))
    return length
