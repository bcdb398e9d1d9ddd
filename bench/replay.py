"""Amendments replayed, step by step, with notes and watches on what they change. `python -m bench.replay`.

Takes `versions` under KB_DATA_SETS. Round by round the next version of each act is uploaded. It has begun already, as
libraries load them. After these the last version of each comes once more, with numbers of its sections moved: by a new
section before them, or behind a stub at the old number. Before each round notes and watches are made on sections that
the round changes, or moves, and on others. Then it is told of how many of them something was said, once or more often,
of how many wrongly, and how many followed what moved. With `--kill` a worker is killed in two of the rounds.

It takes long, and can be run in pieces: `--skip 8 --limit 8 --counts FILE` takes the next eight acts, those of few
versions first, and adds to what was counted in the file before. Run with all other pieces, FILE has the counts of all.
"""

import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, ClassVar

from tqdm import tqdm

from bench.client import Api
from bench.command import add_data_dir, add_limit, data_sets, parser_of, run
from bench.datasets import Document
from bench.drill.machine import Processes
from bench.load import ensure_topic
from bench.stack import Stack, StackFailed, embedded, settings_of_stack
from bench.tables import markdown
from bench.versions import Version, loaded, read_acts
from tests.local_server import LocalCall, LocalServer

TOPIC = "bench-replay"
DAYS_APART = 3  # versions
CHANGED, OTHERS = 3, 2  # sections of an act that are followed in one round
QUIET_S, SAID_TWICE_S, MAX_WAIT_S = 8.0, 48.0, 240.0  # news are posted half a minute after the last
STOOD, DEFINED = "stands", "definition_changed"
_SECTION = re.compile(r"^(\d+(?:\.\d+)*)\. ", re.MULTILINE)
_NUMBER = re.compile(r"^(\d+)\.", re.MULTILINE)  # also of sections that are nothing but repealed
_NEW = "Registers\nThe registrar of printed almanacs keeps a register of lighthouses, tide tables and bell buoys.\n\n"
_STUB = "[Repealed, 2026, c. 9]"
MIN_SECTIONS = 6  # sections of an act whose numbers are moved
_PERSON = """
from django.contrib.auth.models import User
from topics.keys import make_personal_key
person = User.objects.create_superuser("replay")
print(make_personal_key(person, "replay", with_rights=True, last_day=None)[1])
"""


@dataclass(frozen=True, slots=True)
class Step:
    """The next version of an act. `moved` leads from numbers of sections to those that they have since."""

    document: Document
    before: str
    text: str
    changed: frozenset[str]
    moved: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Followed:
    """A section that has a note and a watch: its number, and what the step makes of it."""

    number: str
    is_changed: bool
    moved_to: str
    note_id: int
    watch_id: int


class _Posted(LocalCall):
    """Keeps what is posted by the id of its message: what is sent again arrives twice and is told once."""

    messages: ClassVar[dict[str, dict[str, Any]]] = {}

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.messages[self.headers["webhook-id"]] = json.loads(body)
        self.send_response(204)
        self.send_header("content-length", "0")
        self.end_headers()


def main() -> int:
    parser = parser_of("bench.replay", __doc__)
    add_limit(parser)
    add_data_dir(parser)
    parser.add_argument("--kill", action="store_true", help="kill a worker in two of the rounds")
    parser.add_argument("--skip", type=int, default=0, help="leave out so many acts")
    parser.add_argument("--counts", type=Path, help="add what is counted to this file")
    chosen = parser.parse_args()
    acts = sorted(read_acts(data_sets() / "versions"), key=len)[chosen.skip :][: chosen.limit]
    measured: dict[str, Counter[str]] = {}
    try:
        with _receiver() as url, embedded(chosen.data_dir) as (stack, api), _person(stack) as person:
            person.send("PUT", "/kb/watches/webhook", json={"url": url})
            replay(acts, api=api, person=person, stack=stack, kills=2 if chosen.kill else 0, measured=measured)
    finally:  # the rounds that were whole count, also where it was asked to end
        if chosen.counts:
            _add(measured, chosen.counts)
        names = list(dict.fromkeys(name for row in measured.values() for name in row))
        print(markdown(["", *names], [[part, *(str(row[name]) for name in names)] for part, row in measured.items()]))
    return 0


def _add(measured: dict[str, Counter[str]], path: Path) -> None:
    """Add what the file has to the counts, and write them into it."""
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for part, row in before.items():
        measured.setdefault(part, Counter()).update(row)
    path.write_text(json.dumps(measured, indent=1), encoding="utf-8")


@contextmanager
def _receiver() -> Iterator[str]:
    server = LocalServer(_Posted)
    server.start()
    try:
        with settings_of_stack({"KB_WATCH_WEBHOOK_NETWORKS": "127.0.0.0/8"}):
            yield f"{server.url}/news"
    finally:
        server.stop()


@contextmanager
def _person(stack: Stack) -> Iterator[Api]:
    with closing(Api(stack.base_url, stack.shell(_PERSON).split()[-1])) as person:
        yield person


def replay(
    acts: Sequence[Sequence[Version]],
    *,
    api: Api,
    person: Api,
    stack: Stack,
    kills: int,
    measured: dict[str, Counter[str]],
) -> None:
    """Count what is told of notes and of watches, by what the steps make of their sections, round by round."""
    topic_id = ensure_topic(TOPIC, name="Acts of Canada, replayed", api=api)
    longest = max(map(len, acts)) + 1
    texts = {act[0].act: act[0].path.read_text(encoding="utf-8") for act in acts}
    first = [_document(act[0], texts[act[0].act], ago=DAYS_APART * longest) for act in acts]
    there = loaded(first, api=api, topic_id=topic_id)
    newest = {act[0].act: there[document.filename] for act, document in zip(acts, first, strict=True)}
    notebook = person.send("POST", "/kb/notebooks", json={"name": "Replay"})["id"]
    for number in range(1, longest + 1):
        steps = {
            act[0].act: _step(act, number, place=place, longest=longest, source_id=newest[act[0].act])
            for place, act in enumerate(acts)
        }
        taken = {name: one for name, one in steps.items() if one}
        if not taken:
            continue
        followed = [
            one
            for name, step in tqdm(taken.items(), desc=f"round {number}: following", unit="act")
            for one in _follow(step, newest[name], person=person, notebook=notebook)
        ]
        _wait(person, notebook, followed, rest_s=QUIET_S)
        _Posted.messages.clear()
        if number <= kills:
            for process in Processes(stack.pid).pool()[:1]:
                process.kill()
        there = loaded([one.document for one in taken.values()], api=api, topic_id=topic_id)
        newest |= {name: there[one.document.filename] for name, one in taken.items()}
        notes, watches = _wait(person, notebook, followed, rest_s=SAID_TWICE_S)
        _judge(followed, notes, watches, measured=measured)
        for one in followed:
            person.send("DELETE", f"/kb/watches/{one.watch_id}")


def _document(version: Version, text: str, *, ago: int, version_of: int | None = None, name: str = "") -> Document:
    day = date.today() - timedelta(days=ago)
    more = {"valid_from": day.isoformat(), **({"version_of": str(version_of)} if version_of else {})}
    filename = name or version.path.name
    return Document(filename, text, "law", filename, title=version.title, more=more)


def _step(act: Sequence[Version], number: int, *, place: int, longest: int, source_id: int) -> Step | None:
    """What the act becomes in a round. In the one behind its last version its sections get other numbers."""
    if number > len(act):
        return None
    before, ago = act[number - 1].path.read_text(encoding="utf-8"), DAYS_APART * (longest - number)
    if number < len(act):
        version = act[number]
        text = version.path.read_text(encoding="utf-8")
        document = _document(version, text, ago=ago, version_of=source_id)
        return Step(document, before, text, frozenset({*version.changed, *version.removed}), {})
    found = renumbered(before, behind_stub=place % 2 == 1)
    if found is None:
        return None
    text, moved = found
    name = f"{act[0].act}@moved.txt"
    document = _document(act[-1], text, ago=ago, version_of=source_id, name=name)
    return Step(document, before, text, frozenset(moved), moved)


def sections(text: str) -> dict[str, str]:
    """The sections by their numbers, each up to the first empty line, without schedules and numbers that come twice."""
    law = text.partition("\nSCHEDULE")[0]
    found = [(one[1], law[one.start() :].partition("\n\n")[0]) for one in _SECTION.finditer(law)]
    count = Counter(number for number, _ in found)
    return {number: said for number, said in found if count[number] == 1}


def renumbered(text: str, *, behind_stub: bool) -> tuple[str, dict[str, str]] | None:
    """The text with a new section before the middle one, and all numbers from there on one higher (`15.1` is `16.1`).

    With `behind_stub` the middle section comes last, and its number says that it is repealed. None for an act of few
    sections, or with numbers that do not rise.
    """
    law = text.partition("\nSCHEDULE")[0]
    schedules = text[len(law) :]
    starts = [(one[1], one.start()) for one in _SECTION.finditer(law)]
    whole = [int(number.partition(".")[0]) for number, _ in starts]
    if len(starts) < MIN_SECTIONS or whole != sorted(whole) or len(dict(starts)) < len(starts):
        return None
    middle, start = starts[len(starts) // 2]
    if behind_stub:
        section, last = law[start:].partition("\n\n")[0], str(max(map(int, _NUMBER.findall(law))) + 1)
        law = law[:start] + f"{middle}. {_STUB}" + law[start + len(section) :]
        return f"{law.rstrip()}\n\n{last}{section.removeprefix(middle)}\n{schedules}", {middle: last}
    if "." in middle:
        return None
    rest = _SECTION.sub(lambda one: f"{_shifted(one[1])}. ", law[start:])
    moved = {number: _shifted(number) for number, at in starts if at >= start}
    return law[:start] + f"{middle}. {_NEW}" + rest + schedules, moved


def _shifted(number: str) -> str:
    whole, point, part = number.partition(".")
    return f"{int(whole) + 1}{point}{part}"


def _follow(step: Step, source_id: int, *, person: Api, notebook: int) -> Iterator[Followed]:
    """Notes and watches on some sections that change, and on some that do not."""
    before, after = sections(step.before), sections(step.text)
    listed = [one for one in person.provisions(source_id) if one["kind"] == "section"]  # items of schedules count anew
    eids = {one["number"].rstrip("."): one["eid"] for one in reversed(listed)}
    chance = random.Random(step.document.filename)
    there = [number for number in before if number in eids]
    changed = [number for number in there if number in step.changed]
    others = [number for number in there if number not in step.changed and before[number] == after.get(number)]
    for numbers, most in ((changed, CHANGED), (others, OTHERS)):
        for number in chance.sample(numbers, min(most, len(numbers))):
            cited = {"source_id": source_id, "eid": eids[number]}
            note = person.send(
                "POST", f"/kb/notebooks/{notebook}/notes", json={"kind": "provision", "citations": [cited]}
            )
            work_id = note["citations"][0]["work_id"]
            watch = person.send("POST", "/kb/watches", json={"work_id": work_id, "eid": eids[number]})
            is_changed, to = number in step.changed, step.moved.get(number, "")
            yield Followed(number, is_changed, to, note["id"], watch["id"])


def _wait(
    person: Api, notebook: int, followed: Sequence[Followed], *, rest_s: float
) -> tuple[dict[int, dict[str, Any]], dict[int, dict[str, Any]]]:
    """The notes and the watches, when nothing has been said of them for a while. Raises StackFailed."""
    ends, settled, last = time.monotonic() + MAX_WAIT_S, 0.0, ""
    while time.monotonic() < ends:
        time.sleep(4)
        notes = {one["id"]: one for one in person.notes(notebook)}
        watches = {one["id"]: one for one in person.pages("/kb/watches")}
        said = {one.note_id: notes[one.note_id]["citations"][0] for one in followed}
        unread = sum(watches[one.watch_id]["unread"] for one in followed)
        now = json.dumps([list(said.values()), unread, len(_Posted.messages)], sort_keys=True)
        looked = all(one["looked_at"] for one in said.values())
        posted = unread == 0 or _Posted.messages
        settled, last = (settled + 4 if now == last and looked and posted else 0.0), now
        if settled >= rest_s:
            return notes, watches
    raise StackFailed("What notes cite was not looked at, or nothing was told.")


def _judge(
    followed: Sequence[Followed],
    notes: Mapping[int, Mapping[str, Any]],
    watches: Mapping[int, Mapping[str, Any]],
    *,
    measured: dict[str, Counter[str]],
) -> None:
    posted = Counter(
        watch["id"]
        for message in _Posted.messages.values()
        for news in message["data"]["news"]
        for watch in news["watches"]
    )
    for one in followed:
        cited = notes[one.note_id]["citations"][0]
        watched = watches[one.watch_id]
        kind = "moved" if one.moved_to else "changed" if one.is_changed else "unchanged"
        number = (cited["now"] or {}).get("number", "")
        is_told = cited["status"] != STOOD if one.is_changed else cited["status"] not in (STOOD, DEFINED)
        _count(measured, f"notes, {kind}", told=is_told, followed=bool(one.moved_to) and number == one.moved_to)
        is_there = watched["eid"].rpartition("sec_")[2].replace("-", ".") == one.moved_to
        wrong = is_told != one.is_changed, posted[one.watch_id] != one.is_changed, bool(one.moved_to) and not is_there
        if any(wrong):
            print(kind, one, cited["status"], cited["now"], watched["url"], posted[one.watch_id], file=sys.stderr)
        _count(
            measured,
            f"watches, {kind}",
            told=posted[one.watch_id] > 0,
            once=posted[one.watch_id] == 1,
            followed=bool(one.moved_to) and is_there,
        )


def _count(measured: dict[str, Counter[str]], part: str, **found: bool) -> None:
    row = measured.setdefault(part, Counter())
    row["asked"] += 1
    for name, is_so in found.items():
        row[name] += is_so


if __name__ == "__main__":
    sys.exit(run(main))
