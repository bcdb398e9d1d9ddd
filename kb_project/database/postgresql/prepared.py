"""Statements that a pooled connection prepares once, and has libpq run after that.

The driver's cursors look at each statement and each parameter anew, which takes longer than many a statement of a
search.
"""

import re
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from psycopg import Connection
from psycopg.abc import PQGen
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import FeatureNotSupported, InvalidSqlStatementName, OperationalError, error_from_result
from psycopg.generators import fetch_many, pipeline_communicate
from psycopg.pq import ConnStatus, ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult

MAX_PREPARED = 100  # of a connection; then the one that was not used for longest is forgotten
MAX_COUNTED = 1_000  # statements that may be prepared yet
_PLACEHOLDER = re.compile(r"%(?:\((\w+)\)s|s|%)")
Rows = list[tuple[Any, ...]]
Call = tuple[str, Sequence[Any] | Mapping[str, Any], bool]
"""A statement with its parameters, and whether its rows come in the binary format."""


class _Prepared:
    """One statement as its server knows it, and how its parameters are written and its rows read."""

    def __init__(self, name: bytes, connection: Connection[Any]) -> None:
        self.name = name
        self._adapter = Transformer(connection)
        self._is_read_as: bool | None = None

    def written(self, values: Sequence[Any]) -> Sequence[Any]:
        return self._adapter.dump_sequence(values, [PyFormat.TEXT] * len(values))

    def read(self, result: PGresult, *, binary: bool) -> Rows:
        """Its columns are of the same types each time, else the server refuses it: they are looked up once."""
        self._adapter.set_pgresult(result, set_loaders=self._is_read_as is not binary)
        self._is_read_as = binary
        rows: Rows = self._adapter.load_rows(0, result.ntuples, tuple)
        self._adapter.set_pgresult(None, set_loaders=False)  # it may be large
        return rows


class PreparedStatements:
    """Those of one connection, each prepared when it has been run `after` times."""

    def __init__(self, connection: Connection[Any], *, after: int) -> None:
        self._connection = connection
        self._after = after
        self._statements: OrderedDict[str, _Prepared] = OrderedDict()
        self._runs: Counter[str] = Counter()
        self._made = 0

    def run(self, calls: Sequence[Call]) -> list[Rows] | None:
        """The rows of each statement, in one round trip. None where cursors have to run them: before they are prepared,
        and in a transaction.

        Raises psycopg's errors.
        """
        connection = self._connection.pgconn
        # The driver forgets all that is prepared when a transaction was rolled back. In another one that would end it.
        if connection.transaction_status != TransactionStatus.IDLE or not self._connection.autocommit:
            return None
        found = [one for statement, *_ in calls if (one := self._found(statement))]
        if len(found) < len(calls):
            return None
        bound: list[tuple[Any, ...]] = []
        for one, (statement, parameters, binary) in zip(found, calls, strict=True):
            values = ordered(statement, parameters)
            bound.append((one.name, one.written(values), None, Format.BINARY if binary else Format.TEXT))
        results = [connection.exec_prepared(*bound[0])] if len(bound) == 1 else self._together(bound)
        rows: list[Rows] = []
        for result, one, (_, _, binary) in zip(results, found, calls, strict=True):
            if result.status != ExecStatus.TUPLES_OK:
                self._failed(result)
                return None
            rows.append(one.read(result, binary=binary))
        return rows

    def _together(self, bound: Sequence[tuple[Any, ...]]) -> list[PGresult]:
        connection = self._connection.pgconn
        sent: list[Callable[[], None]] = [partial(connection.send_query_prepared, *one) for one in bound]
        connection.enter_pipeline_mode()
        try:
            found = self._connection.wait(_sent_and_fetched(connection, [*sent, connection.pipeline_sync]))
        finally:
            connection.exit_pipeline_mode()
        return [results[0] for results in found[:-1]]

    def _found(self, statement: str) -> _Prepared | None:
        """What is prepared, used last from now on, so that the others of its round trip do not drive it out."""
        if statement not in self._statements:
            return self._prepare(statement)
        self._statements.move_to_end(statement)
        return self._statements[statement]

    def _prepare(self, statement: str) -> _Prepared | None:
        if self._runs[statement] < self._after:
            if len(self._runs) > MAX_COUNTED:
                self._runs.clear()
            self._runs[statement] += 1
            return None
        if len(self._statements) == MAX_PREPARED:
            _, unused = self._statements.popitem(last=False)
            self._connection.pgconn.exec_(b"DEALLOCATE " + unused.name)
        self._made += 1
        name = f"kb_{self._made}".encode()
        result = self._connection.pgconn.prepare(name, _positional(statement)[0])
        if result.status != ExecStatus.COMMAND_OK:
            del self._runs[statement]  # the cursor says what is wrong with it
            return None
        one = self._statements[statement] = _Prepared(name, self._connection)
        return one

    def _failed(self, result: PGresult) -> None:
        """Raise the error, but for one of what was prepared: that is forgotten, for a cursor to run the statements."""
        error = error_from_result(result, encoding=self._connection.info.encoding)
        if self._connection.pgconn.status == ConnStatus.BAD:
            raise OperationalError(str(error)) from error  # the server may be gone without a code
        if not isinstance(error, InvalidSqlStatementName | FeatureNotSupported):
            raise error
        self._statements.clear()


def _sent_and_fetched(connection: PGconn, commands: Sequence[Callable[[], None]]) -> PQGen[list[list[PGresult]]]:
    """The results of each command of a pipeline."""
    found = yield from pipeline_communicate(connection, deque(commands))
    while len(found) < len(commands):
        found.append((yield from fetch_many(connection)))
    return found


def ordered(statement: str, parameters: Sequence[Any] | Mapping[str, Any]) -> Sequence[Any]:
    """The parameters by the numbers that the server has for them."""
    if isinstance(parameters, Mapping):
        return [parameters[name] for name in _positional(statement)[1]]
    return parameters


@lru_cache(maxsize=500)
def _positional(statement: str) -> tuple[bytes, Sequence[str]]:
    """A statement with psycopg's placeholders as the server has them, and the names of its parameters in order."""
    names: list[str] = []

    def placed(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        name = found[1] or str(len(names))
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    return _PLACEHOLDER.sub(placed, statement).encode(), names
