"""Large numbers are written with the separator of the language."""

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.utils import translation


@pytest.mark.parametrize("language", ["en", "he"])
@pytest.mark.parametrize(
    ("template", "context"),
    [
        ("labels/_alike.html", {"alike": [SimpleNamespace(name="Rent", usage_count=1204)]}),
        ("library/_delete.html", {"source": SimpleNamespace(pk=7, chunk_count=1204)}),
        ("search/_label_choice.html", {"choice": SimpleNamespace(name="Rent", value="rent", count=1204)}),
    ],
)
def test_thousands_are_told_apart(template: str, context: dict[str, object], language: str) -> None:
    with translation.override(language):
        page = render_to_string(template, context)
    assert "1,204" in page
    assert ">1204<" not in page
