"""Rows and model instances by SQL written by hand, for what every search reads.

The ORM takes longer to write such a statement than the database to answer it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.models import Model
from psycopg.pq import Format

M = TypeVar("M", bound=Model)
_PARAMETER = re.compile(r"%\((\w+)\)s")


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
    if database.connection is None:
        database.ensure_connection()
    cursor: Any = ServerBindingCursor(database.connection)  # type: ignore[call-arg]  # the stubs know no psycopg 3
    cursor.format = Format.BINARY if binary else Format.TEXT
    bound = _written(parameters)
    if database.queries_logged or database.execute_wrappers:
        make = database.make_debug_cursor if database.queries_logged else database.make_cursor
        with make(cursor) as wrapper:
            wrapper.execute(statement, bound)
            return list(wrapper.fetchall())
    database.validate_no_broken_transaction()
    with database.wrap_database_errors, cursor:  # all that Django's wrapper would do
        cursor.execute(statement, bound)
        return list(cursor.fetchall())


def _written(parameters: Sequence[Any] | Mapping[str, Any]) -> list[Any] | dict[str, Any]:
    """The parameters with lists of integers and of texts written as arrays.

    The driver takes a lookup for each member, and looks for the smallest type that holds all the numbers; the server
    would plan the statement once more for each of these types.
    """
    if isinstance(parameters, Mapping):
        return {name: _array(value) for name, value in parameters.items()}
    return [_array(value) for value in parameters]


def _array(value: Any) -> Any:
    """A list as Postgres reads an array; all its members are of the type of the first.

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


class Together:
    """Statements that are answered in one round trip, when the first of their answers is wanted.

    Each selects a single column of JSON, and names its parameters.
    """

    def __init__(self) -> None:
        self._waiting: list[Asked] = []

    def ask(self, statement: str, parameters: Mapping[str, Any]) -> Asked:
        asked = Asked(self, statement, parameters)
        self._waiting.append(asked)
        return asked

    def answer(self) -> None:
        """Have all answered that was asked and is not."""
        waiting = self._waiting
        parameters = {
            f"{name}_{place}": value for place, one in enumerate(waiting) for name, value in one.parameters.items()
        }
        [answers] = fetch(_in_one(tuple(one.statement for one in waiting)), parameters)
        self._waiting = []
        for one, answer in zip(waiting, answers, strict=True):
            one.answer = answer or []


class Asked:
    """A statement of several that are asked together, and its answer, if it is there."""

    def __init__(self, together: Together, statement: str, parameters: Mapping[str, Any]) -> None:
        self.statement, self.parameters = statement, parameters
        self.answer: list[Any] | None = None
        self._together = together

    def rows(self) -> list[Any]:
        """What the JSON of each row holds."""
        if self.answer is None:
            self._together.answer()
        assert self.answer is not None  # or it has raised
        return self.answer


@lru_cache(maxsize=256)
def _in_one(statements: tuple[str, ...]) -> str:
    """One row with the answers of all, each a list; the parameters' names end in the statement's place."""
    named = [_PARAMETER.sub(rf"%(\1_{place})s", statement) for place, statement in enumerate(statements)]
    return f"SELECT {', '.join(f'(SELECT json_agg(j) FROM ({statement}) AS answer(j))' for statement in named)}"


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
