"""Rows and model instances by SQL written by hand, for what every search reads.

The ORM takes longer to write such a statement than the database to answer it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.models import Model
from psycopg.pq import Format

from kb_project.database.postgresql.prepared import Call, PreparedStatements, Rows
from kb_project.database.standbys.routing import read_alias
from kb_project.observability import tracing

M = TypeVar("M", bound=Model)
T = TypeVar("T")
Parameters = Sequence[Any] | Mapping[str, Any]


def fetch(statement: str, parameters: Parameters, *, binary: bool = False) -> Rows:
    """All rows of a statement whose text is the same each time. Its parameters are bound by the server.

    Where the connection prepares statements (`prepare_threshold` among the database's OPTIONS) it is planned once.
    Parameters have no type of their own: write casts where the server cannot tell it. `binary` is for long bytea: in
    the text format each of its bytes takes two.
    """
    database = _connected()
    if prepared := _prepared(database, [(statement, parameters, binary)]):
        return prepared[0]
    return list(_execute(database, statement, parameters, binary=binary).fetchall())


def storable(text: str) -> str:
    """The text as the database can hold it: NUL becomes a space, half a surrogate pair a question mark."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def _connected() -> Any:
    database: Any = connections[read_alias()]  # django.db.connection would look it up at every turn
    database.close_if_health_check_failed()  # as `connection.cursor()` does
    if database.connection is None:
        database.ensure_connection()
    return database


def _execute(database: Any, statement: str, parameters: Parameters, *, binary: bool = False) -> Any:
    """A cursor on which the statement was executed, wrapped when somebody watches the connection's statements."""
    cursor: Any = ServerBindingCursor(database.connection)  # type: ignore[call-arg]  # the stubs know no psycopg 3
    cursor.format = Format.BINARY if binary else Format.TEXT
    bound = _written(parameters)
    if _is_watched(database):
        cursor = (database.make_debug_cursor if database.queries_logged else database.make_cursor)(cursor)
        cursor.execute(statement, bound)
        return cursor
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:  # all that Django's wrapper would do
        cursor.execute(statement, bound)
    return cursor


def _is_watched(database: Any) -> bool:
    return bool(database.queries_logged or database.execute_wrappers)


def _prepared(database: Any, calls: Sequence[Call]) -> list[Rows] | None:
    """The rows of statements that the connection has prepared, None where cursors have to run them."""
    prepared: PreparedStatements | None = getattr(database.connection, "prepared", None)
    if prepared is None or not calls or _is_watched(database):
        return None
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        return prepared.run([(statement, _written(parameters), binary) for statement, parameters, binary in calls])


def _written(parameters: Parameters) -> list[Any] | dict[str, Any]:
    """The parameters with lists of integers and of texts written as arrays.

    The driver takes a lookup for each member, and looks for the smallest type that holds all the numbers. The server
    would plan the statement once more for each of these types.
    """
    if isinstance(parameters, Mapping):
        return {name: _array(value) for name, value in parameters.items()}
    return [_array(value) for value in parameters]


def _array(value: Any) -> Any:
    """A list as Postgres reads an array. All its members are of the type of the first.

    https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
    """
    if type(value) is not list or not value:
        return value
    if type(value[0]) is int:
        return f"{{{','.join(map(str, value))}}}"
    if type(value[0]) is str:
        together = "".join(value)
        if '"' in together or "\\" in together:
            value = [text.replace("\\", "\\\\").replace('"', '\\"') for text in value]
        quoted = '","'.join(value)
        return f'{{"{quoted}"}}'
    return value


@dataclass(frozen=True)
class Query(Generic[T]):
    """A statement with named parameters, and `read`, which makes the answer of its rows. `binary` is as in `fetch`."""

    statement: str
    parameters: Mapping[str, Any]
    read: Callable[[Rows], T]
    binary: bool = False

    def fetch(self) -> T:
        """The answer, in a round trip of its own."""
        return self.read(self.rows())

    def rows(self) -> Rows:
        """What the statement gives."""
        return fetch(self.statement, self.parameters, binary=self.binary)


def fetch_together(queries: Sequence[Query[Any]]) -> list[Any]:
    """The answers of queries, in their order, in one round trip: psycopg's pipeline mode."""
    database = _connected()
    rows = _prepared(database, [(one.statement, one.parameters, one.binary) for one in queries])
    if rows is None:
        rows = _by_cursors(database, queries)
    return [query.read(found) for query, found in zip(queries, rows, strict=True)]


def _by_cursors(database: Any, queries: Sequence[Query[Any]]) -> list[Rows]:
    with tracing.pipeline_span(len(queries)), database.wrap_database_errors, database.connection.pipeline():
        cursors = [_execute(database, one.statement, one.parameters, binary=one.binary) for one in queries]
        return [cursor.fetchall() for cursor in cursors]


def columns(model: type[Model], alias: str, *, only: Sequence[str] = ()) -> str:
    """The model's columns as a SELECT names them, or those of some fields. `instance` reads them in this order."""
    return ", ".join(f'{alias}."{field.column}"' for field in model._meta.concrete_fields if _is_read(field, only))


def _is_read(field: Any, only: Sequence[str]) -> bool:
    return not only or field.attname in only


def width(model: type[Model]) -> int:
    """How many values `columns` selects."""
    return len(model._meta.concrete_fields)


def instance(model: type[M], values: Sequence[Any], *, only: Sequence[str] = ()) -> M:
    """The object that a row of `columns` is, as if the ORM had read it, for models without converters.

    With `only` the other fields are deferred: each is read when it is asked for.
    A field whose values the ORM changes on the way (`from_db_value`, the backend's own) stays as the driver gave it.
    """
    return model.from_db("default", _names(model, only), values)


@cache
def _names(model: type[Model], only: Sequence[str]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields if _is_read(field, only)]
