"""Days and moments look the same on every page."""

import re
from datetime import date, datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.formats import date_format

TEMPLATES = Path(settings.BASE_DIR) / "templates"
BY_HAND = re.compile(r'date:"DATE_FORMAT" \}\}</bdi>')


def test_templates_show_days_and_moments_by_the_shared_pieces() -> None:
    found = {path.name for path in TEMPLATES.rglob("*.html") if BY_HAND.search(path.read_text(encoding="utf-8"))}
    assert found == {"_day.html", "_moment.html"}


def test_a_moment_is_told_to_the_minute_or_to_the_second() -> None:
    at = timezone.make_aware(datetime(2031, 5, 1, 9, 8, 7))
    day = "<bdi>1 May 2031</bdi>"
    assert f"{day} <bdi>09:08</bdi></time>" in render_to_string("_moment.html", {"at": at})
    assert f"{day} <bdi>09:08:07</bdi></time>" in render_to_string("_moment.html", {"at": at, "seconds": True})
    assert render_to_string("_day.html", {"at": at}) == f'<time datetime="2031-05-01">{day}</time>'


@pytest.mark.parametrize(("language", "said"), [("en", "3 Jan 2031"), ("he", "3.1.2031")])
def test_a_day_has_one_form_in_each_language(language: str, said: str) -> None:
    with translation.override(language):
        assert f"<bdi>{said}</bdi>" in render_to_string("_day.html", {"at": date(2031, 1, 3)})
        assert date_format(date(2031, 1, 3)) == said
