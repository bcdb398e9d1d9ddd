"""The job life cycle as data: the statuses, the stages, and the one table of arrows between them."""

import enum
from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext_lazy as _


class JobStatus(models.TextChoices):
    QUEUED = "queued", _("Queued")
    PROCESSING = "processing", _("Processing")
    AWAITING_REVIEW = "awaiting_review", _("Awaiting review")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")


class Stage(models.TextChoices):
    """What a job in `processing` is doing. Other statuses have no stage."""

    CLASSIFYING = "classifying", _("Classifying")
    EMBEDDING = "embedding", _("Embedding")


@dataclass(frozen=True, slots=True)
class JobState:
    status: str
    stage: str | None = None

    def __str__(self) -> str:
        return f"{self.status}/{self.stage}" if self.stage else self.status


QUEUED = JobState(JobStatus.QUEUED)
CLASSIFYING = JobState(JobStatus.PROCESSING, Stage.CLASSIFYING)
EMBEDDING = JobState(JobStatus.PROCESSING, Stage.EMBEDDING)
AWAITING_REVIEW = JobState(JobStatus.AWAITING_REVIEW)
DONE = JobState(JobStatus.DONE)
FAILED = JobState(JobStatus.FAILED)


@dataclass(frozen=True, slots=True)
class TransitionRule:
    """One arrow of the life cycle: from any of `sources` to `target`."""

    sources: frozenset[JobState]
    target: JobState


class Transition(enum.Enum):
    """Every legal move."""

    START_CLASSIFYING = TransitionRule(frozenset({QUEUED}), CLASSIFYING)  # a worker took a file of a batch
    START_EMBEDDING = TransitionRule(frozenset({QUEUED}), EMBEDDING)  # a worker took a file whose metadata is given
    PROPOSE = TransitionRule(frozenset({CLASSIFYING}), AWAITING_REVIEW)  # whether or not the classifier had an answer
    CLASSIFY_AGAIN = TransitionRule(frozenset({AWAITING_REVIEW}), QUEUED)  # a person asked for another proposal
    COMMIT = TransitionRule(frozenset({AWAITING_REVIEW}), EMBEDDING)  # a person confirmed
    FINISH = TransitionRule(frozenset({EMBEDDING}), DONE)  # the source exists and is searchable
    AMEND = TransitionRule(
        frozenset({AWAITING_REVIEW}), DONE
    )  # a person confirmed a reopened one, which is a source already
    REOPEN = TransitionRule(frozenset({EMBEDDING, DONE}), AWAITING_REVIEW)  # a person takes the decision back
    FAIL = TransitionRule(  # because of the file or of its source, never of the classifier
        frozenset({QUEUED, CLASSIFYING, EMBEDDING, AWAITING_REVIEW}), FAILED
    )
    DISCARD = TransitionRule(  # the file is deleted, at once or a little later
        frozenset({QUEUED, CLASSIFYING, AWAITING_REVIEW, FAILED}), FAILED
    )
    TAKE_BACK = TransitionRule(frozenset({FAILED}), AWAITING_REVIEW)  # a person takes the discarding back
    RETRY_CONFIRMED = TransitionRule(frozenset({FAILED}), EMBEDDING)  # the person's decision is kept
    RETRY = TransitionRule(frozenset({FAILED}), QUEUED)

    @property
    def sources(self) -> frozenset[JobState]:
        return self.value.sources

    @property
    def target(self) -> JobState:
        return self.value.target


UNFINISHED = (JobStatus.QUEUED, JobStatus.PROCESSING, JobStatus.AWAITING_REVIEW)
"""Statuses in which a job holds its file's content: the same bytes are a duplicate meanwhile."""
