"""Initial values of the decision form: what was decided before, else the classifier's proposal.

What reviewers set for many jobs overrules both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from ingest.decisions import Decision, LabelChoice
from ingest.models import Draft, Job
from labels.label_set import Chip, LabelSet, chips_of
from law.words.slugs import slugify
from sources.fields import FIELDS


@dataclass(frozen=True, slots=True)
class ProposalOrigin:
    """Where a proposed value came from: `code` is ai, rules, draft or none.

    `unsupported` says that no words of the document support it.
    """

    code: str
    text: str
    page: int | None = None
    quote: str = ""
    unsupported: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """`values` are texts by field name, empty where nothing is proposed. `before` is what was decided before."""

    values: dict[str, str]
    chips: tuple[Chip, ...]
    suggestions: dict[str, Any]
    draft: Draft | None
    before: Mapping[str, Any] | None = None

    def origin(self, name: str) -> ProposalOrigin:
        """Where the value of a field came from."""
        if name == "kind" and self.draft and self.draft.kind:
            return ProposalOrigin("draft", _("Set for many by %s") % self.draft.by)
        if self.before is not None and (self.before.get(name) or "") != (self.suggestions.get(name) or ""):
            return ProposalOrigin("draft", _("Confirmed before"))
        if not self.suggestions.get(name):
            return ProposalOrigin("none", _("Nothing proposed"))
        evidence = (self.suggestions.get("evidence") or {}).get(name) or {}
        page, quote = evidence.get("page"), evidence.get("quote") or ""
        unsupported = name in self.suggestions.get("unsupported", ())
        provider, model = self.suggestions.get("provider") or "", self.suggestions.get("model") or ""
        if provider == "rules":
            return ProposalOrigin("rules", _("Rules"), page, quote, unsupported)
        return ProposalOrigin("ai", _("AI (%s)") % (model or provider), page, quote, unsupported)


def label_slugs(job: Job, draft: Draft | None) -> set[str]:
    """Every slug that the proposal for this job may name."""
    proposed = (job.ai_suggestions or {}).get("labels") or []
    before = (decided_before(job, draft) or {}).get("labels") or []
    return {label["slug"] for label in (*proposed, *before)} | _named(draft)


def shown_slugs(job: Job, draft: Draft | None) -> set[str]:
    """The slugs of ticked and of confirmed chips: of proposed labels only existing ones."""
    decided = decided_before(job, draft) if job.confirmed is None else job.confirmed
    if decided is None:
        proposed = (job.ai_suggestions or {}).get("labels") or []
        return {label["slug"] for label in proposed if label.get("existing")} | _named(draft)
    return {label["slug"] for label in decided.get("labels", [])} | (_named(draft) if job.confirmed is None else set())


def _named(draft: Draft | None) -> set[str]:
    return {slugify(name) for name in draft.labels} if draft else set()


def decided_before(job: Job, draft: Draft | None) -> Mapping[str, Any] | None:
    """What a person has decided of a job that is undecided again, as `Job.confirmed` has it.

    That is how its source stands, or the decision that was undone. Of other jobs it is None.
    """
    if job.confirmed is not None:
        return None
    if job.source is not None:
        labels = tuple(LabelChoice(label.slug, label.name) for label in job.source.labels.all())
        return Decision.of_source(job.source, labels=labels).as_confirmed()
    return draft.decision if draft else None


def values_of(job: Job, draft: Draft | None) -> Mapping[str, Any]:
    """The fields of a job by name: as decided, else as decided before, else as proposed."""
    return job.confirmed if job.confirmed is not None else _initial(job, draft)


def _initial(job: Job, draft: Draft | None) -> Mapping[str, Any]:
    values: Mapping[str, Any] = decided_before(job, draft) or job.ai_suggestions or {}
    return {**values, "kind": draft.kind} if draft and draft.kind else values


def propose(job: Job, *, draft: Draft | None, known: LabelSet) -> Proposal:
    """The initial form values. Of a decided job those that it had."""
    suggestions, before, given = job.ai_suggestions or {}, decided_before(job, draft), _initial(job, draft)
    return Proposal(
        values={field.name: field.as_text(given.get(field.name) or field.empty) for field in FIELDS},
        chips=_chips(suggestions, draft, before, known),
        suggestions=suggestions,
        draft=draft,
        before=before,
    )


def confirmed_chips(confirmed: Mapping[str, Any] | None, known: LabelSet) -> list[Chip]:
    """The labels of a decision, with their current names."""
    choices = (confirmed or {}).get("labels", [])
    found = [(choice, known.find(choice["slug"])) for choice in choices]
    return [
        Chip(f"slug:{label.slug}", label.name, True, label.usage_count)
        if label
        else Chip(f"name:{choice['name']}", choice["name"], True)
        for choice, label in found
    ]


def _chips(
    suggestions: Mapping[str, Any], draft: Draft | None, before: Mapping[str, Any] | None, known: LabelSet
) -> tuple[Chip, ...]:
    """Labels set for many, and proposed labels that exist, are ticked. Proposed new ones wait for a person.

    Where labels were decided before, those are ticked, and every proposed one waits.
    """
    set_for_many = chips_of([f"name:{name}" for name in (draft.labels if draft else [])], known)
    chips = {chip.value: chip for chip in (*confirmed_chips(before, known), *set_for_many)}
    for proposed in suggestions.get("labels") or []:
        label = known.find(proposed["slug"]) if proposed.get("existing") else known.find_named(proposed["name"])
        if label:
            is_ticked = before is None and bool(proposed.get("existing"))
            chip = Chip(f"slug:{label.slug}", label.name, is_ticked, label.usage_count)
        else:
            chip = Chip(f"name:{proposed['name']}", proposed["name"], False)
        chips.setdefault(chip.value, chip)
    return tuple(chips.values())
