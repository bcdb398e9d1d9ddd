"""Reads the files in which Outlook saves a message (.msg) as the same message would be in a mail file."""

from __future__ import annotations

import datetime as dt
import errno
import re
import struct
from collections.abc import Iterator
from email.message import EmailMessage
from email.parser import HeaderParser
from email.utils import format_datetime, quote
from pathlib import Path

from olefile import OleFileIO

from extraction.document import ExtractionFailed, Page
from extraction.mail.parts import RICH_TEXT
from extraction.mail.reader import pages, raise_if_large
from extraction.mail.sealed import open_signed
from extraction.text.encodings import decoded

Place = tuple[str, ...]

_UNICODE, _EIGHT_BIT, _BINARY, _OBJECT, _INTEGER, _TIME = "001F", "001E", "0102", "000D", 0x0003, 0x0040
_FIXED = "__properties_version1.0"
# How many bytes are before the properties of fixed size, by what they belong to.
_HEAD_OF_FILE, _HEAD_OF_MESSAGE, _HEAD_OF_OTHERS = 32, 24, 8
_EPOCH = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)
MAX_NESTED = 10  # messages, one in another
# What olefile raises, also for storages that are their own insides, and the properties of a time that nobody lived in.
_DAMAGED = (struct.error, IndexError, KeyError, ValueError, TypeError, AttributeError, OverflowError, RecursionError)

_SPECIAL = re.compile(r'[,;:@<>()"\\]')

_SUBJECT, _BODY, _HTML, _RICH_TEXT, _HEADERS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D
_SENDER, _SENDER_ADDRESSES = 0x0C1A, (0x5D01, 0x0C1F)
_NAME, _ADDRESSES, _RECIPIENT_TYPE = 0x3001, (0x39FE, 0x3003), 0x0C15
_RECIPIENTS = {"To": (1, 0x0E04), "Cc": (2, 0x0E03), "Bcc": (3, 0x0E02)}  # their type, and how Outlook shows them
_TIMES = (0x0039, 0x0E06)  # sent, delivered
_FILE, _FILE_NAMES, _FILE_TYPE, _CONTENT_ID = 0x3701, (0x3707, 0x3704, 0x3001), 0x370E, 0x3712


class Properties:
    """Those of the storage at `place`. A property that is not there is empty."""

    def __init__(self, file: OleFileIO, place: Place = ()) -> None:
        self._file = file
        self._place = place
        if not place:
            head = _HEAD_OF_FILE
        else:
            head = _HEAD_OF_MESSAGE if place[-1].startswith("__substg1.0_") else _HEAD_OF_OTHERS
        content = self._stream(_FIXED)
        fixed = struct.iter_unpack("<HHI8s", content[head : head + (len(content) - head) // 16 * 16])
        self._fixed: dict[tuple[int, int], bytes] = {(name, kind): value for kind, name, _, value in fixed}

    @property
    def is_message(self) -> bool:
        """Whether there are any properties at all: objects of other programs have none."""
        return bool(self._file.exists([*self._place, _FIXED]))

    def text(self, *names: int) -> str:
        """The first of these properties that is a text which is not empty."""
        for name in names:
            wide = self._stream(_stream_name(name, _UNICODE)).decode("utf-16-le", "replace")
            if text := (wide or decoded(self._stream(_stream_name(name, _EIGHT_BIT)))).rstrip("\0"):
                return text
        return ""

    def data(self, name: int) -> bytes:
        return self._stream(_stream_name(name, _BINARY))

    def number(self, name: int) -> int:
        return int.from_bytes(self._fixed.get((name, _INTEGER), b"")[:4], "little")

    def time(self, *names: int) -> dt.datetime | None:
        """The first of these properties that is a time."""
        for name in names:
            ticks = int.from_bytes(self._fixed.get((name, _TIME), b""), "little")
            if ticks:
                return _EPOCH + dt.timedelta(microseconds=ticks // 10)
        return None

    def object(self, name: int) -> Properties | None:
        """What is in a property that is a storage of its own."""
        place = (*self._place, _stream_name(name, _OBJECT))
        return Properties(self._file, place) if self._file.exists(list(place)) else None

    def inner(self, kind: str) -> Iterator[Properties]:
        """Those of the storages of a kind in this one, as `__recip_version1.0_`, in their order."""
        found = {tuple(one) for one in self._file.listdir(streams=False, storages=True)}
        depth = len(self._place)
        for place in sorted(one for one in found if one[:depth] == self._place and len(one) == depth + 1):
            if place[-1].startswith(kind):
                yield Properties(self._file, place)

    def _stream(self, name: str) -> bytes:
        place = [*self._place, name]
        if not self._file.exists(place):
            return b""
        content: bytes = self._file.openstream(place).read()
        return content


def _stream_name(name: int, kind: str) -> str:
    return f"__substg1.0_{name:04X}{kind}"


def read_outlook(path: Path) -> Iterator[Page]:
    """The message in parts of bounded size. What is attached is only named. Raises ExtractionFailed."""
    yield from pages(message_of(path))


def message_of(path: Path) -> EmailMessage:
    """The message with what is attached. Raises ExtractionFailed with code corrupt or too_large."""
    raise_if_large(path)
    try:
        with OleFileIO(str(path)) as file:
            message = _message(Properties(file), depth=1)
    except (*_DAMAGED, OSError) as error:
        if isinstance(error, OSError) and error.errno not in (errno.EINVAL, None):  # the disk's, not the file's
            raise
        raise ExtractionFailed("corrupt", "The Outlook message is damaged. Save it again and upload it.") from error
    open_signed(message)
    return message


def _message(found: Properties, *, depth: int) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = _line(found.text(_SUBJECT))
    for name, value in _headers(found).items():
        message[name] = _line(value)
    html = found.data(_HTML)
    page = decoded(html) if html else found.text(_HTML)
    message.set_content(found.text(_BODY))
    if page:
        message.add_alternative(page, subtype="html")
    if not page and not found.text(_BODY) and found.data(_RICH_TEXT):
        _attach(message, found.data(_RICH_TEXT), RICH_TEXT, "")
    for file in found.inner("__attach_version1.0_"):
        _attach_file(message, file, depth=depth)
    return message


def _headers(found: Properties) -> dict[str, str]:
    """Who wrote to whom and when: as the message travelled, else as Outlook keeps it."""
    travelled = HeaderParser().parsestr(found.text(_HEADERS))
    time = found.time(*_TIMES)
    kept = {"From": _address(found.text(_SENDER), found.text(*_SENDER_ADDRESSES))}
    recipients = list(found.inner("__recip_version1.0_"))
    for header, (kind, shown) in _RECIPIENTS.items():
        named = [one for one in recipients if one.number(_RECIPIENT_TYPE) == kind]
        addresses = [_address(one.text(_NAME), one.text(*_ADDRESSES)) for one in named]
        kept[header] = ", ".join(addresses) or found.text(shown)
    kept["Date"] = format_datetime(time) if time else ""
    headers = {name: str(travelled.get(name, "")) or value for name, value in kept.items()}
    return {name: value for name, value in headers.items() if value}


def _address(name: str, address: str) -> str:
    """Name and address. The names of a company's own directory (`/O=…`) are no addresses."""
    if "@" not in address or address == name:
        return name or address
    shown = f'"{quote(name)}"' if _SPECIAL.search(name) else name
    return f"{shown} <{address}>".strip()


def _line(value: str) -> str:
    return " ".join(value.split())


def _attach_file(message: EmailMessage, file: Properties, *, depth: int) -> None:
    inside = file.object(_FILE)
    name = file.text(*_FILE_NAMES)
    if inside and inside.is_message and depth < MAX_NESTED:
        message.add_attachment(_message(inside, depth=depth + 1), filename=name or None)
    elif inside:  # an object of another program
        _attach(message, b"", "application/ms-tnef", name)
    else:
        _attach(message, file.data(_FILE), file.text(_FILE_TYPE), name, content_id=file.text(_CONTENT_ID))


def _attach(message: EmailMessage, content: bytes, kind: str, name: str, *, content_id: str = "") -> None:
    main, _, sub = kind.partition("/")
    if main == "multipart":  # a signed message as it travelled
        main, sub = "application", "pkcs7-mime"
    if not sub or main == "message":
        main, sub = "application", "octet-stream"
    message.add_attachment(
        content, maintype=main, subtype=sub, filename=_line(name) or None, cid=f"<{content_id}>" if content_id else None
    )
