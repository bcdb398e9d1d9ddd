"""The fields of a document as parameters of a request."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from sources.fields import FIELDS, DocumentField, FieldType
from sources.kinds import Kind


def parameters(
    *, by_column: bool = False, needs_title: bool = False, as_proposed: bool = False, defaults: bool = True
) -> dict[str, serializers.Field]:
    """A serializer field for each field of a document, by name or by column.

    What is not required has the default `""`, or None for a date. Without `defaults`, as in a PATCH, what is missing
    stays missing. `as_proposed` takes the values of `ai_suggestions` as they are: null for an empty text.
    """
    return {
        field.column if by_column else field.name: _parameter(
            field, required=needs_title and bool(field.required), as_proposed=as_proposed, defaults=defaults
        )
        for field in FIELDS
    }


def _parameter(field: DocumentField, *, required: bool, as_proposed: bool, defaults: bool) -> serializers.Field:
    if field.type is FieldType.KIND:
        return serializers.ChoiceField(Kind.choices)
    options: dict[str, Any] = {"default": field.empty} if defaults and not required else {}
    if field.type is FieldType.DATE:
        return serializers.DateField(allow_null=True, **options)
    if as_proposed and field.multiline:
        options |= {"trim_whitespace": False, "help_text": f"Becomes the {field.column} of the source, as given."}
    return serializers.CharField(
        max_length=field.longest, allow_blank=not required, allow_null=as_proposed and not required, **options
    )
