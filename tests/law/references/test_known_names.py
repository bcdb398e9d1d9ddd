"""Names that only a collection knows, and what a text calls an act in whatever bracket."""

import pytest

from law.references.mentions import read_references


def read(text: str, *names: str) -> list[tuple[str, str]]:
    """What is cited with a section: its number, and the title of its act."""
    spans = [(text.index(name), text.index(name) + len(name)) for name in names]
    found = read_references(text, (), title="", kind="", names=spans)
    return [(one.number, one.title) for one in found if one.number]


@pytest.mark.parametrize(
    "text",
    ["Oil Contract \xa7 5", "Oil Contract, section 5", "section 5 of the Oil Contract", "(Oil Contract) (s. 5)"],
)
def test_a_known_name_is_read_beside_its_section(text: str) -> None:
    assert read(text, "Oil Contract")[:1] == ([("5", "Oil Contract")] if "(Oil" not in text else [("5", "")])


def test_a_name_that_goes_on_is_another() -> None:
    assert read("section 5 of the Hoists Act of Atlantis", "Hoists Act") == [("5", "Hoists Act of Atlantis")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What Hoists Act 1990, s 4 says", "Hoists Act 1990"),
        ("Similarly the Hoists Act, RSC 1985, c H-5, s 4 says", "Hoists Act"),
        ("In Peru the Hoists (Towers) Act 1990, s 4 says", "Hoists (Towers) Act 1990"),
        ("So it is.¹ In Peru the Hoists Act 1990, s 4 says", "Hoists Act 1990"),
        ("12. In South Africa the Hoists Act 1990, s 4 says", "Hoists Act 1990"),
    ],
)
def test_words_of_a_sentence_are_no_part_of_a_known_name(text: str, name: str) -> None:
    assert read(text, name) == [("4", name)]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The Care of the Hoists Act 1990, s 4", "Care of the Hoists Act 1990"),
        ("Section 4 of the Act Amending the Hoists Act 1990", "Act Amending the Hoists Act 1990"),
        ("Section 4 of the Loi Modifiant The Hoists Act 1990", "Loi Modifiant The Hoists Act 1990"),
        ("In Rules Implementing the Hoists Act 1990, s 4", "Rules Implementing the Hoists Act 1990"),
        ("The Town Notice Regarding the Hoists Act 1990, s 4", "Town Notice Regarding the Hoists Act 1990"),
        ("By the By-law Amending the Hoists Act 1990, s 4", "Amending the Hoists Act 1990"),
        ("By Order No. 5 To Amend the Hoists Act 1990, s 4", "Amend the Hoists Act 1990"),
        ("By the By-law to Amend the Hoists Act 1990, s 4", "Amend the Hoists Act 1990"),
    ],
)
def test_words_before_an_article_may_be_of_the_name(text: str, title: str) -> None:
    assert read(text, "Hoists Act 1990") == [("4", title)]


@pytest.mark.parametrize(
    "text",
    [
        "By s. 3 of the Hoists Act 1990 (“the Lift Act”, “HoA”) it is so. By s 5 HoA, or HoA, s 5.",
        "Hoists Act 1990 s 3(1)(a) (“HoA”). By s 5 HoA, or HoA, s 5.",
        "By s 5 HoA, or HoA, s 5. The Hoists Act 1990, s. 3 (“HoA”).",
        'The Hoists Act 1990 (No. 3) is referred to as "the Lift Act". By s 5 of the Lift Act, or s 5, Lift Act.',
        "The Hoists Act 1990, hereinafter called “HoA”, is old. By s 5 HoA, or HoA, s 5.",
    ],
)
def test_a_short_name_is_known_wherever_it_is_explained(text: str) -> None:
    assert [one for one in read(text) if one[0] == "5"] == [("5", "Hoists Act 1990")] * 2


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("Hoists Act 1990", "HA"),
        ("Hoists and Lift-gear of Peru Act 1990", "HLP Act"),
        ("Hoists and Lift-gear of Peru Act 1990", "HALPA"),
        ("Hoists (Towers) Act 1990", "Hoists Act"),
    ],
)
def test_a_short_name_in_square_brackets_is_of_words_of_the_title(title: str, short: str) -> None:
    text = f"{title}, RSC 1985, c H-5 [{short}] is old. By s 5 of the {short}, or {short}, s 5."
    assert [one for one in read(text) if one[0] == "5"] == [("5", title)] * 2


@pytest.mark.parametrize(
    "remark", ["NSW", "EU", "REPEALED", "SECTION 5", "See Cranes Act", "Amended by the Cranes Act"]
)
def test_a_remark_in_square_brackets_is_no_name(remark: str) -> None:
    found = read(f"Hoists Act 1990 [{remark}], s 3. In {remark}, Cranes Act 1950 {remark} s 5.")
    assert found[-1] != ("5", "Hoists Act 1990")


def test_what_stands_in_square_brackets_is_read() -> None:
    assert read("Hoists Act 1990 [SECTION 9].", "Hoists Act 1990") == [("9", "Hoists Act 1990")]


@pytest.mark.parametrize("short", ["[PHA]", "(“PHA”)"])
def test_a_longer_name_with_a_short_one_is_another_act(short: str) -> None:
    text = f"The Peru Hoists Act 1990 {short}, s 3. By PHA, s 4."
    assert read(text, "Hoists Act 1990") == [("3", "Peru Hoists Act 1990"), ("4", "Peru Hoists Act 1990")]


@pytest.mark.parametrize(("name", "joined"), [("HoA", "and the"), ("Lift Act", "and to the"), ("Lift Act", "or in")])
def test_a_title_behind_a_short_name_is_another_act(name: str, joined: str) -> None:
    text = f"The Hoists Act 1990 (“{name}”). By s 5 of the {name} {joined} Cranes Act 1950, s 7, it is so."
    assert read(text) == [("5", "Hoists Act 1990"), ("7", "Cranes Act 1950")]


def test_a_bare_section_is_of_the_act_that_has_the_word_for_its_name() -> None:
    text = "The Hoists Act 1990 (“the Act”) applies. Section 4 of the Cranes Act 1950 does not.\nIt says so (s 3)."
    assert read(text)[-1] == ("3", "Hoists Act 1990")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "By clause (a) of section 9 of the Hoists Act 1990 it is so. That clause (a) of Section 9 says.",
            "Hoists Act 1990",
        ),
        ("By section 9 of the Hoists Act 1990 it is so. By the lease, clause (b) of section 12 binds the tenant.", ""),
        ("By section 9 of the Hoists Act 1990 it is so. Clause (a) of section 9 is void under the contract.", ""),
        ("Section 9(2) of the Hoists Act 1990 lists them. Clause (a) of Section 9(2) says so.", "Hoists Act 1990"),
        ("Section 3 of the Hoists Act 1990 applies. The deed says so (clause 9).", ""),
        ("Clause 9 of the Hoists Act 1990 applies. The deed says so (clause 9).", ""),
    ],
)
def test_a_clause_is_of_an_act_that_was_said_to_have_it(text: str, title: str) -> None:
    assert read(text)[-1][1] == title
