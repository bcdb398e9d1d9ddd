"""Switching the data of a stopped stack to another embedder, with the project's own command."""

import time
from collections.abc import Mapping
from pathlib import Path

import psycopg

from bench.scale.database import database_alone, manage


def switch_embedder(folder: Path, settings: Mapping[str, str]) -> float:
    """`manage.py reembed` with these settings, which does only what is missing; its seconds."""
    with database_alone(folder) as environment:
        manage("migrate", "--verbosity", "0", environment=environment)
        started = time.monotonic()
        manage("reembed", environment={**environment, **settings})
        took_s = time.monotonic() - started
        with psycopg.connect(environment["DATABASE_URL"], connect_timeout=10, autocommit=True) as connection:
            connection.execute("VACUUM (ANALYZE) kb_chunk_embedding")
        return round(took_s, 1)
