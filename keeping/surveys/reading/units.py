"""The provisions of a scope, each with its passages: what a survey looks at one by one."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kb_project.database.rows import fetch
from sources.provisions import address
from sources.scope import Scope

SOURCES_AT_ONCE = 20
_PASSAGES = """
SELECT c.id, c.source_id, c.eid, c.section, c.heading, c.page, c.text, s.title, coalesce(s.work_id, -s.id)
FROM kb_chunk c JOIN kb_source s ON s.id = c.source_id
WHERE c.source_id = ANY(%(sources)s::bigint[]) AND {condition} ORDER BY c.source_id, c.seq
"""


_COUNT = """
SELECT count(DISTINCT (c.source_id, coalesce(nullif(c.eid, ''), '#' || c.id)))
FROM kb_chunk c WHERE c.source_id = ANY(%(sources)s::bigint[]) AND {condition}
"""


@dataclass
class Unit:
    """A provision, or a passage of a document that has none. `texts` are those of its passages, by their ids.

    `work` is that of its document, or a negative number of the document's own.
    """

    source_id: int
    title: str
    eid: str
    number: str
    heading: str
    page: int | None
    work: int
    texts: dict[int, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(self.texts.values())

    def url(self, quote: str) -> str:
        return address(self.source_id, self.eid, chunk_id=next(iter(self.texts)), quote=quote)

    def key(self, prompt: str) -> str:
        """The hash of what is read of it under a version of the prompt: of another version of its document too."""
        read = json.dumps([prompt, self.title, self.number, self.heading, self.text], ensure_ascii=False)
        return hashlib.sha256(read.encode()).hexdigest()


def count_units(source_ids: Sequence[int], *, scope: Scope) -> int:
    """How many provisions `units` gives."""
    condition, parameters = scope.days_condition("c")
    [(count,)] = fetch(_COUNT.format(condition=condition), {**parameters, "sources": list(source_ids)})
    return int(count)


def units(source_ids: Sequence[int], *, scope: Scope) -> Iterator[tuple[int, list[Unit]]]:
    """How many of the documents have been read so far, and the provisions of the last of them."""
    condition, parameters = scope.days_condition("c")
    statement = _PASSAGES.format(condition=condition)
    for at in range(0, len(source_ids), SOURCES_AT_ONCE):
        some = list(source_ids[at : at + SOURCES_AT_ONCE])
        found: dict[tuple[int, str], Unit] = {}
        for chunk_id, source_id, eid, section, heading, page, text, title, work in fetch(
            statement, {**parameters, "sources": some}
        ):
            key = (source_id, eid or f"#{chunk_id}")
            unit = found.setdefault(key, Unit(source_id, title, eid, section, heading, page, work))
            unit.texts[chunk_id] = text
        yield at + len(some), list(found.values())
