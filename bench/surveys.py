"""How much of what headings name a survey finds without a model: `python -m bench.surveys [--misses]`.

The headings and marginal notes of acts are taken away, and each section is judged by its sentences as a survey judges
provisions one by one. A section should be found where its heading had the term. So a section that says the rule under
another heading counts as wrong, and one whose heading alone speaks of it as missed: both figures are lower bounds.
`surveys.jsonl` has a sample of the former, judged by reading, by which *judged* is estimated.
In process, without a database.
"""

import json
import os
import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
django.setup()  # what divides texts into sentences is of an app

from answers.writing.quotes.pieces import sentences  # noqa: E402
from bench.command import data_sets, parser_of, run  # noqa: E402
from bench.metrics import share  # noqa: E402
from bench.tables import markdown  # noqa: E402
from law.questions.surveyed import SurveyedRules, surveyed_rules  # noqa: E402

# What is asked, and what is in the headings of the sections that should be found.
SURVEYS = {
    "versions": [
        ("annual report", "annual report"),
        (
            "limitation period",
            "limitation period|limitation or prescription|limitation of (action|proceeding)|time limit",
        ),
        ("appeal", "appeal"),
        ("delegation", "delegat"),
        ("penalty", "penalt|punish"),
    ],
    "israeli-law": [
        ("דין וחשבון", 'דין וחשבון|דינים וחשבונות|דו["״]?ח'),
        ("התיישנות", "התיי?שנות"),
        ("ערר", "(?<![א-ת])[הובל]?עררי?ם?(?![א-ת])"),
        ("אצילה", "אציל"),
        ("עונשין", "עונשי"),
    ],
}
JUDGED = Path(__file__).with_name("surveys.jsonl")
_SECTION = re.compile(r"(\d+[\w.]*)\. (.*)")
_NOTE = re.compile(r"\s*\[(.+)\]\s*")


@dataclass(frozen=True)
class HiddenHeading:
    """A section without its headings, which were `headings`."""

    file: str
    number: str
    headings: tuple[str, ...]
    text: str


def latest(folder: Path) -> list[Path]:
    """The files, of several versions of an act the last one."""
    last = {path.name.partition("@")[0]: path for path in sorted(folder.iterdir())}
    return list(last.values())


def sections(path: Path) -> Iterator[HiddenHeading]:
    number, headings, lines = "", [""], list[str]()
    for line in [*path.read_text(encoding="utf-8").splitlines(), "0. "]:
        if begun := _SECTION.fullmatch(line):
            if number:
                yield HiddenHeading(path.name, number, tuple(headings), "\n".join(lines))
            number, headings, lines = begun[1], [begun[2]], []
        elif note := _NOTE.fullmatch(line):
            headings.append(note[1])
        else:
            lines.append(line)


def says_it(section: HiddenHeading, rules: SurveyedRules) -> bool:
    return any(rules.is_said(section.text[start:end]) for start, end in sentences(section.text))


def judged(survey: str, found: Collection[HiddenHeading]) -> list[bool]:
    """Whether those of the sample that are found and not named by headings say what the survey looks for."""
    rows = map(json.loads, JUDGED.read_text(encoding="utf-8").splitlines())
    places = {(one.file, one.number) for one in found}
    return [row["says"] for row in rows if row["survey"] == survey and (row["file"], row["section"]) in places]


def measure(*, misses: bool) -> int:
    rows = []
    for name, surveys in SURVEYS.items():
        pool = [one for path in latest(data_sets() / name / "files") for one in sections(path)]
        for description, wanted in surveys:
            rules, heading = surveyed_rules(description), re.compile(wanted, re.IGNORECASE)
            gold = {one for one in pool if any(heading.search(text) for text in one.headings)}
            found = {one for one in pool if says_it(one, rules)}
            right = gold & found
            figures = (
                str(len(pool)),
                str(len(gold)),
                str(len(found)),
                share(len(right), len(gold)),
                share(len(right), len(found)),
            )
            sample = judged(description, found - gold)
            precision = (len(right) + len(found - gold) * sum(sample) / len(sample)) / len(found)
            rows.append((name, description, *figures, f"{precision:.2f} (of {len(sample)})"))
            for one in sorted(gold - found, key=lambda one: (one.file, one.number)) if misses else ():
                print(f"missed: {description}: {one.file} {one.number} {one.headings[0]}")
    print(markdown(("set", "survey", "sections", "named by headings", "found", "recall", "precision", "judged"), rows))
    return 0


if __name__ == "__main__":
    parser = parser_of("bench.surveys", __doc__ or "")
    parser.add_argument("--misses", action="store_true", help="print the sections that were missed")
    arguments = parser.parse_args()
    sys.exit(run(lambda: measure(misses=arguments.misses)))
