"""Whether an amending act makes the act that it made: `python -m bench.consolidation [--misses]`.

`amendments` has acts of Canada before and after a day, and the amending acts between. Each amending act is carried out
on the act before, and each section is held against the act after, by words. Two rows: told which provisions whose day
is left to an order had begun by then; told nothing, so that what an order begins is not carried out. Those sections
wait, and what is identical is also told as a share of the others. A note of repeal that says less than the printed one
is not identical, and states no other law. A second table holds what was read against the instructions that the set
names: seen (carried out or named), read whole (what is done, and each section that it changes), and its day, where the
set shows whether it had begun by the day of the step. A day that depends on another act counts as unknown.
"""

import datetime as dt
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bench.command import add_limit, data_sets, parser_of, run
from bench.datasets import DataMissing, json_lines
from bench.metrics import share
from bench.tables import markdown
from extraction import extract
from law.amendments.consolidating import ConsolidatedAct, consolidate, instructions_of
from law.amendments.finding import Failure
from law.amendments.instructions import Action, Instruction
from law.structure.lines.document_lines import document_text
from law.structure.lines.number_keys import key_of

TOLD, NOTHING = "what began", "nothing"
# What leaves the text as it is for a reason that is said, and needs nobody to look.
SETTLED = {Failure.TARGET_UNKNOWN, Failure.OTHER_VERSION, Failure.NOT_YET, Failure.READ_AS, Failure.ALREADY_SO}
_SECTION = re.compile(r"(\d[\w.]*?)(?: (?:to|and) \d[\w.]*)?\.(?: |\n|$)")
_SCHEDULE = re.compile(r"schedule\b", re.IGNORECASE)
_NO_WORDS = dict.fromkeys(map(ord, '\u200d“”"'))  # joiners, and marks that the acts after do not have round terms
_NOTE = re.compile(r"\S+ \[Repealed[^\]]*\]")
_NEW = {Action.INSERT, Action.ADD_END, Action.INSERT_WORDS}
_WORDS = {Action.REPLACE_WORDS, Action.REPLACE_EVERYWHERE, Action.STRIKE_END, Action.STRIKE_FROM}
# What the set says is done, as the actions that do it
_DOES = {
    "replace": {Action.REPLACE},
    "replace heading": {Action.REPLACE},
    "add": _NEW,
    "add definition": _NEW,
    "repeal": {Action.REPEAL},
    "strike out": _WORDS,
    "replace words": _WORDS,
    "renumber": {Action.RENUMBER},
}


@dataclass
class Score:
    """Sections that change, and those that do not.

    `silent` ones are wrong, and no instruction says that it failed. `waiting` ones are not identical, and an
    instruction about them waits for its day.
    """

    sections: int = 0
    identical: int = 0
    silent: int = 0
    waiting: int = 0
    spoilt: int = 0
    unchanged: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)


def measure(root: Path, *, told: str, limit: int | None = None) -> Score:
    """Carry out every step of the set. Raises DataMissing."""
    folder, score = root / "amendments", Score()
    if not (folder / "index.jsonl").is_file():
        raise DataMissing(f"There are no amendments at {folder}.")
    for row in tqdm(list(json_lines(folder / "index.jsonl"))[:limit], desc="steps", unit="step"):
        _step(folder, row, told, score)
    return score


def _step(folder: Path, row: dict[str, Any], told: str, score: Score) -> None:
    text = _read(folder / "acts" / row["before"])
    flagged, waiting = set[str](), set[str]()
    for amending in row["amending"]:
        made = _carry_out(folder, row, amending, told, text)
        for outcome in made.outcomes:
            score.reasons[outcome.failure or "carried out"] += 1
            if outcome.failure and outcome.failure not in SETTLED:
                flagged |= _named(outcome.instruction, before=_sections(text, set()))
                flagged |= {"*"} if outcome.failure is Failure.NOT_UNDERSTOOD else set()
            if outcome.failure is Failure.DAY_UNKNOWN:
                waiting |= _named(outcome.instruction, before=_sections(text, set()))
        text = made.text
    headings = _headings(folder / "acts" / row["before"]) | _headings(folder / "acts" / row["after"])
    before, after, got = (
        _sections(one, headings)
        for one in (_read(folder / "acts" / row["before"]), _read(folder / "acts" / row["after"]), text)
    )
    changed = [number for number in (*row["changed"], *row["added"]) if number[:1].isdigit()]
    for number in changed:
        score.sections += 1
        if after.get(number) == got.get(number):
            score.identical += 1
            continue
        is_flagged = number in flagged or (number not in before and "*" in flagged)
        is_flagged = is_flagged or all(map(_NOTE.fullmatch, (after.get(number, ""), got.get(number, ""))))
        score.silent += not is_flagged
        score.waiting += number in waiting
        score.misses.append(
            f"{row['act']} {row['after'][-14:-4]}, section {number}{'' if is_flagged else ': not told'}"
        )
    for number in set(before) & set(after) - set(changed):
        if before[number] == after[number]:
            score.unchanged += 1
            if got.get(number) != after[number]:
                score.spoilt += 1
                score.misses.append(
                    f"{row['act']} {row['after'][-14:-4]}, section {number}: changed, and should not be"
                )


def _named(instruction: Instruction, *, before: Iterable[str]) -> set[str]:
    """The sections that an instruction is about: those that it names, those between two of them, and new ones."""
    named = {place.section for place in instruction.places}
    for place in instruction.places:
        if place.last:
            named |= {one for one in before if key_of(place.section) <= key_of(one) <= key_of(place.last)}
    return named | {match[1] for line in instruction.text if (match := _SECTION.match(line))}


def _carry_out(folder: Path, row: dict[str, Any], amending: dict[str, Any], told: str, text: str) -> ConsolidatedAct:
    before, after = (dt.date.fromisoformat(row[name][-14:-4]) for name in ("before", "after"))
    act = _read(folder / "amending" / amending["file"])
    days = dict(_days(row, amending, act, after)) if told == TOLD else {}
    return consolidate(text=text, titles=[row["title"]], amending=act, on=after, since=before, days=days)


def _days(row: dict[str, Any], amending: dict[str, Any], act: str, after: dt.date) -> Iterator[tuple[str, dt.date]]:
    """The days that the amending act leaves open, as the set knows them: that of the step, or a later one.

    What one sentence leaves to one day begins on one. A note of repeal has no subsection, so it tells only of what
    no other instruction tells. Of what else the set does not decide no day is said.
    """
    open_ones = [one for one in instructions_of(act) if one.day is None and one.amending]
    seen = {
        provision: one["took_effect"]
        for one in row["instructions"]
        for chapter, _, provision in [one["amending_section"].rpartition(", s. ")]
        if chapter == amending["chapter"] and one["effective"]
    }
    together: dict[str, set[bool]] = {}
    for one in open_ones:
        is_seen = seen.get(one.provision)
        is_noted = is_seen and one.action is Action.REPEAL
        if is_seen is not None and not is_noted and "day or days" not in one.commences:
            together.setdefault(one.commences, set()).add(is_seen)
    for one in open_ones:
        begins = seen.get(one.provision, one.amending[0] in amending["sections"])
        if len(same := together.get(one.commences, set())) == 1:
            [begins] = same
        if begins is not None:
            yield one.provision, after if begins else dt.date.max


def _read(path: Path) -> str:
    return document_text(extract(path))


def _headings(path: Path) -> set[str]:
    """The lines between sections: an empty line parts them in the files."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    return {
        " ".join(line.split()) for block in blocks if not _SECTION.match(block.strip()) for line in block.split("\n")
    }


def _sections(text: str, headings: set[str]) -> dict[str, str]:
    """The words of each section up to the first schedule, by its number."""
    found: dict[str, list[str]] = {}
    number = ""
    for line in text.translate(_NO_WORDS).split("\n"):
        said = " ".join(line.split())
        if _SCHEDULE.match(said):
            break
        if match := _SECTION.match(said):
            number = match[1]
            found[number] = []
        if number and said not in headings:
            found[number].append(said)
    return {number: " ".join(said) for number, said in found.items()}


def read_against_gold(root: Path, *, limit: int | None = None) -> Counter[str]:
    """What was read of the instructions that the set names, by column of the second table."""
    folder, counts = root / "amendments", Counter[str]()
    for row in list(json_lines(folder / "index.jsonl"))[:limit]:
        before = _sections(_read(folder / "acts" / row["before"]), set())
        for amending in row["amending"]:
            found: dict[str, list[Instruction]] = {}
            for one in instructions_of(_read(folder / "amending" / amending["file"])):
                found.setdefault(one.provision, []).append(one)
            named = Counter[str]()
            for gold in row["instructions"]:
                chapter, _, provision = gold["amending_section"].rpartition(", s. ")
                if chapter == amending["chapter"]:
                    named[provision] += 1
                    _hold_against(gold, found.get(provision, []), before, row, counts)
            counts["seen"] += sum(min(times, len(found.get(provision, []))) for provision, times in named.items())
    return counts


def _hold_against(
    gold: dict[str, Any], seen: list[Instruction], before: Iterable[str], row: dict[str, Any], counts: Counter[str]
) -> None:
    of_kind = [one for one in seen if one.action in _DOES.get(gold["action"], set())]
    whole = [one for one in of_kind if not one.unread]
    named = {number for one in whole for number in _named(one, before=before)}
    is_french = gold["action"] == "french only" and any(one.is_other_version for one in seen)
    counts["named by the set"] += 1
    counts["read whole"] += is_french or (
        bool(whole) and named >= {one for one in gold["concerns"] if one[:1].isdigit()}
    )
    if gold["took_effect"] is None or not gold["effective"]:
        return
    begins = {None if one.condition else one.day for one in of_kind or seen} or {None}
    since, until = (dt.date.fromisoformat(row[name][-14:-4]) for name in ("before", "after"))
    wrong = {day for day in begins if day and (since < day <= until) != gold["took_effect"]}
    counts["day wrong" if wrong else "day unknown" if None in begins else "day right"] += 1


def table(scores: dict[str, Score]) -> str:
    rows = [
        [
            told,
            share(one.identical, one.sections),
            share(one.identical, one.sections - one.waiting),
            str(one.silent),
            share(one.spoilt, one.unchanged),
            json.dumps(dict(one.reasons.most_common())),
        ]
        for told, one in scores.items()
    ]
    header = [
        "told",
        "identical",
        "of those that wait for no day",
        "wrong and not told",
        "spoilt of the unchanged",
        "instructions",
    ]
    return markdown(header, rows)


def main() -> int:
    parser = parser_of("bench.consolidation", __doc__)
    add_limit(parser)
    parser.add_argument("--misses", action="store_true", help="name the sections that are not as they should be")
    chosen = parser.parse_args()
    scores = {told: measure(data_sets(), told=told, limit=chosen.limit) for told in (TOLD, NOTHING)}
    print(table(scores))
    counts = read_against_gold(data_sets(), limit=chosen.limit)
    columns = ["named by the set", "seen", "read whole", "day right", "day unknown", "day wrong"]
    print(markdown(columns, [[str(counts[name]) for name in columns]]))
    if chosen.misses:
        print("\n".join(f"{told}: {miss}" for told, one in scores.items() for miss in one.misses))
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
