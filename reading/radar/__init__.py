"""Documents that cite what was repealed, renumbered or changed since."""
