"""What must hold in the stored data, as a registry of checks that apps add to.

A check finds what is wrong, object by object. Most can repair it. `kb_project.operations.integrity.run` runs them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.db import connection
from django.utils.functional import Promise
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

ROWS_AT_ONCE = 2000
REPAIR = _("Run `manage.py check_integrity --repair`.")


@dataclass(frozen=True, slots=True)
class Finding:
    """One object that is not as it should be.

    `object` names it (`source 12`, `file processed/…`). `detail` is a sentence, marked for translation and with
    places for `values`, so that a stored finding can be read in either language. `key` is for the check's repair.
    """

    object: str
    detail: str
    values: Mapping[str, Any] = field(default_factory=dict)
    key: Any = None

    @property
    def sentence(self) -> str:
        return sentence_of(self.detail, self.values)


@dataclass(frozen=True, slots=True)
class CheckProgress:
    """How many of the things that a long check looks at it has seen, for who waits."""

    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegrityCheck:
    """One thing that must hold. `find` gives every object for which it does not, and may say how far it is.

    `repair` mends one finding, `repair_all` everything that is found now. A check has at most one of them, and may
    refuse an object with a `ApiError`. `advice` is what a person does about it. `quick` checks take well under a
    second however much is stored. `deep` ones read every stored byte, and run only when they are asked for.
    """

    name: str
    meaning: str | Promise
    find: Callable[[], Iterator[Finding | CheckProgress]]
    repair: Callable[[Finding], object] | None = None
    repair_all: Callable[[], object] | None = None
    advice: str | Promise = REPAIR
    quick: bool = False
    deep: bool = False

    @property
    def repairs(self) -> bool:
        return bool(self.repair or self.repair_all)

    def findings(self, on_progress: Callable[[CheckProgress], object] = lambda progress: None) -> Iterator[Finding]:
        """What `find` gives, with its progress told apart."""
        for one in self.find():
            if isinstance(one, CheckProgress):
                on_progress(one)
            else:
                yield one


_checks: list[IntegrityCheck] = []


def register(*added: IntegrityCheck) -> None:
    """Add checks, for the module `integrity` of an app. Each replaces its namesake.

    They run, and repair, in the order in which they came: an app's after those of the apps below it.
    """
    names = {check.name for check in added}
    _checks[:] = [*(known for known in _checks if known.name not in names), *added]


@cache
def load() -> None:
    """Have the module `integrity` of each app register what it has. Few processes ask for it."""
    autodiscover_modules("integrity")


def checks() -> list[IntegrityCheck]:
    """All that are registered."""
    load()
    return list(_checks)


def daily() -> list[IntegrityCheck]:
    """The checks that beat has run once a day: all but the deep ones."""
    return [check for check in checks() if not check.deep]


def named(name: str) -> IntegrityCheck | None:
    return next((check for check in checks() if check.name == name), None)


def sentence_of(detail: str, values: Mapping[str, Any]) -> str:
    """A finding's sentence in the language of the moment. A translation that lacks a place is passed over."""
    try:
        return gettext(detail) % values
    except (KeyError, TypeError, ValueError):
        return f"{detail} {dict(values)}"


def query(sql: str, parameters: Mapping[str, Any] | None = None) -> Iterator[tuple[Any, ...]]:
    """The rows of a query as they come, however many: from a cursor that stays in the database.

    The query sees one moment, so what is published or changed meanwhile is no finding.
    """
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, parameters)
        while rows := cursor.fetchmany(ROWS_AT_ONCE):
            yield from rows
