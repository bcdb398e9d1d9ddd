"""`/design/`: for who develops, in both languages at once."""

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_every_part_shows_in_both_languages_and_only_with_debug(client: Client, settings: Any) -> None:
    assert client.get("/design/").status_code == 404
    settings.DEBUG = True
    text = client.get("/design/").content.decode()
    for language, direction, said in (("en", "ltr", "superseded"), ("he", "rtl", "הוחלף")):
        shown = text.split(f'<section lang="{language}" dir="{direction}"')[1]
        for part in (
            "days in_force",
            "primary",
            "message warning",
            "hit",
            "citations",
            "version-line",
            "not-law",
            "ins",
        ):
            assert part in shown
        assert said in shown
