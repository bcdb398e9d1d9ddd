"""Reading from hot standbys of Postgres (`DATABASE_REPLICA_URLS`, ADR 23).

`reading.from_standby` marks what may be read there, `routing` sends its statements, `positions` says how far a standby
must have come, and `watching` knows how far each has.
"""

from django.conf import settings


def configured() -> list[str]:
    """The aliases of the standbys among `DATABASES`, or [] where everything is read from the primary."""
    aliases: list[str] = settings.DATABASE_REPLICAS
    return aliases
