"""The entries that come with the languages."""

import pytest

from law.languages import LANGUAGES
from law.words.analysis import Term, terms
from law.words.stored import DEFAULT_WEIGHT
from law.words.synonyms import SynonymEntry, are_same
from search.synonyms.base import base_entries, base_in_use, read_entries


def test_every_language_has_entries_of_many_fields_of_law() -> None:
    for language in LANGUAGES:
        entries = list(read_entries(language.synonyms))
        assert len(entries) >= 200
        assert len({entry.field for entry in entries}) >= 10
    for entry in base_entries():
        assert 0 < entry.weight <= 1
        assert entry.field
        assert all(terms(text) for text in (*entry.words, *entry.means))


def test_no_words_have_two_entries() -> None:
    owners: dict[tuple[str, ...], list[tuple[list[Term], SynonymEntry]]] = {}
    for entry in base_entries():
        for words in map(terms, entry.words):
            known = owners.setdefault(tuple(term.stem for term in words), [])
            assert all(other is entry for met, other in known if are_same(met, words)), words
            known.append((words, entry))


def test_a_line_has_words_meanings_and_perhaps_a_weight() -> None:
    text = "# a comment\n[work]\nsack, give the boot = dismissal, notice @0.8\nboss=employer # another\n"
    assert list(read_entries(text)) == [
        SynonymEntry(("sack", "give the boot"), ("dismissal", "notice"), 0.8, "work"),
        SynonymEntry(("boss",), ("employer",), DEFAULT_WEIGHT, "work"),
    ]
    with pytest.raises(ValueError, match="line 2"):
        list(read_entries("sack = dismissal\nsack dismissal"))


def test_a_setting_switches_the_base_off(settings: object) -> None:
    settings.KB_SYNONYMS = False  # type: ignore[attr-defined]
    assert base_in_use() == ()
