"""The briefs of the bench say where their errors are."""

import random

from bench.brief_check.briefs import laid_out
from bench.brief_check.errors import KINDS, Item, true_item
from bench.brief_check.laws import LawText, Section, quotable

TEXT = "5. (1) The keeper of the lamp shall light it within 14 days of the first fog of a year.\n(2) A sailor may ask."
LAW = LawText(1, "Lamps Act 1990", "uk_act", False, (Section("5", TEXT),), frozenset({"5"}))


def test_items_stand_where_they_are_said_to() -> None:
    items = [Item("section 5 of the Lamps Act 1990", "The keeper shall"), Item("s 6 of that Act", "A sailor may")]
    text, placed = laid_out(items, random.Random(1), hebrew=False)
    assert [text[slice(*one.quoted)] for one in placed] == [item.quote for item in items]
    assert [text[slice(*one.cited)].casefold() for one in placed] == [item.citation.casefold() for item in items]


def test_what_is_true_is_quoted_from_the_law() -> None:
    [quote] = quotable(TEXT)
    assert quote in TEXT
    assert quote.startswith("The keeper")
    item = true_item(LAW, LAW.sections[0], style=random.Random(1), again=False)
    assert item is not None
    assert item.quote == quote


def test_changed_quotations_are_not_in_the_law() -> None:
    for kind in ("word changed", "not lost or added", "number changed", "day changed"):
        make, verdicts = KINDS[kind]
        made = [item for seed in range(30) if (item := make(LAW, LAW.sections[0], [LAW], random.Random(seed)))]
        assert made, kind
        assert not any(item.quote in TEXT for item in made)
        assert verdicts == {"differs"}


def test_no_note_of_a_publisher_and_no_number_of_a_section_is_quoted() -> None:
    assert quotable("94–368, § 1, July 31, 1970, 84 Stat. 692, 90 Stat. 1202, 94 Stat. 12") == []
    [quote] = quotable("14.— (1) The keeper of the lamp shall light it before the fog has come.")
    assert quote.startswith("The keeper")


def test_words_that_both_acts_have_are_no_error() -> None:
    other = LawText(2, "Lanterns Act 1991", "uk_act", False, LAW.sections, frozenset({"5"}))
    make, _ = KINDS["section of another act"]
    assert make(LAW, LAW.sections[0], [LAW, other], random.Random(1)) is None


def test_a_section_that_a_part_of_the_code_lacks_is_of_that_part() -> None:
    sections = (Section("1011.4", TEXT),)
    part = LawText(3, "12 CFR Part 1011—LAMPS", "us_cfr", False, sections, frozenset({"1011.4"}))
    make, _ = KINDS["wrong section"]
    item = make(part, sections[0], [part], random.Random(1))
    assert item is not None
    assert "1011." in item.citation
    assert "1011.4 " not in f"{item.citation} "
