"""Comments in Word documents."""

import io
import re
import zipfile
from datetime import UTC, datetime

import docx

from answers.checking.commenting import comments_of
from answers.checking.word import (
    COMMENTS,
    DOCUMENT,
    RELATIONS,
    TYPES,
    WordComment,
    is_word,
    plain_document,
    with_comments,
)
from answers.models import TextCheck
from kb_project.word_files import add, as_bytes, root, set_text

AT = datetime(2026, 1, 2, tzinfo=UTC)


def written() -> bytes:
    document = docx.Document()
    paragraph = document.add_paragraph("By section 9 of the ")
    paragraph.add_run("Hoists Act").bold = True
    paragraph.add_run(" 1990 a fee is due.")
    document.add_paragraph("The owner pays, and the owner pays again.")
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def commented(content: bytes) -> list[tuple[str, str]]:
    """The words that each comment is at, and what it says."""
    document = docx.Document(io.BytesIO(content))
    words: dict[int, str] = {}
    for paragraph in document.paragraphs:
        open_: set[int] = set()
        for child in paragraph._p.iter():
            name = child.tag.rpartition("}")[2]
            number = next((int(value) for key, value in child.attrib.items() if key.endswith("}id")), -1)
            if name == "commentRangeStart":
                open_.add(number)
                words[number] = ""
            elif name == "commentRangeEnd":
                open_.discard(number)
            elif name == "t":
                for one in open_:
                    words[one] += child.text or ""
    return [(words[comment.comment_id], comment.text) for comment in document.comments]


def test_comments_stand_at_their_words() -> None:
    content = written()
    comments = [
        WordComment("section 9 of the Hoists Act 1990", "Not there."),
        WordComment("owner pays", "Once."),
        WordComment("owner pays", "Twice.", 1),
    ]
    annotated = with_comments(content, comments, at=AT)
    assert commented(annotated) == [(one.words, one.said) for one in comments]
    text = [paragraph.text for paragraph in docx.Document(io.BytesIO(annotated)).paragraphs]
    assert text == [paragraph.text for paragraph in docx.Document(io.BytesIO(content)).paragraphs]


def test_all_other_parts_are_the_same_bytes() -> None:
    content = written()
    annotated = with_comments(content, [WordComment("owner", "Who?")], at=AT)
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(io.BytesIO(annotated)) as after:
        changed = {name for name in before.namelist() if before.read(name) != after.read(name)}
        added = set(after.namelist()) - set(before.namelist())
    assert changed == {DOCUMENT, "[Content_Types].xml", "word/_rels/document.xml.rels"}
    assert added == {COMMENTS}


def renamed(content: bytes, names: dict[str, str]) -> bytes:
    """The file with other names of parts, which those that refer to them use too."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(made, "w") as after:
        for info in before.infolist():
            part = before.read(info)
            if info.filename.endswith((".rels", TYPES)):
                part = part.replace(b"word/document.xml", b"word/document2.xml")
            after.writestr(names.get(info.filename, info.filename), part)
    return made.getvalue()


def test_a_document_may_have_another_name() -> None:
    names = {DOCUMENT: "word/document2.xml", RELATIONS: "word/_rels/document2.xml.rels"}
    content = renamed(written(), names)
    assert is_word(content)
    annotated = with_comments(content, [WordComment("owner pays", "Once.")], at=AT)
    assert commented(annotated) == [("owner pays", "Once.")]
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(io.BytesIO(annotated)) as after:
        assert set(after.namelist()) - set(before.namelist()) == {COMMENTS}


def test_without_a_comment_it_is_the_same_file() -> None:
    content = written()
    assert with_comments(content, [], at=AT) is content


def test_a_workbook_is_no_document() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as parts:
        parts.writestr(DOCUMENT, "<workbook/>")
    assert not is_word(made.getvalue())
    assert not is_word(b"PK")


def test_comments_that_were_there_stay() -> None:
    once = with_comments(written(), [WordComment("owner", "Who?")], at=AT)
    twice = with_comments(once, [WordComment("fee", "How much?")], at=AT)
    assert commented(twice) == [("owner", "Who?"), ("fee", "How much?")]


def test_a_text_becomes_a_document() -> None:
    made = with_comments(plain_document("הבעלים משלם\nעוד", rtl=True), [WordComment("משלם", "מי?")], at=AT)
    assert commented(made) == [("משלם", "מי?")]


def test_words_over_lines_are_found_by_one_of_them() -> None:
    said = WordComment("Fees\n2.\n(a) The owner pays, and\n3. more", "Where?")
    assert commented(with_comments(written(), [said], at=AT)) == [("The owner pays, and", "Where?")]
    said = WordComment("By section 9 of a Hoists Act", "Which?")
    assert commented(with_comments(written(), [said], at=AT)) == [("By section 9", "Which?")]


def test_words_over_paragraphs_and_breaks_are_found() -> None:
    document = docx.Document()
    document.add_heading("Fees", level=1)
    run = document.add_paragraph("By the Hoists").add_run(" and Cranes")
    run.add_break()
    run.add_text("Act 1990 a fee")
    document.add_paragraph("is due to the registrar.")
    made = io.BytesIO()
    document.save(made)
    comments = [WordComment("Cranes Act\n1990", "Which?"), WordComment("a fee is due", "Where?")]
    annotated = with_comments(made.getvalue(), comments, at=AT)
    assert commented(annotated)[0] == ("CranesAct 1990", "Which?")
    body = docx.Document(io.BytesIO(annotated)).element.xml
    opens, closes = body.index('<w:commentRangeStart w:id="1"'), body.index('<w:commentRangeEnd w:id="1"')
    between = re.sub(r"<[^>]*>", "", body[opens:closes])
    assert " ".join(between.split()) == "a fee is due"


def test_a_comment_on_a_note_stands_at_its_sign() -> None:
    content = with_note()
    annotated = with_comments(content, [WordComment("section 9 of the Cranes Act", "Not there.")], at=AT)
    body = docx.Document(io.BytesIO(annotated)).element.xml
    opens, sign, closes = (body.index(name) for name in ("commentRangeStart", "footnoteReference", "commentRangeEnd"))
    assert opens < sign < closes
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(io.BytesIO(annotated)) as after:
        assert before.read("word/footnotes.xml") == after.read("word/footnotes.xml")


def with_note() -> bytes:
    """A document with a footnote."""
    note = root("footnotes")
    one = add(note, "footnote", id=2)
    set_text(add(add(add(one, "p"), "r"), "t"), "See section 9 of the Cranes Act 1991.")
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(written())) as before, zipfile.ZipFile(made, "w") as after:
        for info in before.infolist():
            part = before.read(info)
            if info.filename == DOCUMENT:
                part = part.replace(b"</w:p>", b'<w:r><w:footnoteReference w:id="2"/></w:r></w:p>', 1)
            after.writestr(info.filename, part)
        after.writestr("word/footnotes.xml", as_bytes(note))
    return made.getvalue()


def test_what_is_not_found_stands_at_the_first_paragraph() -> None:
    assert commented(with_comments(written(), [WordComment("a crane", "Where?")], at=AT)) == [("", "Where?")]


def test_so_few_words_as_may_stand_anywhere_have_no_comment() -> None:
    text = "The owner calls it “the book” (section 9 of the Hoists Act 1990)."
    found = {
        "start": 20,
        "end": 28,
        "text": "the book",
        "verdict": "too_short_to_tell",
        "why": "",
        "outcome": "not_judged",
    }
    wrong = {**found, "verdict": "not_found", "outcome": "wrong"}
    said = [
        [one.words for one in comments_of(TextCheck(text=text, report={"quotations": [it], "not_checked": []}))]
        for it in (found, wrong)
    ]
    assert said == [[""], ["", text[20:28]]]
