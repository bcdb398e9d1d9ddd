"""What is said of a document's numbers: how they are printed, how sure they are, and which are missing."""

import pytest

from extraction import Page
from extraction.document import MarkedDivision
from law.chunking import chunk
from law.structure.numbering.summary import NumberingSummary
from law.structure.provisions import Outline

TEXT = "The keeper of a kennel shall feed every dog twice a day."


def summary(
    text: str, *, kind: str = "law", divisions: tuple[MarkedDivision, ...] | None = None
) -> NumberingSummary | None:
    outline = Outline()
    page = Page(number=None, paragraphs=tuple(text.strip().split("\n")), divisions=divisions)
    list(chunk([page], kind=kind, outline=outline))
    return outline.numbering


def gaps(text: str) -> tuple[str, ...]:
    found = summary(text)
    assert found is not None
    return found.gaps


def form(text: str, *, kind: str = "law") -> str:
    found = summary(text, kind=kind)
    return found.form if found else ""


def act(form: str, numbers: list[str], *, above: bool = False) -> str:
    lines = [["Feeding", form.format(number)] if above else [form.format(number), TEXT] for number in numbers]
    return "\n".join(["Kennels Act 2031", *(line for section in lines for line in section)])


@pytest.mark.parametrize(
    ("form", "numbers", "printed"),
    [
        ("{}. Feeding", ["1", "2", "3"], "1."),
        ("{} Feeding", ["1", "2", "3"], "1"),
        ("§ {} Feeding.", ["1072.101", "1072.102", "1072.103"], "§ 1072.101"),
        ("SEC. {}. FEEDING.", ["5", "6", "7"], "SEC. 5."),
        ("Article {}", ["5", "6", "7"], "Article 5"),
        ("סעיף {}: האכלה", ["5", "6", "7"], "סעיף 5"),
    ],
)
def test_the_form_is_a_number_as_it_is_printed(form: str, numbers: list[str], printed: str) -> None:
    found = summary(act(form, numbers))
    assert found == NumberingSummary(printed, 1.0)


def test_the_number_behind_a_clause_and_a_square_bracket() -> None:
    assert form(act(f"{{}}.—(1) {TEXT}", ["1", "2"], above=True)) == "1."
    assert form(f"THE TRIBUNAL\n[1] {TEXT}\n[2] {TEXT}\n[3] {TEXT}", kind="judgment") == "[1]"


def test_of_a_law_without_numbers_it_is_not_certain_that_it_has_none() -> None:
    text = "A letter\nDear reader, nothing is numbered here."
    assert summary(text) == NumberingSummary("", 0.0)
    assert summary(text, kind="circular") is None


def test_numbers_that_leave_room_on_purpose_leave_none_out() -> None:
    assert gaps(act("Sec. {}. Feeding.", ["1", "5", "10", "15", "20", "25"])) == ()
    assert gaps(act("Sec. {}. Feeding.", ["1", "2", "5", "6", "10", "11"])) == ("3–4", "7–9")


def test_missing_numbers_are_named() -> None:
    assert gaps(act("{}. Feeding", ["2", "3", "6", "6A", "7", "9"])) == ("1", "4–5", "8")


def test_an_extract_lacks_nothing_before_its_first_number() -> None:
    assert gaps(act("{}. Feeding", ["40", "41"])) == ()


@pytest.mark.parametrize(
    "line",
    [
        "3 to 5 Repealed",
        "3–5 [Repealed, 2030, c. 7]",
        "[Sections 3 to 5 repealed by Act 7 of 2030.]",
        "§§ 3 to 5. Reserved.",
        "3, 4 and 5. * * * * *",
        "סעיפים 3 עד 5 (בוטלו)",
    ],
)
def test_numbers_that_are_said_to_be_gone_are_not_missing(line: str) -> None:
    text = act("{}. Feeding", ["1", "2", "6", "8"]).replace("6. Feeding", f"{line}\n6. Feeding")
    assert gaps(text) == ("7",)


@pytest.mark.parametrize("line", ["Secs. 5-5—5-7. - Reserved.", "§§ 5-5 to 5-7. Repealed, 2030."])
def test_numbers_of_a_code_that_are_gone_are_not_missing(line: str) -> None:
    text = act("Sec. {}. Feeding.", ["5-1", "5-2", "5-3", "5-4", "5-8", "5-9", "5-10", "5-12"])
    assert gaps(text) == ("5-5–5-7", "5-11")
    assert gaps(text.replace("Sec. 5-8", f"{line}\nSec. 5-8")) == ("5-11",)


def test_a_repealed_section_with_its_own_number_is_not_missing() -> None:
    text = act("{}. האכלה", ["1", "2", "4"]).replace("4. האכלה", "3. (בוטל)\n4. האכלה")
    assert gaps(text) == ()


def test_words_that_only_begin_like_it_say_nothing() -> None:
    text = act("{}. Feeding", ["1", "2", "4"]).replace(
        "4. Feeding", "Section 3 reserved matters to the court.\n4. Feeding"
    )
    assert gaps(text) == ("3",)


def test_numbers_of_several_parts_are_missing_where_they_follow() -> None:
    assert gaps(act("§ {}. Feeding.", ["7.101", "7.102", "7.103", "7.105", "7.106", "7.201"])) == ("7.104",)
    assert gaps(act("§ {}. Feeding.", ["17.5", "17.10", "17.11", "17.20", "17.30"])) == ()


def test_items_of_a_schedule_are_none_of_the_sections() -> None:
    found = summary(
        act("{}. Feeding", ["1", "2", "3"]) + "\nSCHEDULE 1\n1 Dogs\nA dog.\n2 Cats\nA cat.\n4 Fish\nA fish."
    )
    assert found == NumberingSummary("1.", 1.0)


def test_what_the_markup_names_is_certain() -> None:
    divisions = tuple(
        MarkedDivision(first=place, depth=0, unit="sec", number=f"{number}.", heading="Feeding", eid="")
        for place, number in ((1, 1), (3, 2), (5, 4))
    )
    found = summary(act("{}. Feeding", ["1", "2", "4"]), divisions=divisions)
    assert found == NumberingSummary("1.", 1.0, ("3",))


def certainty(text: str) -> float:
    found = summary(text)
    assert found is not None
    return found.certainty


def test_what_may_be_a_mistake_lowers_the_certainty() -> None:
    sure = certainty(act("{}. Feeding", ["1", "2", "3", "4", "5"]))
    missing = certainty(act("{}. Feeding", ["1", "2", "4", "5"]))
    stray = certainty(act("{}. Feeding", ["1", "2", "3", "140", "4", "5"]))
    few = certainty(act("{}. Feeding", ["1", "2"]))
    assert sure == 1
    assert missing < sure
    assert stray < 0.8
    assert few < sure


def test_repealed_sections_lower_no_certainty() -> None:
    text = act("{}. Feeding", ["1", "2", "6", "7"]).replace("6. Feeding", "3 to 5 Repealed\n6. Feeding")
    assert certainty(text) == 1


def test_a_word_above_rules_that_count_anew_is_not_taken_for_that_of_sections() -> None:
    rules = [f"ORDER {order}\nKennels\n1. {TEXT}\n2. {TEXT}" for order in (1, 2, 3)]
    found = summary("RULES OF THE COURT\n" + "\n".join(rules))
    assert found is not None
    assert found.form == "1."
    assert found.certainty < 1


def test_a_part_whose_numbers_begin_with_its_own_leaves_none_out() -> None:
    first, second = ["101", "102", "104"], ["201", "202"]
    parts = [act("{}. Feeding", first), *act("{}. Walks", second).split("\n")[1:]]
    inside = gaps(act("{}. Feeding", first))
    assert inside
    assert gaps("\n".join([parts[0], "PART 2", "WALKS", *parts[1:]])) == inside
    assert gaps("\n".join(parts))[-1:] != inside[-1:], "no part begins"


@pytest.mark.parametrize(
    ("last", "number", "missing"),
    [
        ("99", "103", "100–102"),
        ("92", "100", "93–99"),
        ("40", "99", "41–98"),
        ("30", "100", "31–99"),
        ("40", "101", "41–100"),
        ("110", "401", "111–400"),
    ],
)
def test_a_part_that_goes_on_with_the_numbers_before_may_leave_some_out(last: str, number: str, missing: str) -> None:
    numbers = [str(int(last) - 2), str(int(last) - 1), last]
    before, after = act("{}. Feeding", numbers), act("{}. Walks", [number, str(int(number) + 1)]).split("\n")[1:]
    assert gaps("\n".join([before, "PART 2", "WALKS", *after])) == (missing,)


@pytest.mark.parametrize("numbers", [["1.", "1¹.", "3¹.", "4."], ["1.", "1.¹", "3.¹", "4."]])
def test_a_raised_digit_that_may_be_a_mark_or_part_of_a_number_lowers_the_certainty(numbers: list[str]) -> None:
    text = act("Article {}", numbers) + "\n² Changed by the Kennels (Amendment) Act."
    assert certainty(text) < 0.8
    assert certainty(f"{text}\n¹ Changed by the Kennels (Fees) Act.") > 0.8, "a note of that sign stands below"


def test_a_raised_digit_without_a_point_lowers_the_certainty_beside_inserted_articles() -> None:
    heads = ["1 Hives", "2 Feeding", "2¹ Sugar", "3 Wax", "4¹ Fees", "5 Fines", "6 Forms"]
    assert certainty(act("Article {}", heads)) < 0.8
    assert certainty(act("Article {}", [head for head in heads if head[:2] != "2¹"])) == 1
