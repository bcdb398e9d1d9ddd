"""Problem objects (RFC 9457): how every error of the API is said, whichever layer it comes from."""

import errno
import json
import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import kombu.exceptions
import redis
from django.core import exceptions as django_errors
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions as drf_errors

from kb_project.configuration.security_settings import API_PATHS
from kb_project.errors import ApiError, Invalid, NotFound, PermissionDenied, TooLarge, Unavailable
from kb_project.isolates import unmarked
from kb_project.observability.request_ids import current_request_id

logger = logging.getLogger(__name__)

# What a disk that is full or fails says, and whatever the clients of S3 raise that nobody has caught.
STORAGE_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ESTALE)
STORAGE_MODULES = ("botocore.", "boto3.", "s3transfer.", "urllib3.")

CONTENT_TYPE = "application/problem+json"
MAX_SENTENCE_LENGTH, MAX_BEGINNING_LENGTH = 400, 200  # characters
CODES = {
    400: ("invalid", "The request is not valid"),
    401: ("not_authenticated", "Authentication is needed"),
    403: ("permission_denied", "Permission denied"),
    404: ("not_found", "Not found"),
    405: ("method_not_allowed", "Method not allowed"),
    406: ("not_acceptable", "Not acceptable"),
    408: ("request_timeout", "The request took too long to arrive"),
    409: ("wrong_state", "Conflict"),
    413: ("too_large", "Too large"),
    415: ("unsupported_type", "Unsupported type"),
    416: ("range_not_satisfiable", "No such bytes"),
    429: ("throttled", "Too many requests"),
    500: ("internal_error", "Something went wrong on our side"),
    502: ("provider_error", "An outside service failed"),
    503: ("unavailable", "Unavailable"),
}


class ProblemResponse(HttpResponse):
    """A problem as an HTTP response. It renders itself, so it does not matter what the view renders."""

    def __init__(
        self,
        status: int,
        *,
        detail: str,
        code: str | None = None,
        title: str | None = None,
        errors: Mapping[str, Sequence[str]] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        usual_code, usual_title = CODES.get(status, CODES[500 if status >= 500 else 400])
        self.problem: dict[str, Any] = {
            **(extra or {}),
            "type": f"urn:kb:problem:{code or usual_code}",
            "title": title or usual_title,
            "status": status,
            "detail": detail,
            "code": code or usual_code,
        }
        if errors:
            self.problem["errors"] = errors
        if request_id := current_request_id():
            self.problem["instance"] = f"urn:kb:request:{request_id}"
        text = unmarked(json.dumps(self.problem, ensure_ascii=False, default=str))
        # A sentence may repeat what was sent, and that may hold halves of characters, which UTF-8 cannot.
        super().__init__(text.encode("utf-8", "replace"), status=status, content_type=CONTENT_TYPE)


def problem_of(refusal: ApiError) -> ProblemResponse:
    """The response that says this refusal, also for views that are not DRF's."""
    response = ProblemResponse(
        refusal.status,
        detail=refusal.detail,
        code=refusal.code,
        title=refusal.title,
        errors=refusal.errors,
        extra=refusal.extra,
    )
    if refusal.status == 503:
        response["Retry-After"] = "5"
    return response


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """DRF's EXCEPTION_HANDLER. Gives None, so a 500, only for what nobody foresaw."""
    if isinstance(exc, drf_errors.APIException):
        return _problem_of_api_exception(exc)
    refusal = refusal_of(exc)
    return problem_of(refusal) if refusal is not None else None


# The first that fits: what is too large is suspicious to Django, too.
_REFUSALS: Sequence[tuple[type[Exception] | tuple[type[Exception], ...], type[ApiError], str]] = (
    (Http404, NotFound, "There is nothing here."),
    (django_errors.PermissionDenied, PermissionDenied, "You may not do this."),
    (django_errors.RequestDataTooBig, TooLarge, "The request is larger than the service accepts."),
    (
        (django_errors.TooManyFieldsSent, django_errors.TooManyFilesSent),
        TooLarge,
        "The request has more fields or files than the service accepts.",
    ),
    (
        (django_errors.BadRequest, django_errors.SuspiciousOperation, MultiPartParserError),
        Invalid,
        "The request cannot be understood.",
    ),
    (UnreadablePostError, Invalid, "The request ended before all of it had arrived."),
)


def refusal_of(exc: BaseException) -> ApiError | None:
    """What an exception of Django or of a server we depend on means to the caller, if it is not a fault of ours."""
    if isinstance(exc, ApiError):
        return exc
    for kinds, refusal, sentence in _REFUSALS:
        if isinstance(exc, kinds):
            return refusal(sentence)
    if isinstance(exc, DataError):
        logger.error("A value reached the database that it cannot hold", exc_info=exc)
        return Invalid("A value in the request cannot be stored.")
    if isinstance(exc, OperationalError | InterfaceError):
        logger.error("The database does not answer", exc_info=exc)
        return Unavailable("The database does not answer; try again in a moment.")
    if is_of_storage(exc):
        logger.error("The file store failed", exc_info=exc)
        return Unavailable("The file store does not answer or is full; try again in a moment.")
    if isinstance(exc, redis.RedisError | kombu.exceptions.OperationalError):
        logger.error("The broker does not answer", exc_info=exc)
        return Unavailable("The broker does not answer; try again in a moment.")
    return None


def is_of_storage(exc: BaseException) -> bool:
    """Whether the file store, and nothing else, is what failed."""
    return (isinstance(exc, OSError) and exc.errno in STORAGE_ERRNOS) or type(exc).__module__.startswith(
        STORAGE_MODULES
    )


def is_api_path(path: str) -> bool:
    return any(path == prefix or path.startswith(prefix + "/") for prefix in API_PATHS)


@csrf_exempt
def nothing_here(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
    """A view for the end of `/admin/kb/`, where Django's admin would offer its login page to a program."""
    return problem_of(NotFound("There is nothing at this address."))


# --- exceptions of DRF -------------------------------------------------------------------------------------------


def _problem_of_api_exception(exc: drf_errors.APIException) -> ProblemResponse:
    if isinstance(exc, drf_errors.ValidationError):
        errors = dict(_flattened(exc.detail))
        return ProblemResponse(400, detail=_summary(errors), errors=errors)
    # DRF answers 403 instead of 401 when the first authentication class names no scheme; the status says which it is.
    authentication = isinstance(exc, drf_errors.NotAuthenticated | drf_errors.AuthenticationFailed)
    response = ProblemResponse(401 if authentication else exc.status_code, detail=str(exc.detail))
    if getattr(exc, "auth_header", None):
        response["WWW-Authenticate"] = exc.auth_header  # type: ignore[attr-defined]  # set by APIView
    wait = getattr(exc, "wait", None)
    if isinstance(exc, drf_errors.Throttled):
        response["Retry-After"] = str(math.ceil(wait) if wait else 1)
    return response


def _flattened(detail: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Turn DRF's nested error detail into field paths (`labels.0.name`) and their sentences."""
    if isinstance(detail, Mapping):
        for name, part in detail.items():
            # Errors of the object as a whole belong to the object.
            yield from _flattened(part, path if name == "non_field_errors" else f"{path}.{name}".lstrip("."))
    elif isinstance(detail, list) and any(isinstance(part, Mapping | list) for part in detail):
        for index, part in enumerate(detail):
            if part:
                yield from _flattened(part, f"{path}.{index}".lstrip("."))
    else:
        yield path or "body", [_bounded(str(part)) for part in (detail if isinstance(detail, list) else [detail])]


def _bounded(sentence: str) -> str:
    """A sentence of DRF that may repeat a value of any length: its middle is left out."""
    return sentence if len(sentence) <= MAX_SENTENCE_LENGTH else f"{sentence[:MAX_BEGINNING_LENGTH]} … {sentence[-60:]}"


def _summary(errors: Mapping[str, Sequence[str]]) -> str:
    """One sentence for the person: the first error, and how many more there are."""
    field, sentences = next(iter(errors.items()), ("", ["The request is not valid."]))
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{field}: {sentences[0]}{more}"
