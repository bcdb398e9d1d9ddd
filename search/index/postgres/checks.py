"""What must hold in segments and in what they are made of.

Members and posting lists of a segment are those of its chunks, each chunk is in one, there is one code for each vector,
and it is that vector's. A segment that is wrong is made again as a whole. Its chunks are found as fresh meanwhile.
"""

from collections.abc import Iterator
from uuid import UUID

import numpy as np
from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

from kb_project.database.rows import fetch
from kb_project.operations.integrity.registry import Finding, IntegrityCheck
from search.embedders.spaces import space_in_use
from search.index.chunk_store import checks, pending_sources
from search.index.chunk_store.checks import hold
from search.index.postgres.segments import merge, postings
from search.index.postgres.segments.damage import DamagedCodes, DamagedSegment, drop_codes
from search.index.postgres.segments.members import Ids, chunks_without_segment, members
from search.index.postgres.segments.postings import Postings, decode, decode_all
from search.index.postgres.vectors import quantization, quantized_segments
from search.index.postgres.vectors.quantization import QuantizedVectors
from search.models import EmbeddingSpace

CODES = "SELECT codes FROM kb_segment_codes WHERE segment_id = %s AND space_id = %s"
# A vector encoded on another machine, or among others, may come to a bit that is different: where a coordinate lies
# between two levels.
BITS_APART = 1 / 32
SCALE_APART = 1 / 32
CHUNKS_AT_ONCE = 2_000
LISTS_AT_ONCE = 5_000
SOURCES = "SELECT id, source_id FROM kb_chunk WHERE id = ANY(%s::bigint[])"
CHUNKS = f"SELECT id, {postings.COLUMNS} FROM kb_chunk WHERE id = ANY(%s::bigint[])"
_MIX = [(np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB))]
_LAST_SHIFT = np.uint64(31)


def find_wrong_members() -> Iterator[Finding]:
    """A finding for each segment whose members are cut off, or that gives chunks to another source."""
    for segment_id, topic_id in _every_segment():
        try:
            chunk_ids, source_ids = members(segment_id)
        except LookupError:
            continue
        except DamagedSegment:
            detail = gettext_noop("In topic %(topic)d. Its members cannot be read: some are cut off.")
            yield Finding(f"segment {segment_id}", detail, {"topic": topic_id}, key=segment_id)
            continue
        wrong = 0
        for start in range(0, len(chunk_ids), CHUNKS_AT_ONCE):
            part = slice(start, start + CHUNKS_AT_ONCE)
            real: dict[int, int] = dict(fetch(SOURCES, [chunk_ids[part].tolist()]))
            pairs = zip(chunk_ids[part].tolist(), source_ids[part].tolist(), strict=True)
            wrong += sum(real.get(chunk_id, source_id) != source_id for chunk_id, source_id in pairs)
        if wrong and _is_there(segment_id):
            detail = gettext_noop("In topic %(topic)d. Its chunks that it gives to another source: %(chunks)d.")
            yield Finding(f"segment {segment_id}", detail, {"topic": topic_id, "chunks": wrong}, key=segment_id)


def find_wrong_postings() -> Iterator[Finding]:
    for segment_id, topic_id in _every_segment():
        try:
            chunk_ids = members(segment_id).chunk_ids
        except (LookupError, DamagedSegment):  # the latter is for `segment_members` to tell
            continue
        listed, unreadable = _listed(segment_id, len(chunk_ids))
        wrong = _wrong_chunks(chunk_ids, listed)
        # What was replaced while it was read seems to be wrong.
        if (wrong or unreadable) and _is_there(segment_id):
            detail = gettext_noop(
                "In topic %(topic)d. Its chunks whose words are not those of the posting lists: %(chunks)d."
                " Lists that cannot be read: %(lists)d."
            )
            values = {"topic": topic_id, "chunks": wrong, "lists": unreadable}
            yield Finding(f"segment {segment_id}", detail, values, key=segment_id)


def find_unlisted_chunks() -> Iterator[Finding]:
    """A finding for each source with chunks in no segment, by topic."""
    for (topic_id,) in fetch("SELECT id FROM kb_topic ORDER BY id", []):
        for source_id, chunks in chunks_without_segment(topic_id).items():
            detail = gettext_noop("Its chunks that searches by words cannot find: %(chunks)d.")
            yield Finding(f"source {source_id}", detail, {"chunks": chunks}, key=source_id)


def make_again(finding: Finding) -> None:
    merge.make_again(finding.key)


def gather_again(finding: Finding) -> None:
    with transaction.atomic():
        if (source := hold(finding.key)) is not None:
            pending_sources.mark_pending(source.pk, topic_id=source.topic_id)


def _every_segment() -> list[tuple[UUID, int]]:
    """Id and topic of each segment, by topic, then id."""
    return fetch("SELECT id, topic_id FROM kb_segment ORDER BY topic_id, id", [])


def _is_there(segment_id: UUID) -> bool:
    """Whether the segment is still there: a merge may have come between."""
    return bool(fetch("SELECT FROM kb_segment WHERE id = %s", [segment_id]))


def _listed(segment_id: UUID, places: int) -> tuple[NDArray[np.uint64], int]:
    """For each place of a segment the sum of its entries in the lists, and how many lists cannot be read."""
    lists = fetch("SELECT term, postings FROM kb_posting WHERE segment_id = %s", [segment_id], binary=True)
    sums = np.zeros(places, np.uint64)
    unreadable = 0
    for start in range(0, len(lists), LISTS_AT_ONCE):
        part = lists[start : start + LISTS_AT_ONCE]
        readable = [one for one in part if _is_readable(one[1], places)]
        unreadable += len(part) - len(readable)
        _add(sums, decode_all(readable))
    return sums, unreadable


def _is_readable(stored: bytes, places: int) -> bool:
    try:
        listed, _codes = decode(stored)
    except ValueError:
        return False
    return bool(listed.max(initial=0) < places)


def _wrong_chunks(chunk_ids: Ids, listed: NDArray[np.uint64]) -> int:
    """How many chunks that are there have another sum of their words than is listed for their place."""
    wrong = 0
    for start in range(0, len(chunk_ids), CHUNKS_AT_ONCE):
        asked = chunk_ids[start : start + CHUNKS_AT_ONCE].tolist()
        rows = {chunk_id: tuple(row) for chunk_id, *row in fetch(CHUNKS, [asked], binary=True)}
        places = [place for place, chunk_id in enumerate(asked) if chunk_id in rows]
        sums = np.zeros(len(places), np.uint64)
        _add(sums, postings.postings_of([rows[asked[place]] for place in places]))
        wrong += int(np.count_nonzero(sums != listed[start + np.array(places, np.int64)]))
    return wrong


def _add(sums: NDArray[np.uint64], postings: Postings) -> None:
    """Add a hash of each entry at its place, so that equal sums are equal entries in any order.

    The hash is the finalizer of splitmix64 (Steele et al. 2014).
    """
    mixed = (postings.terms.astype(np.uint64) << np.uint64(8)) | postings.codes
    for shift, factor in _MIX:
        mixed = (mixed ^ (mixed >> shift)) * factor
    np.add.at(sums, postings.places, mixed ^ (mixed >> _LAST_SHIFT))


def find_unfit_codes() -> Iterator[Finding]:
    """A finding for each segment and space whose codes are not those of its vectors."""
    spaces = {space.pk: space for space in EmbeddingSpace.objects.all()}
    for segment_id, space_id, topic_id, chunks, length in fetch(
        "SELECT c.segment_id, c.space_id, s.topic_id, s.chunks, octet_length(c.codes)"
        " FROM kb_segment_codes c JOIN kb_segment s ON s.id = c.segment_id ORDER BY s.topic_id, s.id, c.space_id",
        [],
    ):
        if length != chunks * quantization.stored_size(spaces[space_id].dimension):
            detail = gettext_noop("In topic %(topic)d. Its codes are not one for each of its %(chunks)d vectors.")
            values = {"topic": topic_id, "chunks": chunks}
        elif wrong := _wrong_codes(segment_id, space=spaces[space_id]):
            detail = gettext_noop("In topic %(topic)d. Its codes that are not those of their vectors: %(codes)d.")
            values = {"topic": topic_id, "codes": wrong}
        else:
            continue
        yield Finding(f"segment {segment_id}", detail, values, key=DamagedCodes(segment_id, space_id))


def _wrong_codes(segment_id: UUID, *, space: EmbeddingSpace) -> int:
    """How many of the stored codes are not those of their vectors, or 0 for a segment that was replaced meanwhile."""
    try:
        chunk_ids = members(segment_id).chunk_ids
    except (LookupError, DamagedSegment):  # the latter is for `segment_members` to tell
        return 0
    wrong = 0
    for [stored] in fetch(CODES, [segment_id, space.pk], binary=True):
        codes = quantization.read(stored, dimension=space.dimension)
        start = 0
        for part in quantized_segments.vectors_of(chunk_ids, space=space):
            wrong += _apart(codes, start + part.places, quantization.encode(part.vectors))
            start += part.asked
    return wrong


def _apart(stored: QuantizedVectors, places: NDArray[np.int64], made: QuantizedVectors) -> int:
    """At how many of some places the stored code is another than the one made."""
    bits = np.bitwise_count(stored.levels[places] ^ made.levels).sum(axis=1, dtype=np.int64)
    alike = np.abs(stored.scales[places] - made.scales) <= SCALE_APART * np.abs(made.scales)  # false for a NaN
    return int(np.count_nonzero((bits > BITS_APART * 64 * made.levels.shape[1]) | ~alike))


def code_again(finding: Finding) -> None:
    """Drop the codes and make those that are lacking. Until they are there vectors are compared one by one."""
    with transaction.atomic():
        drop_codes(finding.key)
        if space := space_in_use():
            quantized_segments.complete(space)


CHECKS = [
    *checks.CHECKS,
    IntegrityCheck(
        name="unfit_codes",
        meaning=_("Each segment has one code for each of its vectors, and it is that vector's, or none yet."),
        find=find_unfit_codes,
        repair=code_again,
    ),
    IntegrityCheck(
        name="segment_members",
        meaning=_("Each segment knows its chunks and their sources."),
        find=find_wrong_members,
        repair=make_again,
    ),
    IntegrityCheck(
        name="segment_postings",
        meaning=_("The posting lists of each segment hold the words of its chunks."),
        find=find_wrong_postings,
        repair=make_again,
    ),
    IntegrityCheck(
        name="unlisted_chunks",
        meaning=_("Each chunk is in a posting list, or its source waits to be gathered into one."),
        find=find_unlisted_chunks,
        repair=gather_again,
    ),
]
"""In this order, as a repair changes what comes after it."""
