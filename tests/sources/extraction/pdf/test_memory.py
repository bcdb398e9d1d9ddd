"""What earlier pages tell about later ones, and whether a page that did not know them is to be believed."""

from __future__ import annotations

from sources.extraction.pdf.memory import FileMemory, NotingMemory

FONT = b"Frank\xe9"


def asked(memory: FileMemory) -> tuple[list[list[object]], bool]:
    """The notes of a page that asks which way a font's brackets face, and the answer it was given."""
    noting = NotingMemory(memory)
    answer = noting.vote.is_swapped(FONT)
    return noting.notes, answer


def test_a_page_is_believed_where_it_would_have_been_told_the_same() -> None:
    notes, answer = asked(FileMemory(right_to_left=False))
    assert not answer
    memory = FileMemory(right_to_left=False)
    memory.vote.count(FONT, swapped=False)
    assert memory.after(notes) is not None


def test_a_page_is_not_believed_where_its_font_turned_out_to_be_swapped() -> None:
    notes, _ = asked(FileMemory(right_to_left=False))
    memory = FileMemory(right_to_left=False)
    memory.vote.count(FONT, swapped=True)
    assert memory.after(notes) is None


def test_a_page_is_not_believed_where_another_font_decides() -> None:
    notes, _ = asked(FileMemory(right_to_left=False))
    memory = FileMemory(right_to_left=False)
    memory.vote.count(b"another", swapped=True)
    assert memory.after(notes) is None


def test_the_two_votes_are_kept_apart() -> None:
    notes, _ = asked(FileMemory(right_to_left=False))
    memory = FileMemory(right_to_left=False)
    memory.second_vote.count(FONT, swapped=True)
    assert memory.after(notes) is not None


def test_what_a_page_told_counts_from_then_on_and_not_before() -> None:
    begun = FileMemory(right_to_left=False)
    noting = NotingMemory(begun)
    noting.vote.count(FONT, swapped=True)
    after = begun.after(noting.notes)
    assert after is not None
    assert after.vote.is_swapped(FONT)
    assert not begun.vote.is_swapped(FONT)


def test_pairs_that_the_page_itself_shows_come_before_its_question() -> None:
    noting = NotingMemory(FileMemory(right_to_left=False))
    noting.vote.count(FONT, swapped=True)
    assert noting.vote.is_swapped(FONT)
    assert FileMemory(right_to_left=False).after(noting.notes) is not None


def test_a_page_with_little_hebrew_is_believed_only_in_a_file_that_has_as_much() -> None:
    noting = NotingMemory(FileMemory(right_to_left=False))
    assert not noting.is_hebrew_page(hebrew=20, letters=100)
    english, hebrew = FileMemory(right_to_left=False), FileMemory(right_to_left=False)
    english.is_hebrew_page(hebrew=0, letters=1_000)
    hebrew.is_hebrew_page(hebrew=1_000, letters=1_000)
    assert english.after(noting.notes) is not None
    assert hebrew.after(noting.notes) is None


def test_a_page_that_is_hebrew_by_itself_is_believed_everywhere() -> None:
    noting = NotingMemory(FileMemory(right_to_left=False))
    assert noting.is_hebrew_page(hebrew=90, letters=100)
    english = FileMemory(right_to_left=False)
    english.is_hebrew_page(hebrew=0, letters=1_000)
    assert english.after(noting.notes) is not None


def test_a_page_whose_brackets_were_not_turned_is_not_believed_where_they_would_be() -> None:
    noting = NotingMemory(FileMemory(right_to_left=False))
    assert noting.vote.shapes("(a", [0, 0], [(0, FONT)]) == "(a"
    memory = FileMemory(right_to_left=False)
    memory.vote.count(FONT, swapped=True)
    assert memory.vote.shapes("(a", [0, 0], [(0, FONT)]) == ")a"
    assert memory.after(noting.notes) is None
