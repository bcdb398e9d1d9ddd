"""The job life cycle as data: the statuses, the stages, and the one table of arrows between them."""

import enum
from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext_lazy as _


class Status(models.TextChoices):
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
class State:
    status: str
    stage: str | None = None

    def __str__(self) -> str:
        return f"{self.status}/{self.stage}" if self.stage else self.status


QUEUED = State(Status.QUEUED)
CLASSIFYING = State(Status.PROCESSING, Stage.CLASSIFYING)
EMBEDDING = State(Status.PROCESSING, Stage.EMBEDDING)
AWAITING_REVIEW = State(Status.AWAITING_REVIEW)
DONE = State(Status.DONE)
FAILED = State(Status.FAILED)


@dataclass(frozen=True, slots=True)
class Move:
    """One arrow of the life cycle: from any of `sources` to `target`."""

    sources: frozenset[State]
    target: State


class Arrow(enum.Enum):
    """Every legal move."""

    START_CLASSIFYING = Move(frozenset({QUEUED}), CLASSIFYING)  # a worker took a file of a batch
    START_EMBEDDING = Move(frozenset({QUEUED}), EMBEDDING)  # a worker took a file whose metadata is given
    PROPOSE = Move(frozenset({CLASSIFYING}), AWAITING_REVIEW)  # whether or not the classifier had an answer
    CLASSIFY_AGAIN = Move(frozenset({AWAITING_REVIEW}), QUEUED)  # a person asked for another proposal
    COMMIT = Move(frozenset({AWAITING_REVIEW}), EMBEDDING)  # a person confirmed
    FINISH = Move(frozenset({EMBEDDING}), DONE)  # the source exists and is searchable
    AMEND = Move(frozenset({AWAITING_REVIEW}), DONE)  # a person confirmed a reopened one, which is a source already
    REOPEN = Move(frozenset({EMBEDDING, DONE}), AWAITING_REVIEW)  # a person takes the decision back
    FAIL = Move(  # because of the file or of its source, never of the classifier
        frozenset({QUEUED, CLASSIFYING, EMBEDDING, AWAITING_REVIEW}), FAILED
    )
    DISCARD = Move(  # the file is deleted, at once or a little later
        frozenset({QUEUED, CLASSIFYING, AWAITING_REVIEW, FAILED}), FAILED
    )
    TAKE_BACK = Move(frozenset({FAILED}), AWAITING_REVIEW)  # a person takes the discarding back
    RETRY_CONFIRMED = Move(frozenset({FAILED}), EMBEDDING)  # the person's decision is kept
    RETRY = Move(frozenset({FAILED}), QUEUED)

    @property
    def sources(self) -> frozenset[State]:
        return self.value.sources

    @property
    def target(self) -> State:
        return self.value.target


LIVE = (Status.QUEUED, Status.PROCESSING, Status.AWAITING_REVIEW)
"""Statuses in which a job holds its file's content: the same bytes are a duplicate meanwhile."""
