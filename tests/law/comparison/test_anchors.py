"""Marked words, found again."""

from law.comparison.anchors import Anchor, are_alike, best, literal_places, worded_places
from law.comparison.wording import words

TEXT = "(a) The tenant pays the rent.\n(b) The tenant pays the fee.\nThe landlord repairs the roof."


def worded(text: str, anchor: Anchor) -> list[str]:
    found = worded_places(text, anchor, [one.form for one in anchor.words], words(text))
    return [text[one.start : one.end] for one in found]


def test_an_anchor_keeps_what_is_around_the_words() -> None:
    start = TEXT.index("The landlord")
    anchor = Anchor.at(TEXT, start, start + len("The landlord"))
    assert (anchor.exact, anchor.suffix) == ("The landlord", " repairs the roof.")
    assert TEXT[:start].endswith(anchor.prefix)


def test_white_space_makes_no_difference_and_words_are_whole() -> None:
    [place] = literal_places(TEXT, Anchor("andlord\n\trepai"))
    assert TEXT[place.start : place.end] == "landlord repairs"
    assert literal_places(TEXT, Anchor("landlord paints")) == []
    assert literal_places(TEXT, Anchor("  \n")) == []
    assert literal_places("a … b", Anchor(" ")) == []


def test_what_is_around_them_tells_repeated_words_apart() -> None:
    anchor = Anchor("The tenant pays", suffix=" the fee")
    found = literal_places(TEXT, anchor)
    place = best(found)
    assert len(found) == 2
    assert place
    assert place.start == TEXT.index("(b)") + 4
    assert not are_alike(found)
    bare = literal_places(TEXT, Anchor("The tenant pays"))
    assert are_alike(bare)
    nearest = best(bare, near=TEXT.index("(b)"))
    assert nearest
    assert nearest.start == place.start


def test_signs_of_another_edition_make_no_difference() -> None:
    old = 'In this Act, "plot" means a piece of land - of any size.'
    new = "In this Act,\n“plot” means a piece of land – of any size."
    start = old.index('"plot"')
    assert worded(new, Anchor.at(old, start, old.index(" of any"))) == ["“plot” means a piece of land –"]
    assert worded(new, Anchor.at(old, old.index("Act"), old.index(", "))) == ["Act"]


def test_no_words_stand_nowhere() -> None:
    assert worded(TEXT, Anchor("")) == []
    assert best([]) is None
