"""In an amending act `the Act` is the one that it amends."""

from extraction.document import Page
from law.references.mentions import read_references
from law.structure.lines.document_lines import document_text, lines
from law.structure.provisions import Outline
from law.structure.recogniser import Recogniser
from tests.law.references.mentioned import cited

AMENDING = """5. Section 7 of the Hoists Act 1990 is replaced by the following:
7. A hoist is inspected under section 9.
6. Subsection 8(1) of the Act is repealed.
7. (1) Paragraph 9(1)(b) of the Act is amended by striking out “and”.
(2) Section 10 of the Act is repealed.
8. Section 3 of the Piers Act 1998 is amended by adding the following after subsection (1):
(1.1) A pier is inspected.
9. Section 11 of the Act is repealed.
10. Section 5 of this Act comes into force on the day on which section 12 of the Act does."""
ORDINARY = """1. A fee is due under section 2 of the Act.
2. Section 1 of the Act applies to hoists, and a fee is paid."""


def acts_of(text: str, title: str) -> list[str]:
    pages = [Page(number=None, paragraphs=tuple(text.split("\n")))]
    outline = Outline()
    for _ in outline.follow(Recogniser(statutory=True).units(lines(pages))):
        pass
    whole = document_text(pages)
    return [cited(one) for one in read_references(whole, outline.provisions, title=title, kind="law")]


def test_the_act_that_is_amended_is_the_one_named_last() -> None:
    assert acts_of(AMENDING, "Budget Implementation Act 2019") == [
        "Hoists Act 1990 7",
        "? 9",
        "Hoists Act 1990 8(1)",
        "Hoists Act 1990 9(1)(b)",
        "Hoists Act 1990 10",
        "Piers Act 1998 3",
        "Piers Act 1998 3(1)",
        "Piers Act 1998 11",
        "here 5",
        "Piers Act 1998 12",
    ]


def test_an_act_that_amends_nothing_calls_itself_the_act() -> None:
    assert acts_of(ORDINARY, "Hoists Act 1990") == ["here 2", "here 1"]


def test_an_unread_name_in_passing_is_not_what_is_amended_far_behind() -> None:
    passing = "1. המוסד יערוך את הבדיקות לפי חלק V, סעיף ד.1 לתקן."
    amends = '(1) בתקנה 2(א), במקום "15 בפברואר" יבוא "1 באפריל".\n2. (א) דיווח ייעשה ביום 15 בפברואר.'
    far = f"{passing} {'דיווח ייעשה בכתב. ' * 20}\n{amends}"
    assert acts_of(far, "תקנות הדיווח, התשע״ט–2019") == ["? ד.1", "here 2(א)"]
    assert acts_of(f"{passing}\n{amends}", "תקנות הדיווח, התשע״ט–2019") == ["? ד.1", "? 2(א)"]
