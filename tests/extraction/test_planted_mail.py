"""A sentence at every place that messages, archives, texts and flat ODT know is in what is read, or is told."""

import base64
import io
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from extraction import ExtractionFailed, extract
from extraction.isolation import unpack
from tests.extraction.compound import Tree, compound
from tests.extraction.offices import ODF

SENTENCE = "Seven grey herons guard both lanterns beside Yarrow lock"
PLAIN, PAGE = "A short note.", "<p>A short note.</p>"
HEAD = "From: a@example.org\nTo: b@example.org\nMessage-ID: <1@example.org>\n"


def message(**headers: str) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Message-ID"] = "a@example.org", "b@example.org", "<1@example.org>"
    for name, value in headers.items():
        made[name] = value
    made.set_content(PLAIN)
    return made


def with_page(page: str, plain: str = PLAIN) -> bytes:
    made = message()
    made.set_content(plain)
    made.add_alternative(page, subtype="html")
    return made.as_bytes()


def with_file(content: bytes, kind: str, **options: str) -> bytes:
    made = message()
    main, sub = kind.split("/")
    made.add_attachment(content, maintype=main, subtype=sub, **options)  # type: ignore[arg-type]
    return made.as_bytes()


def with_message(encoding: str = "") -> bytes:
    inner = f"{HEAD}Subject: inner\n\n{SENTENCE}".encode()
    if not encoding:
        made = message()
        made.add_attachment(message(Subject=SENTENCE))
        return made.as_bytes()
    return with_raw(f"Content-Type: message/rfc822\nContent-Transfer-Encoding: {encoding}\n\n", base64.b64encode(inner))


def with_raw(head: str, content: bytes = b"", behind: bytes = b"") -> bytes:
    start = f'{HEAD}Content-Type: multipart/mixed; boundary="b"\n\n--b\n\n{PLAIN}\n--b\n{head}'
    return start.encode() + content + b"\n--b--\n" + behind


def in_archive(name: str, content: bytes, **attributes: int) -> bytes:

    info = zipfile.ZipInfo(name)
    for attribute, value in attributes.items():
        setattr(info, attribute, value)

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("other.txt", PLAIN)
        archive.writestr(info, content)
    return stream.getvalue()


def outlook(more: Tree) -> bytes:
    wide = {"__substg1.0_0037001F": "Note".encode("utf-16-le"), "__properties_version1.0": bytes(32)}
    return compound({**wide, **more})


def flat(body: str) -> bytes:
    mime = 'office:mimetype="application/vnd.oasis.opendocument.text"'
    root = f'<?xml version="1.0"?><office:document {ODF} {mime}><office:body><office:text>{body}'
    return f"{root}</office:text></office:body></office:document>".encode()


WIDE = SENTENCE.encode("utf-16-le")
CALENDAR = f"BEGIN:VCALENDAR\nSUMMARY:{SENTENCE}\nEND:VCALENDAR".encode()
PLACES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "subject": ("a.eml", lambda: message(Subject=SENTENCE).as_bytes()),
    "carbon copy": ("a.eml", lambda: message(Cc=f"{SENTENCE} <c@example.org>").as_bytes()),
    "blind copy": ("a.eml", lambda: message(Bcc=f"{SENTENCE} <c@example.org>").as_bytes()),
    "end of a long header": ("a.eml", lambda: message(Subject="word " * 4_000 + SENTENCE).as_bytes()),
    "plain text": ("a.eml", lambda: f"{HEAD}\n{SENTENCE}".encode()),
    "page": ("a.eml", lambda: with_page(f"<p>{SENTENCE}")),
    "foot of a page": (
        "a.eml",
        lambda: with_page(f'<main><h1>Note</h1>{PAGE * 9}</main><div class="footer">{SENTENCE}</div>'),
    ),
    "head of a page": ("a.eml", lambda: with_page(f"<header class=banner>{SENTENCE}</header>{PAGE * 40}")),
    "plain alternative": ("a.eml", lambda: with_page(PAGE, SENTENCE)),
    "plain alternative of an empty page": ("a.eml", lambda: with_page("<img src='cid:1'>", SENTENCE)),
    "second text": ("a.eml", lambda: with_raw("Content-Type: text/plain\n\n", SENTENCE.encode())),
    "second page": ("a.eml", lambda: with_raw("Content-Type: text/html\n\n", SENTENCE.encode())),
    "text of another kind": ("a.eml", lambda: with_raw("Content-Type: text/x-note\n\n", SENTENCE.encode())),
    "headers that came back": (
        "a.eml",
        lambda: with_raw("Content-Type: text/rfc822-headers\n\n", f"X: {SENTENCE}".encode()),
    ),
    "report of delivery": (
        "a.eml",
        lambda: with_raw("Content-Type: message/delivery-status\n\n", f"Diagnostic-Code: {SENTENCE}\n".encode()),
    ),
    "behind the last part": ("a.eml", lambda: with_raw("\n", b"x", SENTENCE.encode())),
    "before the first part": (
        "a.eml",
        lambda: with_raw("\n", b"x").replace(b"\n\n--b", f"\n\n{SENTENCE}\n--b".encode(), 1),
    ),
    "rich alternative": ("a.eml", lambda: with_raw("Content-Type: text/rtf\n\n", f"{{\\rtf1 {SENTENCE}}}".encode())),
    "attached text": ("a.eml", lambda: with_file(SENTENCE.encode(), "text/plain", filename="a.txt")),
    "attached text inside": (
        "a.eml",
        lambda: with_file(SENTENCE.encode(), "text/plain", filename="a.txt", disposition="inline"),
    ),
    "attached without a name": ("a.eml", lambda: with_file(SENTENCE.encode(), "application/octet-stream")),
    "attached message": ("a.eml", with_message),
    "attached message in base64": ("a.eml", lambda: with_message("base64")),
    "invitation": ("a.eml", lambda: with_file(CALENDAR, "text/calendar", filename="a.ics")),
    "what Outlook packs": (
        "a.eml",
        lambda: with_file(SENTENCE.encode(), "application/ms-tnef", filename="winmail.dat"),
    ),
    "encrypted": ("a.eml", lambda: with_file(SENTENCE.encode(), "application/pkcs7-mime", filename="smime.p7m")),
    "no borders": ("a.eml", lambda: f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n{SENTENCE}".encode()),
    "second message": ("a.mbox", lambda: f"From a 10:00\n{HEAD}\n{PLAIN}\n\nFrom a 10:00\n{HEAD}\n{SENTENCE}".encode()),
    "line like a border": ("a.mbox", lambda: f"From a 10:00\n{HEAD}\n{PLAIN}\n\nFrom {SENTENCE} at 10:00".encode()),
    "Apple's": ("a.emlx", lambda: f"{len(HEAD) + 1 + len(SENTENCE)}\n{HEAD}\n{SENTENCE}<plist/>".encode()),
    "Outlook's text": ("a.msg", lambda: outlook({"__substg1.0_1000001F": WIDE})),
    "Outlook's page": ("a.msg", lambda: outlook({"__substg1.0_10130102": SENTENCE.encode()})),
    "Outlook's page as text": ("a.msg", lambda: outlook({"__substg1.0_1013001F": WIDE})),
    "Outlook's packed text": ("a.msg", lambda: outlook({"__substg1.0_10090102": SENTENCE.encode()})),
    "Outlook's recipients": ("a.msg", lambda: outlook({"__substg1.0_0E04001F": WIDE})),
    "Outlook's file": (
        "a.msg",
        lambda: outlook({"__attach_version1.0_#0": {"__substg1.0_37010102": SENTENCE.encode()}}),
    ),
    "Outlook's message in a message": (
        "a.msg",
        lambda: outlook(
            {
                "__attach_version1.0_#0": {
                    "__substg1.0_3701000D": {"__substg1.0_1000001F": WIDE, "__properties_version1.0": bytes(24)}
                }
            }
        ),
    ),
    "Outlook's object": ("a.msg", lambda: outlook({"__attach_version1.0_#0": {"__substg1.0_3701000D": {"x": b"x"}}})),
    "file": ("a.zip", lambda: in_archive("folder/a.txt", SENTENCE.encode())),
    "file here": ("a.zip", lambda: in_archive("./a.txt", SENTENCE.encode())),
    "message in an archive": ("a.zip", lambda: in_archive("a.eml", with_message("base64"))),
    "archive in an archive": ("a.zip", lambda: in_archive("b.zip", in_archive("a.txt", SENTENCE.encode()))),
    "hidden document": ("a.zip", lambda: in_archive(".a.txt", SENTENCE.encode())),
    "link": ("a.zip", lambda: in_archive("a.txt", SENTENCE.encode(), external_attr=0o120777 << 16)),
    "last line": ("a.txt", lambda: f"{PLAIN}\n\n{SENTENCE}".encode()),
    "wide text": ("a.txt", lambda: SENTENCE.encode("utf-16")),
    "Markdown": ("a.md", lambda: f"# {SENTENCE}".encode()),
    "flat paragraph": ("a.fodt", lambda: flat(f"<text:p>{SENTENCE}</text:p>")),
    "flat table": (
        "a.fodt",
        lambda: flat(
            f"<table:table><table:table-row><table:table-cell><text:p>{SENTENCE}</text:p></table:table-cell>"
            "</table:table-row></table:table>"
        ),
    ),
    "flat note": (
        "a.fodt",
        lambda: flat(
            f"<text:p>x<text:note><text:note-body><text:p>{SENTENCE}</text:p></text:note-body></text:note></text:p>"
        ),
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_what_is_planted_is_found_or_told(tmp_path: Path, place: str) -> None:
    name, make = PLACES[place]
    path = tmp_path / name
    path.write_bytes(make())
    texts, told = read(path)
    if path.suffix in {".eml", ".emlx", ".mbox", ".msg", ".zip"}:
        (tmp_path / "inside").mkdir()
        for member in unpack(path, tmp_path / "inside", filename=name, most_bytes=1 << 20):
            told |= bool(member.code)
            if member.file:
                inner, told_inside = read(tmp_path / "inside" / member.file, member.name)
                texts, told = texts + inner, told or told_inside
    assert SENTENCE in texts or told


def read(path: Path, name: str = "") -> tuple[str, bool]:
    """The text on one line, and whether anything is said of what is not in it. Archives are no documents."""
    try:
        pages = list(extract(path, filename=name))
    except ExtractionFailed as failure:
        return "", "ZIP archive" not in failure.message
    return " ".join(" ".join(page.text for page in pages).split()), any(page.lost or page.warnings for page in pages)
