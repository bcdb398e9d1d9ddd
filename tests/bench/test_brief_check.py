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
