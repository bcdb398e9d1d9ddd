"""Numbers that tables of the database are declared with. Here, so that models need no language."""

DIMENSIONS = 1_000_000_000  # the most that pgvector's sparsevec takes
MAX_NONZERO = 16_000  # likewise
DEFAULT_WEIGHT = 0.6  # of a word of a synonym's meaning, beside 1 for a word of the query
