"""Checks of jobs, and of the files that sources and jobs name."""

from ingest.integrity import files, jobs  # noqa: F401  they register themselves
