"""Where a provision uses what its document defines: the first use of each term, and nothing that is not certain."""

from typing import Any

import pytest
from django.test import Client

from sources.models import Source
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

BOATS = """1. Definitions
In this Act:
"boat" means a thing that floats and is steered;
"mooring fee" means what is paid for a night in a harbour;
"harbour master" means whoever keeps a harbour.
2. Duty
The master of boats pays mooring fees to the harbour master. A boat that is late pays a mooring fee twice.
3. Cats
No cat pays.
4. Meanings of old
"cat" means a boat with two hulls.
"cat" means an animal.
"""


def uses(source: Source, eid: str) -> list[tuple[str, str]]:
    """The used words, and how the definition of each begins."""
    text = BOATS if source.title == "Boats" else HEBREW
    answer: Any = Client().get(f"/documents/{source.pk}/definitions/", {"eid": eid}).json()
    return [(text[one["at"] : one["at"] + one["length"]], one["text"].split(" ")[0]) for one in answer["uses"]]


HEBREW = """1. הגדרות
בחוק זה –
"סירה" – כלי שיט קטן;
"דמי עגינה" – תשלום בעד לילה במעגן;
2. תשלום
בעל הסירה ישלם את דמי העגינה מראש.
"""


def test_the_first_use_of_a_term_is_told_and_what_is_defined_twice_is_not() -> None:
    law = add_document(BOATS, kind="law", title="Boats")
    assert uses(law, "sec_2") == [("boats", '"boat"'), ("mooring fees", '"mooring'), ("harbour master", '"harbour')]
    assert uses(law, "sec_3") == []
    assert uses(law, "sec_1") == []


def test_hebrew_letters_before_a_term_do_not_hide_it() -> None:
    law = add_document(HEBREW, kind="law", title="סירות")
    assert uses(law, "sec_2") == [("הסירה", '"סירה"'), ("דמי העגינה", '"דמי')]


def test_a_line_that_begins_with_a_quotation_need_not_define() -> None:
    law = add_document('1. Oath\nHe says:\n"I swear it."\n2. Fee\nHe pays.', kind="law", title="Oaths")
    assert Client().get(f"/documents/{law.pk}/definitions/", {"eid": "sec_2"}).json() == {"uses": []}


def test_a_provision_that_is_not_there_is_404() -> None:
    law = add_document(BOATS, kind="law", title="Boats")
    assert Client().get(f"/documents/{law.pk}/definitions/", {"eid": "sec_99"}).status_code == 404
