"""Keeping something as a note: an answer, a quote, a provision, a search, a comparison, a check.

Of a check its findings are kept, and the law that the text cites, looked at from then on. The check itself is forgotten
after `KB_CHECK_DAYS`, with the text.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone, translation
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from answers.asking import traces
from answers.checking import checks
from answers.checking.verdicts.findings import OUTCOMES, VERDICTS, Outcome, gravest_first, outcome_of
from answers.models import TextCheck
from kb_project.database.rows import storable
from kb_project.errors import Conflict, Invalid, TooLarge
from keeping.models import Note, Notebook, NoteCitation, NoteKind, NoteWork
from keeping.notebooks import editing, looking
from keeping.notebooks.pinning import CitedWords, named, pin, sources_of
from keeping.people import Owner
from law.citations.provision_names import name_of
from law.languages.scripts import main_language
from reading.compare.naming import change_said
from sources.comparison import compare_sources
from sources.models import Source
from sources.templatetags.directions import direction

MAX_LINES, MAX_WORDS_LENGTH = 100, 200  # of what is not right, and characters of the words that it is said of
_Places = dict[tuple[int, str], CitedWords]
MAX_CITATIONS = 50
MAX_TEXT_LENGTH = 50_000  # characters
MAX_TITLE_LENGTH = 2_000
MAX_QUOTE_LENGTH = 10_000
MAX_CHANGES_NAMED, MAX_LINE_LENGTH = 100, 100


@dataclass(frozen=True, kw_only=True)
class NewNote:
    """What is to be kept, by its kind.

    - answer: `answer_id`, or `title`, `text` and `cited`
    - quote: `answer_id` with `n`, or one of `cited` with its quote
    - provision: one of `cited` with its address
    - search: `query`, with `filters` as the search page has them
    - comparison: two of `cited`, the earlier first
    - check: `check_id`

    `day` is the day whose law it is, today where it is None. `asked` is what the pages ask it again with.
    """

    kind: NoteKind
    answer_id: UUID | None = None
    n: int | None = None
    check_id: UUID | None = None
    title: str = ""
    text: str = ""
    cited: Sequence[CitedWords] = ()
    query: str = ""
    topic_id: int | None = None
    filters: Mapping[str, Any] = field(default_factory=dict)
    asked: Mapping[str, Any] = field(default_factory=dict)
    day: date | None = None
    remark: str = ""
    tags: Sequence[str] = ()


def keep(notebook: Notebook, new: NewNote, *, owner: Owner) -> Note:
    """The note, behind the others of the notebook.

    Raises Invalid for what does not fit its kind or does not stand in the law, NotFound for an answer or a check that
    is forgotten or another's, Conflict where the notebook is full or the check is not done, and TooLarge.
    """
    if new.answer_id is not None:
        new = _from_trace(new, new.answer_id, owner)
    if new.kind is NoteKind.CHECK and new.check_id is not None:
        new = replace(new, **vars(read(new.check_id, owner, most=MAX_CITATIONS)))
    _require(new)
    sources = sources_of(new.cited, owner)
    is_text = new.kind in (NoteKind.QUOTE, NoteKind.PROVISION)
    day = new.day or (_day_of(sources.values()) if is_text else timezone.localdate())
    citations = pin(new.cited, sources, day=day)
    title, text = _WORDS[new.kind](new, citations, sources)
    note = Note(
        notebook=notebook,
        kind=new.kind,
        title=storable(title)[:MAX_TITLE_LENGTH],
        text=storable(text),
        asked={"filters": dict(new.filters)} if new.filters else dict(new.asked),
        topic_id=new.topic_id,
        day=day,
        remark=storable(new.remark.strip()),
        tags=editing.checked_tags(new.tags),
    )
    with transaction.atomic():
        note.position = editing.next_position(notebook)
        note.save(force_insert=True)
        for one in citations:
            one.note = note
        NoteCitation.objects.bulk_create(citations)
        # What changed since it was read is found when it is looked at.
        NoteWork.objects.bulk_create([NoteWork(work_id=pk) for pk in sorted({one.work_id for one in citations})])
        looking.hint()
    return note


def _from_trace(new: NewNote, answer_id: UUID, owner: Owner) -> NewNote:
    """With what was answered and quoted, as it is kept of the answer."""
    trace = traces.find(answer_id, by=traces.asker(owner.person), within=owner.within)
    cited = [
        CitedWords(source_id=one["source_id"], eid=one.get("eid", ""), quote=one["quote"], n=one["n"], is_verified=True)
        for one in trace.citations
        if new.n is None or one["n"] == new.n
    ]
    values: dict[str, Any] = {"cited": cited[:MAX_CITATIONS], "topic_id": trace.topic_id}
    if new.kind is NoteKind.ANSWER:
        values |= {"title": trace.question, "text": trace.answer}
    return replace(new, day=new.day or traces.day_of(trace), **values)


def _day_of(sources: Iterable[Source]) -> date:
    """Today, or the last day of a version that has ended."""
    return min([timezone.localdate(), *(one.valid_to - timedelta(days=1) for one in sources if one.valid_to)])


def _require(new: NewNote) -> None:
    """Raise Invalid for what does not make a note of its kind."""
    if new.kind is NoteKind.SEARCH:
        if not new.query.strip():
            _refuse("query", _("Say what was searched."))
        return
    if new.kind is NoteKind.ANSWER and not (new.title.strip() and new.text.strip()):
        _refuse("answer_id", _("Name an answer, or give its question as title, its text and what it cites."))
    if new.kind is NoteKind.CHECK and new.check_id is None:
        _refuse("check_id", _("Name a check."))
    number = {NoteKind.QUOTE: 1, NoteKind.PROVISION: 1, NoteKind.COMPARISON: 2}.get(new.kind)
    if number is not None and len(new.cited) != number:
        _refuse("citations", _("A %(kind)s has %(n)d of them.") % {"kind": new.kind.label, "n": number})
    if new.kind is NoteKind.QUOTE and not new.cited[0].quote.strip():
        _refuse("citations", _("Give the words that are quoted."))
    if new.kind is NoteKind.PROVISION and not new.cited[0].eid:
        _refuse("citations", _("Give the address of the provision."))


def _refuse(field_name: str, sentence: str) -> None:
    raise Invalid(sentence, errors={field_name: [sentence]})


def _as_given(new: NewNote, _cited: Sequence[NoteCitation], _sources: Mapping[int, Source]) -> tuple[str, str]:
    return new.title, new.text


def _quote(new: NewNote, cited: Sequence[NoteCitation], sources: Mapping[int, Source]) -> tuple[str, str]:
    return named(cited[0], sources[cited[0].source_id]), cited[0].quote


def _provision(new: NewNote, cited: Sequence[NoteCitation], sources: Mapping[int, Source]) -> tuple[str, str]:
    return named(cited[0], sources[cited[0].source_id]), cited[0].text


def _search(new: NewNote, _cited: Sequence[NoteCitation], _sources: Mapping[int, Source]) -> tuple[str, str]:
    return new.query, ""


def _from_to(before: Source, after: Source) -> str:
    """Both titles, with an arrow that points the way in which they are read."""
    return f"{before} {'←' if direction(after) == 'rtl' else '→'} {after}"


def _comparison(new: NewNote, cited: Sequence[NoteCitation], sources: Mapping[int, Source]) -> tuple[str, str]:
    """What changed, a line each, in the language of the documents."""
    before, after = (sources[one.source_id] for one in cited)
    try:
        changes = compare_sources(before.pk, after.pk)
    except TooLarge as refusal:
        return _from_to(before, after), refusal.detail
    lines = []
    with translation.override(main_language(str(after)).code):
        for one in changes[:MAX_CHANGES_NAMED]:
            name = name_of(one.shown, source=after if one.after else before)
            lines.append(f"{name or one.shown.text.partition(chr(10))[0][:MAX_LINE_LENGTH]}: {change_said(one.kind)}")
        if len(changes) > MAX_CHANGES_NAMED:
            lines.append(_("%d more") % (len(changes) - MAX_CHANGES_NAMED))
    return _from_to(before, after), "\n".join(lines)


_WORDS: dict[NoteKind, Callable[..., tuple[str, str]]] = {
    NoteKind.ANSWER: _as_given,
    NoteKind.QUOTE: _quote,
    NoteKind.PROVISION: _provision,
    NoteKind.SEARCH: _search,
    NoteKind.COMPARISON: _comparison,
    NoteKind.CHECK: _as_given,
}


@dataclass(frozen=True, kw_only=True)
class CheckNote:
    """`text` has a line for each finding that is wrong or was not judged, with the number of what it leads to."""

    title: str
    text: str
    cited: list[CitedWords]
    topic_id: int | None
    day: date
    asked: Mapping[str, str]


def read(check_id: UUID, owner: Owner, *, most: int) -> CheckNote:
    """A check of the person's, with at most so many places that it cites.

    Raises NotFound for another's and for one that is forgotten, and Conflict for one that is not done.
    """
    one = checks.find(check_id, by=checks.owner_of(owner.person), within=owner.within)
    if one.report is None:
        raise Conflict(_("The text is still being checked."))
    found = [(kind, at, finding) for kind in VERDICTS for at, finding in enumerate(one.report.get(kind, ()))]
    found.sort(key=lambda row: gravest_first(row[2]))
    places = _places((finding for _kind, _at, finding in found), owner, most=most)
    return CheckNote(
        title=one.filename or Truncator(one.text.strip().partition("\n")[0]).chars(80) or _("Check of a text"),
        text="\n".join([_counted(one), *_lines(one, found, places)]),
        cited=list(places.values()),
        topic_id=one.topic_id,
        day=one.as_of,
        asked={"check": str(one.pk), "checked_at": one.at.isoformat()},
    )


def _places(found: Iterator[Mapping[str, Any]], owner: Owner, *, most: int) -> _Places:
    """The law that findings lead to, each place once, as far as it is here still and the person sees it."""
    wanted = dict.fromkeys(key for finding in found if (key := _key(finding)))
    here = Source.objects.filter(pk__in={source_id for source_id, _eid in wanted})
    seen = set((here if owner.within is None else here.filter(topic__in=owner.within)).values_list("pk", flat=True))
    kept = [key for key in wanted if key[0] in seen][:most]
    return {
        (source_id, eid): CitedWords(source_id=source_id, eid=eid, n=n, is_verified=True)
        for n, (source_id, eid) in enumerate(kept, 1)
    }


def _key(finding: Mapping[str, Any]) -> tuple[int, str] | None:
    place = next((finding[name] for name in ("at", "to", "cited") if finding.get(name)), None)
    return (place["source_id"], place["eid"]) if place else None


def _counted(one: TextCheck) -> str:
    counts = (one.report or {}).get("counts", {}).get("outcomes", {})
    return " · ".join(f"{name}: {counts[outcome]}" for outcome, name in OUTCOMES.items() if counts.get(outcome))


def _lines(one: TextCheck, found: list[tuple[str, int, Mapping[str, Any]]], places: _Places) -> Iterator[str]:
    """The words of the text alone, not those of the law: who may not see its topic reads these lines perhaps."""
    told = [row for row in found if outcome_of(row[2]) in (Outcome.WRONG, Outcome.NOT_JUDGED)]
    for kind, at, finding in told[:MAX_LINES]:
        words = Truncator(" ".join(one.text[finding["start"] : finding["end"]].split())).chars(MAX_WORDS_LENGTH)
        remark = one.remarks.get(f"{kind}:{at}", "")
        said = f"{_('Rejected:')} {remark}" if remark else str(VERDICTS[kind](finding["verdict"]).label)
        place = places.get(_key(finding) or (0, ""))
        yield f"{words}: {said}{f' [{place.n}]' if place else ''}"
    if len(told) > MAX_LINES:
        yield _("%d more") % (len(told) - MAX_LINES)
