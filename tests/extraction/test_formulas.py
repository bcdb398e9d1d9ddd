"""Formulas on one line say what they said in two."""

import pytest
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from extraction.formulas import formula
from extraction.html.inline import formula_of


def of_word(inside: str) -> str:
    return formula(etree.fromstring(f'<m:oMath xmlns:m="urn:math">{inside}</m:oMath>'))


def run(text: str) -> str:
    return f"<m:r><m:rPr/><m:t>{text}</m:t></m:r>"


def holder(name: str, *parts: tuple[str, str]) -> str:
    return f"<m:{name}>{''.join(f'<m:{part}>{inside}</m:{part}>' for part, inside in parts)}</m:{name}>"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (run("2") + holder("f", ("num", run("1")), ("den", run("4"))), "2 1/4"),
        (holder("f", ("num", run("a+b")), ("den", run("12"))), "(a+b)/12"),
        (run("1") + run("0") + run("×") + holder("sSup", ("e", run("10")), ("sup", run("3"))), "10×10³"),
        (holder("sSup", ("e", run("x+1")), ("sup", run("n"))), "(x+1)ⁿ"),
        (holder("sSub", ("e", run("P")), ("sub", run("1"))), "P₁"),
        (holder("rad", ("radPr", ""), ("deg", ""), ("e", run("ab+c"))), "√(ab+c)"),
        (holder("rad", ("deg", run("3")), ("e", run("8"))), "³√8"),
        ('<m:d><m:dPr><m:begChr m:val="["/></m:dPr><m:e>' + run("a") + "</m:e></m:d>", "[a)"),
        ('<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>' + holder("sub", ("r", "")) + "<m:e/></m:nary>", "∑"),
    ],
)
def test_formulas_of_word(inside: str, text: str) -> None:
    assert of_word(inside) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "1/2"),
        ("<mn>3</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>", "3 1/2"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x₁²"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot><mo>=</mo><msqrt><mi>y</mi></msqrt>", "³√x=√y"),
        ("<semantics><mi>r</mi><annotation encoding='tex'>\\rho</annotation></semantics>", "r"),
        ("<mtable><mtr><mtd>a</mtd><mtd>b</mtd></mtr><mtr><mtd>c</mtd></mtr></mtable>", "a b; c"),
        ("<mfenced open='[' close=']'><mi>a</mi><mi>b</mi></mfenced>", "[a,b]"),
    ],
)
def test_formulas_of_web_pages(markup: str, text: str) -> None:
    node = LexborHTMLParser(f"<p><math>{markup}</math></p>").css_first("math")
    assert node is not None
    assert formula_of(node) == text
