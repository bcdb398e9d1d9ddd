"""What the parts of a message are (text, attached files, what no reader sees), and how messages are kept."""

from __future__ import annotations

import base64
import enum
import mimetypes
import quopri
import re
from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.header import decode_header
from email.message import MIMEPart
from io import BytesIO
from pathlib import Path
from typing import IO

from extraction.mail.sealed import is_sealed
from extraction.text.bidi import is_visual, reading_order
from extraction.text.encodings import by_mark, decoded, in_utf8

SEPARATOR = r"From (?:-\s|.*\d\d:\d\d)"  # how the line before a message begins: who sent it and when
_SEPARATOR = re.compile(SEPARATOR.encode())
_HEADER = re.compile(rb"[!-9;-~]+:")
_QUOTED = re.compile(rb">+From ")
_LENGTH = re.compile(rb"\s*(\d{1,12})[ \t]*\r?\n")
SENSELESS = (MessageError, LookupError, ValueError, AttributeError, TypeError)  # what senseless headers raise
MESSAGES = frozenset({"message/rfc822", "message/global", "message/news"})
_NO_DOCUMENTS = frozenset(
    [
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/pgp-signature",
        "application/applefile",
    ]
)
RICH_TEXT = "application/x-outlook-rich-text"  # our name for it; it travels in files of Outlook only
_SEALED = frozenset({"multipart/encrypted", RICH_TEXT})
_MARKED_UP = frozenset({"text/richtext", "text/enriched"})  # text among commands that are not known here
_TNEF = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})
_SIGNATURE = "-- "  # the line above it
_SCREEN_ORDER = re.compile(r"=\?iso-8859-8\?", re.I)  # as that says of Hebrew, rightly or not
_AS_IT_CAME = policy.default.clone(refold_source="none")


class Use(enum.Enum):
    """What a part is for the reader of the message."""

    TEXT = enum.auto()
    FILE = enum.auto()
    PICTURE = enum.auto()  # inside of the text
    INVITATION = enum.auto()  # to a meeting, for a calendar
    SEALED = enum.auto()  # encrypted, or packed rich text
    PACKED = enum.auto()  # text and files as Outlook packs them (winmail.dat)
    ELSEWHERE = enum.auto()  # a file that only its address is given of
    NOTHING = enum.auto()  # a signature, what a Mac keeps of a file, an invitation that the text tells of


FILES = frozenset({Use.FILE, Use.PACKED})


def used(message: MIMEPart) -> Iterator[tuple[MIMEPart, Use]]:
    """The parts that hold no others, in their order, with their use."""
    for place, (part, is_alternative) in enumerate(_leaves(message)):
        use = _use(part, is_body=is_alternative or place == 0)
        yield part, Use.NOTHING if use is Use.INVITATION and is_alternative else use


def attachments(message: MIMEPart) -> Iterator[tuple[str, bytes]]:
    """The name and the content of each file that is attached. Pictures inside of the text and signatures are not."""
    for part, use in used(message):
        if use in FILES:
            yield name(part), content(part)


def holds_parts(part: MIMEPart) -> bool:
    """Whether it only holds other parts. One whose borders are not found is text."""
    return part.get_content_maintype() == "multipart" and part.is_multipart() and part.get_content_type() not in _SEALED


def _leaves(message: MIMEPart, *, is_alternative: bool = False) -> Iterator[tuple[MIMEPart, bool]]:
    if not holds_parts(message):
        yield message, is_alternative
        return
    for part in message.iter_parts():
        yield from _leaves(part, is_alternative=message.get_content_type() == "multipart/alternative")


def _use(part: MIMEPart, *, is_body: bool) -> Use:
    """The use of a part. `is_body`: its place makes it text even if it has a name."""
    kind, disposition = part.get_content_type(), part.get_content_disposition()
    if kind in _SEALED or is_sealed(part):
        return Use.SEALED
    if kind in _NO_DOCUMENTS:
        return Use.NOTHING
    if kind == "message/external-body":
        return Use.ELSEWHERE
    if kind == "text/calendar":
        return Use.INVITATION
    if kind in _TNEF or name(part).lower() == "winmail.dat":
        return Use.PACKED
    if part.get_content_maintype() == "image" and (disposition != "attachment" or "Content-ID" in part):
        return Use.PICTURE
    if disposition == "attachment" or (_given_name(part) and not is_body) or kind in MESSAGES or _is_rtf(part):
        return Use.FILE
    return Use.TEXT if part.get_content_maintype() in {"text", "message", "multipart"} else Use.FILE


def is_marked_up(part: MIMEPart) -> bool:
    """Whether its text has commands in it, so that another text that says the same is better."""
    return part.get_content_type() in _MARKED_UP


def _is_rtf(part: MIMEPart) -> bool:
    """Whether it is RTF, which has a reader of its own. Some programs call that richtext."""
    kind = part.get_content_type()
    return kind == "text/rtf" or (kind in _MARKED_UP and content(part).lstrip().startswith(b"{\\rtf"))


def header(message: MIMEPart, name: str) -> str:
    """A header on one line, decoded. Raw bytes of an old mailer are read as the text would be."""
    raw = next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")
    if _is_raw(raw):
        text = decoded(raw.encode("ascii", "surrogateescape"))
    else:
        try:
            text = str(message.get(name, ""))
        except SENSELESS:
            text = raw
        if "\ufffd" in text:
            text = _by_words(raw)
        if _SCREEN_ORDER.search(raw) and is_visual([text]):
            text = reading_order(text)
    return " ".join(text.split())


def _by_words(raw: str) -> str:
    """A header whose encoded words are in an unknown character set, or in another than they say."""
    try:
        return "".join(
            piece if isinstance(piece, str) else decoded(piece, charset or "") for piece, charset in decode_header(raw)
        )
    except SENSELESS:
        return raw


def _is_raw(text: str) -> bool:
    """Does it hold bytes that are no ASCII, as the parser keeps them?"""
    return not text.isascii() and all(char < "\x80" or "\udc80" <= char <= "\udcff" for char in text)


def content(part: MIMEPart) -> bytes:
    """The bytes of a part: of a message in it, of a report for programs, else what was encoded."""
    if part.get_content_maintype() == "message" and part.is_multipart():
        inner = [one for one in part.get_payload() if isinstance(one, MIMEPart)]
        written = b"".join(one.as_bytes(policy=_AS_IT_CAME) for one in inner)
        # The standard forbids to encode a message that is attached. Some programs do, and the parser takes no notice.
        match str(part.get("Content-Transfer-Encoding", "")).strip().lower():
            case "base64" if not any(one.keys() for one in inner):
                return base64.b64decode(written)
            case "quoted-printable":
                return quopri.decodestring(written)
        return written
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def text(part: MIMEPart) -> str:
    """The text of a part by its declared character set."""
    return decoded(content(part), charset(part))


def is_flowed(part: MIMEPart) -> bool:
    """Whether lines that end in a space go on in the next (RFC 3676)."""
    return _parameter(part, "format") == "flowed"


def flowed(part: MIMEPart, text: str) -> list[str]:
    """The paragraphs of such a text, quotations with their signs."""
    paragraphs: list[str] = []
    depth, goes_on = 0, False
    for line in text.replace("\r\n", "\n").split("\n"):
        content = line.lstrip(">")
        quoted, content = len(line) - len(content), content.removeprefix(" ")
        goes_on = goes_on and quoted == depth and content != _SIGNATURE
        if goes_on:
            paragraphs[-1] += content
        else:
            paragraphs.append(f"{'>' * quoted} {content}" if quoted else content)
        depth, goes_on = quoted, content.endswith(" ") and content != _SIGNATURE
        if goes_on and _parameter(part, "delsp") == "yes":
            paragraphs[-1] = paragraphs[-1][:-1]
    return paragraphs


def _parameter(part: MIMEPart, name: str) -> str:
    try:
        return str(part.get_param(name, "")).lower()
    except SENSELESS:
        return ""


def charset(part: MIMEPart) -> str:
    """The declared character set, in small letters. "" if there is none."""
    try:
        return (part.get_content_charset() or "").lower()
    except SENSELESS:
        return ""


def name(part: MIMEPart) -> str:
    """The name of an attachment, made of its type where it has none."""
    given = _given_name(part)
    if part.get_content_type() in MESSAGES:
        inner = next(iter(part.iter_parts()), None)
        given = given or (header(inner, "Subject") if isinstance(inner, MIMEPart) else "")
        return f"{given or 'message'}.eml" if not given.lower().endswith(".eml") else given
    return given or f"attachment{mimetypes.guess_extension(part.get_content_type()) or ''}"


def _given_name(part: MIMEPart) -> str:
    try:
        given = part.get_filename() or ""
    except SENSELESS:
        return ""
    return decoded(given.encode("ascii", "surrogateescape")) if _is_raw(given) else given


def messages(path: Path) -> Iterator[bytes]:
    """The messages of a mailbox in their order, each as a file of its own would be.

    One begins behind an empty line with the line `SEPARATOR`, and headers below. Other lines that begin so are text.
    """
    lines: list[bytes] = []
    with _opened(path) as file:
        before, line = b"", file.readline()
        while line:
            following = file.readline()
            if not before.strip() and _SEPARATOR.match(line) and _HEADER.match(following):
                if any(map(bytes.strip, lines)):
                    yield b"".join(lines)
                lines = []
            else:
                lines.append(line[1:] if _QUOTED.match(line) else line)
            before, line = line, following
    yield b"".join(lines)


def unwrapped(content: bytes) -> bytes:
    """The message of a file without what mail programs put before and behind it."""
    content = in_utf8(content)
    if b"\n" not in content:  # as Macs ended lines
        content = content.replace(b"\r", b"\n")
    if (length := _LENGTH.match(content)) and _HEADER.match(content, length.end()):
        return content[length.end() :][: int(length[1])]
    return content.lstrip(b"\r\n")


def _opened(path: Path) -> IO[bytes]:
    file = path.open("rb")
    if by_mark(file.read(4)) is None:
        file.seek(0)
        return file
    file.close()
    return BytesIO(in_utf8(path.read_bytes()))
