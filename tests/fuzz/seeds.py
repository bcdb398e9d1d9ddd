"""Good files to spoil: a few of each format, made once in a process from sentences of our own."""

import contextlib
import functools
import io
import tempfile
from pathlib import Path

import docx
import pytest
from fpdf import FPDF

from tests.extraction.pdf.making import english_pdf, hebrew_pdf, image_pdf
from tests.extraction.word_files import abstract_list, level, list_of, numbered, paragraph, table, word_file

LAW = """חוק הגשרים לדוגמה, התשפ"ד–2024

1. הגדרות
בחוק זה, "גשר" – מבנה שמעליו עוברים כלי רכב (ובכלל זה אופניים).

2. אגרה
(א) העובר בגשר ישלם אגרה של 12.50 שקלים.
(ב) הממונה רשאי לפטור אדם מאגרה מטעמים שיירשמו.
"""
ENGLISH = "Section 1. A vessel carries two lamps at night. The harbour master may board any vessel, save at war."


@functools.cache
def pdfs() -> tuple[bytes, ...]:
    """Hebrew and English, packed and plain, with a table, links and an outline, a picture, a password."""
    with tempfile.TemporaryDirectory(prefix="kb-seeds-") as directory:
        path = Path(directory) / "seed.pdf"
        files = [english_pdf(path, ENGLISH, ["Rule 2.", ENGLISH * 3]).read_bytes(), image_pdf(path).read_bytes()]
        with contextlib.suppress(pytest.skip.Exception):  # on a machine without a font that has Hebrew letters
            files.append(hebrew_pdf(path, LAW.splitlines(), LAW.splitlines()[:4]).read_bytes())
    return (*files, _plain_pdf(packed=False), _plain_pdf(packed=False, pages=8), _plain_pdf(packed=True, password="x"))


def _plain_pdf(*, packed: bool, pages: int = 2, password: str = "") -> bytes:
    pdf = FPDF()
    pdf.set_compression(packed)
    pdf.set_font("Helvetica", size=10)
    for number in range(pages):
        pdf.add_page()
        pdf.start_section(f"Part {number}")
        pdf.multi_cell(0, 6, ENGLISH, link="https://example.org", new_x="LMARGIN", new_y="NEXT")
        with pdf.table() as rows:
            for cells in (("Fee", "Sum"), ("Licence", "120"), ("Renewal", "60")):
                rows.row(cells)
    if password:
        pdf.set_encryption(owner_password=password, user_password="")
    return bytes(pdf.output())


@functools.cache
def docxs() -> tuple[bytes, ...]:
    """One as a word processor saves it, one with lists, notes and tables in tables."""
    saved = io.BytesIO()
    document = docx.Document()
    document.add_heading("חוק הגשרים", level=1)
    for line in LAW.splitlines():
        document.add_paragraph(line)
    document.add_table(rows=2, cols=2)
    document.save(saved)
    lists = abstract_list(1, level(0, "decimal", "%1."), level(1, "hebrew1", "(%2)"))
    note = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    inner = table((paragraph("א"), paragraph("ב")))
    body = (
        numbered("סעיף", 7) + numbered("קטן", 7, 1) + paragraph("עם הערה", runs=note) + table((inner, paragraph("ג")))
    )
    with tempfile.TemporaryDirectory(prefix="kb-seeds-") as directory:
        listed = word_file(
            Path(directory) / "seed.docx",
            body,
            numbering=lists + list_of(7, 1),
            styles='<w:style w:styleId="a"><w:pPr/></w:style>',
            footnotes='<w:footnote w:id="1">' + paragraph("ראו שם") + "</w:footnote>",
        ).read_bytes()
    return saved.getvalue(), listed


PAGE = f"""<!doctype html><html lang="he"><head><meta charset="utf-8"><title>חוק</title>
<style>p {{ color: red }}</style></head><body><header><a href="/">ראשי</a></header><main><h1>חוק הגשרים</h1>
<ol type="1" start="3"><li>ראשון</li><li value="7">שביעי<ol style="list-style: hebrew"><li>א</li></ol></li></ol>
<table><tr><td>אגרה</td><td>120</td></tr><tr><td><table><tr><td>פנימי</td></tr></table></td></tr></table>
<pre>שורה
שנייה</pre><p>{ENGLISH}<sup>1</sup> &nbsp; &amp; &#x5d0;</p></main><footer>סוף</footer><script>x = "<p>"</script>
</body></html>"""

MARKDOWN = f"""# חוק הגשרים

| אגרה | סכום |
|------|-----:|
| רישיון | 120 |

1. **ראשון** ו־_שני_ עם [קישור](https://example.org "שם") ו־`קוד`
> ציטוט \\* לא הדגשה

```
{ENGLISH}
```
"""


@functools.cache
def pages() -> tuple[bytes, ...]:
    return PAGE.encode(), PAGE.replace("utf-8", "windows-1255").encode("cp1255", "replace"), b"<p>" + LAW.encode()


@functools.cache
def texts() -> tuple[tuple[str, bytes], ...]:
    return (
        ("law.txt", LAW.encode()),
        ("law.txt", LAW.encode("cp1255", "replace")),
        ("law.txt", LAW.encode("utf-16")),
        ("law.md", MARKDOWN.encode()),
    )
