"""The embedded stack: Postgres, Redis and the project's own processes, started and stopped by one command."""


class CannotStart(Exception):
    """A part of the stack cannot run here. The message is a sentence, maybe with a log's end."""
