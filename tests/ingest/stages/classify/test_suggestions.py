"""What of a raw proposal becomes a suggestion."""

import dataclasses
from typing import Any

import pytest

from ingest.stages.classify.proposal import FIELDS, RawProposal
from ingest.stages.classify.suggestions import MAX_EXISTING_LABELS, MAX_NEW_LABELS, build, ending_clauses
from labels.models import Label, LabelAlias
from law.metadata.head import DocumentHead, HeadPage, LabelName, RawEvidence
from tests.factories import make_label

pytestmark = pytest.mark.django_db

HEAD = DocumentHead(pages=(HeadPage(1, "Ferry Rules 2031\nRules about ferries."), HeadPage(2, "Ferry fares")))
PROPOSAL = RawProposal(
    provider="anthropic",
    model="claude-test",
    prompt_version="abc",
    kind="regulation",
    title="Ferry Rules\n 2031",
    subject="Ferries",
    summary="These rules say who may run a ferry across the bay, how fares are set, and when a licence is taken away.",
    identifier="FR 3/2031",
    published_at="2031-04-05",
    evidence=(RawEvidence("title", 1, "Ferry Rules 2031"), RawEvidence("subject", 1, "Ferry fares")),
)


def with_labels(*labels: LabelName) -> list[dict[str, object]]:
    return build(proposal(labels=labels), HEAD)["labels"]


def proposal(**values: Any) -> RawProposal:
    return dataclasses.replace(PROPOSAL, **values)


def test_a_good_proposal_has_every_member_of_the_contract() -> None:
    assert build(PROPOSAL, HEAD) == dict.fromkeys(FIELDS) | {
        "kind": "regulation",
        "title": "Ferry Rules 2031",
        "subject": "Ferries",
        "summary": PROPOSAL.summary,
        "identifier": "FR 3/2031",
        "published_at": "2031-04-05",
        "labels": [],
        "evidence": {
            "title": {"page": 1, "quote": "Ferry Rules 2031"},
            "subject": {"page": 2, "quote": "Ferry fares"},
        },
        "unsupported": ["kind", "identifier", "published_at"],
        "provider": "anthropic",
        "model": "claude-test",
        "prompt_version": "abc",
    }


def test_what_cannot_be_is_dropped_and_the_rest_stays() -> None:
    odd = proposal(kind="poem", published_at="2031-02-30", summary="Short.", identifier="7" * 90)
    kept = build(odd, HEAD)
    assert (kept["kind"], kept["published_at"], kept["summary"], kept["identifier"]) == (None, None, None, None)
    assert kept["title"] == "Ferry Rules 2031"


def test_a_title_of_1500_characters_is_cut() -> None:
    title = build(proposal(title="Ferry " * 250), HEAD)["title"]
    assert len(title) <= 300
    assert title.endswith("Ferry")


def test_controls_in_a_value_do_not_reach_the_database() -> None:
    assert build(proposal(subject="Fer\x00ries\ud800\u202e"), HEAD)["subject"] == "Fer ries"


def test_evidence_is_kept_once_and_for_proposed_fields_only() -> None:
    evidence = (
        RawEvidence("kind", 1, "invented words"),
        RawEvidence("kind", 1, "Rules"),
        RawEvidence("kind", 1, "Ferry"),
        RawEvidence("identifier", 1, "Ferry"),
        RawEvidence("password", 1, "Ferry"),
    )
    kept = build(proposal(identifier=None, evidence=evidence), HEAD)
    assert kept["evidence"] == {"kind": {"page": 1, "quote": "Rules"}}


def test_a_field_with_false_evidence_is_unsupported() -> None:
    evidence = (RawEvidence("summary", 1, "invented words"), RawEvidence("title", 1, "Ferry Rules 2031"))
    kept = build(proposal(kind=None, published_at=None, identifier=None, evidence=evidence), HEAD)
    assert kept["unsupported"] == ["subject", "summary"]


def test_a_proposal_with_nothing_in_it_is_empty() -> None:
    assert build(RawProposal(provider="rules", model="rules", prompt_version="1"), HEAD) == {}
    assert build(RawProposal(provider="rules", model="rules", prompt_version="1", title=" "), HEAD) == {}


def test_labels_match_by_slug_alias_and_name_before_new_ones() -> None:
    ferries, harbours = make_label("Ferries"), make_label("Harbours")
    LabelAlias.objects.create(label=harbours, slug="ports", name="Ports")
    labels = with_labels(
        LabelName(name="Tides"),
        LabelName(slug="ferries", name="whatever"),
        LabelName(slug="ports"),
        LabelName(name="HARBOURS"),
    )
    assert labels == [
        {"slug": ferries.slug, "name": "Ferries", "existing": True},
        {"slug": harbours.slug, "name": "Harbours", "existing": True},
        {"slug": "tides", "name": "Tides", "existing": False},
    ]
    assert Label.objects.count() == 2  # proposing creates none


def test_a_slug_that_does_not_exist_is_no_label_without_a_name() -> None:
    assert with_labels(LabelName(slug="made-up"), LabelName(slug="a\x00b"), LabelName(name="x" * 200)) == []


def test_labels_are_capped_in_number() -> None:
    known = [make_label(f"Known {number}") for number in range(12)]
    labels = with_labels(
        *(LabelName(slug=label.slug) for label in known), *(LabelName(name=f"New {number}") for number in range(12))
    )
    assert sum(bool(label["existing"]) for label in labels) == MAX_EXISTING_LABELS
    assert sum(not label["existing"] for label in labels) == MAX_NEW_LABELS


def test_a_clause_that_ends_another_document_stands_on_its_page() -> None:
    head = DocumentHead(
        pages=(HeadPage(1, "Circular 9/2031"),), further=(HeadPage(7, "This circular replaces\nCircular 5/2029."),)
    )
    assert ending_clauses(head) == [
        {"named": "Circular 5/2029", "replaced": True, "day": None, "page": 7,
         "quote": "This circular replaces\nCircular 5/2029."}
    ]  # fmt: skip
