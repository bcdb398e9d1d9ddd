"""Parts of Word files: texts of two directions, and packages that Word opens."""

import io

import docx
import pytest

from kb_project.word_files import add, add_runs, packed, root, stretches

RTL, LTR = True, False


@pytest.mark.parametrize(
    ("text", "rtl", "found"),
    [
        ("לפי סעיף 5 לחוק", True, [(RTL, "לפי סעיף 5 לחוק")]),
        ("לפי Act 1990 (12) ועוד", True, [(RTL, "לפי "), (LTR, "Act 1990 (12"), (RTL, ") ועוד")]),
        ("Under סעיף 5 of it 7.", False, [(LTR, "Under "), (RTL, "סעיף 5"), (LTR, " of it 7.")]),
        ("12 (3)", True, [(RTL, "12 (3)")]),
        ("", False, []),
    ],
)
def test_digits_go_with_the_letter_before_them(text: str, rtl: bool, found: list[tuple[bool, str]]) -> None:
    assert list(stretches(text, rtl=rtl)) == found


def test_a_package_opens_with_tabs_and_without_what_xml_lacks() -> None:
    document = root("document")
    add_runs(add(add(document, "body"), "p"), "a\tb\0\ud800\uffffc", rtl=False)
    [paragraph] = docx.Document(io.BytesIO(packed({"document": document}))).paragraphs
    assert paragraph.text == "a\tbc"
