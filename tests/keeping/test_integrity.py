"""What must hold of notes is found where it does not."""

import pytest

from keeping.models import NoteCitation
from tests.integrity import found
from tests.keeping.notebooks.notes import gardens_act, kept, notebook

pytestmark = pytest.mark.django_db


def test_a_quote_that_was_altered_is_found() -> None:
    act, book = gardens_act(), notebook()
    note = kept(book, act, "sec_3", "between six and nine")
    kept(book, act, "sec_4")
    assert found("altered_quotes") == {}
    NoteCitation.objects.filter(note=note).update(quote="between six and ten")
    assert list(found("altered_quotes")) == [f"note {note.pk}"]
