"""The database's clock, which all machines share."""

from __future__ import annotations

from datetime import datetime

from django.db import connection


def database_time() -> datetime:
    """Now, also where the transaction began earlier."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        row = cursor.fetchone()
    now: datetime = row[0]
    return now
