"""Checks of what people keep, and whether what watches tell is sent."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from kb_project.database.rows import fetch
from kb_project.operations.integrity.registry import Finding, IntegrityCheck, register
from keeping.watches.notifications.mailing import Mails
from keeping.watches.notifications.posting import Posts

_UNFIT = """
SELECT id, note_id FROM kb_note_citation
WHERE quote_sha256 <> CASE quote WHEN '' THEN '' ELSE encode(sha256(convert_to(quote, 'UTF8')), 'hex') END
ORDER BY id LIMIT 1000
"""


def find_altered_quotes() -> Iterator[Finding]:
    """A finding for each citation of a note whose quote has another hash than is kept with it, 1,000 at most."""
    for citation_id, note_id in fetch(_UNFIT, []):
        sentence = gettext_noop("The quote of citation %(citation)d is not the one that was kept.")
        yield Finding(f"note {note_id}", sentence, {"citation": citation_id})


def find_unsent() -> Iterator[Finding]:
    if waiting := Mails.late():
        detail = gettext_noop("Nobody has tried to send %(count)d mails for an hour.")
        yield Finding("mails of watches", detail, {"count": waiting})
    if waiting := Posts.late():
        detail = gettext_noop("Nobody has tried to reach %(count)d webhooks for an hour.")
        yield Finding("webhooks of watches", detail, {"count": waiting})


register(
    IntegrityCheck(
        name="altered_quotes",
        meaning=_("A quote in a notebook is the one that was kept."),
        find=find_altered_quotes,
        advice=_("Restore the note from a backup, or have its owner keep it again."),
    ),
    IntegrityCheck(
        name="unsent_watch_news",
        meaning=_("What watches tell by mail or to a webhook is sent, or tried, within an hour."),
        find=find_unsent,
        advice=_("See that the classifier, which also sends what watches tell, scheduler and broker run."),
        quick=True,
    ),
)
