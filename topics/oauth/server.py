"""The authorization server. Authlib speaks the protocol, `connections` keeps what is allowed."""

from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from authlib.integrations.django_oauth2 import AuthorizationServer, RevocationEndpoint
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidGrantError, InvalidRequestError
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc7591 import ClientRegistrationEndpoint, InvalidClientMetadataError, InvalidRedirectURIError
from authlib.oauth2.rfc7636 import CodeChallenge
from django.contrib.auth.models import User

from kb_project.clients.addresses import is_loopback
from topics.access import may_see
from topics.oauth import connections
from topics.oauth.authentication import topic_of_resource
from topics.oauth.models import AgentClient, AgentConnection

MAX_NAME_LENGTH = 100
MAX_ADDRESS_LENGTH = 2_000
MAX_ADDRESSES = 10
# Every client is public: a secret in a program on somebody's laptop would be none.
METADATA = {
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none",
}


class InvalidTarget(OAuth2Error):
    """RFC 8707: the resource is none of ours, or none that this person has."""

    error = "invalid_target"


class Pkce(CodeChallenge):
    """S256, always."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]
    CODE_CHALLENGE_METHODS = {"S256": CodeChallenge.CODE_CHALLENGE_METHODS["S256"]}

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        said = grant.request.payload.data
        if said.get("code_challenge_method") != "S256" or not said.get("code_challenge"):
            raise InvalidRequestError("A 'code_challenge' with the method S256 is required.")
        super().validate_code_challenge(grant, redirect_uri)

    def get_authorization_code_challenge(self, authorization_code: AgentConnection) -> str:
        return authorization_code.code_challenge

    def get_authorization_code_challenge_method(self, authorization_code: AgentConnection) -> str:
        return "S256"


class _OfConnection:
    """Mixin of both grants: where the tokens come from, and that they are for one topic."""

    request: Any
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def issued(self, connection: AgentConnection, **instead_of: str) -> dict[str, Any]:
        resource = self.request.payload.data.get("resource")
        if resource:
            topic = topic_of_resource(self.request._request, resource)
            if topic is None or topic.pk != connection.topic_id:
                raise InvalidTarget("This is not the address that access was allowed to.")
        token = connections.issue(connection, instead_of=instead_of)
        if token is None:
            raise InvalidGrantError("It has been used.")
        return token

    def save_token(self, token: Any) -> None:
        """It is kept already."""

    def authenticate_user(self, connection: AgentConnection) -> User:
        return connection.user


class CodeGrant(_OfConnection, AuthorizationCodeGrant):
    def validate_authorization_request(self) -> str:
        redirect_uri: str = super().validate_authorization_request()
        request = self.request
        topic = topic_of_resource(request._request, request.payload.data.get("resource") or "")
        if topic is None or (request.user is not None and not may_see(request.user, topic)):
            raise InvalidTarget("The resource must be the MCP address of a topic.", redirect_uri=redirect_uri)
        request.topic = topic
        return redirect_uri

    def save_authorization_code(self, code: str, request: Any) -> None:
        """It is kept already."""

    def generate_authorization_code(self) -> str:
        request = self.request
        return connections.allow(
            user=request.user,
            client=request.client,
            topic=request.topic,
            redirect_uri=request.payload.redirect_uri or request.client.get_default_redirect_uri(),
            code_challenge=request.payload.data["code_challenge"],
            scope=request.scope,
        )

    def query_authorization_code(self, code: str, client: AgentClient) -> AgentConnection | None:
        return connections.of_code(code, client)

    def delete_authorization_code(self, authorization_code: AgentConnection) -> None:
        """It went when the tokens were issued."""

    def generate_token(self, **_options: Any) -> dict[str, Any]:
        connection = self.request.authorization_code
        return self.issued(connection, code_hash=connection.code_hash)


class RefreshGrant(_OfConnection, RefreshTokenGrant):
    def authenticate_refresh_token(self, refresh_token: str) -> AgentConnection | None:
        return connections.of_refresh_token(refresh_token, self.request.client)

    def revoke_old_credential(self, refresh_token: AgentConnection) -> None:
        """It went when the new tokens were issued."""

    def generate_token(self, **_options: Any) -> dict[str, Any]:
        connection = self.request.refresh_token
        return self.issued(connection, refresh_hash=connection.refresh_hash)


class Registration(ClientRegistrationEndpoint):
    """RFC 7591, for anybody: what a client is called proves nothing, and the consent screen says so."""

    def authenticate_token(self, request: Any) -> bool:
        return True

    def get_server_metadata(self) -> dict[str, Any]:
        return {}

    def extract_client_metadata(self, request: Any) -> dict[str, Any]:
        try:
            said = super().extract_client_metadata(request)
        except (ValueError, TypeError, AttributeError) as error:
            raise InvalidClientMetadataError("The body must be a JSON object of client metadata.") from error
        uris = said.get("redirect_uris") or []
        if not 0 < len(uris) <= MAX_ADDRESSES or not all(_may_lead_back_to(uri) for uri in uris):
            raise InvalidRedirectURIError("Redirect URIs are https, or http to a loopback address.")
        name = said.get("client_name")
        name = "".join(filter(str.isprintable, name)).strip() if isinstance(name, str) else ""
        return {"client_name": name[:MAX_NAME_LENGTH], "redirect_uris": uris, **METADATA}

    def generate_client_info(self, request: Any) -> dict[str, Any]:
        return {}  # the table makes it

    def generate_client_registration_info(self, client: AgentClient, request: Any) -> dict[str, Any]:
        return {"client_id": client.client_id, "client_id_issued_at": int(client.made_at.timestamp())}

    def save_client(self, client_info: Any, client_metadata: dict[str, Any], request: Any) -> AgentClient:
        client = connections.register(
            name=client_metadata["client_name"], redirect_uris=client_metadata["redirect_uris"]
        )
        client.refresh_from_db()  # the database has put the time
        return client


def _may_lead_back_to(uri: Any) -> bool:
    """As MCP has it. No address of another scheme could be one that runs something in the browser."""
    if not isinstance(uri, str) or len(uri) > MAX_ADDRESS_LENGTH or not uri.isprintable() or "#" in uri:
        return False
    parts = urlsplit(uri)
    host = parts.hostname or ""
    if "@" in parts.netloc:  # what stands before it reads as the host
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none"]

    def query_token(self, token: str, token_type_hint: str) -> AgentConnection | None:
        return connections.of_any_token(token)

    def revoke_token(self, token: AgentConnection, request: Any) -> None:
        connections.revoke(token, by=token.user.get_username())


@lru_cache(maxsize=1)
def server() -> AuthorizationServer:
    made = AuthorizationServer(AgentClient, AgentConnection)
    made.register_grant(CodeGrant, [Pkce(required=True)])
    made.register_grant(RefreshGrant)
    made.register_endpoint(Registration)
    made.register_endpoint(Revocation)
    return made
