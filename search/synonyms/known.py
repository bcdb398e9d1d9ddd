"""The synonyms that hold in a topic, kept by each process until somebody changes one."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from uuid import UUID

from kb_project.database.rows import Query, Rows, fetch
from law.citations.parsing import ParsedQuery
from law.words.synonyms import Layer, Meaning, SynonymEntry, SynonymTable
from search.synonyms.base import base_layer

MAX_TOPICS = 200  # whose tables a process keeps
_VERSION = "SELECT (SELECT version FROM kb_synonym_version)"  # NULL before the first change
_ENTRIES = """
SELECT v.version, s.topic_id, s.words, s.means, s.weight
FROM (SELECT (SELECT version FROM kb_synonym_version)) AS v
    LEFT JOIN kb_synonym s ON s.topic_id IS NULL OR s.topic_id = %(topic)s::bigint
ORDER BY s.id
"""


@dataclass(frozen=True)
class KnownSynonyms:
    """The table of a topic, or of all topics together, and the version of the entries that it was made of."""

    version: UUID | None
    table: SynonymTable

    def meanings(self, query: ParsedQuery) -> tuple[Meaning, ...]:
        """What words of a query also mean, and how others write them. Nothing for one that cites, and for phrases."""
        if query.references:
            return ()
        return (*self.table.meanings(query.terms, apart=query.quoted_places), *query.joined_or_parted)


_known: OrderedDict[int | None, KnownSynonyms] = OrderedDict()
_lock = Lock()


def known_synonyms(topic_id: int | None) -> KnownSynonyms:
    """As this process knows them. Read where it does not. `current_synonyms` gives those that hold.

    Of all topics together only those hold that were entered for all of them.
    """
    with _lock:
        if topic_id in _known:
            _known.move_to_end(topic_id)
            return _known[topic_id]
    return _read_again(topic_id)


def current_synonyms(topic_id: int | None, version: UUID | None) -> KnownSynonyms:
    """Those of this version, as `current_version` gives it: read again where this process knows others."""
    known = known_synonyms(topic_id)
    return known if known.version == version else _read_again(topic_id)


def _read_again(topic_id: int | None) -> KnownSynonyms:
    """Read the version and all entries, those of all topics too, and keep them for this process."""
    read = Query(_ENTRIES, {"topic": topic_id}, _read).fetch()
    with _lock:
        _known[topic_id] = read
        _known.move_to_end(topic_id)
        while len(_known) > MAX_TOPICS:
            _known.popitem(last=False)
    return read


def current_version() -> UUID | None:
    """The version of all entries together. Every change makes another, and there is none before the first."""
    [(version,)] = fetch(_VERSION, [])
    return version


def _read(rows: Rows) -> KnownSynonyms:
    common: list[SynonymEntry] = []
    own: list[SynonymEntry] = []
    for _, topic_id, words, means, weight in rows:
        if words:  # there may be none at all
            (common if topic_id is None else own).append(SynonymEntry(tuple(words), tuple(means), weight))
    return KnownSynonyms(rows[0][0], SynonymTable((base_layer(), *map(Layer, filter(None, (common, own))))))
