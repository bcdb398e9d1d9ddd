"""What programs ask: metadata (RFC 9728, RFC 8414), registration, tokens, revoking."""

from typing import Any

from authlib.oauth2 import OAuth2Error
from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from kb_project.api.throttles import ClientThrottle, PublicThrottle
from kb_project.errors import NotFound
from kb_project.web.origins import origin_of
from topics.oauth.server import METADATA, Registration, Revocation, server


class RegisterThrottle(ClientThrottle):
    """`KB_THROTTLE_REGISTER`."""

    scopes = ("register",)


class _Endpoint(APIView):
    """Open to anybody, where agents are let in at all."""

    authentication_classes: list[Any] = []
    permission_classes: list[Any] = []
    throttle_classes = [PublicThrottle]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if not settings.KB_OAUTH:
            raise NotFound("There is nothing at this address.")
        super().initial(request, *args, **kwargs)

    def handle_exception(self, exc: Exception) -> Any:
        """What Authlib raises besides what it answers: that this was asked over plain HTTP."""
        if isinstance(exc, OAuth2Error):
            return JsonResponse(dict(exc.get_body()), status=exc.status_code)
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


@extend_schema(exclude=True)
class ResourceMetadata(_Endpoint):
    """Of an MCP address. The same for one that leads nowhere: which topics there are is not said here."""

    def get(self, request: Request, topic_slug: str) -> HttpResponse:
        origin = origin_of(request)
        # As it was asked for, with or without the slash: clients compare it with the address that they were given.
        path = request.path.partition("/.well-known/oauth-protected-resource")[2]
        return JsonResponse(
            {"resource": origin + path, "authorization_servers": [origin], "bearer_methods_supported": ["header"]}
        )


@extend_schema(exclude=True)
class ServerMetadata(_Endpoint):
    def get(self, request: Request) -> HttpResponse:
        origin = origin_of(request)
        return JsonResponse(
            {
                "issuer": origin,
                "authorization_endpoint": origin + reverse("oauth-authorize"),
                "token_endpoint": origin + reverse("oauth-token"),
                "registration_endpoint": origin + reverse("oauth-register"),
                "revocation_endpoint": origin + reverse("oauth-revoke"),
                "response_types_supported": METADATA["response_types"],
                "grant_types_supported": METADATA["grant_types"],
                "token_endpoint_auth_methods_supported": [METADATA["token_endpoint_auth_method"]],
                "revocation_endpoint_auth_methods_supported": [METADATA["token_endpoint_auth_method"]],
                "code_challenge_methods_supported": ["S256"],
            }
        )


@extend_schema(exclude=True)
class Register(_Endpoint):
    throttle_classes = [RegisterThrottle]

    def post(self, request: Request) -> HttpResponse:
        return _answered(server().create_endpoint_response(Registration.ENDPOINT_NAME, request._request))


@extend_schema(exclude=True)
class Token(_Endpoint):
    def post(self, request: Request) -> HttpResponse:
        return _answered(server().create_token_response(request._request))


@extend_schema(exclude=True)
class Revoke(_Endpoint):
    def post(self, request: Request) -> HttpResponse:
        return _answered(server().create_endpoint_response(Revocation.ENDPOINT_NAME, request._request))


def _answered(response: Any) -> HttpResponse:
    answer: HttpResponse = response
    return answer
