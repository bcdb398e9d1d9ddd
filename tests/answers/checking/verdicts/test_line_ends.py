"""A text whose lines end at a width, as in a PDF, is judged as the same text without those line ends."""

import datetime as dt
import textwrap

import pytest

from answers.checking.verdicts.check import check
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

FERRIES = """1. Ferries
(1) A ferry that carries a mule must be inspected by the harbour master within 14 days of its repair.
(2) Subject to subsection (1), no keeper shall let a ferry be used at night by the children of the district.
2. Oil
The oil of a lamp is bought by the harbour master and is kept in a dry place.
3. Appeals
A keeper who is refused a certificate may appeal to the tribunal within 30 days of the refusal."""
BRIEF = """1. The Company runs nine ferries and a pier. It was told in the spring to have all of them looked at.

2. By section 1(1) of the Harbour Ferries (Inspection) Act 1990 (“the Ferries Act” or “HFIA”), which both sides cite, \
a ferry “must be inspected by the harbour master within 14 days of its repair”. See HFIA, ss 1 to 2 and 3.

3. The words “Subject to subsection (1), no keeper shall let a ferry be used at night” stand in section 1(2) of the \
Ferries Act. So much is said in section 1. Nor does HFIA s. 3 help, or anything that stands in HFIA, section 9.

4. The keeper wrote in a letter of the fourth of May, which is before the tribunal and was never answered, \
that “nobody here has seen a certificate in eleven years”."""


def outcomes(text: str) -> list[tuple[str, str]]:
    scope = Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1))
    report = check(text, scope=scope).as_json()
    found = [one for kind in ("citations", "quotations") for one in report[kind]]
    return [(" ".join(one["text"].split()), one["outcome"]) for one in found]


def test_line_ends_make_no_difference() -> None:
    add_document(FERRIES, kind="law", title="Harbour Ferries (Inspection) Act 1990")
    whole = outcomes(BRIEF)
    assert [said for _, said in whole].count("wrong") == 1
    for width in range(36, 110, 4):
        broken = [textwrap.fill(one, width, break_on_hyphens=False) for one in BRIEF.split("\n\n")]
        assert outcomes("\n\n".join(broken)) == whole, width
