"""Giving database connections back before a long wait for somebody else."""

from django.db import connections


def release() -> None:
    """Close this thread's connections, back into the pool where there is one. Inside a transaction they are kept."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()
