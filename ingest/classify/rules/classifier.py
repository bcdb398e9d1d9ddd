"""The classifier that needs no provider: patterns of the languages for legal documents, each field with evidence."""

from __future__ import annotations

from collections.abc import Callable

from ingest.classify.proposal import DocumentHead, RawEvidence, RawLabel, RawProposal
from ingest.classify.rules.caselaw import find_case
from ingest.classify.rules.identifier import find_identifier
from ingest.classify.rules.kind import find_kind
from ingest.classify.rules.label_matches import find_labels
from ingest.classify.rules.lines import lines_of
from ingest.classify.rules.publication import find_published_at
from ingest.classify.rules.subject import find_subject
from ingest.classify.rules.summary import find_summary
from ingest.classify.rules.title import FieldValue, find_title

PROVIDER = "rules"
VERSION = "2"
"""Raise it when the rules propose something else than before."""


class RulesClassifier:
    """Reads kind, title, number, date, subject, summary and existing labels off the text itself; invents nothing."""

    def classify(self, document: DocumentHead, *, deadline_s: float, is_unwanted: Callable[[], bool]) -> RawProposal:
        """Propose. Takes milliseconds for any head, so neither deadline nor `is_unwanted` is looked at; never fails."""
        lines = lines_of(document)
        case = find_case(lines)
        if case:
            title, identifier = case.title, case.identifier
            kind = case.court or (title and FieldValue("caselaw", title.quote, title.page))
            subject = None
        else:
            title = find_title(lines)
            identifier = find_identifier(lines, title)
            kind = find_kind(lines, title)
            subject = find_subject(title)
        published_at = find_published_at(lines, title, kind.value if kind else None)
        summary = find_summary(lines, title)
        labels = find_labels(lines, title, document.labels)
        found = {
            "kind": kind,
            "title": title,
            "subject": subject,
            "summary": summary,
            "identifier": identifier,
            "published_at": published_at,
        }
        quoted = found | {"labels": labels[0][1] if labels else None}
        return RawProposal(
            provider=PROVIDER,
            model=PROVIDER,
            prompt_version=VERSION,
            **{name: value.value for name, value in found.items() if value},
            labels=tuple(RawLabel(slug=label.slug, name=label.name) for label, _ in labels),
            evidence=tuple(RawEvidence(name, where.page, where.quote) for name, where in quoted.items() if where),
        )
