"""Giving a database connection back before a long wait for somebody else."""

from __future__ import annotations

from django.db import connection


def release() -> None:
    """Close this thread's connection, back into the pool where there is one; inside a transaction it is kept."""
    if not connection.in_atomic_block:
        connection.close()
