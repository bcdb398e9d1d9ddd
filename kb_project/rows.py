"""Rows and model instances by SQL written by hand, for what every search reads.

The ORM takes longer to write such a statement than the database to answer it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.models import Model
from psycopg.pq import Format

M = TypeVar("M", bound=Model)


def fetch(
    statement: str, parameters: Sequence[Any] | Mapping[str, Any], *, binary: bool = False
) -> list[tuple[Any, ...]]:
    """All rows of a statement whose text is the same each time; its parameters are bound by the server.

    Where the connection prepares statements (`prepare_threshold` among the database's OPTIONS) it is planned once.
    Parameters have no type of their own: write casts where the server cannot tell it. `binary` is for long bytea: in
    the text format each of its bytes takes two.
    """
    database: Any = connections[DEFAULT_DB_ALIAS]  # django.db.connection would look it up at every turn
    database.close_if_health_check_failed()  # as `connection.cursor()` does
    database.ensure_connection()
    cursor: Any = ServerBindingCursor(database.connection)  # type: ignore[call-arg]  # the stubs know no psycopg 3
    cursor.format = Format(binary)
    make = database.make_debug_cursor if database.queries_logged else database.make_cursor
    with make(cursor) as wrapper:
        wrapper.execute(statement, parameters)
        found: list[tuple[Any, ...]] = wrapper.fetchall()
        return found


def columns(model: type[Model], alias: str) -> str:
    """The model's columns as a SELECT names them; `instance` reads them in this order."""
    return ", ".join(f'{alias}."{field.column}"' for field in model._meta.concrete_fields)


def width(model: type[Model]) -> int:
    """How many values `columns` selects."""
    return len(model._meta.concrete_fields)


def instance(model: type[M], values: Sequence[Any]) -> M:
    """The object that a row of `columns` is, as if the ORM had read it; for models without converters.

    A field whose values the ORM changes on the way (`from_db_value`, the backend's own) stays as the driver gave it.
    """
    return model.from_db("default", [field.attname for field in model._meta.concrete_fields], values)
