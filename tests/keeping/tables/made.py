"""Tables over small leases, and what fills them."""

from typing import Any

from keeping.models import Table, TableCell
from keeping.tables import making
from keeping.tables.reading import filling
from sources.models import Source
from tests.factories import first_topic
from tests.search.corpus import add_document
from topics.models import Topic

LEASE = """Lease of a workshop
1. Parties
This lease is made between {landlord} as landlord and Orchard Tools Ltd as tenant.
2. Term
The lease begins on {begins}.
3. Rent
The monthly rent of the workshop is {rent} shekels.
4. Subletting
The tenant shall not sublet the workshop."""
BEGINS = {"title": "Begins", "question": "On which day does the lease begin?", "type": "date"}
RENT = {"title": "Rent", "question": "How much is the monthly rent?", "type": "number"}
ARBITRATION = {"title": "Arbitrator", "question": "Which chess grandmaster arbitrates?", "type": "text"}


def lease(number: int = 1, *, topic: Topic | None = None, **fields: Any) -> Source:
    """A document all of which was read."""
    text = LEASE.format(landlord=f"Quarry {number} Ltd", begins=f"{number} May 2021", rent=f"{number},500")
    given = {"kind": "circular", "title": f"Lease {number}", "unread_pages": [], "lost": [], **fields}
    return add_document(text, topic=topic, **given)


def table(*columns: dict[str, Any], topic: Topic | None = None, by: str = "rina", **rows: Any) -> Table:
    full = [{"question": "", "options": [], "hint": "", "unit": "", **column} for column in columns]
    return making.make("Leases", topic=topic or first_topic(), by=by, filter=rows, columns=full)


def fill() -> int:
    """Fill all that waits. Returns how many cells it was."""
    count = 0
    while filling.fill_next():
        count += 1
    return count


def cells(of: Table) -> dict[tuple[str, str], TableCell]:
    """By the titles of document and column."""
    found = TableCell.objects.filter(table=of).select_related("row__source", "column", "table")
    return {(one.row.source.title, one.column.title): one for one in found}
