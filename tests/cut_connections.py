"""A database that ends the connections of everybody else, as it does when it is started anew."""

from django.db import connection


def cut_connections() -> int:
    """End all connections to the database of the test but one's own. Returns how many it was."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int((cursor.fetchone() or (0,))[0])
