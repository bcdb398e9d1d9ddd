"""Writing the references of a document, and what they point to."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db import connection

from kb_project.database.rows import storable
from law.citations.cited_items import CitedDivision
from law.references.mentions import Citation
from sources.citations.acts_meant import act_key
from sources.references.status import ResolutionStatus
from sources.references.targets import ReferenceTarget

MAX_TEXT_LENGTH = 300  # characters of a reference that are kept
_COPY = """
COPY kb_reference (source_id, topic_id, eid, span_start, span_end, text, internal, cites, act_key, is_ambiguous,
    target_id, target_eid, target_between, reason) FROM STDIN
"""
_POINT = """
UPDATE kb_reference r SET is_ambiguous = given.is_ambiguous, target_id = given.target_id,
    target_eid = given.target_eid, target_between = given.target_between
FROM (
    SELECT id, is_ambiguous, target_id, target_eid, string_to_array(NULLIF(between, ''), ' ') AS target_between
    FROM unnest(%s::bigint[], %s::boolean[], %s::bigint[], %s::text[], %s::text[])
        AS one (id, is_ambiguous, target_id, target_eid, between)
) given
WHERE r.id = given.id
    AND (r.is_ambiguous, r.target_id, r.target_eid, r.target_between)
        IS DISTINCT FROM (given.is_ambiguous, given.target_id, given.target_eid, given.target_between)
"""


def replace(source_id: int, *, topic_id: int, text: str, found: Iterable[tuple[str, Citation, ReferenceTarget]]) -> int:
    """Replace the references of a source in the caller's transaction. Returns how many it has now.

    Each is given with the eid of the provision that it stands in. `text` is that of the document.
    """
    count = 0
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_reference WHERE source_id = %s", [source_id])
        with cursor.copy(_COPY) as copy:
            for eid, mention, target in found:
                words = storable(text[mention.start : mention.end][:MAX_TEXT_LENGTH])
                row = (
                    source_id,
                    topic_id,
                    eid,
                    mention.start,
                    mention.end,
                    words,
                    mention.internal,
                    _cites(mention),
                    storable(act_key(mention)),
                    target.status == ResolutionStatus.AMBIGUOUS,
                    target.source_id,
                    target.eid,
                    list(target.between) or None,
                    mention.reason or "",
                )
                copy.write_row(row)
                count += 1
    return count


def delete_for_source(source_id: int) -> None:
    """Forget what a source cites and that anything cites it, as it goes to another topic, where it is read anew."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_reference WHERE source_id = %s", [source_id])
        cursor.execute(
            "UPDATE kb_reference SET target_id = NULL, target_eid = '', target_between = NULL WHERE target_id = %s",
            [source_id],
        )


def update_targets(ids: Sequence[int], targets: Sequence[ReferenceTarget]) -> int:
    """Have references point to other targets. Returns how many did to another one before."""
    with connection.cursor() as cursor:
        cursor.execute(
            _POINT,
            [
                list(ids),
                [target.status == ResolutionStatus.AMBIGUOUS for target in targets],
                [target.source_id for target in targets],
                [target.eid for target in targets],
                [" ".join(target.between) for target in targets],
            ],
        )
        return int(cursor.rowcount)


def _cites(mention: Citation) -> str:
    """What a mention says it refers to, as JSON. `mention_of` reads it."""
    said = {
        "title": mention.title,
        "identifier": mention.identifier,
        "number": mention.number,
        "clauses": mention.clauses,
        "divisions": [asdict(one) for one in mention.divisions],
        "first": mention.first,
        "last": mention.last,
        "last_clauses": mention.last_clauses,
        # the release before knows none of them
        **({"unread": mention.unread} if mention.unread else {}),
        **({"beside": mention.beside} if mention.beside else {}),
        **({"country": mention.country} if mention.country else {}),
    }
    return storable(json.dumps(said, ensure_ascii=False))


def mention_of(cites: Mapping[str, Any]) -> Citation:
    """The mention that a reference was made of, without its place in the text."""
    divisions = tuple(CitedDivision(**one) for one in cites["divisions"])
    clauses, last = tuple(cites["clauses"]), tuple(cites.get("last_clauses", ()))
    return Citation(start=0, end=0, **{**cites, "clauses": clauses, "last_clauses": last, "divisions": divisions})
