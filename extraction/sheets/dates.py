"""Writes dates and times of cells as their number formats display them."""

from __future__ import annotations

import datetime
import re
from functools import lru_cache

Moment = datetime.datetime | datetime.date | datetime.time | datetime.timedelta

# What these show depends on the machine that shows it. A day that may be read two ways is written so that it is not.
_OF_THE_MACHINE = re.compile(r"mm-dd-yy|m/d/yy(?: h:mm)?|.*\[\$-F[48]00\]", re.I)
_LOCALE = re.compile(r"\[\$[^\]-]*-([0-9a-f]{1,8})\]", re.I)
_HEBREW, _GREGORIAN = 0x0D, (0, 1)
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_.|\*.|\[(?P<elapsed>h+|m+|s+)\]|\[[^\]]*\]'
    r"|(?P<half>AM/PM|A/P)|(?P<part>y+|m+|d+|h+|s+)|(?P<fraction>\.0+)|@|(?P<other>.)",
    re.I | re.S,
)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_HEBREW_MONTHS = (
    *("ינואר", "פברואר", "מרץ", "אפריל", "מאי", "יוני"),
    *("יולי", "אוגוסט", "ספטמבר", "אוקטובר", "נובמבר", "דצמבר"),
)
_HEBREW_DAYS = tuple(f"יום {name}" for name in ("שני", "שלישי", "רביעי", "חמישי", "שישי", "שבת", "ראשון"))


def date_text(value: Moment, number_format: str) -> str:
    """The moment as the format displays it. Where that is not in the file, as ISO 8601 has it."""
    locale = int(found[1], 16) if (found := _LOCALE.search(number_format)) else 0
    other_calendar = (locale >> 16) & 0xFF not in _GREGORIAN
    if _OF_THE_MACHINE.match(number_format) or other_calendar:
        return _iso(value)
    section = re.split(r";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", number_format)[0]
    parts = _parts(section)
    has_day = any(kind in {"y", "d", "M"} for kind, _text in parts)
    if isinstance(value, datetime.time | datetime.timedelta) and has_day:
        return _iso(value)
    if not has_day and not any(kind in "hms[" for kind, _text in parts if kind):
        return _iso(value)
    return _written(value, parts, is_hebrew=locale & 0xFF == _HEBREW).strip()


def _iso(value: Moment) -> str:
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ", "minutes" if not value.second else "seconds")
    return str(value)


@lru_cache(maxsize=512)
def _parts(section: str) -> tuple[tuple[str, str], ...]:
    """Pieces of a format: kind and text. Months are `M`, minutes `m`, what goes past a day or an hour `[h`, text ""."""
    parts: list[tuple[str, str]] = []
    for found in _TOKEN.finditer(section):
        part = found["part"]
        if part:
            kind = part[0].lower()
            parts.append(("M" if kind == "m" else kind, part.lower()))
        elif found["elapsed"]:
            parts.append((f"[{found['elapsed'][0].lower()}", found["elapsed"]))
        elif found["half"] or found["fraction"]:
            parts.append(("half" if found["half"] else "fraction", found[0]))
        else:
            parts.append(("", found["quoted"] or found["escaped"] or found["other"] or ""))
    timed = [place for place, (kind, _text) in enumerate(parts) if kind]
    for index, place in enumerate(timed):
        if parts[place][0] != "M" or len(parts[place][1]) > 2:
            continue
        before = parts[timed[index - 1]][0] if index else ""
        after = parts[timed[index + 1]][0] if index + 1 < len(timed) else ""
        if before in {"h", "[h"} or after in {"s", "[s"}:
            parts[place] = "m", parts[place][1]
    return tuple(parts)


def _written(value: Moment, parts: tuple[tuple[str, str], ...], *, is_hebrew: bool) -> str:
    halves = any(kind == "half" for kind, _text in parts)
    seconds = _seconds(value, to_the_second=not any(kind == "fraction" for kind, _text in parts))
    day = value if isinstance(value, datetime.date) else None
    hour = int(seconds // 3600) % 24
    written = []
    for kind, text in parts:
        match kind:
            case "y" | "M" | "d" if day is not None:
                written.append(_of_day(day, kind, len(text), is_hebrew=is_hebrew))
            case "h":
                shown = (hour % 12 or 12) if halves else hour
                written.append(f"{shown:0{min(len(text), 2)}d}")
            case "m":
                written.append(f"{int(seconds // 60) % 60:0{len(text)}d}")
            case "s":
                written.append(f"{int(seconds) % 60:0{min(len(text), 2)}d}")
            case "[h" | "[m" | "[s":
                count = int(seconds // {"h": 3600, "m": 60, "s": 1}[kind[1]])
                written.append(f"{count:0{len(text)}d}")
            case "half":
                written.append("AM" if hour < 12 else "PM")
            case "fraction":
                written.append(f"{seconds % 1:.{len(text) - 1}f}"[1:])
            case _:
                written.append(text)
    return "".join(written)


def _seconds(value: Moment, *, to_the_second: bool) -> float:
    if isinstance(value, datetime.timedelta):
        seconds = value.total_seconds()
    elif isinstance(value, datetime.datetime | datetime.time):
        seconds = value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6
    else:
        seconds = 0.0
    return float(round(seconds)) if to_the_second else seconds


def _of_day(day: datetime.date, kind: str, length: int, *, is_hebrew: bool) -> str:
    months, days = (_HEBREW_MONTHS, _HEBREW_DAYS) if is_hebrew else (_MONTHS, _DAYS)
    if kind == "y":
        return f"{day.year % 100:02d}" if length <= 2 else f"{day.year:04d}"
    number, name = (day.month, months[day.month - 1]) if kind == "M" else (day.day, days[day.weekday()])
    if length <= 2:
        return f"{number:0{length}d}"
    return name[:3] if length == 3 and not is_hebrew else name[:1] if kind == "M" and length == 5 else name
