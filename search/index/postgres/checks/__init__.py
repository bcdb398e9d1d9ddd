"""What must hold in segments and in what they are made of; in this order, as a repair changes what comes after it."""

from search.index.postgres.checks import codes, segments
from search.index.stored import checks as stored

CHECKS = [*stored.CHECKS, *codes.CHECKS, *segments.CHECKS]
