"""Giving a database connection back before a long wait for somebody else."""

from django.db import connection


def release() -> None:
    """Close this thread's connection, back into the pool where there is one; inside a transaction it is kept."""
    if not connection.in_atomic_block:
        connection.close()
