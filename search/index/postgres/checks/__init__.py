"""What must hold in the tables of the index; in this order, as a repair changes what those after it look at."""

from search.index.postgres.checks import chunks, codes, impacts, segments

CHECKS = [*chunks.CHECKS, *codes.CHECKS, *impacts.CHECKS, *segments.CHECKS]
