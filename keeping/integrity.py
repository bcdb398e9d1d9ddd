"""Checks of what people keep."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from kb_project.database.rows import fetch
from kb_project.operations.integrity.registry import Finding, IntegrityCheck, register

_UNFIT = """
SELECT id, note_id FROM kb_note_citation
WHERE quote_sha256 <> CASE quote WHEN '' THEN '' ELSE encode(sha256(convert_to(quote, 'UTF8')), 'hex') END
ORDER BY id LIMIT 1000
"""


def find_altered_quotes() -> Iterator[Finding]:
    for citation_id, note_id in fetch(_UNFIT, []):
        sentence = gettext_noop("The quote of citation %(citation)d is not the one that was kept.")
        yield Finding(f"note {note_id}", sentence, {"citation": citation_id})


register(
    IntegrityCheck(
        name="altered_quotes",
        meaning=_("A quote in a notebook is the one that was kept."),
        find=find_altered_quotes,
        advice=_("Restore the note from a backup, or have its owner keep it again."),
    )
)
