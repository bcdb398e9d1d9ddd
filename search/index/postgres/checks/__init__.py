"""What must hold in segments and in what they are made of. In this order, as a repair changes what comes after it."""

from search.index.chunk_store import checks as stored
from search.index.postgres.checks import codes, segments

CHECKS = [*stored.CHECKS, *codes.CHECKS, *segments.CHECKS]
