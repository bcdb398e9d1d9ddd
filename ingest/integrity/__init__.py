"""Checks of jobs, and of the files that sources and jobs name."""
