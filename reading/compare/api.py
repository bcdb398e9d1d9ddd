"""GET /kb/sources/{a}/compare/{b}: what changed from one document to another, by provision."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from kb_project.api.openapi import problems
from kb_project.api.strict import forbid_query
from kb_project.database.standbys.reading import from_standby
from reading.documents.api import PublicSourceView
from sources.comparison import MAX_CHARACTERS, ChangeKind, ProvisionChange, ProvisionText, compare_sources

CHANGES = [(kind.value, kind.value) for kind in ChangeKind]


class MovedFromSerializer(serializers.Serializer[Any]):
    number = serializers.CharField(help_text="As printed in the earlier document.")
    eid = serializers.CharField(help_text="In the earlier document.")


class ChangeSerializer(serializers.Serializer[Any]):
    """A provision that differs, without the provisions inside it. Its texts are as printed, with number and heading."""

    number = serializers.CharField(help_text="As printed; empty for a heading, a paragraph or what begins a document.")
    eid = serializers.CharField(
        help_text="In the later document; in the earlier one if it was removed. Empty for what has no address."
    )
    change = serializers.ChoiceField(CHANGES, source="kind")
    before = serializers.SerializerMethodField()
    after = serializers.SerializerMethodField()
    moved_from = serializers.SerializerMethodField()

    def get_before(self, change: ProvisionChange) -> str | None:
        return _text(change.before)

    def get_after(self, change: ProvisionChange) -> str | None:
        return _text(change.after)

    @extend_schema_field(MovedFromSerializer(allow_null=True))
    def get_moved_from(self, change: ProvisionChange) -> dict[str, Any] | None:
        moved = change.kind is ChangeKind.MOVED
        return MovedFromSerializer(change.before).data if moved else None


def _text(one: ProvisionText | None) -> str | None:
    return None if one is None else one.text


class ChangeList(serializers.Serializer[Any]):
    changes = ChangeSerializer(many=True)


class Compare(PublicSourceView):
    @extend_schema(
        operation_id="kb_sources_compare",
        responses={200: ChangeList, **problems(413)},
        description=(
            "What changed from one document, the earlier, to another, by provision and in the order of the later one;"
            " nothing if both say the same. By paragraphs where one of them has no provisions. A document of more than"
            f" {MAX_CHARACTERS:,} characters is refused (413)."
        ),
    )
    @from_standby
    def get(self, request: Request, source_id: int, other_id: int) -> Response:
        """What changed from one document to another."""
        forbid_query(request)
        before, after = self.source(request, source_id), self.source(request, other_id)
        changes = compare_sources(before.pk, after.pk)
        return Response({"changes": ChangeSerializer(changes, many=True).data})
