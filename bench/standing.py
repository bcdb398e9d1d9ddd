"""Notes on dated acts, kept between versions and looked at today: `python -m bench.standing [--notes N] [--wrong]`.

Takes `versions` under KB_DATA_SETS. In process and without a database: each version is read as it would be stored. A
note has a day on which a version was in force, and words of a section of it. What became of the section is known from
the index, and for sections that got another number from versions that are made: a section is put in before others.
"""

import os
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
django.setup()  # the modules that follow import models

from bench.command import data_sets, parser_of, run  # noqa: E402
from bench.datasets import json_lines  # noqa: E402
from bench.tables import markdown  # noqa: E402
from extraction import extract  # noqa: E402
from law.chunking import chunk  # noqa: E402
from law.comparison.following import VersionTexts  # noqa: E402
from law.comparison.provision_texts import ProvisionText, own_texts  # noqa: E402
from law.comparison.standing import StandingReader  # noqa: E402
from law.structure.provisions import Outline, ProvisionKind  # noqa: E402
from sources.standing.pinned import clauses_of  # noqa: E402

SEED = 41
QUOTED = 12  # words
_SECTION = re.compile(r"^(?P<number>\d+)(?P<rest>(?:\.\d+)*\. )", re.MULTILINE)
_MENTION = re.compile(r"(?P<word>\b(?:sub)?sections? )(?P<number>\d+)")
INSERTED = (
    "{number}. Made for this purpose\nNo boat may be moored at the jetty unless a lantern hangs from its mast.\n\n"
)


@dataclass(frozen=True)
class Act:
    """The versions of an act in order, and the numbers of the sections that each changed or removed."""

    name: str
    versions: Sequence[VersionTexts]
    changed: Sequence[frozenset[str]]
    last: Path


@dataclass(frozen=True)
class Note:
    """Words of a section in a version of an act. `expected` is its address now, '' where it stands no more."""

    kind: str
    act: str
    path: Sequence[VersionTexts]
    eid: str
    quote: str
    expected: str


def main() -> int:
    parser = parser_of("bench.standing", __doc__)
    parser.add_argument("--notes", type=int, default=400, help="half of them on what changed (%(default)s)")
    parser.add_argument("--wrong", action="store_true", help="name what was told otherwise")
    chosen = parser.parse_args()
    chooser = random.Random(SEED)
    acts = read(data_sets() / "versions")
    by_kind: dict[str, list[Note]] = defaultdict(list)
    for act in acts:
        for note in (*notes_of(act, chooser), *renumbered(act, chooser)):
            by_kind[note.kind].append(note)
    rows = []
    for kind, notes in by_kind.items():
        some = chooser.sample(notes, min(len(notes), chosen.notes // 2))
        rows.append([kind, str(len(some)), *measure(some, names_wrong=chosen.wrong)])
    print(markdown(["notes on what", "notes", "told as expected", "share", "statuses"], rows))
    return 0


def read(root: Path) -> list[Act]:
    rows = defaultdict(list)
    for row in sorted(json_lines(root / "index.jsonl"), key=lambda row: (row["act"], row["version_date"])):
        rows[row["act"]].append(row)
    return [
        Act(
            name=act,
            versions=[
                VersionTexts(
                    row["file"], date.fromisoformat(row["version_date"]), read_texts(root / "files" / row["file"])
                )
                for row in versions
            ],
            changed=[
                frozenset([*(row["changes"] or {}).get("changed", ()), *(row["changes"] or {}).get("removed", ())])
                for row in versions
            ],
            last=root / "files" / versions[-1]["file"],
        )
        for act, versions in rows.items()
    ]


def read_texts(path: Path) -> list[ProvisionText]:
    """The texts of a file, as they would be of the source that it becomes."""
    outline = Outline()
    text = "".join(draft.gap + draft.text for draft in chunk(extract(path), kind="law", outline=outline))
    return own_texts(text, outline.provisions)


def notes_of(act: Act, chooser: random.Random) -> list[Note]:
    """A note on each section of each version but the last."""
    found = []
    for place, version in enumerate(act.versions[:-1]):
        later = frozenset().union(*act.changed[place + 1 :])
        for text in _sections(version):
            kind = "changed" if _number(text) in later else "the same"
            expected = "" if kind == "changed" else text.eid
            found.append(Note(kind, act.name, act.versions[place:], text.eid, _quote(text, chooser), expected))
    return found


def renumbered(act: Act, chooser: random.Random) -> list[Note]:
    """Notes on the last version, before a made one in which sections have the next number, and are cited so."""
    return before_made(act, *make_version(act, chooser), chooser)


def make_version(act: Act, chooser: random.Random) -> tuple[str, int]:
    """The text of a version with a section more than the last one, and the number that this has."""
    text = act.last.read_text(encoding="utf-8")
    first = sorted({int(one["number"]) for one in _SECTION.finditer(text)})
    put_in = chooser.choice(first[1:] or first)

    def shifted(found: re.Match[str]) -> str:
        number = int(found["number"])
        return str(number + (number >= put_in))

    made = _MENTION.sub(lambda found: found["word"] + shifted(found), text)
    made = _SECTION.sub(lambda found: shifted(found) + found["rest"], made)
    place = next(one.start() for one in _SECTION.finditer(made) if int(one["number"]) == put_in + 1)
    return made[:place] + INSERTED.format(number=put_in) + made[place:], put_in


def before_made(act: Act, made: str, put_in: int, chooser: random.Random) -> list[Note]:
    """A note on each section of the last version that has the next number in the made one."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(made)
        file.flush()
        version = VersionTexts(f"{act.name}, made", date(2027, 1, 1), read_texts(Path(file.name)))
    notes = []
    for one in _sections(act.versions[-1]):
        number, rest = _number(one).partition(".")[0], _number(one).partition(".")[2]
        if number.isdecimal() and int(number) >= put_in and len(one.text.split()) > QUOTED:
            eid = f"sec_{int(number) + 1}" + (f"-{rest}" if rest else "")
            if eid in version.places:
                path = [act.versions[-1], version]
                notes.append(Note("renumbered", act.name, path, one.eid, _quote(one, chooser), eid))
    return notes


def measure(notes: Sequence[Note], *, names_wrong: bool) -> list[str]:
    """How many were told as expected, the share of these, and all statuses that were told."""
    readers: dict[str, StandingReader] = defaultdict(lambda: StandingReader(clauses_of))
    statuses: Counter[str] = Counter()
    right = 0
    for note in notes:
        found = readers[note.act].read(note.path, note.eid, quote=note.quote)
        statuses[found.status] += 1
        if note.kind == "renumbered":
            is_right = found.status == "renumbered" and found.now is not None and found.now.eid == note.expected
        elif note.kind == "changed":
            is_right = found.status in ("changed", "renumbered", "repealed")
        else:
            is_right = found.status in ("stands", "definition_changed")
        right += is_right
        if names_wrong and not is_right:
            print(f"{note.kind}: {note.path[0].name} {note.eid}: {found.status} {found.now.eid if found.now else ''}")
        if names_wrong and found.terms:
            print(f"{note.path[0].name} {note.eid}: {found.terms} since {found.since}")
    told = ", ".join(f"{status} {count}" for status, count in statuses.most_common())
    return [str(right), f"{right / max(len(notes), 1):.3f}", told]


def _sections(version: VersionTexts) -> list[ProvisionText]:
    return [one for one in version.texts if one.kind == ProvisionKind.SECTION and "__" not in one.eid and one.number]


def _number(text: ProvisionText) -> str:
    return text.number.rstrip(".")


def _quote(text: ProvisionText, chooser: random.Random) -> str:
    """Some words in a row of one line of a section."""
    line = max(text.text[text.after_number :].split("\n"), key=len).split()
    start = chooser.randrange(max(len(line) - QUOTED, 0) + 1)
    return " ".join(line[start : start + QUOTED])


if __name__ == "__main__":
    sys.exit(run(main))
