"""RTF: signs, forms, text boxes, and what is not passed on."""

import time
from pathlib import Path

import pytest

from extraction import extract
from extraction.document import Lost, LostWhat
from tests.extraction.offices import rtf_file


def read(tmp_path: Path, body: str) -> tuple[list[str], set[Lost]]:
    pages = list(extract(rtf_file(tmp_path / "a.rtf", body)))
    return [text for page in pages for text in page.paragraphs], {one for page in pages for one in page.lost}


def test_a_header_in_a_comment_is_told_with_the_comment(tmp_path: Path) -> None:
    _texts, lost = read(tmp_path, r"Bridge\par{\annotation a{\header toll}}")
    assert lost == {Lost(LostWhat.NOTE, 5)}


def _form(inside: str) -> str:
    return r"{\field{\*\fldinst FORM{\*\formfield" + inside + r"}}{\fldrslt}}"


SIGNS = r"{\fonttbl{\f7\fnil\fcharset2 Wingdings;}{\f8\fnil\fcharset2 Symbol;}}"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (SIGNS + r"{\f7\'fe} bridge\par", ["☑ bridge"]),
        (SIGNS + r"{\f8\u-3917?} bridge\par", ["≥ bridge"]),
        (r"7\up8 3\up0  bridge\par", ["7³ bridge"]),
        (r"7\up2 3\up0  bridge\par", ["73 bridge"]),
        (_form(r"\fftype1\ffres1\ffdefres0") + r" bridge\par", ["☒ bridge"]),
        (_form(r"\fftype1\ffres25\ffdefres0") + r" bridge\par", ["☐ bridge"]),
        (_form(r"\fftype2\ffres1{\*\ffl narrow}{\*\ffl wide}") + r" bridge\par", ["wide bridge"]),
        (r"before {\shp{\*\shpinst{\shptxt in a box\par}}}after\par", ["before after", "in a box"]),
        (r"before {\*\do\dobxpage{\dptxbxtext in a box\par}}after\par", ["before after", "in a box"]),
        (r"a\par{\shp{\*\shpinst{\shptxt never closed", ["a", "never closed"]),
        (r"{\shp{\*\shpinst{\shptxt a box\par}}{\shprslt{\*\do{\dptxbxtext a box\par}}}}\par", ["a box"]),
        (r"lamp \u-10179?\u-9014? lit\par", ["lamp 📊 lit"]),
        (r"{\upr{bridge}{\*\ud{\u1490 ?\u1513 ?\u1512 ?}}} 7\par", ["גשר 7"]),
        (
            r"First half{\v\par} and second\par third{\deleted\par}\par end\par",
            ["First half and second", "third", "end"],
        ),
        (r"{\pard\dropcapli3\dropcapt1 T\par}\pard he keeper\par end\par", ["The keeper", "end"]),
        (r"{\fonttbl{\f5\fnil\cpg1255 David;}}{\f5\'e2\'f9\'f8}\par", ["גשר"]),
    ],
)
def test_what_is_seen_is_read(tmp_path: Path, body: str, text: list[str]) -> None:
    assert read(tmp_path, body) == (text, set())


@pytest.mark.parametrize(
    ("body", "what", "characters"),
    [
        (r"{\v hidden}", LostWhat.HIDDEN, 6),
        (r"{\*\annotation{\*\atnref 1}\pard a note}", LostWhat.NOTE, 5),
        (r"{\mmath{\*\moMath{\mr x=1}}}", LostWhat.FORMULA, 3),
        (r"{\object\objemb{\*\objclass Excel.Sheet.12}{\*\objdata 0105}}", LostWhat.ATTACHMENT, 0),
        (r"{\object\objemb{\*\objclass Equation.3}{\*\objdata 0105}}", LostWhat.FORMULA, 0),
        (r"{\headerf A letterhead of the Bridges Authority\par}", LostWhat.MARGIN, 32),
        (r"{\pict\picwgoal9000\pichgoal12000 0102}", LostWhat.PICTURE, 0),
        (SIGNS + r"{\f7\'ff}", LostWhat.OTHER, 1),
        (r"{\field{\*\fldinst {EQ \\f(1,2)}}{\fldrslt 12}}", LostWhat.FORMULA, 7),
        (r"{\field{\*\fldinst EQ \\r(,{\field{\*\fldinst REF a}{\fldrslt 3}})}{\fldrslt}}", LostWhat.FORMULA, 6),
        (r"{\field{\*\fldinst SYMBOL 183 \\f Symbol}}", LostWhat.OTHER, 11),
    ],
)
def test_what_is_not_passed_on_is_told(tmp_path: Path, body: str, what: LostWhat, characters: int) -> None:
    assert read(tmp_path, body + r"text\par") == (["text"], {Lost(what, characters)})


def test_ordinary_omissions_are_no_loss(tmp_path: Path) -> None:
    body = (
        r"{\header The Bridges Act\par}{\footer{\field{\*\fldinst PAGE}{\fldrslt 3}}\par}{\deleted gone}"
        r"{\pict\picwgoal900\pichgoal900 0102}{\object{\*\objclass Word.Picture.8}{\*\objdata 01}}text\par"
    )
    assert read(tmp_path, body) == (["text"], set())


@pytest.mark.parametrize(("word", "byte"), [(rb"\mac", rb"\'8e"), (rb"\pc", rb"\'82"), (rb"\pca", rb"\'82")])
def test_the_code_page_of_an_old_system_is_known(tmp_path: Path, word: bytes, byte: bytes) -> None:
    path = tmp_path / "a.rtf"
    path.write_bytes(rb"{\rtf1" + word + rb"\deff0{\fonttbl{\f0 Geneva;}}caf" + byte + rb"\par}")
    assert [text for page in extract(path) for text in page.paragraphs] == ["café"]


def _level(format: int, template: str, places: str, more: str = "") -> str:
    text = rf"{{\leveltext\leveltemplateid5{template};}}{{\levelnumbers{places};}}"
    return rf"{{\listlevel\levelnfc{format}\levelnfcn{format}\levelstartat1\levelfollow0{more}{text}}}"


def _lists(*levels: str, overriding: str = "") -> str:
    override = rf"{{\listoverride\listid7\listoverridecount0\ls1}}{overriding}"
    table = rf"{{\*\listtable{{\list\listtemplateid1{''.join(levels)}{{\listname ;}}\listid7}}}}"
    return rf"{table}{{\*\listoverridetable{override}}}"


NUMBERS, BELOW = _level(0, r"\'02\'00.", r"\'01"), _level(0, r"\'04\'00.\'01)", r"\'01\'03")
FROM_NINE = r"{\listoverride\listid7\listoverridecount1{\lfolevel\listoverridestartat\levelstartat9}\ls2}"
OWN_LEVEL = (
    r"{\listoverride\listid7\listoverridecount1{\lfolevel\listoverrideformat" + _level(3, r"\'01\'00", "") + r"}\ls2}"
)


@pytest.mark.parametrize(
    ("lists", "body", "text"),
    [
        (_lists(NUMBERS), r"\pard\ls1 Lamp\par\pard\ls1 Oil\par\pard Town\par", ["1. Lamp", "2. Oil", "Town"]),
        (_lists(NUMBERS), r"{\listtext 1.\tab}\pard\ls1 Lamp\par\pard\ls1 Oil\par", ["1. Lamp", "2. Oil"]),
        (_lists(NUMBERS), r"\pard\ls1 {\page }Lamp\page goes on\par Oil\par", ["1. Lamp", "goes on", "2. Oil"]),
        (_lists(NUMBERS), r"\pard\ls1 Lamp{\footnote oil} lit\par", ["1. Lamp¹ lit", "¹ oil"]),
        (_lists(NUMBERS), r"\pard\ls1 Lamp\par never ended", ["1. Lamp", "2. never ended"]),
        (
            _lists(NUMBERS, BELOW),
            r"\pard\ls1 a\par\pard\ls1\ilvl1 b\par c\par\pard\ls1 d\par\pard\ls1\ilvl1 e\par",
            ["1. a", "1.1) b", "1.2) c", "2. d", "2.1) e"],
        ),
        (_lists(_level(45, r"\'03(\'00)", r"\'02")), r"\pard\ls1{\f1 גשר\par פנס\par}", ["(א) גשר", "(ב) פנס"]),
        (_lists(_level(23, r"\'01\u-3913 ?", "")), r"\pard\ls1 Lamp\par", ["• Lamp"]),
        (_lists(_level(2, r"\'01\'00", "", r"\levelfollow2")), r"\pard\ls1 - Lamp\par", ["i- Lamp"]),
        (_lists(NUMBERS, overriding=FROM_NINE), r"\pard\ls1 a\par\pard\ls2 b\par c\par", ["1. a", "9. b", "10. c"]),
        (_lists(NUMBERS, overriding=OWN_LEVEL), r"\pard\ls2 a\par b\par", ["A a", "B b"]),
    ],
)
def test_numbers_that_the_file_does_not_write_are_counted(
    tmp_path: Path, lists: str, body: str, text: list[str]
) -> None:
    assert read(tmp_path, lists + body) == (text, set())


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\ftnnalc a{\super\chftn}{\footnote{\super\chftn} x} b{\footnote y}\par", ["aᵃ bᵇ", "ᵃ x", "ᵇ y"]),
        (r"\ftnstart7 a{\footnote x}\par", ["a⁷", "⁷ x"]),
        (r"a{\super *}{\footnote\pard{\super *} own} b{\footnote x}\par", ["a* b¹", "* own", "¹ x"]),
        (r"a{\footnote x} b{\footnote\ftnalt y}\par", ["a¹ bⁱ", "¹ x", "ⁱ y"]),
        (r"\sftnrestart a{\footnote x}\sect b{\footnote y}\par", ["a¹", "b¹", "¹ x", "¹ y"]),
        (r"\ftnnchi a{\footnote x} b{\footnote y}\par", ["a* b†", "* x", "† y"]),
        (r"a{\deleted{\footnote\pard\plain gone}} b{\footnote x}\par", ["a b¹", "¹ x"]),
    ],
)
def test_notes_are_counted_as_the_file_says(tmp_path: Path, body: str, text: list[str]) -> None:
    assert read(tmp_path, body) == (text, set())


@pytest.mark.deep
def test_hostile_lists_and_notes_are_bounded(tmp_path: Path) -> None:
    started = time.process_time()
    body = _lists(NUMBERS * 20_000, overriding=FROM_NINE * 20_000) + r"\ftnnrlc\ftnstart2147483647 "
    texts, _lost = read(tmp_path, body + r"{\footnote a}" * 200 + r"\pard\ls2\ilvl2147483647 b\par")
    assert len(texts) == 201
    assert max(map(len, texts)) < 20_000
    assert time.process_time() - started < 10
