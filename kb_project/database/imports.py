"""The import of a file: its rows, what each changes of what is there, and all of the changes made, or none."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from django.db import transaction
from django.utils.translation import gettext as _

from kb_project.errors import ApiError, Invalid

Value = TypeVar("Value")
Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Row(Generic[Value]):
    """What a line of a file says. `line` counts from 1."""

    line: int
    value: Value


@dataclass(frozen=True, slots=True)
class ImportChange(Generic[Value, Entry]):
    """What a row does: it changes the entry `before`, or makes one where there is none."""

    row: Row[Value]
    before: Entry | None


class Import(ABC, Generic[Value, Entry]):
    """The rows of one file, as its class reads them. An entry that the file leaves out stays as it is."""

    largest: ClassVar[int]  # bytes
    most: ClassVar[int]  # lines
    twice: ClassVar[Any]
    """The sentence that refuses the lines `one` and `other`, which are of the same entry."""

    def __init__(self, content: bytes) -> None:
        """Read the file. Raises `Invalid`, which names the line that cannot be read."""
        if len(content) > self.largest:
            raise Invalid(_("The file is larger than %d bytes.") % self.largest)
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Invalid(_("The file is not in UTF-8.")) from error
        self.rows = list(self._rows(text))
        seen: dict[Hashable, int] = {}
        for row in self.rows:
            first = seen.setdefault(self.key_of(row.value), row.line)
            if first != row.line:
                raise Invalid(str(self.twice) % {"one": first, "other": row.line})

    def _rows(self, text: str) -> Iterator[Row[Value]]:
        for row in self.parse(text):
            if row.line > self.most:
                raise Invalid(_("The file has more than %d lines.") % self.most)
            yield row

    @abstractmethod
    def parse(self, text: str) -> Iterator[Row[Value]]:
        """The rows of the text, without those that are empty. Raises `Invalid`."""

    @abstractmethod
    def key_of(self, value: Value) -> Hashable:
        """By what the entry of a row is known."""

    @abstractmethod
    def known(self) -> Mapping[Hashable, Entry]:
        """The entries that are there, by their keys."""

    @abstractmethod
    def is_same(self, value: Value, entry: Entry) -> bool:
        """Whether the entry says already what the row says."""

    @abstractmethod
    def save(self, value: Value, before: Entry | None, *, by: str) -> None:
        """Make the entry of a row, or change the one that is there. Raises `ApiError`."""

    def changes(self) -> list[ImportChange[Value, Entry]]:
        """What the rows change."""
        known = self.known()
        every = [ImportChange(row, known.get(self.key_of(row.value))) for row in self.rows]
        return [one for one in every if one.before is None or not self.is_same(one.row.value, one.before)]

    @transaction.atomic
    def take_over(self, *, by: str) -> list[ImportChange[Value, Entry]]:
        """Make the changes, all or none. Raises `Invalid`, which names the line."""
        changes = self.changes()
        for change in changes:
            try:
                self.save(change.row.value, change.before, by=by)
            except ApiError as refusal:
                raise refused(change.row.line, refusal.detail) from refusal
        return changes

    def checked(self, *, by: str) -> list[ImportChange[Value, Entry]]:
        """As `take_over`, and nothing stays: what an import would do, or the refusal it would meet."""
        with transaction.atomic():
            changes = self.take_over(by=by)
            transaction.set_rollback(True)
        return changes


def refused(line: int, why: str) -> Invalid:
    """The refusal of a line."""
    return Invalid(_("Line %(line)d: %(why)s") % {"line": line, "why": why})
