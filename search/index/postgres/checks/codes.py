"""What must hold in the codes of segments: there is one for each vector, and it is that vector's."""

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
from search.index.postgres.segments.damage import DamagedCodes, DamagedSegment, drop_codes
from search.index.postgres.segments.members import members
from search.index.postgres.vectors import quantization, quantized_segments
from search.index.postgres.vectors.quantization import QuantizedVectors
from search.models import EmbeddingSpace

CODES = "SELECT codes FROM kb_segment_codes WHERE segment_id = %s AND space_id = %s"
# A vector encoded on another machine, or among others, may come to a bit that is different: where a coordinate lies
# between two levels.
BITS_APART = 1 / 32
SCALE_APART = 1 / 32


def find_unfit_codes() -> Iterator[Finding]:
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
    IntegrityCheck(
        name="unfit_codes",
        meaning=_("Each segment has one code for each of its vectors, and it is that vector's, or none yet."),
        find=find_unfit_codes,
        repair=code_again,
    ),
]
