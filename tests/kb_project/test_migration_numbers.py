"""The migrations are one numbered series across the apps: a number is given once."""

from collections import defaultdict
from pathlib import Path

from django.apps import apps

PROJECT = Path(__file__).resolve().parents[2]
# Twice two changes took the same number at the same time, and databases have both under it. The two share no table,
# and neither depends on the other, so either may run first.
GIVEN_TWICE = {
    "031": {"031_ranges", "031_vectors_of_all_topics"},
    "035": {"035_places_of_watches", "035_turns_of_checks"},
}


def test_a_number_is_given_once() -> None:
    """A step that touches tables of two apps is a migration of the same name in each."""
    names = defaultdict(set)
    for app in apps.get_app_configs():
        folder = Path(app.path) / "migrations"
        if folder.is_relative_to(PROJECT) and ".venv" not in folder.parts:
            for file in folder.glob("[0-9]*.py"):
                names[file.stem[:3]].add(file.stem)
    assert {number: found for number, found in names.items() if len(found) > 1} == GIVEN_TWICE
    assert sorted(names) == [f"{number:03}" for number in range(len(names))]
