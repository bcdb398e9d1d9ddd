"""The OpenAPI document: every operation states its problems, its security, and that it takes nothing else.

Importing this module registers the two security schemes with drf-spectacular.
"""

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import Direction, OpenApiResponse
from rest_framework import serializers

from kb_project.api.pagination import Pages
from kb_project.api.permissions import PublicOrKey
from kb_project.api.problem import CODES, CONTENT_TYPE
from kb_project.api.strict import StrictSerializer

_HEADERS = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}}},
    429: {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}},
    503: {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}},
}


class ProblemSerializer(serializers.Serializer):
    """A problem object (RFC 9457). Some problems have further members."""

    type = serializers.CharField(help_text="A URN that names the kind of problem.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What is wrong, in a sentence.")
    code = serializers.CharField(help_text="Stable; for programs.")
    errors = serializers.DictField(  # type: ignore[assignment]  # Serializer has a property of this name
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="Sentences by field.",
    )
    instance = serializers.CharField(required=False, help_text="A URN with the id by which the log knows the request.")


def problems(*statuses: int) -> dict[tuple[int, str], OpenApiResponse]:
    """Further problems of an operation, for `extend_schema(responses={202: …, **problems(409)})`.

    400, 401, 403, 404, 413, 415, 429 and 503 need not be named: ProblemAutoSchema sees where they can happen.
    """
    return {
        (status, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, description=CODES[status][1]) for status in statuses
    }


class ProblemAutoSchema(AutoSchema):
    """DRF's DEFAULT_SCHEMA_CLASS. A response declared with `many=True` is a page of the contract's form.

    Of a view with `lists_whole` it is the list itself.
    """

    def get_auth(self) -> list[dict[str, Any]]:
        auth = super().get_auth()
        permissions = self.view.get_permissions()
        public = any(isinstance(permission, PublicOrKey) for permission in permissions)
        is_open = not permissions or (public and not settings.KB_PUBLIC_REQUIRES_KEY)
        return [{}, *auth] if is_open and auth else auth

    def get_tags(self) -> list[str]:
        """The thing the path is about: `sources` for both `/kb/sources` and `/admin/kb/sources/{id}`."""
        parts = [part for part in self.path.strip("/").split("/") if part not in ("admin", "kb")]
        return parts[:1]

    def get_serializer_name(self, serializer: serializers.BaseSerializer, direction: Direction) -> str:
        """`TopicList.Output` is TopicListOutput: serializers nested in views share their short names."""
        return type(serializer).__qualname__.rpartition("<locals>.")[2].replace(".", "")

    def _get_paginator(self) -> Pages | None:
        return None if getattr(self.view, "lists_whole", False) else Pages()

    def _map_basic_serializer(self, serializer: Any, direction: Direction) -> dict[str, Any]:
        schema = super()._map_basic_serializer(serializer, direction)
        if isinstance(serializer, StrictSerializer):
            schema["additionalProperties"] = False
        if not type(serializer).__dict__.get("__doc__"):
            schema.pop("description", None)  # it is that of a class above it, and says nothing of this one
        return schema

    def _get_response_bodies(self, direction: Direction = "response") -> dict[str, Any]:
        responses = super()._get_response_bodies(direction)
        for status in sorted(self._usual_problems()):
            responses.setdefault(str(status), self._problem_component(status).ref)
        return responses

    def _usual_problems(self) -> set[int]:
        statuses = {400, 503}
        if self.view.get_authenticators():
            statuses |= {401, 403}
        if "{" in self.path:
            statuses.add(404)
        if self.method != "GET":
            statuses |= {413, 415}
        if self.view.get_throttles():
            statuses.add(429)
        return statuses

    def _problem_component(self, status: int) -> ResolvedComponent:
        problem = self.resolve_serializer(ProblemSerializer, "response")
        component = ResolvedComponent(
            name=f"Problem{status}",
            type=ResolvedComponent.RESPONSE,
            object=ProblemSerializer,
            schema={
                "description": CODES[status][1],
                "content": {CONTENT_TYPE: {"schema": problem.ref}},
                **({"headers": _HEADERS[status]} if status in _HEADERS else {}),
            },
        )
        self.registry.register_on_missing(component)
        return component


class ApiKeyScheme(OpenApiAuthenticationExtension):
    """How the document describes API keys."""

    target_class = "topics.authentication.ApiKeyAuthentication"
    name = "ApiKey"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Api-Key `, then the key: 8 letters or digits, a dot, 32 letters or digits.",
        }


class StaffSessionScheme(OpenApiAuthenticationExtension):
    """How the document describes browser sessions."""

    target_class = "topics.authentication.StaffSessionAuthentication"
    name = "Session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "A logged-in browser; changes also need the X-CSRFToken header.",
        }


class AccessTokenScheme(OpenApiAuthenticationExtension):
    """How the document describes agents that act for a person."""

    target_class = "topics.oauth.authentication.AccessTokenAuthentication"
    name = "AccessToken"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "The token of an agent that a person let in. It reads one topic.",
        }
