"""Refusals: every error the service answers with has a class, a stable code and a sentence for the person."""

from collections.abc import Mapping, Sequence
from typing import Any


class ApiError(Exception):
    """The request cannot be done. `detail` says why in a sentence, `code` says it to a program.

    `errors` maps field names to sentences. `extra` holds further members of the problem object
    (RFC 9457 extension members), such as `source_id` of a duplicate.
    """

    code = "invalid"
    status = 400
    title = "The request is not valid"

    def __init__(
        self,
        detail: str,
        *,
        code: str | None = None,
        errors: Mapping[str, Sequence[str]] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code or self.code
        self.errors = dict(errors) if errors else {}
        self.extra = extra


class Invalid(ApiError):
    """A field holds something it cannot hold."""


class UnknownParameter(ApiError):
    """A field or query parameter that does not exist is never ignored."""

    code = "unknown_parameter"
    title = "Unknown parameter"


class UnknownTopic(ApiError):
    """The topic does not exist. Domains are never mixed silently."""

    code = "unknown_topic"
    title = "Unknown topic"


class PermissionDenied(ApiError):
    """The caller is known and may not do this."""

    code = "permission_denied"
    status = 403
    title = "Permission denied"


class NotFound(ApiError):
    """There is no such thing, or the caller cannot see it."""

    code = "not_found"
    status = 404
    title = "Not found"


class Conflict(ApiError):
    """The thing is not in a state that allows this."""

    status = 409
    title = "Conflict"


class TooLarge(ApiError):
    """More bytes, or more pages, than the service takes."""

    code = "too_large"
    status = 413
    title = "Too large"


class UnsupportedType(ApiError):
    """The content is of a type the service does not read."""

    code = "unsupported_type"
    status = 415
    title = "Unsupported type"


class Throttled(ApiError):
    """The client asks too often. `extra` has `wait_s`, the seconds until it may ask again."""

    code = "throttled"
    status = 429
    title = "Too many requests"


class ProviderError(ApiError):
    """An outside service failed. `retryable` says whether trying again can help."""

    code = "provider_error"
    status = 502
    title = "An outside service failed"

    def __init__(self, detail: str, *, retryable: bool, **extra: Any) -> None:
        super().__init__(detail, **extra)
        self.retryable = retryable


class Unavailable(ApiError):
    """A part of the service is down for now."""

    code = "unavailable"
    status = 503
    title = "Unavailable"
