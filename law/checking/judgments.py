"""What a text cites in short: `Ibid.`, and paragraphs of judgments as `Grant at [48]`, `הלכת ג'תווה, פס' 4`.

A judgment's short name is the first party's, or what a bracket behind its number calls it. Behind a word for a case it
is any words of the parties, whose names stand behind the number.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from law.checking.sentences import Notes
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.languages.words import read_patterns
from law.references.citation import Citation, cited_again

MAX_BETWEEN = 40  # characters between citations that stand together
MAX_NAME_LENGTH = 60  # characters of what a judgment is called
MAX_TITLE_LENGTH = 160  # characters of the names of parties before its number
_MIN_LETTERS = 3
_QUOTING = (
    *("same", "signals", "joins_names", "at", "paragraph", "of_case"),
    *("of_name", "of_judgment", "against", "case"),
)
_PATTERNS = read_patterns(
    Path(__file__).with_suffix(".toml"),
    given={
        **{name: either(getattr(language.quoting, name) for language in LANGUAGES) for name in _QUOTING},
        "function": either(
            word.capitalize() for one in LANGUAGES if one.has_capitals for word in one.function_words.split()
        ),
        "max_name_length": str(MAX_NAME_LENGTH),
    },
)


def with_repeated(text: str, mentions: Sequence[Citation]) -> list[Citation]:
    """The mentions of a text, which are in order, and those that repeat the last one and say nothing else.

    In a note that is the last one of the notes before it, or of the text up to its sign if these have none. Which of
    several that stand together is meant is not known: then the words are `unread`.
    """
    alone = [one.span(one.lastgroup or 0) for one in _PATTERNS["alone"].finditer(text)]
    notes = Notes(text)
    starts = [one.start for one in mentions]
    in_text = [one for one in mentions if not notes.sign_of(one.start)]
    in_notes = [one for one in mentions if notes.sign_of(one.start)]
    found: list[Citation] = []
    for start, end in alone:
        at = bisect_left(starts, end)
        if at and mentions[at - 1].end > start:
            continue
        sign = notes.sign_of(start)
        cited = (_cited_before(text, in_notes, start) if sign else ()) or _cited_before(text, in_text, sign or start)
        if cited:
            found.append(_again(cited, start, end, words=text[start:end]))
    return sorted((*mentions, *found), key=lambda one: one.start)


def _cited_before(text: str, mentions: Sequence[Citation], place: int) -> Sequence[Citation]:
    """The last one before a place, with the provision that stands together with it, if there is such."""
    at = bisect_left(mentions, place, key=lambda one: one.start)
    last = mentions[max(at - 2, 0) : at]
    if len(last) < 2 or not last[0].number:
        return last[-1:]
    between = text[last[0].end : last[-1].start]
    return last if len(between) <= MAX_BETWEEN and "\n" not in between else last[-1:]


def _again(cited: Sequence[Citation], start: int, end: int, *, words: str) -> Citation:
    last = cited[-1]
    if len(cited) > 1 or last.first or not (last.internal or last.title or last.identifier):
        return Citation(start=start, end=end, unread=words)
    return cited_again(last, start=start, end=end)


def with_judgments(text: str, mentions: Sequence[Citation]) -> list[Citation]:
    """The mentions of a text, and those of paragraphs of judgments that it cites by a short name.

    One of a judgment that the text does not identify has no identifier: its name is `unread`.
    """
    names = dict(_names(text, mentions))
    parties = _parties(text, mentions)
    known = [_of_case(text, _of_name(text, one, names), parties) for one in mentions]
    known = _of_same(text, known)
    return sorted((*known, *_bracketed(text, known, names)), key=lambda one: one.start)


def _is_case(one: Citation) -> bool:
    """Whether it is of a judgment by its number, or by a title of a document that is here: `Grant v Ward [2020] …`."""
    return bool(one.identifier) or _PATTERNS["parties"].search(one.title) is not None


def _paragraph_of(case: Citation, one: Citation) -> Citation:
    """A paragraph as one of a judgment."""
    return replace(one, title=case.title, identifier=case.identifier, reason=case.reason, internal=False, unread="")


def _names(text: str, mentions: Sequence[Citation]) -> Iterator[tuple[str, Citation]]:
    """What judgments are called, with a mention of each as a whole."""
    for one in mentions:
        if one.number or not _is_case(one):
            continue
        behind = one.start + len(one.title.partition(" [")[0]) if one.title else one.start
        before = text[max(behind - MAX_TITLE_LENGTH, 0) : behind].rstrip(" ,(")
        if parties := _PATTERNS["party"].search(before.rpartition("\n")[2]):
            name = _PATTERNS["last_words"].search(parties["first"])
            words = name[0].strip() if name else ""
            if len(words) >= _MIN_LETTERS:
                yield words, one
                yield words.rpartition(" ")[2], one
        if called := _PATTERNS["called"].match(text, one.end):
            yield called["name"].removeprefix("the ").strip(), one


def _parties(text: str, mentions: Sequence[Citation]) -> dict[str, str]:
    """What stands behind the numbers of judgments: the parties, and a bracket with what the case is called."""
    found: dict[str, str] = {}
    for one in mentions:
        if (
            one.identifier
            and not (one.number or one.title)
            and (parties := _PATTERNS["parties_behind"].match(text, one.end))
        ):
            called = _PATTERNS["called"].match(text, parties.end())
            found.setdefault(one.identifier, f"{parties[0]} {called['name'] if called else ''} ")
    return found


def _of_case(text: str, one: Citation, parties: dict[str, str]) -> Citation:
    """A paragraph of no act behind a case's name, as one of the judgment that alone has these words."""
    before = _PATTERNS["case_before"].search(text, max(one.start - MAX_NAME_LENGTH, 0), one.start)
    if before is None or not one.number or one.title or one.identifier or one.clauses:
        return one
    called = [identifier for identifier, said in parties.items() if f" {before['name']} " in said]
    if len(called) != 1:
        return one
    return replace(one, start=before.start(), identifier=called[0], internal=False, unread="")


def _of_name(text: str, one: Citation, names: dict[str, Citation]) -> Citation:
    """A paragraph of no act that a judgment's name stands beside: `Grant at para 59`, `paragraph 33 of Grant`."""
    if not one.number or one.title or one.identifier or one.clauses:
        return one
    before = _PATTERNS["name_before"].search(text, max(one.start - MAX_NAME_LENGTH, 0), one.start)
    if before and (name := _known(before["name"], names)):
        start = before.end("name") - len(name)
        return replace(_paragraph_of(names[name], one), start=start)
    # What is not read goes on over words behind the name: `paragraph 33 of Grant. Ibid`
    inside = _PATTERNS["name_behind"].search(text, one.start, one.end + MAX_NAME_LENGTH)
    behind = inside if inside and inside.start() <= one.end else None
    if behind and (name := max((it for it in names if behind["name"].startswith(it)), key=len, default="")):
        end = behind.start("name") + len(name)
        return replace(_paragraph_of(names[name], one), end=end)
    return one


def _known(said: str, names: dict[str, Citation]) -> str:
    """The name that the words end with."""
    return max((name for name in names if said == name or said.endswith(f" {name}")), key=len, default="")


def _of_same(text: str, mentions: Sequence[Citation]) -> list[Citation]:
    """The mentions, those of `ibid at para 5` as paragraphs of the judgment that was cited last."""
    found: list[Citation] = []
    for one in mentions:
        last = found[-1] if found else None
        if last and _is_case(last) and one.number and not (one.title or one.identifier):
            same = _PATTERNS["same_before"].search(text, max(one.start - MAX_NAME_LENGTH, 0), one.start)
            if same and last.end <= same.start():
                one = replace(_paragraph_of(last, one), start=same.start())
        found.append(one)
    return found


def _bracketed(text: str, mentions: Sequence[Citation], names: dict[str, Citation]) -> Iterator[Citation]:
    """Paragraphs in square brackets, of what is named before them or was cited last."""
    starts = [one.start for one in mentions]
    of_this = _PATTERNS["of_this"]
    places: list[tuple[re.Match[str], str]] = [
        *(
            (found, found["same"] or found["name"])
            for found in _PATTERNS["in_brackets"].finditer(text)
            if found["same"] or _known(found["name"], names) or not of_this.match(text, found.start("number") - 1)
        ),
        *((found, "") for found in of_this.finditer(text)),
    ]
    cited: list[Citation] = []
    for found, name in sorted(places, key=lambda place: place[0].start()):
        said = next((group for group in ("same", "name") if found.groupdict().get(group)), "number")
        start, end = found.start(said) - (said == "number"), found.end()
        at = bisect_left(starts, end)
        if (at and mentions[at - 1].end > found.start("number") - 1) or (cited and cited[-1].end > start):
            continue
        before = mentions[at - 1] if at else None
        if cited and (before is None or before.start < cited[-1].start):
            before = cited[-1]
        if said != "name":
            if before is None or not _is_case(before):
                if name:
                    yield Citation(start=start, end=end, number=found["number"], unread=name)
                continue
            one = _paragraph_of(before, Citation(start=start, end=end, number=found["number"]))
        elif known := _known(name, names):
            start += len(name) - len(known)
            one = _paragraph_of(names[known], Citation(start=start, end=end, number=found["number"]))
        else:
            one = Citation(start=start, end=end, number=found["number"], unread=name)
        if at and mentions[at - 1].end > start:
            continue
        cited.append(one)
        yield one
