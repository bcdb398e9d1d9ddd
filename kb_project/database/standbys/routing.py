"""Which server a statement goes to: documents are read from the standby in use, everything else is the primary's."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.models import Model

# Whose rows a standby is asked for. Who may ask is always read from the primary, so that what was taken away is gone.
APPS = frozenset({"sources", "labels", "search", "answers"})
MODELS = frozenset({"topics.Topic"})
_in_use: ContextVar[str] = ContextVar("_in_use", default=DEFAULT_DB_ALIAS)


@contextmanager
def using(alias: str) -> Iterator[None]:
    """Read documents from this standby in the block."""
    token = _in_use.set(alias)
    try:
        yield
    finally:
        _in_use.reset(token)


def read_alias() -> str:
    """The alias of the server to read documents from. In a transaction it is the primary's."""
    alias = _in_use.get()
    if alias != DEFAULT_DB_ALIAS and connections[DEFAULT_DB_ALIAS].in_atomic_block:
        return DEFAULT_DB_ALIAS
    return alias


class ReadElsewhere(Error):
    """What was read from a standby cannot be right, or asks for a change: it is to be read from the primary."""


def require_primary() -> None:
    """Raises ReadElsewhere while documents are read from a standby."""
    if read_alias() != DEFAULT_DB_ALIAS:
        raise ReadElsewhere(read_alias())


class StandbyRouter:
    """Django's way to ask. It always names a server: else Django would write where an object was read from."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        label = model._meta
        return read_alias() if label.app_label in APPS or label.label in MODELS else DEFAULT_DB_ALIAS

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, obj1: Model, obj2: Model, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS
