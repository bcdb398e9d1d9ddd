"""Strict parameters: whatever a request says that is not in the serializer, or not of its type, is refused."""

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.utils.serializer_helpers import BindingDict

from kb_project.errors import UnknownParameter

BIGINT = 2**63  # the first integer that a bigint column cannot hold
_INTEGER = re.compile(r"-?[0-9]{1,19}")
_DECIMAL = re.compile(r"-?[0-9]{1,19}(\.[0-9]{1,19})?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_MANY = (serializers.ListField, serializers.MultipleChoiceField, serializers.ListSerializer)
_TEXTUAL = (
    serializers.CharField,
    serializers.DateField,
    serializers.DateTimeField,
    serializers.UUIDField,
)
# `True` is what a generated client of Python sends in a form.
_BOOLEANS = {"true": True, "True": True, "1": True, "false": False, "False": False, "0": False}


class StrictSerializer(serializers.Serializer):
    """A serializer of request fields that DRF's own would ignore or bend into shape.

    An unknown name raises UnknownParameter. In JSON a number must be a number, a boolean a boolean and a string a
    string. In a query string or a form, where all is text, exactly the text of one. An empty text means null for a
    field that may be null. Dates are `YYYY-MM-DD`, UUIDs have their hyphens, integers fit the database.

    Its fields are those of all serializers of its class: they see no context, and must not be changed.
    """

    _given: Mapping[Any, Any] | None = None

    @cached_property
    def fields(self) -> BindingDict:
        return _bound_fields(type(self), partial=bool(getattr(self.root, "partial", False)))

    @property
    def _writable_fields(self) -> list[serializers.Field]:
        """As DRF's, without those that it would validate to find out that they were left out and may be."""
        given, empty = self._given, serializers.empty
        return [
            field
            for name, field in self._writable_by_name.items()
            if given is None or name in given or field.required or field.default is not empty
        ]

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            self._refuse_unknown(data)
            if isinstance(data, QueryDict):
                data = self._values_of_text(data)
            fields = self._writable_by_name
            wrong = {name: [sentence] for name, value in data.items() if (sentence := wrong_type(fields[name], value))}
            if wrong:
                raise serializers.ValidationError(wrong)
            if self.parent is None:  # else it is a field, which all requests share
                self._given = data
        return super().to_internal_value(data)

    @cached_property
    def _writable_by_name(self) -> dict[str, serializers.Field]:
        return {name: field for name, field in self.fields.items() if not field.read_only}

    def _refuse_unknown(self, data: Mapping[Any, Any]) -> None:
        known = self._writable_by_name
        unknown = sorted(str(name) for name in data if name not in known)
        if unknown:
            raise UnknownParameter(
                f"There is no parameter {', '.join(f'“{name[:100]}”' for name in unknown[:5])}.",
                errors={name[:100]: ["There is no such parameter."] for name in unknown[:20]},
            )

    def _values_of_text(self, data: QueryDict) -> dict[str, Any]:
        """A query string or form as plain values. Refuses a repeated parameter that is not a list."""
        values: dict[str, Any] = {}
        repeated = {}
        for name, field in self._writable_by_name.items():
            texts = data.getlist(name)
            if isinstance(field, _MANY) and texts:
                values[name] = [value_of_text(getattr(field, "child", None), text) for text in texts]
            elif texts:
                values[name] = value_of_text(field, texts[0])
                if len(texts) > 1:
                    repeated[name] = ["This parameter can be given only once."]
        if repeated:
            raise serializers.ValidationError(repeated)
        return values


@lru_cache(maxsize=256)
def _bound_fields(serializer_class: type[StrictSerializer], *, partial: bool) -> BindingDict:
    """The fields of a class, bound once: copying them for a request costs more than a search's statement.

    Validation leaves nothing behind in a field.
    """
    serializer = serializer_class(partial=partial)
    fields = BindingDict(serializer)
    fields.update(serializer.get_fields())
    return fields


def query_params(request: Request, serializer_class: type[serializers.Serializer]) -> dict[str, Any]:
    """The validated query string."""
    return _validated(serializer_class, request.query_params, request)


def body(request: Request, serializer_class: type[serializers.Serializer], *, partial: bool = False) -> dict[str, Any]:
    """The validated body, JSON or form. `partial` is for PATCH. The query string beside it must be empty."""
    forbid_query(request)
    return _validated(serializer_class, request.data, request, partial=partial)


def forbid_query(request: Request) -> None:
    """For a path that takes no query parameters at all."""
    if request.query_params:
        query_params(request, StrictSerializer)


def forbid_body(request: Request) -> None:
    """For a path that takes neither query parameters nor a body. An empty JSON object is let pass."""
    body(request, StrictSerializer)


def _validated(
    serializer_class: type[serializers.Serializer], data: Any, request: Request, *, partial: bool = False
) -> dict[str, Any]:
    serializer = serializer_class(data=data, context={"request": request}, partial=partial)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def value_of_text(field: serializers.Field | None, text: Any) -> Any:
    """What a text of a query string or form means for this field. What means nothing is left as it is."""
    if not isinstance(text, str):
        return text  # an uploaded file
    if text == "" and field is not None and field.allow_null:
        return None
    if isinstance(field, serializers.IntegerField) and _INTEGER.fullmatch(text):
        return int(text)
    if isinstance(field, serializers.FloatField) and _DECIMAL.fullmatch(text):
        return float(text)
    if isinstance(field, serializers.BooleanField):
        return _BOOLEANS.get(text, text)
    return text


def wrong_type(field: serializers.Field, value: Any) -> str | None:
    """The sentence that refuses a value which DRF would take though it is not of the field's type."""
    if value is None:
        return None  # DRF knows whether the field may be null
    if isinstance(field, serializers.BooleanField):
        return None if isinstance(value, bool) else "Must be true or false."
    if isinstance(field, serializers.IntegerField | serializers.FloatField):
        return _wrong_number(value, whole=isinstance(field, serializers.IntegerField))
    if isinstance(field, serializers.ListField) and isinstance(value, list):
        if field.max_length is not None and len(value) > field.max_length:  # DRF would look at each member first
            return str(field.error_messages["max_length"]).format(max_length=field.max_length)
        return next((sentence for one in value if (sentence := wrong_type(field.child, one))), None)
    if isinstance(field, _TEXTUAL):
        if not isinstance(value, str):
            return "Must be a string."
        return _wrong_text(field, value)
    return None


def _wrong_number(value: Any, *, whole: bool) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or (whole and value != value // 1):
        return "Must be an integer." if whole else "Must be a number."
    return None if -BIGINT <= value < BIGINT else "The number is too large."


def _wrong_text(field: serializers.Field, value: str) -> str | None:
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        return "Must not hold null characters or halves of characters."
    if isinstance(field, serializers.DateField) and not _DATE.fullmatch(value):
        return "Must be a date of the form YYYY-MM-DD."
    if isinstance(field, serializers.UUIDField) and not _UUID.fullmatch(value):
        return "Must be a UUID."
    return None
