"""The kinds of columns: what a text means as an answer of each, whether a quote says it, and how it is shown."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from answers.writing.quotes.verify import find_words
from kb_project.registries import complete
from keeping.models import ColumnKind, TableColumn
from law.languages import LANGUAGES
from law.languages.dates import find_dates
from law.questions.numbers import find_numbers, has_number
from sources.models import Source
from sources.references import ResolutionStatus
from sources.references.texts import resolve_text
from sources.scope import Scope

MAX_VALUE_LENGTH = 2_000  # characters of an answer
MAX_UNIT_LENGTH = 60  # characters
_NUMBER = re.compile(r"\s*(-?\d[\d,]*(?:\.\d+)?)\s*(.*)", re.DOTALL)
_UNIT = re.compile(r"[\s־-]*([^\W\d]+|%)")
Value = Any
"""As JSON holds it: a text, a boolean, a day (ISO 8601), `{number, unit}`, `{text, source_id, eid, title, number}`."""


@dataclass(frozen=True, kw_only=True)
class AskedColumn:
    """A column, and the topic of its table, in which citations are looked up."""

    kind: ColumnKind
    question: str
    hint: str = ""
    options: tuple[str, ...] = ()
    unit: str = ""
    topic_id: int

    @classmethod
    def of(cls, column: TableColumn, *, topic_id: int) -> "AskedColumn":
        return cls(
            kind=ColumnKind(column.kind),
            question=column.question,
            hint=column.hint,
            options=tuple(column.options),
            unit=column.unit,
            topic_id=topic_id,
        )


@dataclass(frozen=True, kw_only=True)
class ValueKind:
    """`parse` gives the value that a text means, None for none. `is_said` tells whether the quote says the value.

    `extract` gives the value that a quote has by itself, where no model reads it: None where that cannot be told.
    `show` is the value as people read it.
    """

    parse: Callable[[str, AskedColumn], Value | None]
    is_said: Callable[[Value, str], bool]
    extract: Callable[[str, AskedColumn], Value | None]
    show: Callable[[Value], str]


def parse(text: str, asked: AskedColumn) -> Value | None:
    """The value that a text means in a column, None for none."""
    text = text.strip()[:MAX_VALUE_LENGTH]
    return KINDS[asked.kind].parse(text, asked) if text else None


def show(value: Value | None, kind: str) -> str:
    """A value as people read it in the active language, '' for none."""
    return "" if value is None else KINDS[ColumnKind(kind)].show(value)


def _text(text: str, _asked: AskedColumn) -> Value | None:
    return text[:MAX_VALUE_LENGTH]


def _always(_value: Value, _quote: str) -> bool:
    return True


def _nothing(_quote: str, _asked: AskedColumn) -> Value | None:
    return None


def _answers() -> dict[str, bool]:
    """Yes and no in every language that is spoken here."""
    answers = {"true": True, "false": False}
    for language in LANGUAGES:
        with override(language.code):
            answers |= {_("Yes").casefold(): True, _("No").casefold(): False}
    return answers | {"yes": True, "no": False}


def _yes_no(text: str, _asked: AskedColumn) -> Value | None:
    return _answers().get(text.strip(" .!").casefold())


def _date(text: str, _asked: AskedColumn) -> Value | None:
    """The day, where the text has exactly one."""
    days = _days(text)
    return days.pop() if len(days) == 1 else None


def _days(text: str) -> set[str]:
    return {found.date.isoformat() for found in find_dates(text)}


def _has_day(value: Value, quote: str) -> bool:
    return value in _days(quote)


def _number(text: str, asked: AskedColumn) -> Value | None:
    found = _NUMBER.fullmatch(text)
    return _counted(found[1], found[2].strip() or asked.unit) if found else None


def _counted(digits: str, unit: str) -> Value:
    plain = digits.replace(",", "")
    return {"number": float(plain) if "." in plain else int(plain), "unit": unit[:MAX_UNIT_LENGTH]}


def _numbers(quote: str) -> list[tuple[Value, int]]:
    return [(_counted(digits, ""), end) for digits, end in find_numbers(quote)]


def _has_number(value: Value, quote: str) -> bool:
    """Whether the number stands in the quote: in digits, or in words, where it has no digits at all."""
    numbers = [counted["number"] for counted, _end in _numbers(quote)]
    return value["number"] in numbers if numbers else has_number(quote)


def _only_number(quote: str, asked: AskedColumn) -> Value | None:
    """The number of a quote that has one alone, of the column's unit or with the word behind it."""
    numbers = _numbers(quote)
    if len(numbers) != 1:
        return None
    [(counted, end)] = numbers
    word = _UNIT.match(quote, end)
    return {**counted, "unit": asked.unit or (word[1] if word else "")}


def _option(text: str, asked: AskedColumn) -> Value | None:
    plain = text.casefold()
    return next((option for option in asked.options if option.casefold() == plain), None)


def _only_option(quote: str, asked: AskedColumn) -> Value | None:
    named = [option for option in asked.options if find_words(option.casefold(), quote.casefold())]
    return named[0] if len(named) == 1 else None


def _is_named(value: Value, quote: str) -> bool:
    return find_words(value, quote) is not None


def _citation(text: str, asked: AskedColumn) -> Value | None:
    """The first citation of a text, with what it leads to in the topic today, None of it where that is not sure."""
    scope = Scope(topic_id=asked.topic_id, as_of=timezone.localdate())
    for one in resolve_text(text, scope=scope):
        target, mention = one.target, one.mention
        is_sure = target.status is ResolutionStatus.RESOLVED and target.source_id is not None
        source = Source.objects.filter(pk=target.source_id or 0).first() if is_sure else None
        return {
            "text": text[mention.start : mention.end],
            "source_id": source.pk if source else None,
            "eid": target.eid if source else "",
            "title": source.title if source else mention.title,
            "number": mention.number,
        }
    return None


def _is_cited(value: Value, quote: str) -> bool:
    return find_words(value["text"], quote) is not None


def _shown_number(value: Value) -> str:
    number = value["number"]
    shown = f"{number:,}" if isinstance(number, int) else f"{number:,.10g}"
    unit = value.get("unit", "")
    return f"{shown}{unit}" if unit == "%" else f"{shown} {unit}".strip()


def _field(value: Value, *, name: str) -> str:
    return str(value[name])


def _shown_day(value: Value) -> str:
    return date_format(date.fromisoformat(value))


def _shown_answer(value: Value) -> str:
    return _("Yes") if value else _("No")


KINDS: Mapping[ColumnKind, ValueKind] = complete(
    ColumnKind,
    {
        ColumnKind.TEXT: ValueKind(parse=_text, is_said=_always, extract=_text, show=str),
        ColumnKind.YES_NO: ValueKind(parse=_yes_no, is_said=_always, extract=_nothing, show=_shown_answer),
        ColumnKind.DATE: ValueKind(parse=_date, is_said=_has_day, extract=_date, show=_shown_day),
        ColumnKind.NUMBER: ValueKind(parse=_number, is_said=_has_number, extract=_only_number, show=_shown_number),
        ColumnKind.ONE_OF: ValueKind(parse=_option, is_said=_always, extract=_only_option, show=str),
        ColumnKind.PARTY: ValueKind(parse=_text, is_said=_is_named, extract=_nothing, show=str),
        ColumnKind.CITATION: ValueKind(
            parse=_citation, is_said=_is_cited, extract=_citation, show=partial(_field, name="text")
        ),
    },
)
