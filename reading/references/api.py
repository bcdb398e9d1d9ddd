"""GET /kb/sources/{id}/references: what a document cites, or what cites it. POST /kb/resolve: what any text cites."""

import re
from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import StrictSerializer, body, query_params
from kb_project.api.throttles import PublicThrottle
from kb_project.database.standbys.reading import from_standby
from kb_project.errors import NotFound
from law.references.reasons import WHY, Reason
from reading.documents.api import PublicSourceView
from sources import provisions
from sources.citations import find_provisions
from sources.models import Reference, Source
from sources.references import Citation, ReferenceTarget, ResolutionStatus
from sources.references.existing import to_existing
from sources.references.listing import as_certain, citing, reason_of, references_of, status_of, with_status
from sources.references.texts import resolve_text
from sources.scope import Scope
from topics.scoping import TopicFirst, searched

MAX_CITATION_LENGTH = 300  # characters of a text that may be one citation alone
MAX_TEXT_LENGTH = 100_000  # characters of a text whose citations are asked for
_WORD = re.compile(r"\w")
DIRECTIONS = [("out", "out"), ("in", "in")]
REASONS = [(why, why) for why in WHY]
STATUSES = [(status.value, status.value) for status in ResolutionStatus]


class PlaceSerializer(serializers.Serializer[Any]):
    """A document, or a provision of it."""

    source_id = serializers.IntegerField()
    title = serializers.CharField()
    eid = serializers.CharField(help_text="Empty for the document as a whole, and where it has no such provision.")
    number = serializers.CharField(help_text="Of the provision, as printed.")


class CitedSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(help_text="Of the act, as the text means it; empty for the document itself.")
    number = serializers.CharField(help_text="Of the section, as printed; empty for the act as a whole.")
    unread = serializers.CharField(
        default="", help_text="The words that say of which act it is, where they were not read (status `unread`)."
    )
    last = serializers.CharField(
        default="", help_text="Of the last section of a range that begins here; its end is a citation of its own."
    )


class ResolvedSerializer(serializers.Serializer[Any]):
    """A citation in a text, and what it leads to."""

    text = serializers.CharField()
    start = serializers.IntegerField(help_text="The first character.")
    end = serializers.IntegerField(help_text="The character behind the last.")
    to = PlaceSerializer(allow_null=True)
    cites = CitedSerializer()
    status = serializers.ChoiceField(STATUSES)
    internal = serializers.BooleanField(help_text="Whether it leads to the same document.")
    why = serializers.ChoiceField(
        REASONS,
        allow_null=True,
        help_text="Why it is taken to be of this act; null where none is known or it was not kept.",
    )
    certainty = serializers.FloatField(
        allow_null=True, min_value=0, max_value=1, help_text="How certain that is; null as `why`."
    )


class ReferenceSerializer(ResolvedSerializer):
    """A reference that stands in a document. Its characters are those of the provision's text, where it is in one."""

    id = serializers.IntegerField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**super().get_fields(), "from": PlaceSerializer()}  # no name for a class attribute


class ReferenceQuery(PageQuery):
    eid = serializers.CharField(required=False, max_length=provisions.MAX_EID_LENGTH, help_text="Of one provision.")
    direction = serializers.ChoiceField(
        DIRECTIONS, default="out", help_text="`out`: what stands in the document; `in`: what refers to it."
    )
    status = serializers.ChoiceField(STATUSES, required=False)
    least_certainty = serializers.FloatField(
        default=0, min_value=0, max_value=1, help_text="Only those whose act is at least so certain."
    )


class References(PublicSourceView):
    @extend_schema(
        operation_id="kb_references_list", parameters=[ReferenceQuery], responses=ReferenceSerializer(many=True)
    )
    @from_standby
    def get(self, request: Request, source_id: int) -> Response:
        """What a document refers to in the order of its text, or what refers to it, newest documents first."""
        query = query_params(request, ReferenceQuery)
        source = self.source(request, source_id)
        provision = provisions.find(source.pk, query["eid"]) if "eid" in query else None
        if "eid" in query and provision is None:
            raise NotFound("There is no such provision.")
        found = (citing if query["direction"] == "in" else references_of)(source, provision)
        if "status" in query:
            found = with_status(found, ResolutionStatus(query["status"]))
        found = as_certain(found, query["least_certainty"])
        return page_response(request, found, show=shown, serializer_class=ReferenceSerializer)


def shown(references: Sequence[Reference]) -> list[dict[str, Any]]:
    """References with the places that they stand in and lead to. `source` and `target` have to be fetched."""
    stored = provisions.stored((one.source_id, one.eid) for one in references)
    printed = _printed([(one.target_id, one.target_eid) for one in references])
    made = []
    for one in references:
        within = stored.get((one.source_id, one.eid))
        offset = within.span_start if within else 0
        made.append(
            {
                "id": one.pk,
                "text": one.text,
                "start": one.span_start - offset,
                "end": one.span_end - offset,
                "from": _place(one.source, one.eid, within.number if within else ""),
                "to": _place(one.target, one.target_eid, printed[one.target_id, one.target_eid])
                if one.target
                else None,
                "cites": one.cites,
                "status": status_of(one),
                "internal": one.internal,
                **_because(reason_of(one)),
            }
        )
    return made


def _because(reason: Reason | None) -> dict[str, Any]:
    return {"why": reason.why if reason else None, "certainty": reason.certainty if reason else None}


def _printed(places: Sequence[tuple[int | None, str]]) -> dict[tuple[int | None, str], str]:
    """The numbers of the provisions at places, of a clause that of its section."""
    held = provisions.holders((source_id, at) for source_id, at in places if source_id)
    found = {(source_id, at): held.get((source_id or 0, at)) for source_id, at in places}
    return {place: one.number if one else "" for place, one in found.items()}


def _place(source: Source, eid: str, number: str) -> dict[str, Any]:
    return {"source_id": source.pk, "title": source.title, "eid": eid, "number": number if eid else ""}


class ResolveRequest(StrictSerializer):
    text = serializers.CharField(max_length=MAX_TEXT_LENGTH, trim_whitespace=False)
    topic_id = serializers.IntegerField(
        required=False, allow_null=True, help_text="Where to look; all topics if left out."
    )


class ResolveAnswer(serializers.Serializer[Any]):
    references = ResolvedSerializer(many=True)


class Resolve(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    @extend_schema(operation_id="kb_resolve", request=ResolveRequest, responses=ResolveAnswer)
    @from_standby
    def post(self, request: Request) -> Response:
        """All citations of a text, with where they stand in it and what they lead to."""
        text = body(request, ResolveRequest)["text"]
        scope = Scope(**searched(request, self.topic))
        found = resolve_text(text, scope=scope)
        mentions, meant = [one.mention for one in found], [one.target for one in found]
        targets = to_existing(mentions, meant)
        titles = Source.objects.in_bulk({target.source_id for target in targets if target.source_id})
        printed = _printed([(target.source_id, target.eid) for target in targets])
        shown = [_resolved(text, one, target, titles, printed) for one, target in zip(mentions, targets, strict=True)]
        if len(text) <= MAX_CITATION_LENGTH:
            shown = _read_as_query(text, shown, scope=scope)
        return Response({"references": ResolvedSerializer(shown, many=True).data})


def _read_as_query(text: str, found: list[dict[str, Any]], *, scope: Scope) -> list[dict[str, Any]]:
    """A text that is one citation as lawyers type it: `9 U.S.C. § 16`, `[2031] ISL 7 at [3]`.

    Where nothing that is there was `found`, what a search would find for it is the answer, and what a search says is
    not there is not. Where the search is unsure, or the text cites several sections, it is what was `found`. Of several
    citations only the one with a section is read so.
    """
    numbered = [one for one in found if one["cites"]["number"]]
    if len(numbered) > 1 and any(one["status"] == ResolutionStatus.RESOLVED for one in numbered):
        return found
    if len(found) > 1 and len(numbered) != 1:
        return found
    if numbered and numbered[0]["to"] and numbered[0]["to"]["number"]:
        return _in_place_of(numbered, numbered[0], found, text)
    cited = find_provisions(text, scope=scope)
    start = len(text) - len(text.lstrip())
    whole = {"text": text.strip(), "start": start, "end": start + len(text.strip())}
    # A query names its act beside the number, in whatever words.
    named = [_because(Reason.NAMED_IN_SHORT), *({"why": one["why"], "certainty": one["certainty"]} for one in found)]
    because = max((one for one in named if one["why"] == "named"), key=lambda one: one["certainty"])
    if len(numbered) == 1:
        whole = {key: numbered[0][key] for key in whole}
    if len(cited.found) == 1:
        [one] = cited.found
        place = _place(one.source, one.eid, cited.printed)
        cites = {"title": one.source.title, "number": cited.number or ""}
        row = {**whole, **because, "to": place, "cites": cites, "status": ResolutionStatus.RESOLVED, "internal": False}
        return _in_place_of(numbered, row, found, text)
    is_resolved = any(one["status"] == ResolutionStatus.RESOLVED for one in found)
    if cited.not_found and not cited.unread and (cited.not_found.source_id or not is_resolved):
        cites = {"title": cited.not_found.title, "number": cited.not_found.number}
        row = {**whole, **because, "to": None, "cites": cites, "status": ResolutionStatus.NOT_HERE, "internal": False}
        return _in_place_of(numbered, row, found, text)
    if cited.unread and not is_resolved:
        cites = {"title": "", "number": cited.number or "", "unread": cited.unread}
        because = _because(None)
        row = {**whole, **because, "to": None, "cites": cites, "status": ResolutionStatus.UNREAD, "internal": False}
        return _in_place_of(numbered, row, found, text)
    return found


def _in_place_of(
    numbered: Sequence[dict[str, Any]], row: dict[str, Any], found: Sequence[dict[str, Any]], text: str
) -> list[dict[str, Any]]:
    """What was found, with `row` for what has a number and for the names that belong to it."""
    if len(found) == 1 or not numbered:
        return [row]
    others = [one for one in found if one not in numbered and not _belongs_to(row, one, text)]
    return sorted([row, *others], key=lambda one: one["start"])


def _belongs_to(row: dict[str, Any], name: dict[str, Any], text: str) -> bool:
    """Whether an act found by itself is that of the citation: the same, in its title, or right beside it."""
    same = bool(row["to"] and name["to"]) and row["to"]["source_id"] == name["to"]["source_id"]
    between = text[min(row["end"], name["end"]) : max(row["start"], name["start"])]
    return same or name["text"].casefold() in row["cites"]["title"].casefold() or not _WORD.search(between)


def _resolved(
    text: str,
    mention: Citation,
    target: ReferenceTarget,
    sources: dict[int, Source],
    printed: dict[tuple[int | None, str], str],
) -> dict[str, Any]:
    source = sources.get(target.source_id or 0)
    is_unread = target.status == ResolutionStatus.UNREAD
    return {
        "text": text[mention.start : mention.end],
        "start": mention.start,
        "end": mention.end,
        "to": _place(source, target.eid, printed[target.source_id, target.eid]) if source else None,
        "cites": {
            "title": mention.title or mention.identifier or ("" if is_unread else mention.unread),
            "number": mention.number,
            "last": mention.last,
            "unread": mention.unread if is_unread else "",
        },
        "status": target.status,
        "internal": mention.internal,
        **_because(Reason.NAMED if mention.unread and not is_unread else mention.reason),
    }
