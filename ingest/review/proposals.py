"""Initial values of the decision form: the classifier's proposal, overruled by what reviewers set for many jobs."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from ingest.models import Draft, Job
from labels.chips import Chip, KnownLabels, chips_of
from labels.slugs import slugify
from sources.fields import FIELDS


@dataclass(frozen=True, slots=True)
class Origin:
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
    """`values` are texts by field name, empty where nothing is proposed."""

    values: dict[str, str]
    chips: tuple[Chip, ...]
    suggestions: dict[str, Any]
    draft: Draft | None

    def origin(self, name: str) -> Origin:
        """Where the value of a field came from."""
        if name == "kind" and self.draft and self.draft.kind:
            return Origin("draft", _("Set for many by %s") % self.draft.by)
        if not self.suggestions.get(name):
            return Origin("none", _("Nothing proposed"))
        evidence = (self.suggestions.get("evidence") or {}).get(name) or {}
        page, quote = evidence.get("page"), evidence.get("quote") or ""
        unsupported = name in self.suggestions.get("unsupported", ())
        provider, model = self.suggestions.get("provider") or "", self.suggestions.get("model") or ""
        if provider == "rules":
            return Origin("rules", _("Rules"), page, quote, unsupported)
        return Origin("ai", _("AI (%s)") % (model or provider), page, quote, unsupported)


def label_slugs(job: Job, draft: Draft | None) -> set[str]:
    """Every slug that the proposal for this job may name."""
    proposed = (job.ai_suggestions or {}).get("labels") or []
    return {label["slug"] for label in proposed} | {slugify(name) for name in (draft.labels if draft else [])}


def shown_slugs(job: Job, draft: Draft | None) -> set[str]:
    """The slugs of ticked and of confirmed chips: of proposed labels only existing ones."""
    if job.confirmed is not None:
        return {label["slug"] for label in job.confirmed.get("labels", [])}
    proposed = (job.ai_suggestions or {}).get("labels") or []
    existing = {label["slug"] for label in proposed if label.get("existing")}
    return existing | {slugify(name) for name in draft.labels} if draft else existing


def propose(job: Job, *, draft: Draft | None, known: KnownLabels) -> Proposal:
    suggestions = job.ai_suggestions or {}
    values = {field.name: str(suggestions.get(field.name) or "") for field in FIELDS}
    if draft and draft.kind:
        values["kind"] = draft.kind
    return Proposal(values=values, chips=_chips(suggestions, draft, known), suggestions=suggestions, draft=draft)


def confirmed_chips(job: Job, known: KnownLabels) -> list[Chip]:
    """The labels of a decision, with their current names."""
    choices = (job.confirmed or {}).get("labels", [])
    found = [(choice, known.find(choice["slug"])) for choice in choices]
    return [Chip(f"slug:{choice['slug']}", label.name if label else choice["name"], True) for choice, label in found]


def _chips(suggestions: dict[str, Any], draft: Draft | None, known: KnownLabels) -> tuple[Chip, ...]:
    """Labels set for many and proposed labels that exist are ticked; proposed new ones wait for a person."""
    chips = {chip.value: chip for chip in chips_of([f"name:{name}" for name in (draft.labels if draft else [])], known)}
    for proposed in suggestions.get("labels") or []:
        label = known.find(proposed["slug"]) if proposed.get("existing") else known.find_named(proposed["name"])
        if label:
            chip = Chip(f"slug:{label.slug}", label.name, bool(proposed.get("existing")), label.usage_count)
        else:
            chip = Chip(f"name:{proposed['name']}", proposed["name"], False)
        chips.setdefault(chip.value, chip)
    return tuple(chips.values())
