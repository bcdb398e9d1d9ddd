"""Files in Markdown: what they say when they are read as CommonMark, and their footnotes."""

import re

from markdown_it import MarkdownIt

from keeping.exports.markdown import as_markdown
from keeping.exports.pieces import LEFT_TO_RIGHT_SIGN, RIGHT_TO_LEFT_SIGN, FootnoteMark, Mark, Paragraph, TextRun
from tests.keeping.exports.made import LAW, english, export_of, hebrew

HOSTILE = "1. *a* _b_ `c` [d](e) <f> # g | h ~~i~~ $j$ &amp; \\k ^l"


def read(text: str) -> str:
    """The text as a reader of CommonMark shows it."""
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    return re.sub(r"<[^>]+>", "", html).replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")


def test_text_that_looks_like_markup_is_read_as_it_was() -> None:
    for text in (HOSTILE, "# no heading", "- no item", "3) no list", "=", "+ plus"):
        said = read(as_markdown(export_of("Title", Paragraph([TextRun(text)]))))
        assert said.split("\n", 1)[1].strip() == text, text


def test_footnotes_are_as_many_as_citations() -> None:
    for export in (hebrew(), english()):
        text = as_markdown(export)
        defined = re.findall(r"^\[\^(\d+)\]: (.+)$", text, re.MULTILINE)
        assert [int(number) for number, _said in defined] == list(range(1, len(export.citations) + 1))
        for (_number, said), one in zip(defined, export.citations, strict=True):
            assert said.removesuffix("</span>").rstrip(LEFT_TO_RIGHT_SIGN).endswith(f"<{one.address}>")
        marks = set(re.findall(r"\[\^(\d+)\](?!:)", text))
        assert marks == {number for number, _said in defined}


def test_hebrew_stands_in_an_element_that_says_so() -> None:
    text = as_markdown(hebrew())
    assert text.startswith('<div dir="rtl" lang="he">\n\n# כמה ספרים')
    assert '<div dir="ltr" lang="en">\n\nA paragraph in English' in text
    assert '[^1]: <span dir="rtl" lang="he">סעיף 2' in text
    assert '[^2]: <span dir="ltr" lang="en">rule 4' in text
    assert "<" not in as_markdown(english()).replace("<https:", "")
    mixed = as_markdown(export_of("How many?", Paragraph([TextRun("תושב זכאי לשאול 9"), FootnoteMark(LAW)])))
    assert f'<div dir="rtl" lang="he">\n\nתושב זכאי לשאול 9{RIGHT_TO_LEFT_SIGN}[^1]\n\n</div>' in mixed


def test_compared_texts_are_a_table_with_marks() -> None:
    text = as_markdown(hebrew())
    assert "| תושב זכאי לשאול ~~חמישה~~ ספרים\\. |" in text.replace("ספרים.", "ספרים\\.")
    assert "|  | **הספרן ידווח.** |" in text
    assert "> **Note:** Loans" in text
    assert as_markdown(export_of("T", Paragraph([TextRun(" so ", Mark.UNSUPPORTED)]))).endswith("<u>so</u>\n")
