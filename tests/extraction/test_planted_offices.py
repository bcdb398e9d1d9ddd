"""A sentence at every place that a format knows is in the text, or is told to be lost."""

from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path

import pytest

from extraction import ExtractionFailed, extract
from extraction.document import characters_of
from tests.extraction.offices import odt_file, rtf_file
from tests.extraction.word_files import paragraph, part, table, word_file

PLANTED = "The keeper of the northern bridge counts every lantern twice before dusk"
LONG = f"{PLANTED}, and {PLANTED.lower()}."  # longer than a running head
RUN = f"<w:r><w:t>{PLANTED}</w:t></w:r>"
PARAGRAPH = f"<w:p>{RUN}</w:p>"
BOX = f"<w:txbxContent>{PARAGRAPH}</w:txbxContent>"
MATH_RUN = f"<m:r><m:t>{PLANTED}</m:t></m:r>"
DRAWN = f"<a:p><a:r><a:t>{PLANTED}</a:t></a:r></a:p>"

Parts = Mapping[str, str | bytes]
_WEB = EmailMessage()
_WEB.set_content(f"<p>{PLANTED}</p>", subtype="html")
_WEB.make_mixed()

WORD_BODIES = {
    "paragraph": PARAGRAPH,
    "run of two": f"<w:p><w:r><w:t>{PLANTED[:9]}</w:t></w:r><w:r><w:t>{PLANTED[9:]}</w:t></w:r></w:p>",
    "hidden": f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{PLANTED}</w:t></w:r></w:p>",
    "raised": f'<w:p><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>{PLANTED}</w:t></w:r></w:p>',
    "link": f"<w:p><w:hyperlink>{RUN}</w:hyperlink></w:p>",
    "simple field": f"<w:p><w:fldSimple>{RUN}</w:fldSimple></w:p>",
    "result of a field": '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF x</w:instrText></w:r>'
    f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{RUN}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>',
    "entry of a list": "<w:p><w:r><w:fldChar><w:ffData><w:ddList><w:listEntry "
    f'w:val="{PLANTED}"/></w:ddList></w:ffData></w:fldChar></w:r></w:p>',
    "insertion": f"<w:p><w:ins>{RUN}</w:ins></w:p>",
    "moved here": f"<w:p><w:moveTo>{RUN}</w:moveTo></w:p>",
    "control in a paragraph": f"<w:p><w:sdt><w:sdtContent>{RUN}</w:sdtContent></w:sdt></w:p>",
    "control round paragraphs": f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr>"
    f"<w:sdtContent>{PARAGRAPH}</w:sdtContent></w:sdt>",
    "cell": table((PARAGRAPH, paragraph("a")), (paragraph("b"), paragraph("c"))),
    "covered cell": "<w:tbl><w:tr><w:tc><w:p/></w:tc><w:tc><w:p/></w:tc></w:tr>"
    f"<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>{PARAGRAPH}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>",
    "table in a table": table((table((PARAGRAPH, paragraph("a"))), paragraph("b"))),
    "row in an unknown element": f"<w:tbl><w:what><w:tr><w:tc>{PARAGRAPH}</w:tc></w:tr></w:what></w:tbl>",
    "unknown element": f"<w:what>{PARAGRAPH}</w:what>",
    "run without a paragraph": RUN,
    "text box": f"<w:p><w:r><w:drawing><wps:txbx>{BOX}</wps:txbx></w:drawing></w:r></w:p>",
    "old text box": f"<w:p><w:r><w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict></w:r></w:p>",
    "fallback alone": f"<w:p><w:r><mc:AlternateContent><mc:Choice/><mc:Fallback>{BOX}</mc:Fallback>"
    "</mc:AlternateContent></w:r></w:p>",
    "drawn letters": f'<w:p><w:r><w:pict><v:shape><v:textpath string="{PLANTED}"/></v:shape></w:pict></w:r></w:p>',
    "drawing": f"<w:p><w:r><w:drawing><a:txBody>{DRAWN}</a:txBody></w:drawing></w:r></w:p>",
    "formula": f"<w:p><m:oMath>{MATH_RUN}</m:oMath></w:p>",
    "formula between paragraphs": f"<m:oMathPara><m:oMath>{MATH_RUN}</m:oMath></m:oMathPara>",
    "fraction": f"<w:p><m:oMath><m:f><m:num>{MATH_RUN}</m:num><m:den>{MATH_RUN}</m:den></m:f></m:oMath></w:p>",
    "base text": f"<w:p><w:r><w:ruby><w:rt/><w:rubyBase>{RUN}</w:rubyBase></w:ruby></w:r></w:p>",
}
NOTE = '<w:p><w:r><w:footnoteReference w:id="7"/><w:endnoteReference w:id="7"/></w:r></w:p>'
CHUNK = '<w:altChunk r:id="x"/>'
DIAGRAM = '<w:p><w:r><w:drawing><dgm:relIds r:dm="x"/></w:drawing></w:r></w:p>'
CHART = '<w:p><w:r><w:drawing><c:chart r:id="x"/></w:drawing></w:r></w:p>'
SECTION = '<w:sectPr><w:headerReference w:type="first" r:id="x"/><w:titlePg/></w:sectPr>'
WORD_PARTS: dict[str, tuple[str, str, str, str | bytes]] = {  # a body, the kind, the name and the content of a part
    "footnote": (
        NOTE,
        "footnotes",
        "footnotes.xml",
        part("footnotes", f'<w:footnote w:id="7">{PARAGRAPH}</w:footnote>'),
    ),
    "endnote": (NOTE, "endnotes", "endnotes.xml", part("endnotes", f'<w:endnote w:id="7">{PARAGRAPH}</w:endnote>')),
    "comment": ("", "comments", "comments.xml", part("comments", f"<w:comment>{PARAGRAPH}</w:comment>")),
    "header of the first page": (SECTION, "header", "header1.xml", part("hdr", PARAGRAPH)),
    "long footer": ("", "footer", "footer1.xml", part("ftr", paragraph(LONG))),
    "web page": (CHUNK, "aFChunk", "a.html", f"<html><body><p>{PLANTED}</p></body></html>"),
    "web archive": (CHUNK, "aFChunk", "a.mht", _WEB.as_bytes()),
    "text": (CHUNK, "aFChunk", "a.txt", PLANTED),
    "diagram": (DIAGRAM, "diagramData", "data1.xml", part("dataModel", DRAWN)),
    "chart": (CHART, "chart", "chart1.xml", part("chart", f"<c:v>{PLANTED}</c:v>")),
}

P = f"<text:p>{PLANTED}</text:p>"
HIDDEN_STYLE = (
    '<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style>'
    '<style:style style:name="U" style:family="text"><style:text-properties style:text-position="super 58%"/>'
    "</style:style>"
)
ODT_BODIES = {
    "paragraph": P,
    "heading": f"<text:h>{PLANTED}</text:h>",
    "span": f"<text:p><text:span>{PLANTED}</text:span></text:p>",
    "hidden": f'<text:p><text:span text:style-name="H">{PLANTED}</text:span></text:p>',
    "raised": f'<text:p><text:span text:style-name="U">{PLANTED}</text:span></text:p>',
    "hidden section": f'<text:section text:display="none">{P}</text:section>',
    "section": f"<text:section>{P}</text:section>",
    "unknown element": f"<text:what>{P}</text:what>",
    "list": f"<text:list><text:list-header>{P}</text:list-header></text:list>",
    "item": f"<text:list><text:list-item>{P}</text:list-item></text:list>",
    "numbered paragraph": f"<text:numbered-paragraph>{P}</text:numbered-paragraph>",
    "cell": f"<table:table><table:table-row><table:table-cell>{P}</table:table-cell>"
    "<table:table-cell/></table:table-row></table:table>",
    "covered cell": "<table:table><table:table-row>"
    '<table:table-cell table:number-columns-spanned="2"><text:p>a</text:p>'
    f"</table:table-cell><table:covered-table-cell>{P}</table:covered-table-cell></table:table-row>"
    "<table:table-row><table:table-cell/><table:table-cell/></table:table-row></table:table>",
    "note": "<text:p>a<text:note><text:note-citation>1</text:note-citation>"
    f"<text:note-body>{P}</text:note-body></text:note></text:p>",
    "comment": f"<text:p>a<office:annotation>{P}</office:annotation></text:p>",
    "comment between paragraphs": f"<office:annotation>{P}</office:annotation>",
    "text box": f"<text:p><draw:frame><draw:text-box>{P}</draw:text-box></draw:frame></text:p>",
    "text box of a page": f"<draw:frame><draw:text-box>{P}</draw:text-box></draw:frame>",
    "shape": f"<text:p><draw:custom-shape>{P}</draw:custom-shape></text:p>",
    "group of shapes": f"<draw:g><draw:rect>{P}</draw:rect></draw:g>",
    "input field": f"<text:p><text:text-input>{PLANTED}</text:text-input></text:p>",
    "control": f'<office:forms><form:text form:id="c" form:current-value="{PLANTED}"/></office:forms>'
    '<text:p><draw:control draw:control="c"/></text:p>',
    "formula": f"<text:p><draw:frame><draw:object><math><mtext>{PLANTED}</mtext></math></draw:object>"
    "</draw:frame></text:p>",
    "index": f"<text:alphabetical-index><text:index-body>{P}</text:index-body></text:alphabetical-index>",
    "base text": f"<text:p><text:ruby><text:ruby-base>{PLANTED}</text:ruby-base></text:ruby></text:p>",
}
RTF_BODIES = {
    "paragraph": PLANTED,
    "hidden": rf"{{\v {PLANTED}}}",
    "raised": rf"{{\super {PLANTED}}}",
    "footnote": rf"a{{\footnote {PLANTED}}}",
    "endnote": rf"a{{\footnote\ftnalt {PLANTED}}}",
    "comment": rf"{{\*\annotation {PLANTED}}}",
    "header": rf"{{\header {LONG}}}",
    "footer of the first page": rf"{{\footerf {PLANTED}}}",
    "cell": rf"\trowd\cellx1000\cellx2000\intbl {PLANTED}\cell b\cell\row\pard",
    "text box": rf"{{\shp{{\*\shpinst{{\shptxt {PLANTED}\par}}}}}}",
    "old text box": rf"{{\*\do{{\dptxbxtext {PLANTED}\par}}}}",
    "result of a field": rf"{{\field{{\*\fldinst REF}}{{\fldrslt {PLANTED}}}}}",
    "formula of a field": rf"{{\field{{\*\fldinst EQ \\f({PLANTED},2)}}{{\fldrslt}}}}",
    "result of an object": rf"{{\object{{\*\objdata 01}}{{\result {PLANTED}}}}}",
    "entry of a list": rf"{{\field{{\*\fldinst{{\*\formfield\fftype2\ffres0{{\*\ffl {PLANTED}}}}}}}}}",
    "formula": rf"{{\mmath{{\*\moMath {{\mr {PLANTED}}}}}}}",
    "label": rf"{{\listtext {PLANTED}}}x",
}
HTML_BODIES = {
    "paragraph": f"<p>{PLANTED}</p>",
    "body": PLANTED,
    "cell": f"<table><tr><td>{PLANTED}<td>b<tr><td>c<td>d</table>",
    "caption": f"<table><caption>{PLANTED}</caption><tr><td>a<td>b</table>",
    "raised": f"<p><sup>{PLANTED}</sup></p>",
    "details": f"<details><summary>a</summary>{PLANTED}</details>",
    "hidden": f"<div style='display:none'>{PLANTED}</div>",
    "hidden by attribute": f"<div hidden><p>{PLANTED}</p></div>",
    "typed": f"<p><input type=text value='{PLANTED}'></p>",
    "typed lines": f"<textarea>{PLANTED}</textarea>",
    "drawing": f"<svg><text>{PLANTED}</text></svg>",
    "frame": f'<iframe srcdoc="{PLANTED}"></iframe>',
    "formula": f"<p><math><mtext>{PLANTED}</mtext></math></p>",
    "definition": f"<dl><dt>a<dd>{PLANTED}</dl>",
    "quotation": f"<blockquote>{PLANTED}</blockquote>",
}
AKN_BODIES = {
    "paragraph": f"<p>{PLANTED}</p>",
    "content": f"<section><num>1</num><content>{PLANTED}</content></section>",
    "behind an inline": f"<section><content><b>a</b> {PLANTED}</content></section>",
    "behind a block": f"<section><content><p>a</p> {PLANTED}</content></section>",
    "behind a number": f"<section><num>1</num> {PLANTED}</section>",
    "heading": f"<section><heading>{PLANTED}</heading></section>",
    "note": f"<p>a<authorialNote><p>{PLANTED}</p></authorialNote></p>",
    "note elsewhere": f'<meta><notes><note eId="n"><p>{PLANTED}</p></note></notes></meta><p>a<noteRef href="#n"/></p>',
    "remark": f"<p>a<remark>{PLANTED}</remark></p>",
    "remark between blocks": f"<remark>{PLANTED}</remark>",
    "cell": f"<table><tr><td>{PLANTED}</td><td>b</td></tr></table>",
    "item": f"<blockList><item><num>a</num><p>{PLANTED}</p></item></blockList>",
    "quotation": f"<p><quotedStructure><section><content><p>{PLANTED}</p></content></section></quotedStructure></p>",
    "raised": f"<p>a<sup>{PLANTED}</sup></p>",
    "foreign": f"<foreign><math><mtext>{PLANTED}</mtext></math></foreign>",
}


def _word(body: str) -> Callable[[Path], Path]:
    return lambda directory: word_file(directory / "a.docx", paragraph("Begin.") + body)


def _word_part(body: str, kind: str, name: str, content: str | bytes) -> Callable[[Path], Path]:
    related = [("x", kind, name)]
    return lambda directory: word_file(directory / "a.docx", paragraph("Begin.") + body, related, {name: content})


def _odt(body: str) -> Callable[[Path], Path]:
    begin = "<text:p>Begin.</text:p>"
    return lambda directory: odt_file(directory / "a.odt", begin + body, styles=HIDDEN_STYLE)


def _odt_margin(name: str, text: str) -> Callable[[Path], Path]:
    margin = f"<style:master-page><style:{name}><text:p>{text}</text:p></style:{name}></style:master-page>"
    return lambda directory: odt_file(directory / "a.odt", "<text:p>Begin.</text:p>", masters=margin)


def _rtf(body: str) -> Callable[[Path], Path]:
    return lambda directory: rtf_file(directory / "a.rtf", rf"Begin.\par {body}\par")


def _markup(name: str, whole: str) -> Callable[[Path], Path]:
    def write(directory: Path) -> Path:
        path = directory / name
        path.write_text(whole, encoding="utf-8")
        return path

    return write


PLACES: dict[str, Callable[[Path], Path]] = {
    **{f"docx {place}": _word(body) for place, body in WORD_BODIES.items()},
    **{f"docx {place}": _word_part(*given) for place, given in WORD_PARTS.items()},
    **{f"odt {place}": _odt(body) for place, body in ODT_BODIES.items()},
    "odt header of the first page": _odt_margin("header-first", PLANTED),
    "odt footer": _odt_margin("footer", LONG),
    **{f"rtf {place}": _rtf(body) for place, body in RTF_BODIES.items()},
    **{
        f"html {place}": _markup("a.html", f"<html><body><p>Begin.</p>{body}</body></html>")
        for place, body in HTML_BODIES.items()
    },
    **{
        f"akn {place}": _markup("a.xml", f"<akomaNtoso><act><body><p>Begin.</p>{body}</body></act></akomaNtoso>")
        for place, body in AKN_BODIES.items()
    },
}


@pytest.mark.parametrize("place", PLACES)
def test_a_sentence_is_read_or_told_to_be_lost(tmp_path: Path, place: str) -> None:
    try:
        pages = list(extract(PLACES[place](tmp_path)))
    except ExtractionFailed as failure:
        pytest.fail(f"{failure.code}: {failure.message}")
    text = " ".join(text for page in pages for text in page.paragraphs)
    lost = sum(one.characters for page in pages for one in page.lost)
    assert PLANTED in text or lost >= characters_of(PLANTED)
    assert "Begin." in text
    assert text.count(PLANTED) <= (2 if "fraction" in place else 1)
