"""Reads e-mail: who wrote to whom, when and about what, then the text, then what is attached by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email import policy
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from pathlib import Path

from extraction.document import ExtractionFailed, Losses, LostWhat, Page, TableRow, characters_of, in_parts
from extraction.html.reader import paragraphs
from extraction.mail import parts
from extraction.mail.parts import Use, messages, unwrapped
from extraction.mail.sealed import is_encrypted, open_signed
from extraction.text.bidi import LineOrder, order_of, reading_order

SIZE_LIMIT = 256 << 20  # bytes
MAX_PARTS = 2_000
MAX_HEADER_LENGTH = 10_000
_HEADERS = ("From", "To", "Cc", "Bcc", "Date")
_PICTURE_BYTES = 20_000  # from which on a picture in the text is more than the sign of a house
_ENCRYPTED = "What is encrypted in the message was not read. Decrypt it and upload it again."
_WORD = re.compile(r"[^\W\d_]{2,}")
_ADDRESS = re.compile(r"\S*(?:://|@|cid:)\S*")
_USUAL, _MAX_USUAL_LENGTH = re.compile(r"\bMIME\b|\bmulti-?part message\b", re.I), 300
_OTHER_WORDS, _SHARE_OF_OTHER_WORDS = 8, 0.5  # from which on an alternative says something else than the text
# Files and secrets as programs put them among the lines of a text, before there were parts.
_PACKED = {
    LostWhat.ATTACHMENT: re.compile(
        r"^begin [0-7]{3,4} \S.*\r?\n(?:[!-`][ -`]{0,90}\r?\n)+(?:`?\r?\n)?end[ \t]*$", re.M
    ),
    LostWhat.FOREIGN: re.compile(r"^-----BEGIN PGP MESSAGE-----\r?\n(?:(?!-----).*\n)*-----END PGP MESSAGE-----", re.M),
}

Text = list[str | TableRow]


def read_email(path: Path) -> Iterator[Page]:
    """The message in parts of bounded size. What is attached is only named. Raises ExtractionFailed."""
    yield from pages(parse(path))


def read_mailbox(path: Path) -> Iterator[Page]:
    """The messages of a mailbox one after another. Raises ExtractionFailed."""
    raise_if_large(path)
    for content in messages(path):
        yield from pages(parsed(content))


def pages(message: EmailMessage) -> Iterator[Page]:
    """A message, and on a last page what of it was not passed on."""
    losses = Losses()
    reading = _MailReading(message, losses)
    yield from in_parts(reading.paragraphs(), losses=losses, warnings=(_ENCRYPTED,) if reading.is_encrypted() else ())


def parse(path: Path) -> EmailMessage:
    """The message. Raises ExtractionFailed with code corrupt or too_large."""
    raise_if_large(path)
    return parsed(unwrapped(path.read_bytes()))


def raise_if_large(path: Path) -> None:
    """Raise ExtractionFailed with code too_large for a file that is not held whole."""
    if path.stat().st_size > SIZE_LIMIT:
        raise ExtractionFailed("too_large", f"The message has more than {SIZE_LIMIT >> 20} MB.")


def parsed(content: bytes) -> EmailMessage:
    """The message of these bytes. Raises ExtractionFailed with code corrupt or too_large."""
    try:
        message = BytesParser(policy=policy.default).parsebytes(content)
        open_signed(message)
    except RecursionError as error:  # messages in messages in messages
        raise ExtractionFailed("corrupt", "The message is damaged and cannot be read.") from error
    if sum(1 for _ in message.walk()) > MAX_PARTS:
        raise ExtractionFailed("too_large", f"The message has more than {MAX_PARTS:,} parts.")
    return message


class _MailReading:
    """One walk over the parts."""

    def __init__(self, message: EmailMessage, losses: Losses) -> None:
        self._message, self._losses = message, losses
        self._uses = {id(part): use for part, use in parts.used(message)}

    def is_encrypted(self) -> bool:
        """Whether any of it is."""
        return any(
            is_encrypted(part) or (use is Use.TEXT and _PACKED[LostWhat.FOREIGN].search(parts.text(part)))
            for part, use in parts.used(self._message)
        )

    def paragraphs(self) -> Iterator[str | TableRow]:
        yield self._header("Subject")
        for name in _HEADERS:
            if value := self._header(name):
                yield f"{name}: {value}"
        yield from self._text(self._message)
        names = [parts.name(part) for part, use in parts.used(self._message) if use in parts.FILES]
        if names:
            yield f"Attachments: {', '.join(names)}"

    def _header(self, name: str) -> str:
        value = parts.header(self._message, name)
        if len(value) > MAX_HEADER_LENGTH:
            self._losses.add(LostWhat.OTHER, len(value) - MAX_HEADER_LENGTH)
        return value[:MAX_HEADER_LENGTH]

    def _text(self, part: MIMEPart) -> Text:
        """What a part says, and those in it one after another. Of alternatives it is one."""
        if not parts.holds_parts(part):
            return self._of_leaf(part)
        inner = list(part.iter_parts())
        texts = [self._text(one) for one in inner]
        before, behind = (text if isinstance(text, str) else "" for text in (part.preamble, part.epilogue))
        self._losses.add(LostWhat.HIDDEN, characters_of("" if _is_usual(before) else before, behind))
        if part.get_content_type() == "multipart/alternative" and texts:
            return self._best(inner, texts)
        return [paragraph for text in texts for paragraph in text]

    def _best(self, inner: Sequence[MIMEPart], texts: Sequence[Text]) -> Text:
        """Of alternatives HTML where it has words, as it has tables and lists, else the last plain one that has any."""

        def rank(place: int) -> tuple[bool, bool, bool, int]:
            is_html = any(part.get_content_type() == "text/html" for part in inner[place].walk())
            return bool(_words(texts[place])), is_html, not parts.is_marked_up(inner[place]), place

        best = max(range(len(texts)), key=rank)
        for place, text in enumerate(texts):
            words = _words(text)
            others = words - _words(texts[best]) if place != best else set()
            if len(others) >= _OTHER_WORDS and len(others) > _SHARE_OF_OTHER_WORDS * len(words):
                self._losses.add(LostWhat.HIDDEN, sum(map(len, others)))
        return texts[best]

    def _of_leaf(self, part: MIMEPart) -> Text:
        match self._uses[id(part)]:
            case Use.TEXT:
                return self._written(part, self._without_packed(parts.text(part)))
            case Use.PICTURE if len(parts.content(part)) >= _PICTURE_BYTES:
                self._losses.add(LostWhat.PICTURE)
            case Use.SEALED:
                self._losses.add(LostWhat.FOREIGN)
            case Use.PACKED | Use.ELSEWHERE:
                self._losses.add(LostWhat.ATTACHMENT)
            case Use.INVITATION:
                self._losses.add(LostWhat.FOREIGN, len(parts.text(part)))
        return []

    def _written(self, part: MIMEPart, text: str) -> Text:
        if part.get_content_subtype() == "html":
            return list(paragraphs(text, parts.charset(part), self._losses, in_site=False))
        lines = parts.flowed(part, text) if parts.is_flowed(part) else text.split("\n")
        return [reading_order(line) for line in lines] if order_of(lines) is LineOrder.SCREEN else list(lines)

    def _without_packed(self, text: str) -> str:
        """The text without lines of letters that are no words."""
        for what, packed in _PACKED.items():
            text, found = packed.subn("", text)
            if found:
                self._losses.add(what)
        return text


def _is_usual(text: str) -> bool:
    """Whether it is the sentence that programs put before the parts, for readers of mail that know of none."""
    return len(text) <= _MAX_USUAL_LENGTH and bool(_USUAL.search(text))


def _words(text: Text) -> set[str]:
    """The words of paragraphs and rows, without addresses."""
    lines = (" ".join(one.cells) if isinstance(one, TableRow) else one for one in text)
    return {word.lower() for line in lines for word in _WORD.findall(_ADDRESS.sub(" ", line))}
