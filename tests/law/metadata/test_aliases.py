"""What a document says that it is cited by."""

import pytest

from law.metadata.aliases import find_aliases
from law.metadata.head import HeadPage
from law.metadata.lines import lines_of


def aliases(text: str, *, title: str = "An Act about kites", kind: str = "law") -> list[tuple[str, str]]:
    found = find_aliases(lines_of([HeadPage(None, text)]), title=title, kind=kind)
    return [(one.value, one.quote) for one in found]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("2031 CHAPTER 26", "2031 c. 26"),
        ("[2031 c. 26]", "2031 c. 26"),
        ("2031 asp 8", "2031 asp 8"),
        ("2031 No. 1403", "S.I. 2031/1403"),
        ("Number 15 of 2031", "No. 15 of 2031"),
        ("(No. 15 of 2031)", "No. 15 of 2031"),
        ("Act No. 4 of 2031", "Act No. 4 of 2031"),
        ("CAP. 491A", "Cap. 491A"),
        ("Public Law 206–39, approved June 2, 2031", "Public Law 206-39"),
    ],
)
def test_a_number_of_its_own_is_read_from_the_head(line: str, name: str) -> None:
    assert aliases(f"An Act about kites\n{line}\n1. Kites fly.") == [(name, line)]


@pytest.mark.parametrize(
    ("clause", "name"),
    [
        ("1. This Act may be cited as the Kites Act 2031.", "Kites Act 2031"),
        ("These Regulations may be cited as the Kites Regulations 2031 and come into force on 1st May.",
         "Kites Regulations 2031"),
        ("SECTION 1. This Act may be cited as the “Kite Flying Act of 2031”.", "Kite Flying Act of 2031"),
        ('12. לחוק זה ייקרא "חוק העפיפונים, התשצ"א–2031".', 'חוק העפיפונים, התשצ"א–2031'),
    ],
)  # fmt: skip
def test_a_name_is_read_from_the_clause_that_gives_it(clause: str, name: str) -> None:
    [(found, quote)] = aliases(f"An Act about kites\n{clause}")
    assert found == name
    assert quote in clause


def test_the_title_is_a_name_only_where_the_clause_alone_says_it() -> None:
    lines = lines_of([HeadPage(None, "An Act about kites\n1. This Act may be cited as the Kites Act 2031.")])
    [name] = find_aliases(lines, title="Strings", kind="law")
    assert find_aliases(lines, title=name.value, title_from=name.quote, kind="law") == [name]
    assert find_aliases(lines, title=name.value, title_from="KITES\nACT 2031", kind="law") == []


@pytest.mark.parametrize(
    "text",
    [
        "2. In the Strings Act insert: “This Act may be cited as the Ropes Act 2031.”",
        "1. This Act may be cited as the Kites Act 2031.\n9. This Act may be cited as the Ropes Act 2031.",
        "1. Under the Strings Act\n2031 CHAPTER 26",
        "Strings are dealt with in 2031 CHAPTER 26",
    ],
    ids=["quoted", "two names", "in the text", "of another"],
)
def test_what_may_be_the_name_of_another_act_is_not_taken(text: str) -> None:
    assert aliases(text) == []


def test_what_explains_an_act_does_not_take_its_number() -> None:
    assert aliases("Explanatory memorandum to the Kites Regulations 2031\n2031 No. 1403", kind="circular") == []


@pytest.mark.parametrize("title", ["The Kites Act 2031", "Kites Act, 2031", "Kites Act 2031 (as amended)"])
def test_the_title_is_no_alias(title: str) -> None:
    assert aliases("1. This Act may be cited as the Kites Act 2031.", title=title) == []
    assert aliases("1. This Act may be cited as the Kites Act.", title=title) == []
