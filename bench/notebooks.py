"""Notes kept while acts grow version by version, and what they tell at the end: `python -m bench.notebooks`.

Takes `versions` under KB_DATA_SETS. The notes are those of `bench.standing`, kept by a person of a running service: the
first version of each act is uploaded, notes on its sections are kept, then the next version comes. At last come made
versions, in which sections have the next number. What is told then is what became of each note.
"""

import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from bench.client import Api
from bench.command import add_limit, data_sets, parser_of, run
from bench.datasets import Document
from bench.load import ensure_topic
from bench.stack import Stack, embedded
from bench.standing import SEED, Note, before_made, make_version, notes_of, read
from bench.tables import markdown
from bench.versions import Version, document_of, loaded, read_acts

TOPIC, NAME = "bench-notebooks", "Acts that notes are kept of"
MADE = date.today() - timedelta(days=1)  # the first day of the made versions
RIGHT = {
    "changed": {"changed", "renumbered", "repealed"},
    "the same": {"stands", "definition_changed"},
    "renumbered": {"renumbered"},
}
KEEP = """
import json
from pathlib import Path
from django.contrib.auth.models import User
from keeping.models import Notebook, NoteKind
from keeping.notebooks import editing
from keeping.notebooks.keep import NewNote, keep
from keeping.people import keeper_of
from keeping.notebooks.pinning import CitedPlace
keeper = keeper_of(User.objects.get_or_create(username="bench", defaults={{"is_superuser": True, "is_staff": True}})[0])
book = Notebook.objects.filter(owner=keeper.person).first() or editing.make(keeper, "bench")
kept = {{}}
for key, cited in json.loads(Path({path!r}).read_text()):
    kept[key] = keep(book, NewNote(kind=NoteKind.QUOTE, cited=[CitedPlace(**cited)], remark=key), keeper=keeper).pk
print(json.dumps(kept))
"""
TOLD = """
import json
from keeping.models import NoteCitation, NoteEvent, NoteWork
rows = NoteCitation.objects.values_list("note__remark", "status", "now_eid", "is_unread")
print(json.dumps({"left": NoteWork.objects.count(), "told": list(rows), "events": NoteEvent.objects.count()}))
"""


def main() -> int:
    parser = parser_of("bench.notebooks", __doc__)
    add_limit(parser)
    parser.add_argument("--notes", type=int, default=400, help="half of them on what changed (%(default)s)")
    parser.add_argument("--wrong", action="store_true", help="name what was told otherwise")
    chosen = parser.parse_args()
    chooser = random.Random(SEED)
    root = data_sets() / "versions"
    texts, versions = read(root)[: chosen.limit], read_acts(root)[: chosen.limit]
    notes = choose([note for act in texts for note in notes_of(act, chooser)], chosen.notes // 2, chooser)
    made = {act.name: make_version(act, chooser) for act in texts}
    after = [note for act in texts for note in before_made(act, *made[act.name], chooser)]
    after = chooser.sample(after, min(len(after), chosen.notes // 2))
    with tempfile.TemporaryDirectory(prefix="kb-bench-") as folder, embedded(Path(folder), keep=True) as stack:
        api = Api(stack.base_url, stack.api_key)
        topic_id = ensure_topic(TOPIC, name=NAME, api=api)
        there = replay(versions, notes, api=api, stack=stack, topic_id=topic_id)
        rows = report(notes, told(stack), names_wrong=chosen.wrong)
        keep(after, there, stack=stack)
        documents = [made_document(act[-1], made[act[0].act][0], there) for act in versions]
        loaded(documents, api=api, topic_id=topic_id)
        rows += report(after, told(stack), names_wrong=chosen.wrong)
        api.close()
    print(markdown(["notes on what", "notes", "told as expected", "share", "statuses"], rows))
    return 0


def choose(notes: list[Note], each: int, chooser: random.Random) -> list[Note]:
    """As many of each kind."""
    found: list[Note] = []
    for kind in ("changed", "the same"):
        some = [note for note in notes if note.kind == kind]
        found += chooser.sample(some, min(len(some), each))
    return found


def replay(acts: list[list[Version]], notes: list[Note], *, api: Api, stack: Stack, topic_id: int) -> dict[str, int]:
    """Upload the acts version by version, and keep the notes on each before the next comes. The sources by file."""
    there: dict[str, int] = {}
    for place in range(max(map(len, acts))):
        documents = []
        for act in acts:
            if place < len(act):
                more = {"version_of": str(there[act[0].path.name])} if place else {}
                documents.append(document_of(act[place], **more))
        there |= loaded(documents, api=api, topic_id=topic_id)
        names = {act[place].path.name for act in acts if place < len(act)}
        keep([note for note in notes if note.path[0].name in names], there, stack=stack)
    return there


def keep(notes: list[Note], there: dict[str, int], *, stack: Stack) -> None:
    """Keep notes, each with its key as remark."""
    given = [
        (key(note), {"source_id": there[str(note.path[0].name)], "eid": note.eid, "quote": note.quote})
        for note in notes
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(given, file)
        file.flush()
        stack.shell(KEEP.format(path=file.name))


def key(note: Note) -> str:
    return f"{note.kind} {note.path[0].name} {note.eid}"


def made_document(last: Version, text: str, there: dict[str, int]) -> Document:
    """The made version of an act, after its last one."""
    document = document_of(replace(last, begins=MADE), version_of=str(there[last.path.name]))
    return replace(document, content=text, filename=f"{last.path.stem}-made.txt")


def told(stack: Stack) -> dict[str, tuple[str, str, bool]]:
    """What is told of each note, once there is nothing left to look at."""
    while (found := json.loads(stack.shell(TOLD)))["left"]:
        time.sleep(1)
    return {remark: (status, eid, unread) for remark, status, eid, unread in found["told"]}


def report(notes: list[Note], found: dict[str, tuple[str, str, bool]], *, names_wrong: bool) -> list[list[Any]]:
    """A row for each kind of notes."""
    rows: list[list[Any]] = []
    for kind in dict.fromkeys(note.kind for note in notes):
        some = [note for note in notes if note.kind == kind]
        right = 0
        for note in some:
            status, eid, _unread = found[key(note)]
            is_right = status in RIGHT[kind] and (kind != "renumbered" or eid == note.expected)
            right += is_right
            if names_wrong and not is_right:
                print(f"{key(note)}: {status} {eid}, not {note.expected}")
        statuses = Counter(found[key(note)][0] for note in some).most_common()
        said = ", ".join(f"{status} {count}" for status, count in statuses)
        rows.append([kind, str(len(some)), str(right), f"{right / max(len(some), 1):.3f}", said])
    return rows


if __name__ == "__main__":
    sys.exit(run(main))
