"""Messages inside of S/MIME: those that are only signed are opened, of those that are encrypted it is told.

Read by the rules of BER, which programs use with lengths that are not told before.
"""

from __future__ import annotations

from email import policy
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from typing import NamedTuple

KINDS = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_DEEPEST = 12  # values in values, more than any such message has
_SEQUENCE, _OBJECT_ID, _OCTETS, _CONSTRUCTED, _FIRST_TAGGED, _END = 0x30, 0x06, 0x04, 0x20, 0xA0, (0, 0)
_PKCS7 = bytes.fromhex("2a864886f70d0107")
_SIGNED = _PKCS7 + b"\x02"
_ENCRYPTED = frozenset(
    {
        *(_PKCS7 + number for number in (b"\x03", b"\x04", b"\x06")),
        bytes.fromhex("2a864886f70d010910010117"),  # authenticated enveloped data
    }
)


class _Value(NamedTuple):
    tag: int
    content: bytes


def open_signed(message: MIMEPart) -> None:
    """Put what is only signed in the place of the part that wraps it. The signature itself is not looked at."""
    for part in message.walk():  # goes on in what was put there
        if not is_sealed(part) or not isinstance(payload := part.get_payload(decode=True), bytes):
            continue
        inner = signed_content(payload)
        if inner is not None:
            for name in ("Content-Type", "Content-Transfer-Encoding", "Content-Disposition"):
                del part[name]
            part["Content-Type"] = "multipart/mixed"
            part.set_payload([BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(inner)])


def is_sealed(part: MIMEPart) -> bool:
    """Whether it is S/MIME by its type, or by its name where the type says nothing."""
    kind = part.get_content_type()
    described = (str(value) for key, value in part.raw_items() if key.lower().startswith("content-"))
    return kind in KINDS or (kind == "application/octet-stream" and any(".p7m" in one.lower() for one in described))


def is_encrypted(part: MIMEPart) -> bool:
    """Whether a part is encrypted, by S/MIME or PGP."""
    if part.get_content_type() == "multipart/encrypted":
        return True
    payload = part.get_payload(decode=True) if is_sealed(part) else None
    return isinstance(payload, bytes) and _kind_and_content(payload)[0] in _ENCRYPTED


def signed_content(sealed: bytes) -> bytes | None:
    """What is signed, where it is inside of the signature. None for anything else."""
    kind, content = _kind_and_content(sealed)
    if kind != _SIGNED:
        return None
    try:
        encapsulated = next(value for value in _values(_values(content)[0].content) if value.tag == _SEQUENCE)
        tagged = _values(encapsulated.content)[1]
        return _octets(_values(tagged.content)[0]) if tagged.tag == _FIRST_TAGGED else None
    except (IndexError, StopIteration, ValueError):
        return None


def _kind_and_content(sealed: bytes) -> tuple[bytes, bytes]:
    """The object identifier of the kind, and the content. Both empty if that is no such message."""
    try:
        outer = _values(sealed, most=1)[0]
        kind, content = _values(outer.content, most=2)
    except (IndexError, ValueError):
        return b"", b""
    known = outer.tag == _SEQUENCE and kind.tag == _OBJECT_ID and content.tag == _FIRST_TAGGED
    return (kind.content, content.content) if known else (b"", b"")


def _octets(value: _Value, depth: int = 0) -> bytes:
    """The bytes of a value, which may come in pieces. Raises ValueError."""
    if depth > _DEEPEST or value.tag & ~_CONSTRUCTED != _OCTETS:
        raise ValueError("no octets")
    if not value.tag & _CONSTRUCTED:
        return value.content
    return b"".join(_octets(piece, depth + 1) for piece in _values(value.content))


def _values(content: bytes, *, most: int | None = None) -> list[_Value]:
    """The values that follow one another. Raises ValueError and IndexError where they are cut off."""
    found: list[_Value] = []
    place = 0
    while place < len(content) and (most is None or len(found) < most):
        tag, start, length = _head(content, place)
        end = _end_of(content, start) if length is None else start + length
        if end > len(content):
            raise ValueError("cut off")
        found.append(_Value(tag, content[start:end]))
        place = end + (2 if length is None else 0)
    return found


def _end_of(content: bytes, place: int) -> int:
    """Where a value of untold length ends, as its mark stands there. Not recursive: values may lie any deep in it."""
    open_ones = 1
    while True:
        tag, start, length = _head(content, place)
        if (tag, length) == _END:
            open_ones -= 1
            if not open_ones:
                return place
        open_ones += length is None
        place = start + (length or 0)


def _head(content: bytes, place: int) -> tuple[int, int, int | None]:
    """Tag, where the content starts, and its length if it is told. Raises IndexError and ValueError."""
    tag, size = content[place], content[place + 1]
    if tag & 0x1F == 0x1F:  # no value of such a message has a tag of several bytes
        raise ValueError("unknown tag")
    if size < 0x80:
        return tag, place + 2, size
    if size == 0x80:
        return tag, place + 2, None
    digits = content[place + 2 : place + 2 + (size & 0x7F)]
    if len(digits) != size & 0x7F or len(digits) > 8:
        raise ValueError("cut off")
    return tag, place + 2 + len(digits), int.from_bytes(digits, "big")
