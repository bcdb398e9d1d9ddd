"""What must hold in the chunks that every engine searches. In this order, as a repair changes what comes after it."""

from search.index.chunk_store.checks import chunks, impacts

CHECKS = [*chunks.CHECKS, *impacts.CHECKS]
