"""Reading and resolving references in the background, as `kb_reference_work` says.

One process does it at a time: so what one transaction resolves against is all that others have published, and
whatever is published meanwhile is noted for the next. Each transaction deletes the notes of what it did.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence

from django.db import transaction

from kb_project.database.rows import fetch
from kb_project.database.work_queue import WorkQueue, try_lock
from law.references.mentions import Citation, read_references
from law.words.countries import countries_of_document
from sources import provisions
from sources.citations.titles import other_starts
from sources.models import Provision
from sources.references.existing import to_existing
from sources.references.status import ResolutionStatus
from sources.references.storing import mention_of, replace, update_targets
from sources.references.targets import ReferenceTarget, resolve_mentions

log = logging.getLogger(__name__)
_DAY = "COALESCE(s.valid_from, s.published_at)"  # on which a document cites
# What tells the country of a document
_KEYS = "COALESCE((SELECT identifiers FROM kb_source_key k WHERE k.source_id = s.id), '{}')"
QUEUE = WorkQueue("kb_reference_work", about="source_id", lock=0x6B625F726566)
MAX_SECONDS = 0.5  # of one call: the worker has documents to index as well
NOTES_AT_ONCE = 10  # one may concern thousands of references
REFERENCES_AT_ONCE = 5_000


def run_pending(*, longest_s: float = MAX_SECONDS) -> int:
    """Do what is to be done, until all is done or the time is over. Returns how many sources and notes that was.

    Another process that tries meanwhile returns 0.
    """
    failed = set[int]()
    return QUEUE.run_for(longest_s, _read, before=lambda: _resolve_batch(failed))


def _read(source_id: int) -> int:
    """Read and resolve the references of a source. Returns whether that was done."""
    with transaction.atomic():
        if not try_lock(QUEUE.lock):
            return 0
        # Held before anything else of it, as a deletion does; who publishes it again waits for this to end.
        statement = f"SELECT topic_id, title, kind, {_DAY}, {_KEYS} FROM kb_source s WHERE id = %s FOR KEY SHARE"
        sources = fetch(statement, [source_id])
        notes = [pk for (pk,) in fetch("SELECT id FROM kb_reference_work WHERE source_id = %s", [source_id])]
        for topic_id, title, kind, day, keys in sources:
            text, placed = provisions.whole_text(source_id), list(provisions.in_order(source_id))
            mentions = read_references(text, placed, title=title, kind=kind)
            days = [day] * len(mentions)
            meant = resolve_mentions(
                mentions,
                topics=[topic_id],
                source_id=source_id,
                provisions=placed,
                days=days,
                countries=[countries_of_document(title, keys)] * len(mentions),
            )
            targets = to_existing(mentions, meant, days=days)
            found = zip(_innermost(mentions, placed), mentions, targets, strict=True)
            replace(source_id, topic_id=topic_id, text=text, found=found)
        QUEUE.forget(notes)
    return len(sources)


def _innermost(mentions: Sequence[Citation], placed: Sequence[Provision]) -> Iterator[str]:
    """The eid of the innermost provision that each mention stands in. Both are in the order of the text."""
    open_ones: list[Provision] = []
    later = iter(placed)
    coming = next(later, None)
    for mention in mentions:
        while coming is not None and coming.span_start <= mention.start:
            open_ones.append(coming)
            coming = next(later, None)
        while open_ones and open_ones[-1].span_end <= mention.start:
            open_ones.pop()
        yield open_ones[-1].eid if open_ones else ""


def _resolve_batch(failed: set[int]) -> int:
    """Resolve references again that may mean what was published, renamed or deleted since. Returns how many notes.

    Notes that cannot be resolved together are tried one by one. One that fails alone is logged, joins `failed` and is
    left for the next call, so that it keeps no other waiting.
    """
    while ids := _noted(without=failed):
        try:
            return _resolve(ids)
        except Exception:
            log.warning("Some of the notes %s fail, and each is tried alone", ids, exc_info=True)
        if done := sum(_resolve_alone(pk, failed) for pk in ids):
            return done
    return 0


def _noted(*, without: set[int]) -> list[int]:
    """The ids of the oldest notes of no single source, but those `without`, `NOTES_AT_ONCE` at most."""
    statement = f"""
        SELECT id FROM kb_reference_work WHERE source_id IS NULL AND id <> ALL(%s::bigint[])
        ORDER BY id LIMIT {NOTES_AT_ONCE}
    """
    return [pk for (pk,) in fetch(statement, [list(without)])]


def _resolve_alone(note_id: int, failed: set[int]) -> int:
    try:
        return _resolve([note_id])
    except Exception:
        log.exception("What note %s asks for cannot be resolved", note_id)
        failed.add(note_id)
        return 0


def _resolve(note_ids: list[int]) -> int:
    """Do what notes ask for and delete them. Returns how many there still were, 0 where another process works."""
    with transaction.atomic():
        if not try_lock(QUEUE.lock):
            return 0
        statement = "SELECT id, topic_id, act_key, target_id FROM kb_reference_work WHERE id = ANY(%s::bigint[])"
        notes = fetch(statement, [note_ids])
        for topic_id in sorted({topic_id for _, topic_id, _, _ in notes}):
            keys = sorted({key for _, of, key, _ in notes if of == topic_id and key})
            gone = sorted({target for _, of, _, target in notes if of == topic_id and target})
            _resolve_again(topic_id, keys, gone)
        QUEUE.forget(pk for pk, *_ in notes)
    return len(notes)


def _resolve_again(topic_id: int, keys: list[str], targets: list[int]) -> None:
    """Those in a topic that may mean a source with one of the keys, or are resolved to one of the sources."""
    keys = sorted({spelling for key in keys for spelling in other_starts(key)})
    rows = fetch(
        f"""
        SELECT r.id, r.cites, {_DAY}, s.title, {_KEYS}, r.target_id, r.is_ambiguous FROM (
            SELECT id, source_id, cites, target_id, is_ambiguous FROM kb_reference
            WHERE topic_id = %(topic)s AND act_key = ANY(%(keys)s::text[])
            UNION
            SELECT id, source_id, cites, target_id, is_ambiguous FROM kb_reference
            WHERE target_id = ANY(%(targets)s::bigint[]) AND NOT internal
        ) r JOIN kb_source s ON s.id = r.source_id
        """,
        {"topic": topic_id, "keys": keys, "targets": targets},
    )
    alike = defaultdict(list)  # references that say the same on the same day in one country lead to the same
    for pk, cites, day, title, own_keys, target_id, is_ambiguous in rows:
        alike[cites, day, countries_of_document(title, own_keys)].append((pk, target_id, is_ambiguous))
    said, touched = list(alike.items()), set(targets)
    for start in range(0, len(said), REFERENCES_AT_ONCE):
        some = said[start : start + REFERENCES_AT_ONCE]
        mentions = [mention_of(json.loads(cites)) for (cites, *_), _ in some]
        days, countries = [day for (_, day, _), _ in some], [of for (*_, of), _ in some]
        meant = resolve_mentions(
            mentions, topics=[topic_id], source_id=None, provisions=(), days=days, countries=countries
        )
        # The clauses of those that lead where they led are known already: to look for them takes longest.
        others = [
            (ids, mention, target, day)
            for (_, references), mention, target, day in zip(some, mentions, meant, days, strict=True)
            if (ids := _elsewhere(references, target, touched))
        ]
        existing = to_existing(
            [mention for _, mention, _, _ in others],
            [target for _, _, target, _ in others],
            days=[day for *_, day in others],
        )
        moved = [(pk, target) for (ids, *_), target in zip(others, existing, strict=True) for pk in ids]
        if moved:
            update_targets([pk for pk, _ in moved], [target for _, target in moved])


def _elsewhere(
    references: Sequence[tuple[int, int | None, bool]], target: ReferenceTarget, touched: set[int]
) -> list[int]:
    """Which of them do not lead to the target's source so far, or to one that was touched itself."""
    meant = (target.source_id, target.status == ResolutionStatus.AMBIGUOUS)
    return [
        pk for pk, target_id, is_ambiguous in references if target_id in touched or (target_id, is_ambiguous) != meant
    ]
