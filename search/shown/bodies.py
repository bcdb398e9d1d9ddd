"""The bodies of the API: the scope that one asks for, and what was found as one gives it."""

from collections.abc import Mapping
from dataclasses import asdict
from operator import attrgetter
from typing import Any

from rest_framework.request import Request

from kb_project.errors import Invalid
from labels.topic_labels import are_known
from search.results import Retrieval, SearchHit
from search.shown.serializers import (
    ALL,
    HitSerializer,
    NotFoundSerializer,
    SourceCardSerializer,
)
from sources.fields import CARD
from sources.scope import Scope
from sources.validity import current_day
from topics.models import Topic
from topics.scoping import limits, note_search, searched

_OF_HIT: list[Any] = [name for name in HitSerializer().fields if name not in {"source", "tables"}]
_OF_SOURCE: list[Any] = [name for name in SourceCardSerializer().fields if name != "labels"]
_NAMES = {field.column: field.name for field in CARD}
_hit_values = attrgetter(*_OF_HIT)
_source_values = attrgetter(*(_NAMES.get(name, name) for name in _OF_SOURCE))


def scope_of(given: Mapping[str, Any], *, topic: Topic | None, request: Request) -> Scope:
    """The scope that a validated body asks for, in the topic it is about. Raises Invalid for an unknown label.

    Unknown to somebody who does not see every topic is every label that is not known in those they see.
    """
    source_id = given.get("source_id")
    note_search(request, topic)
    return Scope(
        **searched(request, topic),
        label_ids=_labels_of(given, request),
        kinds=tuple(given.get("kind") or ()),
        source_ids=() if source_id is None else (source_id,),
        published_from=given.get("published_from"),
        published_to=given.get("published_to"),
        as_of=given.get("as_of") or current_day(),
        all_versions=given.get("versions") == ALL,
    )


def _labels_of(given: Mapping[str, Any], request: Request) -> tuple[int, ...]:
    """The labels of a body. Raises Invalid for one that is not there, or not known in a topic that the caller sees."""
    label_id = given.get("label_id")
    fields = {"label_id": [] if label_id is None else [label_id], "label_ids": given.get("label_ids") or []}
    for name, label_ids in fields.items():
        if label_ids and not are_known(label_ids, within=limits(request)):
            raise Invalid("There is no such label.", errors={name: ["There is no such label."]})
    return tuple(dict.fromkeys([*fields["label_id"], *fields["label_ids"]]))


def passages_out(found: Retrieval) -> dict[str, Any]:
    """The passages, and before them what is cited and not there or not understood, and whether vectors are lacking.

    And what was taken for something else than the query says.
    """
    missing: dict[str, Any] = {"not_found": NotFoundSerializer(found.not_found).data} if found.not_found else {}
    if found.unread:
        missing["unread"] = list(found.unread)
    results = [laid_out(hit) for hit in found.hits]
    return {**missing, **understood_out(found), "meaning": meaning_out(found), "results": results}


def understood_out(found: Retrieval) -> dict[str, Any]:
    """As `UnderstoodSerializer` has it."""
    corrected = [{"word": one.word, "to": one.to} for one in found.corrected]
    return {
        **({"corrected": corrected} if corrected else {}),
        **({"operators": found.operators} if found.operators else {}),
    }


def meaning_out(found: Retrieval) -> dict[str, Any] | None:
    return asdict(found.lacking) if found.lacking else None


def laid_out(hit: SearchHit) -> dict[str, Any]:
    """A hit without what is only for callers inside the service. By hand, as a serializer costs more than a search."""
    out = dict(zip(_OF_HIT, _hit_values(hit), strict=True))
    out["tables"] = [asdict(part) for part in hit.tables]
    out["source"] = source = dict(zip(_OF_SOURCE, _source_values(hit.source), strict=True))
    source["labels"] = [vars(label) for label in hit.source.labels]
    return out


def other_version(hit: SearchHit) -> dict[str, Any]:
    """The document of a hit that is not in force on the day, with its days."""
    return {"source_id": hit.source.id, "title": hit.source.title, **hit.source.dated, "url": hit.url}
