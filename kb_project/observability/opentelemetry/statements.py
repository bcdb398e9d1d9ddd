"""Statements of the database as spans: which operation on which table, and nothing of its text or its parameters."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from django.db import connections
from django.db.backends.signals import connection_created

DATABASE = {"db.system.name": "postgresql"}
READ = 2_000  # characters of a statement: the table that it is about is among the first it names
# A WITH may lead in to any of them.
_OPERATION = re.compile(r"\b(?:INSERT(?= INTO)|UPDATE(?! OF| SKIP| NOWAIT)|DELETE(?= FROM)|SELECT)\b", re.IGNORECASE)
_TABLE = re.compile(r"\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:ONLY\s+)?\"?((?:kb|auth|django)_[a-z_]{1,60})\b", re.IGNORECASE)
Begin = Callable[[str, dict[str, Any]], AbstractContextManager[object]]
_begin: Begin | None = None


def watch(begin: Begin | None) -> None:
    """Have each statement made inside what `begin`, the last one given, makes of its name and attributes.

    With None statements are not watched any more.
    """
    global _begin
    _begin = begin
    if begin is None:
        connection_created.disconnect(_add)
    else:
        connection_created.connect(_add)
    for connection in connections.all(initialized_only=True):
        if begin is not None:
            _add(connection)
        elif _execute in connection.execute_wrappers:
            connection.execute_wrappers.remove(_execute)


def _add(connection: Any, **_: Any) -> None:
    if _execute not in connection.execute_wrappers:  # one object connects again and again
        connection.execute_wrappers.append(_execute)


def _execute(call: Callable[..., Any], statement: Any, parameters: Any, many: bool, context: Any) -> Any:
    span = named(statement)
    if _begin is None or span is None:
        return call(statement, parameters, many, context)
    with _begin(*span):
        return call(statement, parameters, many, context)


def named(statement: Any) -> tuple[str, dict[str, Any]] | None:
    """The name of a statement's span, and its attributes, or None for savepoints and the like."""
    text = str(statement)[:READ]
    found = _OPERATION.search(text)
    if found is None:
        return None
    operation = found[0].upper()
    if table := _TABLE.search(text):
        return f"{operation} {table[1]}", {"db.operation.name": operation, "db.collection.name": table[1]}
    return operation, {"db.operation.name": operation}
