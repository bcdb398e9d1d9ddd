"""Programs that registered themselves, and what a person has allowed one of them."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from topics.models import Topic
from topics.oauth.scopes import SCOPES, scopes_of


class AgentClient(models.Model):
    """A program that may ask people for access. Anybody can register one, under any name. It has no secret."""

    client_id = models.TextField(unique=True)
    name = models.TextField(default="")
    redirect_uris = ArrayField(models.TextField())
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kb_oauth_client"

    def __str__(self) -> str:
        return self.name or self.client_id

    # What Authlib asks a client.
    def get_client_id(self) -> str:
        return self.client_id

    def get_default_redirect_uri(self) -> str:
        return self.redirect_uris[0] if len(self.redirect_uris) == 1 else ""

    def get_allowed_scope(self, scope: str | None) -> str:
        """What there is of what is asked for, "" where no name of it is known: as if none had been asked for."""
        asked = scope or ""
        return " ".join(one.name for one in scopes_of(asked)) if SCOPES.keys() & asked.split() else ""

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri in self.redirect_uris

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "none"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in ("authorization_code", "refresh_token")


class AgentConnection(models.Model):
    """What one person allowed one client: to search one topic in their name. One code, then two tokens at a time.

    Of code and tokens there are hashes. Each begins with the connection's `family`: so one that is too old says whose.
    """

    client = models.ForeignKey(AgentClient, on_delete=models.CASCADE, related_name="connections")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="agent_connections")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="+")
    family = models.TextField(unique=True)
    redirect_uri = models.TextField()
    code_challenge = models.TextField()
    scope = models.TextField(default="")
    code_hash = models.TextField(default="")
    access_hash = models.TextField(default="")
    access_ends_at = models.DateTimeField(null=True)
    refresh_hash = models.TextField(default="")
    ends_at = models.DateTimeField()
    made_at = models.DateTimeField(db_default=Now())
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "kb_oauth_connection"
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.client} → {self.topic}"

    @property
    def is_live(self) -> bool:
        """Whether its newest token, or its code, still works."""
        return self.revoked_at is None and self.ends_at > timezone.now()

    @property
    def named_scope(self) -> dict[str, str]:
        """For its token and the audit: who asked for no scope by name is told of none."""
        return {"scope": self.scope} if self.scope else {}

    # What Authlib asks a code and a token.
    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return " ".join(scope.name for scope in scopes_of(self.scope))

    def check_client(self, client: AgentClient) -> bool:
        return self.client_id == client.pk
