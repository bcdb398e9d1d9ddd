"""Labels and sources as the API shows them."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from labels.models import Label
from sources.kinds import Kind
from sources.models import Source


class LabelSerializer(serializers.ModelSerializer[Label]):
    aliases = serializers.SerializerMethodField()

    class Meta:
        model = Label
        fields = ["id", "slug", "name", "usage_count", "aliases"]

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_aliases(self, label: Label) -> list[str]:
        return [alias.slug for alias in label.aliases.all()]


class SourceSerializer(serializers.ModelSerializer[Source]):
    """A source with its labels; prefetch `labels__aliases` for lists."""

    topic_id = serializers.IntegerField()
    kind = serializers.ChoiceField(Kind.choices)
    chunks = serializers.IntegerField(source="chunk_count")
    labels = LabelSerializer(many=True)

    class Meta:
        model = Source
        fields = [
            "id",
            "topic_id",
            "kind",
            "title",
            "subject",
            "identifier",
            "description",
            "published_at",
            "ai_classified_at",
            "created_at",
            "filename",
            "pages",
            "chunks",
            "labels",
        ]
