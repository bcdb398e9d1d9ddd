"""The classifier that needs no provider: patterns of the languages for legal documents, each field with evidence."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

from ingest.stages.classify.proposal import RawProposal
from law.languages.documents import CASELAW
from law.metadata.aliases import find_aliases, find_identifier, find_own_number
from law.metadata.days import InForce, find_days
from law.metadata.head import DocumentHead, FieldValue, LabelName, RawEvidence
from law.metadata.kind import find_case, find_kind, find_subject
from law.metadata.lines import HeadLine, lines_of
from law.metadata.publication import day_of_publication, find_published_at
from law.metadata.sentences import sentences_of
from law.metadata.summary import find_summary
from law.metadata.title import find_title
from law.words.analysis import Place, term_positions, terms

PROVIDER = "rules"
VERSION = "8"
"""Raise it when the rules propose something else than before."""
MAX_LABELS = 5
OFTEN = 3  # times, for a name of one word
OFTEN_PHRASE = 2  # times, for a name of several
WIDEST_GAP = 3  # characters between two words of a name


class RulesClassifier:
    """Reads kind, title, number, days, subject, summary and existing labels off the text itself. Invents nothing."""

    provider = PROVIDER

    def classify(self, document: DocumentHead, *, deadline_s: float, is_unwanted: Callable[[], bool]) -> RawProposal:
        """Propose. Takes a second at most, so neither deadline nor `is_unwanted` is looked at. Never fails."""
        lines = lines_of(document.pages)
        case = find_case(lines)
        if case:
            title, identifier = case.title, case.identifier
            kind = case.kind or (title and FieldValue("caselaw", title.quote, title.page))
            subject = aliases = None
        else:
            title = find_title(lines)
            kind = find_kind(lines, title)
            identifier = find_identifier(lines, title) or find_own_number(lines, kind.value if kind else None)
            subject = find_subject(title)
            every = lines_of((*document.pages, *document.further))
            named, quote = (title.value, title.quote) if title else ("", "")
            found_aliases = find_aliases(every, title=named, title_from=quote, kind=kind.value if kind else None)
            aliases = joined(found_aliases)
        published_at = find_published_at(lines, title, kind.value if kind else None)
        summary = find_summary(lines, title)
        in_force = InForce()
        if kind is None or kind.value != CASELAW:
            published = day_of_publication(lines, title, kind.value if kind else None)
            in_force = find_days(sentences_of(document), published=published)
        labels = find_labels(lines, title, document.labels)
        found = {
            "kind": kind,
            "title": title,
            "subject": subject,
            "summary": summary,
            "identifier": identifier,
            "aliases": aliases,
            "published_at": published_at,
            "valid_from": in_force.valid_from,
            "valid_to": in_force.valid_to,
        }
        quoted = found | {"labels": labels[0][1] if labels else None}
        return RawProposal(
            provider=PROVIDER,
            model=PROVIDER,
            prompt_version=VERSION,
            **{name: value.value for name, value in found.items() if value},
            labels=tuple(label for label, _ in labels),
            evidence=tuple(RawEvidence(name, where.page, where.quote) for name, where in quoted.items() if where),
        )


def joined(aliases: Sequence[FieldValue]) -> FieldValue | None:
    """The names in a line each, with the words of the first."""
    return replace(aliases[0], value="\n".join(one.value for one in aliases)) if aliases else None


def find_labels(
    lines: Sequence[HeadLine], title: FieldValue | None, labels: Sequence[LabelName]
) -> list[tuple[LabelName, FieldValue]]:
    """The labels, the likeliest first, each with the words where it was met first.

    Words are compared by their stem, so that `פיקדון` is met in `הפיקדונות`.
    """
    names = {label: tuple(term.stem for term in terms(label.name)) for label in labels}
    stems = frozenset(stem for name in names.values() for stem in name)
    in_title, *in_each = term_positions([title.value if title else "", *(line.text for line in lines)], stems)
    in_lines = list(zip(lines, in_each, strict=True))
    found: list[tuple[bool, int, LabelName, FieldValue]] = []
    for label, name in names.items():
        if not name:
            continue
        met = [(line, span) for line, held in in_lines if held for span in _spans(held, name)]
        titled = any(True for _ in _spans(in_title, name))
        if met and (titled or len(met) >= (OFTEN if len(name) == 1 else OFTEN_PHRASE)):
            line, (start, end) = met[0]
            found.append((titled, len(met), label, FieldValue(label.slug, line.text[start:end], line.page)))
    found.sort(key=lambda item: (not item[0], -item[1], item[2].slug))
    return [(label, where) for _, _, label, where in found[:MAX_LABELS]]


def _spans(held: Sequence[Place], name: Sequence[str]) -> list[tuple[int, int]]:
    """Where the words of a name stand one after the other."""
    spans = []
    for index in range(len(held) - len(name) + 1):
        run = held[index : index + len(name)]
        adjacent = all(after[0] - before[1] <= WIDEST_GAP for before, after in itertools.pairwise(run))
        if adjacent and [stem for _, _, stem in run] == list(name):
            spans.append((run[0][0], run[-1][1]))
    return spans
