"""All chunks that hold enough of some words, by the posting lists."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import fetch
from law.words.term_weights import term_ids
from search.index.chunk_store import pending_sources
from search.index.postgres.segments.candidates import scores_of, term_weights
from search.index.postgres.segments.members import Members, mask_of, mask_with, members_of
from search.index.postgres.segments.posting_lists import ListsBySegment, TermPostings, read_segments, reading
from search.index.postgres.segments.postings import COLUMNS, MAX_PLACES, TopicTerm, decode, encode, postings_of
from search.index.protocol import Matches
from search.ranking.word_query import Word
from sources.scope import Scope

_NONE = np.empty((0, 2), np.int64)
TOLERANCE = 1e-4  # of a share: a sum of rounded numbers
_FRESH = f"""
SELECT c.id, c.source_id, c.topic_id, {COLUMNS}
FROM {pending_sources.chunks_of(pending_sources.SOURCES, columns="id, source_id, topic_id, term_ids, impacts")}
WHERE c.term_ids && %(terms)s::int[]
"""


@dataclass(frozen=True)
class _Wanted:
    """What is looked for: groups of terms, of which each says what a chunk holds that has any of them."""

    groups: Sequence[tuple[float, Collection[TopicTerm]]]
    weights: Mapping[TopicTerm, float]  # of the terms by which a chunk scores
    least: float
    is_required: bool

    @property
    def terms(self) -> list[TopicTerm]:
        """All that are to be read."""
        return [*dict.fromkeys([*self.weights, *(term for _, group in self.groups for term in group)])]


@dataclass(frozen=True)
class _ScoredPart:
    """The chunks of a segment, or fresh ones: what each holds, and what it scores about."""

    members: Members
    held: NDArray[np.float32]
    scores: NDArray[np.float32]


def find(words: Sequence[Word], *, scope: Scope, least: float, required: Sequence[Collection[int]]) -> Matches:
    """As `SearchIndex.matches`."""
    topic_ids = scope.topic_ids()
    wanted = _wanted(words, required, topic_ids=topic_ids, least=least)
    if not wanted.groups:
        return Matches()
    mask = mask_of(scope)
    parts, fresh_sources = read_segments(wanted.terms, topic_ids=topic_ids, read=partial(_parts, wanted=wanted))
    stored = len(parts)
    parts += _fresh_parts(wanted, fresh_sources, topic_ids=topic_ids)
    if mask is not None:
        for part in parts:
            part.held[~part.members.of(mask)] = 0.0
    _drop_not_in_force(parts, scope)
    while True:
        enough = _enough(wanted, parts)
        places = [np.flatnonzero(part.held >= enough) if enough > 0 else np.empty(0, np.intp) for part in parts]
        if not _drop_gone(parts[:stored], places[:stored]) or wanted.is_required:
            break
    found = _matches(parts, [place[part.held[place] > 0] for part, place in zip(parts, places, strict=True)])
    if len(parts) == stored:
        return found
    # A source of a damaged segment is fresh again, though another segment may have chunks of it.
    return found.at(np.unique(found.chunk_ids, return_index=True)[1])


def _wanted(
    words: Sequence[Word], required: Sequence[Collection[int]], *, topic_ids: Sequence[int], least: float
) -> _Wanted:
    discriminative = [term for word in words for term in word]
    groups = [(1.0, stems) for stems in required] or [(word[0].weight, [term.stem for term in word]) for word in words]
    return _Wanted(
        groups=[(weight, _ids(stems, topic_ids)) for weight, stems in groups],
        weights=term_weights(discriminative, topic_ids=topic_ids),
        least=least,
        is_required=bool(required),
    )


def _ids(stems: Collection[int], topic_ids: Sequence[int]) -> list[TopicTerm]:
    hashes = np.array([*stems], np.uint64)
    return [(topic_id, term) for topic_id in topic_ids for term in term_ids(hashes, topic_id).tolist()]


def _parts(by_segment: ListsBySegment, *, wanted: _Wanted) -> list[_ScoredPart]:
    parts = []
    for segment_id, members in zip(by_segment, members_of([*by_segment]), strict=True):
        with reading(segment_id):
            parts.append(_part(members, by_segment[segment_id], wanted))
    return parts


def _part(members: Members, lists: TermPostings, wanted: _Wanted) -> _ScoredPart:
    chunks = len(members.chunk_ids)
    held = np.zeros(chunks, np.float32)
    for weight, group in wanted.groups:
        found = [decode(lists[term])[0] for term in group if term in lists]
        if len(found) == 1:
            held[found[0]] += weight
        elif found:
            there = np.zeros(chunks, np.bool_)
            for places in found:
                there[places] = True
            held[there] += weight
    scoring = {term: stored for term, stored in lists.items() if term in wanted.weights}
    return _ScoredPart(members, held, scores_of(scoring, chunks, weights=wanted.weights))


def _fresh_parts(wanted: _Wanted, sources: Sequence[int], *, topic_ids: Sequence[int]) -> list[_ScoredPart]:
    """The chunks that no segment has yet, as if they were segments."""
    terms = {"terms": [term for _, term in wanted.terms], "fresh": list(sources), "topics": list(topic_ids)}
    rows = fetch(_FRESH, terms, binary=True)
    return [_fresh_part(rows[start : start + MAX_PLACES], wanted) for start in range(0, len(rows), MAX_PLACES)]


def _fresh_part(rows: Sequence[tuple[int, ...]], wanted: _Wanted) -> _ScoredPart:
    ids, topic_ids = np.array([row[:2] for row in rows], np.int64), {row[2] for row in rows}
    stored = dict(encode(postings_of([row[3:] for row in rows])))
    lists = {(topic, term): stored[term] for topic, term in wanted.terms if topic in topic_ids and term in stored}
    return _part(Members(ids[:, 0], ids[:, 1]), lists, wanted)


def _enough(wanted: _Wanted, parts: Sequence[_ScoredPart]) -> float:
    """What a chunk has to hold, or 0 where none holds anything."""
    if wanted.is_required:
        return len(wanted.groups) - TOLERANCE
    return (wanted.least - TOLERANCE) * max((float(part.held.max(initial=0.0)) for part in parts), default=0.0)


def _drop_not_in_force(parts: Sequence[_ScoredPart], scope: Scope) -> None:
    """Have passages hold nothing that are not in force by their own days."""
    statement, parameters = scope.passages_not_in_force()
    gone = np.array(fetch(statement, parameters, binary=True), np.int64).reshape(-1, 2) if scope.day else _NONE
    if not len(gone):
        return
    mask = mask_with(gone[:, 1])
    for part in parts:
        near = np.flatnonzero(part.members.of(mask))
        part.held[near[np.isin(part.members.chunk_ids[near], gone[:, 0])]] = 0.0


def _drop_gone(parts: Sequence[_ScoredPart], places: Sequence[NDArray[np.intp]]) -> bool:
    """Have chunks that are gone hold nothing. Returns whether there were any.

    All chunks of a source come and go together, and most stand side by side: the first of a row tells of the others.
    """
    firsts = [
        place[np.diff(part.members.source_ids[place], prepend=-1) != 0]
        for part, place in zip(parts, places, strict=True)
    ]
    asked = [part.members.chunk_ids[first] for part, first in zip(parts, firsts, strict=True)]
    chunk_ids = [chunk_id for ids in asked for chunk_id in ids.tolist()]
    there = [row[0] for row in fetch("SELECT id FROM kb_chunk WHERE id = ANY(%s::bigint[])", [chunk_ids])]
    if len(there) == len(chunk_ids):
        return False
    for part, first, ids in zip(parts, firsts, asked, strict=True):
        gone = part.members.source_ids[first[~np.isin(ids, there)]]
        part.held[np.isin(part.members.source_ids, gone)] = 0.0
    return True


def _matches(parts: Sequence[_ScoredPart], places: Sequence[NDArray[np.intp]]) -> Matches:
    return Matches().joined(
        *(
            Matches(part.members.chunk_ids, part.members.source_ids, part.scores).at(place)
            for part, place in zip(parts, places, strict=True)
        )
    )
