"""`manage.py evaluate --topic SLUG`: ask every evaluation question, and tell what became better or worse."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from answers.agent import topic_of_slug
from answers.evaluation import runs
from answers.evaluation.figures import FigureChange, RunComparison, figures
from answers.evaluation.transfer import QuestionImport
from answers.models import EvaluationQuestion, EvaluationRun
from kb_project.configuration.startup import ServiceCommand
from kb_project.errors import ApiError
from topics.models import Topic

SHOWN = {
    "found_at_1": "found@1",
    "found_at_10": "found@10",
    "mrr": "MRR",
    "answered": "answered",
    "cited": "right provision cited",
    "silent": "silent where nothing answers",
    "unsupported": "unsupported sentences",
    "failed": "questions that failed",
    "stands": "right when checked",
    "wrong": "findings held wrong",
    "score": "score, points",
}


class Command(ServiceCommand):
    """A run that is killed is lost, and nothing else is. The last 20 of a topic are kept."""

    help = "Ask the evaluation questions of a topic as POST /kb/ask does, and compare with the last run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--topic", metavar="SLUG", required=True, help="the topic that is asked about")
        parser.add_argument("--file", type=Path, metavar="F", help="JSON lines of questions, in place of the topic's")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--accept", action="store_true", help="hold later runs against this one though it is worse")
        parser.add_argument(
            "--fail-if-worse", action="store_true", help=f"end with code 1 if it is over {runs.POINTS:g} point worse"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        topic = topic_of_slug(options["topic"])
        if topic is None:
            raise CommandError(f"There is no topic with the slug “{options['topic']}”.")
        try:
            run = self._run(topic, options["file"])
        except ApiError as refusal:
            raise CommandError(refusal.detail) from refusal
        if options["accept"] and not run.origin:
            runs.accept(run)
        last, comparison = runs.compare_with_previous(run)
        if options["json"]:
            self.stdout.write(json.dumps(_described(run, last, comparison), ensure_ascii=False, indent=2))
        else:
            self._print(run, last, comparison)
        if options["fail_if_worse"]:
            self._fail_if_worse(run, comparison)

    def _fail_if_worse(self, run: EvaluationRun, comparison: RunComparison | None) -> None:
        """A file's questions are held against the last run of the file, the topic's own against the accepted one."""
        if run.origin and comparison and runs.is_worse(comparison):
            points = max(comparison.worse_by, comparison.stands_less_by)
            raise CommandError(f"It is {points:g} points worse than the last run of {run.origin}.")
        if why := runs.verdict(run):
            raise CommandError(why)
        if not (run.baseline or comparison):
            self.stderr.write("There is no earlier run to compare with.")

    def _run(self, topic: Topic, file: Path | None) -> EvaluationRun:
        given = _questions(file, topic) if file else None
        run = runs.begin(topic, by="manage.py evaluate", questions=given, origin=file.name if file else "")
        try:
            with tqdm(total=len(run.questions), unit="question", disable=not self.stderr.isatty()) as bar:
                runs.resume(run.pk, on_progress=bar.update)
        except BaseException:
            run.delete()
            raise
        run.refresh_from_db()
        return run

    def _print(self, run: EvaluationRun, last: EvaluationRun | None, comparison: RunComparison | None) -> None:
        now = asdict(figures(runs.pairs(run)))
        before, after = (asdict(comparison.before), asdict(comparison.after)) if comparison else ({}, {})
        self.stdout.write(
            f"{run.topic}: {now['questions']} questions, {now['with_answer']} with an answer. Run {run.pk}."
        )
        if last and comparison:
            both = f"{comparison.after.questions} questions that both asked"
            self.stdout.write(f"Compared with run {last.pk} of {last.started_at:%Y-%m-%d %H:%M}, over the {both}.")
        self.stdout.write(f"{'':30}{'all':>8}" + (f"{'before':>10}{'now':>10}" if last else ""))
        for name, title in SHOWN.items():
            compared = f"{_shown(before[name]):>10}{_shown(after[name]):>10}" if last else ""
            self.stdout.write(f"{title:30}{_shown(now[name]):>8}{compared}")
        for change in comparison.changes if comparison else ():
            self.stdout.write(f"{_verb(change)}: {change.question}  {_told(change.before)} → {_told(change.after)}")
        if why := runs.verdict(run):
            self.stdout.write(f"Not accepted. {why}")


def _questions(file: Path, topic: Topic) -> Sequence[EvaluationQuestion]:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise CommandError(f"The file cannot be read: {error}.") from error
    return [row.value for row in QuestionImport(content, topic=topic).rows]


def _shown(value: Any) -> str:
    return "–" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


def _verb(change: FigureChange) -> str:
    return {True: "better", False: "worse", None: "other"}[change.better]


def _told(outcome: Any) -> str:
    right = "right" if outcome["right"] else "not right"
    return f"{outcome['status']}, {right}, " + (f"rank {outcome['rank']}" if outcome["rank"] else "not found")


def _described(run: EvaluationRun, last: EvaluationRun | None, comparison: RunComparison | None) -> dict[str, Any]:
    """The run as JSON. Its questions have their outcomes beside them."""
    return {
        "run": run.pk,
        "topic": run.topic.slug,
        "accepted": run.accepted,
        "why": runs.verdict(run),
        "configuration": run.configuration,
        "figures": asdict(figures(runs.pairs(run))),
        "compared_with": last.pk if last else None,
        "comparison": _comparison_out(comparison) if comparison else None,
        "questions": [{**question, **outcome} for question, outcome in runs.pairs(run)],
    }


def _comparison_out(comparison: RunComparison) -> dict[str, Any]:
    return {
        "before": asdict(comparison.before),
        "after": asdict(comparison.after),
        "worse_by": comparison.worse_by,
        "changes": [{**asdict(change), "better": change.better} for change in comparison.changes],
    }
