"""Messages as mail programs make them: every text of them is read, mailboxes come apart, odd character sets count."""

import base64
from email.message import EmailMessage
from pathlib import Path

import pytest

from extraction import ExtractionFailed, Format, detect, extract
from extraction.document import Lost, LostWhat
from extraction.isolation import unpack

HEAD = "From: Noa <noa@example.org>\nTo: harbour@example.org\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\n"


def written(tmp_path: Path, text: str | bytes, name: str = "a.eml") -> Path:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def text_of(path: Path) -> str:
    return "\n".join(line for page in extract(path) for line in page.paragraphs)


def lost_of(path: Path) -> list[Lost]:
    return [lost for page in extract(path) for lost in page.lost]


def unpacked(path: Path) -> dict[str, str]:
    """The members by name, with the text of each."""
    directory = path.parent / "unpacked"
    directory.mkdir()
    members = unpack(path, directory, filename=path.name, most_bytes=1 << 20)
    return {one.name: text_of(directory / one.file) if one.file else "" for one in members}


def multipart(kind: str, *parts: str) -> str:
    border = f"b-{kind}-{len(parts)}"
    inside = "".join(f"--{border}\n{part}\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{border}"\n\n{inside}--{border}--\n'


def part(text: str, kind: str = "text/plain", *headers: str) -> str:
    return "\n".join([f"Content-Type: {kind}; charset=utf-8", *headers, "", text])


PDF = part("JVBERi0=", "application/pdf", 'Content-Disposition: inline; filename="x.pdf"')
NOTE = part("The note.", "text/plain", 'Content-Disposition: inline; filename="note.txt"')


@pytest.mark.parametrize(
    "body",
    [
        multipart("mixed", part("Before the file."), NOTE, part("Behind the file.")),
        multipart("mixed", part("Before the file."), PDF, part("<p>Behind the file.</p>", "text/html")),
        multipart(
            "alternative",
            part("Before"),
            multipart("mixed", part("<p>Before the file.", "text/html"), PDF, part("<p>Behind the file.", "text/html")),
        ),
        multipart("mixed", multipart("related", part("<b>Before the file.", "text/html")), part("Behind the file.")),
    ],
)
def test_text_behind_an_attachment_is_read_in_its_place(tmp_path: Path, body: str) -> None:
    text = text_of(written(tmp_path, HEAD + body))
    assert text.index("Before the file.") < text.index("Behind the file.")
    assert text.count("Before") == 1


def test_a_part_without_a_word_is_no_fault(tmp_path: Path) -> None:
    empty = "Content-Type: text/html; charset=utf-8\n"
    assert text_of(written(tmp_path, HEAD + multipart("mixed", part("Words."), empty))).endswith("Words.")


@pytest.mark.parametrize(
    ("alternatives", "said"),
    [
        ([part("The quay is closed."), part("<img src='cid:1'>", "text/html")], "The quay is closed."),
        ([part("The quay is closed."), part("<p>The <b>quay</b> is closed.", "text/html")], "The quay is closed."),
        ([part("<p>The quay is closed.", "text/html"), part("The quay is closed.")], "The quay is closed."),
        ([part("The quay is closed."), part("BEGIN:VCALENDAR", "text/calendar")], "The quay is closed."),
    ],
)
def test_of_alternatives_one_with_words_is_read(tmp_path: Path, alternatives: list[str], said: str) -> None:
    path = written(tmp_path, HEAD + multipart("alternative", *alternatives))
    assert text_of(path).split("\n")[2:] == [said]
    assert lost_of(path) == []


def test_an_alternative_that_says_something_else_is_told(tmp_path: Path) -> None:
    other = "Pilots must leave their boats at once because storms close every northern entrance tonight"
    path = written(tmp_path, HEAD + multipart("alternative", part(other), part("<p>Good evening", "text/html")))
    assert [lost.what for lost in lost_of(path)] == [LostWhat.HIDDEN]


@pytest.mark.parametrize("kind", ["text/rtf", "text/richtext"])
def test_rtf_is_a_file_and_no_text(tmp_path: Path, kind: str) -> None:
    rtf = part("{\\rtf1\\ansi The quay is closed.\\par}", kind)
    path = written(tmp_path, HEAD + multipart("alternative", part("The quay is closed."), rtf))
    found = unpacked(path)
    assert [text.split("\n")[-1] for name, text in found.items() if name != "a.eml"] == ["The quay is closed."]
    assert text_of(path).split("\n")[2] == "The quay is closed."


@pytest.mark.parametrize("kind", ["text/enriched", "text/richtext"])
def test_of_alternatives_the_one_without_commands_is_read(tmp_path: Path, kind: str) -> None:
    marked_up = part("The <bold>quay</bold> is closed.", kind)
    path = written(tmp_path, HEAD + multipart("alternative", part("The quay is closed."), marked_up))
    assert text_of(path).split("\n")[2:] == ["The quay is closed."]


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("This is a multi-part message in MIME format.", []),
        ("This is a MIME-formatted message. Portions of it may be unreadable.", []),
        ("The quay is closed.", [Lost(LostWhat.HIDDEN, 16)]),
        ("A multipart message of mine. " + "The quay is closed. " * 16, [Lost(LostWhat.HIDDEN, 280)]),
    ],
)
def test_text_before_parts_is_told_if_it_is_no_usual_sentence(tmp_path: Path, before: str, told: list[Lost]) -> None:
    body = multipart("mixed", part("See below."), NOTE)
    path = written(tmp_path, HEAD + body.replace("\n\n", f"\n\n{before}\n\n", 1))
    assert lost_of(path) == told


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "8bit"])
def test_message_that_is_attached_is_one_however_it_is_encoded(tmp_path: Path, encoding: str) -> None:
    inner = EmailMessage()
    inner["From"], inner["To"], inner["Subject"] = "noa@example.org", "dov@example.org", "רציף"
    inner.set_content("הרציף נסגר.", cte="8bit")
    content = inner.as_bytes()
    if encoding == "base64":
        content = base64.encodebytes(content)
    if encoding == "quoted-printable":
        content = content.replace(b"=", b"=3D").replace("נ".encode(), b"=D7=A0")
    attached = f"Content-Type: message/rfc822\nContent-Transfer-Encoding: {encoding}\n\n".encode() + content
    around = (HEAD + multipart("mixed", part("See below."), "INNER")).encode()
    found = unpacked(written(tmp_path, around.replace(b"INNER", attached)))
    [text] = [text for name, text in found.items() if name != "a.eml"]
    assert "הרציף נסגר." in text


def test_a_mailbox_holds_a_document_for_each_message(tmp_path: Path) -> None:
    first = f"{HEAD}Subject: One\n\nThe first.\n\nFrom here on we are silent.\n>From the pilot\n"
    second = f"{HEAD}Subject: Two\n\nThe second.\n"
    line = "From noa@example.org Mon Jan  5 10:00:00 2026\n"
    path = written(tmp_path, f"{line}{first}\n{line}{second}", "all.mbox")
    assert detect(path) is Format.MBOX
    found = unpacked(path)
    assert list(found) == ["One.eml", "Two.eml"]
    assert found["One.eml"].endswith("The first.\nFrom here on we are silent.\nFrom the pilot")
    assert text_of(path).endswith("The second.")


@pytest.mark.parametrize(
    ("name", "before", "behind"),
    [
        ("a.eml", "From - Mon Jan  5 10:00:00 2026\nX-Mozilla-Status: 0001\n", ""),
        ("a.emlx", "{length}      \n", '<?xml version="1.0"?><plist>flags</plist>'),
        ("a.eml", "\n", ""),
    ],
)
def test_what_programs_put_round_a_message_is_no_text(tmp_path: Path, name: str, before: str, behind: str) -> None:
    message = (
        f"{HEAD}Subject: Quay\nContent-Transfer-Encoding: base64\n\n{base64.b64encode(b'It is closed.').decode()}\n"
    )
    path = written(tmp_path, before.format(length=len(message)) + message + behind, name)
    assert text_of(path).split("\n") == [
        "Quay",
        "From: Noa <noa@example.org>",
        "To: harbour@example.org",
        "It is closed.",
    ]
    assert list(unpacked(path)) == [name]


def test_a_letter_that_begins_like_a_mailbox_is_text(tmp_path: Path) -> None:
    path = written(tmp_path, "From the harbour master\nTo: all pilots\nSubject: storms\n\nStay.", "letter.txt")
    assert detect(path) is Format.TXT


def test_a_subject_in_screen_order_is_turned_round(tmp_path: Path) -> None:
    subject = "הודעה על ביטול רישיון"
    word = base64.b64encode(subject[::-1].encode("cp1255")).decode()
    path = written(tmp_path, f"{HEAD}Subject: =?iso-8859-8?B?{word}?=\n{part('x')}")
    assert text_of(path).startswith(subject)


def test_a_byte_order_mark_before_a_message_is_no_part_of_it(tmp_path: Path) -> None:
    encoded = part(base64.b64encode("הסכר נסגר".encode()).decode(), "text/plain", "Content-Transfer-Encoding: base64")
    path = written(tmp_path, b"\xef\xbb\xbf" + f"Subject: Lock\n{HEAD}{encoded}".encode())
    assert text_of(path).startswith("Lock\n")
    assert text_of(path).endswith("הסכר נסגר")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-7"])
def test_message_that_was_saved_as_text_in_unicode_is_a_message(tmp_path: Path, encoding: str) -> None:
    """By then its bytes are no longer in the character set that it declares."""
    mark = b"+/v8-" if encoding == "utf-7" else b""
    message = f"{HEAD}Subject: Lock\nContent-Type: text/plain; charset=windows-1255\n\nהסכר נסגר\n"
    assert text_of(written(tmp_path, mark + message.encode(encoding))).endswith("\nהסכר נסגר")
    box = f"From noa Mon Jan  5 10:00:00 2026\n{message}\nFrom noa Mon Jan  5 10:00:01 2026\n{message}"
    assert text_of(written(tmp_path, mark + box.encode(encoding), "a.mbox")).count("הסכר נסגר") == 2


@pytest.mark.parametrize(
    "charset", ["iso-8859-8-i", "ISO-8859-8-E", "x-windows-1255", "cp-1255", "visual", "unknown-8bit"]
)
def test_a_subject_and_a_name_in_any_character_set(tmp_path: Path, charset: str) -> None:
    word = f"=?{charset}?B?{base64.b64encode('אגרות רציף'.encode('cp1255')).decode()}?="
    file = part("x", "text/plain", f'Content-Disposition: attachment; filename="{word}"')
    found = unpacked(written(tmp_path, f"{HEAD}Subject: {word}\n" + multipart("mixed", part("x"), file)))
    assert text_of(tmp_path / "a.eml").startswith("אגרות רציף\n")
    assert charset == "unknown-8bit" or "אגרות רציף" in found


def test_hebrew_that_is_declared_western_is_hebrew(tmp_path: Path) -> None:
    head = f"{HEAD}Subject: x\nContent-Type: text/plain; charset=iso-8859-1\n\n"
    path = written(tmp_path, head.encode() + "הרציף נסגר עד להודעה חדשה".encode("cp1255"))
    assert text_of(path).endswith("הרציף נסגר עד להודעה חדשה")


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (part("AAAA", "application/ms-tnef", "Content-Transfer-Encoding: base64"), LostWhat.ATTACHMENT),
        (
            part("AAAA", "application/octet-stream", 'Content-Disposition: attachment; filename="winmail.dat"'),
            "attachment",
        ),
        (part("AAAA", "application/pkcs7-mime", "Content-Transfer-Encoding: base64"), LostWhat.FOREIGN),
        (multipart("encrypted", part("Version: 1", "application/pgp-encrypted"), part("-----BEGIN")), LostWhat.FOREIGN),
        (part("BEGIN:VCALENDAR\nSUMMARY:Meet", "text/calendar"), LostWhat.FOREIGN),
        (part("A" * 40_000, "image/png", "Content-Transfer-Encoding: base64"), LostWhat.PICTURE),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, body: str, what: str) -> None:
    path = written(tmp_path, HEAD + multipart("mixed", part("See below."), body))
    assert [lost.what for lost in lost_of(path)] == [what]


@pytest.mark.parametrize(
    ("packed", "what"),
    [
        ("begin 644 fee.doc\nM86)C9&5F9VAI:FML\n#86)C\n`\nend", LostWhat.ATTACHMENT),
        ("-----BEGIN PGP MESSAGE-----\nVersion: 1\n\nhQEMA9\n=abcd\n-----END PGP MESSAGE-----", LostWhat.FOREIGN),
    ],
)
def test_what_is_packed_among_the_lines_is_no_text(tmp_path: Path, packed: str, what: LostWhat) -> None:
    path = written(tmp_path, f"{HEAD}\nWe begin at 6\nwith this:\n{packed}\nand end.")
    assert text_of(path).split("\n")[2:] == ["We begin at 6", "with this:", "and end."]
    assert [lost.what for lost in lost_of(path)] == [what]


def test_the_file_that_outlook_packs_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(ExtractionFailed, match=r"winmail\.dat"):
        detect(written(tmp_path, b"\x78\x9f\x3e\x22" + bytes(range(200)), "winmail.dat"))


def test_parts_without_their_borders_are_text(tmp_path: Path) -> None:
    path = written(tmp_path, f'{HEAD}Content-Type: multipart/mixed; boundary="gone"\n\nThe quay is closed.')
    assert "The quay is closed." in text_of(path)


def test_an_old_message_in_screen_order_is_turned_round(tmp_path: Path) -> None:
    head = f"{HEAD}Content-Type: text/plain; charset=iso-8859-8\n\n"
    line = "לכל הקברניטים: האנשים ממונים על החוף והעוגנים ישלמו אגרות נמלים"
    path = written(tmp_path, head.encode() + line[::-1].encode("cp1255"))
    assert text_of(path).endswith(line)


def test_lines_that_flow_are_one_paragraph(tmp_path: Path) -> None:
    text = "The quay is \nclosed.\n\n From noon on.\n> quoted \n> words\n>> deeper\n-- \nNoa"
    path = written(tmp_path, f"{HEAD}Content-Type: text/plain; format=flowed\n\n{text}")
    assert text_of(path).split("\n")[-6:] == [
        "The quay is closed.",
        "From noon on.",
        "> quoted words",
        ">> deeper",
        "--",
        "Noa",
    ]
    path = written(tmp_path, f"{HEAD}Content-Type: text/plain; Format=Flowed; DelSp=yes\n\nThe qu \nay is closed.")
    assert text_of(path).endswith("\nThe quay is closed.")


def test_a_message_whose_lines_end_as_on_old_macs_is_one(tmp_path: Path) -> None:
    text = f"{HEAD}Subject: quay\nContent-Transfer-Encoding: quoted-printable\n\nclosed =3D shut\n"
    path = written(tmp_path, text.replace("\n", "\r"))
    assert detect(path) is Format.EML
    assert text_of(path).startswith("quay\nFrom: Noa")
    assert text_of(path).endswith("closed = shut")


def test_a_file_that_is_kept_elsewhere_is_told(tmp_path: Path) -> None:
    elsewhere = "Content-Type: message/external-body; access-type=URL\n\nContent-Type: application/pdf\n"
    path = written(tmp_path, HEAD + multipart("mixed", part("The quay is closed."), elsewhere))
    assert text_of(path).endswith("The quay is closed.")
    assert lost_of(path) == [Lost(LostWhat.ATTACHMENT)]
