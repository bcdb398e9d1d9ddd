"""Reads e-mail: who wrote to whom, when and about what, then the text, then what is attached by name."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from pathlib import Path

from extraction.document import ExtractionFailed, Page, Row, in_parts
from extraction.html.reader import paragraphs
from extraction.plain import LEGACY

SIZE_LIMIT = 256 << 20  # bytes
MOST_PARTS = 2_000
_HEADERS = ("From", "To", "Cc", "Date")
LONGEST_HEADER = 2_000
_SENSELESS = (MessageError, LookupError, ValueError, AttributeError, TypeError)  # what senseless headers raise
_NO_DOCUMENTS = frozenset(
    ["text/calendar", "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"]
)


def read_email(path: Path) -> Iterator[Page]:
    """The message in parts of bounded size; what is attached is only named. Raises ExtractionFailed."""
    yield from in_parts(_paragraphs(parse(path)))


def parse(path: Path) -> EmailMessage:
    """The message. Raises ExtractionFailed with code corrupt or too_large."""
    if path.stat().st_size > SIZE_LIMIT:
        raise ExtractionFailed("too_large", f"The message has more than {SIZE_LIMIT >> 20} MB.")
    try:
        with path.open("rb") as file:
            message = BytesParser(policy=policy.default).parse(file)
    except RecursionError as error:  # messages in messages in messages
        raise ExtractionFailed("corrupt", "The message is damaged and cannot be read.") from error
    if sum(1 for _ in message.walk()) > MOST_PARTS:
        raise ExtractionFailed("too_large", f"The message has more than {MOST_PARTS:,} parts.")
    return message


def attachments(message: MIMEPart) -> Iterator[tuple[str, bytes]]:
    """The name and the content of each file that is attached. Pictures inside of the text and signatures are not."""
    body = _body(message)
    for part in _leaves(message):
        disposition = part.get_content_disposition()
        if part is body or part.get_content_type() in _NO_DOCUMENTS:
            continue
        inside = part.get_content_maintype() == "image" and (disposition != "attachment" or "Content-ID" in part)
        alternative = part.get_content_maintype() == "text" and disposition != "attachment" and not part.get_filename()
        if not (inside or alternative):
            yield _name(part), _content(part)


def _leaves(message: MIMEPart) -> Iterator[MIMEPart]:
    """The parts that hold no others. A message that is attached is one."""
    if message.get_content_maintype() == "multipart":
        for part in message.iter_parts():
            yield from _leaves(part)
    else:
        yield message


def _body(message: MIMEPart) -> MIMEPart | None:
    """The part that is the text: HTML where there is any, as it has tables and lists."""
    try:
        return message.get_body(("html", "plain"))
    except _SENSELESS:
        return None


def _paragraphs(message: MIMEPart) -> Iterator[str | Row]:
    yield _header(message, "Subject")
    for name in _HEADERS:
        if value := _header(message, name):
            yield f"{name}: {value}"
    body = _body(message)
    if body is not None:
        text = _decoded(body)
        yield from paragraphs(text) if body.get_content_subtype() == "html" else text.split("\n")
    names = [name for name, _ in attachments(message)]
    if names:
        yield f"Attachments: {', '.join(names)}"


def _header(message: MIMEPart, name: str) -> str:
    """A header on one line, decoded. Raw bytes of an old mailer are read as the text would be."""
    raw = next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")
    if _is_raw(raw):
        text = _text_of(raw.encode("ascii", "surrogateescape"))
    else:
        try:
            text = str(message.get(name, ""))
        except _SENSELESS:
            text = raw
    return " ".join(text.split())[:LONGEST_HEADER]


def _is_raw(text: str) -> bool:
    """Does it hold bytes that are no ASCII, as the parser keeps them?"""
    return not text.isascii() and all(char < "\x80" or "\udc80" <= char <= "\udcff" for char in text)


def _content(part: MIMEPart) -> bytes:
    if part.get_content_type() == "message/rfc822":
        return b"".join(inner.as_bytes() for inner in part.iter_parts())
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _decoded(part: MIMEPart) -> str:
    charset = (part.get_content_charset() or "").lower()
    return _text_of(_content(part), "cp1255" if "8859-8" in charset else charset)


def _text_of(content: bytes, charset: str = "") -> str:
    """The text by its declared character set, UTF-8, or windows-1255."""
    for encoding in filter(None, (charset, "utf-8")):
        try:
            return content.decode(encoding)
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    return content.decode(LEGACY, "replace")


def _name(part: MIMEPart) -> str:
    """The name of an attachment, made of its type where it has none."""
    try:
        name = part.get_filename() or ""
    except _SENSELESS:
        name = ""
    if part.get_content_type() == "message/rfc822":
        inner = next(iter(part.iter_parts()), None)
        name = name or (_header(inner, "Subject") if isinstance(inner, MIMEPart) else "")
        return f"{name or 'message'}.eml" if not name.lower().endswith(".eml") else name
    if _is_raw(name):
        name = _text_of(name.encode("ascii", "surrogateescape"))
    return name or f"attachment{mimetypes.guess_extension(part.get_content_type()) or ''}"
