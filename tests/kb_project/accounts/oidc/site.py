"""An organisation's OpenID provider: django-oauth-toolkit as a process of its own.

`python -m tests.kb_project.accounts.oidc.site FOLDER` prints its address. `POST /control` sets what it knows: `people`
with their claims, the `clients` that may send people here, and how it misbehaves.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from jwcrypto import jwk, jwt

CLIENT_ID, CLIENT_SECRET = "kb", "a secret of the client, long enough for HMAC"
LOGIN_PAGE = """<!doctype html><html lang="en"><title>Acme</title><h1>Acme</h1><form method="post">{% csrf_token %}
<label>Name <input name="username"></label><label>Password <input name="password" type="password"></label>
<input type="hidden" name="next" value="{{ next }}"><button>Sign in</button></form></html>"""
state: dict[str, Any] = {"claims": {}, "tamper": "", "userinfo_only": [], "answers": {}}


def configure(folder: Path) -> None:
    settings.configure(
        SECRET_KEY="only-for-tests",
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF=__name__,
        SESSION_COOKIE_NAME="acme",  # cookies know no ports
        CSRF_COOKIE_NAME="acme_csrf",
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        INSTALLED_APPS=[
            *("django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider"),
        ],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            f"{__name__}.Instead",
        ],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "acme.sqlite3"}},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        MIGRATION_MODULES=dict.fromkeys(("auth", "contenttypes", "sessions", "oauth2_provider")),
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "OPTIONS": {
                    "loaders": [
                        ("django.template.loaders.locmem.Loader", {"login.html": LOGIN_PAGE}),
                        "django.template.loaders.app_directories.Loader",
                    ]
                },
            }
        ],
        LOGIN_URL="/login/",
        USE_TZ=True,
        OAUTH2_PROVIDER={
            "OIDC_ENABLED": True,
            "OIDC_RSA_PRIVATE_KEY": jwk.JWK.generate(kty="RSA", size=2048).export_to_pem(True, None).decode(),
            "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
            "OIDC_RP_INITIATED_LOGOUT_ALWAYS_PROMPT": False,
            "OAUTH2_VALIDATOR_CLASS": f"{__name__}.validator",
            "SCOPES": {"openid": "", "profile": "", "email": ""},
        },
    )
    django.setup()


class Instead:
    """Middleware: answers a path with what the tests have set, in the place of the provider."""

    def __init__(self, get_response: Any) -> None:
        self._get_response = get_response

    def __call__(self, request: Any) -> Any:
        from django.http import HttpResponse

        instead = state["answers"].get(request.path)
        if instead is None:
            return self._get_response(request)
        time.sleep(instead.get("sleep_s", 0))
        content = instead.get("content", "") * instead.get("times", 1)
        return HttpResponse(content, status=instead.get("status", 200), headers=instead.get("headers"))


def make_validator() -> Any:
    from oauth2_provider.oauth2_validators import OAuth2Validator

    class Validator(OAuth2Validator):
        """Claims of the person, in the ID token or at the userinfo endpoint alone; and tokens that must be refused."""

        oidc_claim_scope = None

        def get_additional_claims(self, request: Any) -> dict[str, Any]:
            claims = dict(state["claims"].get(request.user.username, {}))
            return {**claims, "sub": claims.get("sub", f"sub-of-{request.user.username}")}

        def get_id_token_dictionary(self, token: Any, token_handler: Any, request: Any) -> Any:
            claims, expires = super().get_id_token_dictionary(token, token_handler, request)
            for name in (*state["userinfo_only"], *(["auth_time"] if state["tamper"] == "no_auth_time" else [])):
                claims.pop(name, None)
            changed: dict[str, dict[str, Any]] = {
                "issuer": {"iss": "https://elsewhere.example"},
                "expired": {"exp": int(time.time()) - 3600},
                "known_for_long": {"auth_time": int(time.time()) - 3600},
                "known_for_long_to_a_fraction": {"auth_time": time.time() - 3600},
                "just_now_to_a_fraction": {"auth_time": time.time()},
                "time_in_words": {"auth_time": str(int(time.time()))},
                "future": {"iat": int(time.time()) + 3600},
            }
            return {**claims, **changed.get(state["tamper"], {})}, expires

        def get_userinfo_claims(self, request: Any) -> Any:
            claims = super().get_userinfo_claims(request)
            return {**claims, "sub": "somebody else"} if state["tamper"] == "userinfo" else claims

        def finalize_id_token(self, id_token: Any, token: Any, token_handler: Any, request: Any) -> Any:
            tamper = state["tamper"]
            if tamper == "audience":
                id_token["aud"], id_token["azp"] = "another-client", CLIENT_ID
            if tamper == "nonce":
                request.nonce = id_token["nonce"] = "another"
            if tamper == "no_nonce":
                request.nonce = None
                id_token.pop("nonce", None)
            signed = super().finalize_id_token(id_token, token, token_handler, request)
            is_tampered = tamper in ("signature", "unsigned", "secret", "no_kid")
            return forged(signed, request.client.jwk_key) if is_tampered else signed

    return Validator


def validator(*args: Any, **kwargs: Any) -> Any:
    return make_validator()(*args, **kwargs)


def forged(signed: str, key: Any) -> str:
    """The same claims, signed by a key of somebody else's, by none, or by what the client itself knows.

    With `no_kid` by the right one, and the token does not say by which.
    """
    claims = jwt.JWT(jwt=signed, key=key).claims
    if state["tamper"] == "unsigned":
        from joserfc.util import urlsafe_b64encode as encode

        return f"{encode(b'{}').decode()}.{encode(claims.encode()).decode()}.".replace("e30", "eyJhbGciOiJub25lIn0")
    if state["tamper"] == "secret":
        other, algorithm = jwk.JWK.from_password(CLIENT_SECRET), "HS256"
    else:
        other, algorithm = jwk.JWK.generate(kty="RSA", size=2048), "RS256"
    header = {"typ": "JWT", "alg": algorithm, "kid": key.thumbprint()}
    if state["tamper"] == "no_kid":
        other = key
        del header["kid"]
    token = jwt.JWT(header=header, claims=claims)
    token.make_signed_token(other)
    return str(token.serialize())


def control(request: Any) -> Any:
    from django.contrib.auth.models import User
    from django.contrib.sessions.models import Session
    from django.http import HttpResponse
    from oauth2_provider.models import Application

    told = json.loads(request.body)
    for name, claims in told.pop("people", {}).items():
        user, made = User.objects.get_or_create(username=name)
        if made:
            user.set_password("x")
            user.save()
        state["claims"][name] = claims
    if addresses := told.pop("clients", None):
        Application.objects.update_or_create(
            client_id=CLIENT_ID,
            defaults={
                "client_secret": CLIENT_SECRET,
                "client_type": "confidential",
                "authorization_grant_type": "authorization-code",
                "redirect_uris": " ".join(f"{one}/sign-in/organisation/return/" for one in addresses),
                "post_logout_redirect_uris": " ".join(f"{one}/signed-out/" for one in addresses),
                "skip_authorization": True,
                "algorithm": "RS256",
            },
        )
    if (claims := told.pop("sign", None)) is not None:
        key = Application.objects.get(client_id=CLIENT_ID).jwk_key
        token = jwt.JWT(header={"typ": "logout+jwt", "alg": "RS256", "kid": key.thumbprint()}, claims=claims)
        token.make_signed_token(key)
        signed = str(token.serialize())
        return HttpResponse(forged(signed, key) if state["tamper"] else signed)
    state.update(told)
    return HttpResponse(str(Session.objects.count()))


def serve(folder: Path) -> None:
    configure(folder)
    from django.core.management import call_command
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
    from django.core.wsgi import get_wsgi_application

    call_command("migrate", run_syncdb=True, verbosity=0)
    server = ThreadedWSGIServer(("127.0.0.1", 0), WSGIRequestHandler)
    server.set_app(get_wsgi_application())
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


def __getattr__(name: str) -> Any:
    """The paths, once Django is set up."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.contrib.auth.views import LoginView
    from django.http import HttpResponse
    from django.urls import include, path
    from django.views.decorators.csrf import csrf_exempt

    return [
        path("control", csrf_exempt(control)),
        path("favicon.ico", lambda request: HttpResponse(status=204)),
        path("login/", LoginView.as_view(template_name="login.html")),
        path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
    ]


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
