"""Actions on many jobs of a batch."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from django.utils.translation import gettext as _

from ingest.decide.commit import commit
from ingest.decide.discard import discard
from ingest.decide.reopen import reopen
from ingest.decide.retry import classify_again, retry
from ingest.decisions import Decision, LabelChoice
from ingest.models import Draft, Job
from ingest.review import review_locks
from ingest.review.batch_table import proposals_of
from ingest.review.phases import ReviewPhase, phase_of
from ingest.review.proposals import Proposal
from ingest.similar.naming import ended_by, most_similar
from kb_project.errors import ApiError
from labels.label_set import Chip
from law.words.slugs import slugify
from sources.kinds import SourceKind

VERBS: dict[str, Callable[..., Job]] = {
    "discard": partial(discard, keeps_file=True),
    "classify": classify_again,
    "retry": retry,
    "reopen": reopen,
}
"""What is done to each of many jobs alike."""


@dataclass(frozen=True, slots=True)
class SkippedJob:
    filename: str
    why: str


@dataclass(slots=True)
class BulkResult:
    """`ids` are of the jobs to which it was done, `name` is that of the last one's file."""

    done: int = 0
    skipped: list[SkippedJob] = field(default_factory=list)
    ids: list[UUID] = field(default_factory=list)
    name: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """What confirming the selected jobs unchanged would do.

    `new_labels` come with the jobs, set by reviewers. `offered_labels` are proposed new ones, with how many of the
    jobs they are proposed for, and are made only if they are ticked.
    """

    ready: tuple[Job, ...]
    skipped: tuple[SkippedJob, ...]
    kinds: tuple[tuple[str, int], ...]
    existing_labels: tuple[Chip, ...]
    new_labels: tuple[Chip, ...]
    offered_labels: tuple[tuple[Chip, int], ...]


def for_each(jobs: Iterable[Job], act: Callable[[UUID], object]) -> BulkResult:
    """Call `act` for each job. A refusal skips the job."""
    outcome = BulkResult()
    for job in jobs:
        try:
            act(job.pk)
        except ApiError as refusal:
            outcome.skipped.append(SkippedJob(job.filename, refusal.detail))
        else:
            outcome.done += 1
            outcome.ids.append(job.pk)
            outcome.name = job.filename
    return outcome


def without_held(jobs: list[Job], *, batch_id: UUID, by: str) -> tuple[list[Job], list[SkippedJob]]:
    """The jobs of the batch that nobody else has open, and the others."""
    held = review_locks.locks_of_others(batch_id, by=by)
    why = {pk: _("%(name)s has it open.") % {"name": hold.by} for pk, hold in held.items()}
    skipped = [SkippedJob(job.filename, why[job.pk]) for job in jobs if job.pk in held]
    return [job for job in jobs if job.pk not in held], skipped


def summarise(jobs: list[Job]) -> Summary:
    proposals = proposals_of(jobs)
    ready, skipped = _sorted_out(jobs, proposals)
    kinds: Counter[str] = Counter()
    ticked: dict[str, Chip] = {}
    offered: dict[str, Chip] = {}
    offered_for: Counter[str] = Counter()
    for job in ready:
        kinds[proposals[job.pk].values["kind"]] += 1
        for chip in proposals[job.pk].chips:
            (ticked if chip.ticked else offered).setdefault(chip.value, chip)
            offered_for[chip.value] += not chip.ticked
    return Summary(
        ready=tuple(ready),
        skipped=tuple(skipped),
        kinds=tuple((str(SourceKind(kind).label), count) for kind, count in kinds.most_common()),
        existing_labels=tuple(chip for chip in ticked.values() if not chip.is_new),
        new_labels=tuple(chip for chip in ticked.values() if chip.is_new),
        offered_labels=tuple((chip, offered_for[value]) for value, chip in offered.items() if value not in ticked),
    )


def confirm_unchanged(jobs: list[Job], *, also_labels: Iterable[str], by: str) -> BulkResult:
    """Commit each job as it is proposed, with those of its proposed new labels that are in `also_labels`.

    Duplicates, documents like which there are others, and those that replace one are skipped. They are confirmed on
    their own screen.
    """
    proposals, wanted = proposals_of(jobs), set(also_labels)
    ready, skipped = _sorted_out(jobs, proposals)
    decisions = {}
    for job in ready:
        proposal = proposals[job.pk]
        chips = [chip for chip in proposal.chips if chip.ticked or chip.value in wanted]
        labels = tuple(LabelChoice.of_chip(chip.value) for chip in chips)
        decisions[job.pk] = Decision.of(proposal.values, labels=labels)
    committed = for_each(
        ready, lambda job_id: commit(job_id, decisions[job_id], by=by, allow_duplicate=False, allow_similar=False)
    )
    committed.skipped[:0] = skipped
    return committed


def set_kind(jobs: Iterable[Job], kind: str, *, by: str) -> BulkResult:
    """Set the kind in the draft of each undecided job. The proposal is not changed."""

    def note(draft: Draft) -> None:
        draft.kind = kind

    return _draft(jobs, note, by=by)


def add_label(jobs: Iterable[Job], name: str, *, by: str) -> BulkResult:
    """Add a label to the draft of each undecided job."""

    def note(draft: Draft) -> None:
        if slugify(name) not in {slugify(other) for other in draft.labels}:
            draft.labels = [*draft.labels, name]

    return _draft(jobs, note, by=by)


def _draft(jobs: Iterable[Job], note: Callable[[Draft], None], *, by: str) -> BulkResult:
    outcome = BulkResult()
    chosen = list(jobs)
    drafts = Draft.objects.in_bulk([job.pk for job in chosen])
    changed = []
    for job in chosen:
        if (
            phase_of(job) not in (ReviewPhase.QUEUED, ReviewPhase.CLASSIFYING, ReviewPhase.AWAITING_REVIEW)
            or job.confirmed is not None
        ):
            outcome.skipped.append(SkippedJob(job.filename, _("It is decided already.")))
            continue
        draft = drafts.get(job.pk) or Draft(job=job)
        draft.by = by
        note(draft)
        changed.append(draft)
    Draft.objects.bulk_create(
        changed, update_conflicts=True, unique_fields=["job"], update_fields=["kind", "labels", "by", "at"]
    )
    outcome.done = len(changed)
    return outcome


def _sorted_out(jobs: list[Job], proposals: dict[UUID, Proposal]) -> tuple[list[Job], list[SkippedJob]]:
    """The jobs that can be confirmed unchanged, and the others."""
    reasons = [(job, _why_not(job, proposals[job.pk].values)) for job in jobs]
    skipped = [SkippedJob(job.filename, why) for job, why in reasons if why]
    return [job for job, why in reasons if not why], skipped


def _why_not(job: Job, values: dict[str, str]) -> str:
    """Why the job cannot be confirmed unchanged, empty when it can."""
    if phase_of(job) is not ReviewPhase.AWAITING_REVIEW:
        return _("It does not await review.")
    if not values["title"]:
        return _("It has no title yet.")
    if not values["kind"]:
        return _("It has no kind yet.")
    if job.source_id:
        return ""  # reopened: it was told apart before
    if job.duplicate_of:
        return _("The same file is already here: decide it on its own page.")
    if most_similar(job):
        return _("Nearly the same document is here: decide it on its own page.")
    if any(one.is_replaced for one in ended_by(job)):
        return _("It says that it replaces a document that is here: decide it on its own page.")
    return ""
