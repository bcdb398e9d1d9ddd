"""For tests of integrity checks: doing damage that the database would refuse, running one check, mending."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

from kb_project.operations.integrity.registry import checks, named
from kb_project.operations.integrity.run import CheckOutcome, run


def found(name: str) -> dict[str, str]:
    """What a check finds: sentences by object."""
    check = named(name)
    assert check is not None
    return {finding.object: finding.sentence for finding in check.findings()}


def mended(name: str) -> CheckOutcome:
    """Run a check with repair, and give how it went; fails when the check itself did."""
    (outcome,) = run([check for check in checks() if check.name == name], repair=True)
    assert outcome.error == ""
    return outcome


def all_found() -> dict[str, list[dict[str, Any]]]:
    """The findings of every check that has some; fails when a check does."""
    outcomes = run(checks())
    assert [outcome.name for outcome in outcomes if outcome.error] == []
    return {outcome.name: outcome.examples for outcome in outcomes if outcome.found}


def damage(sql: str, *parameters: Any) -> None:
    """Run SQL as if no foreign key, trigger or cascade were there."""
    with undefended(), connection.cursor() as cursor:
        cursor.execute(sql, parameters)


@contextmanager
def undefended() -> Iterator[None]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = origin")
