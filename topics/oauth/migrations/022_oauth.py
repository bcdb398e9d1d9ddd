"""022 oauth: makes kb_oauth_client and kb_oauth_connection, agents that act for a person in one topic."""

from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import array, model, number, to

TABLES = sql(
    """
CREATE TABLE IF NOT EXISTS kb_oauth_client (
    id bigserial PRIMARY KEY,
    client_id text NOT NULL UNIQUE,
    name text NOT NULL DEFAULT '',
    redirect_uris text[] NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS kb_oauth_connection (
    id bigserial PRIMARY KEY,
    client_id bigint NOT NULL REFERENCES kb_oauth_client (id) ON DELETE CASCADE,
    user_id integer NOT NULL REFERENCES auth_user (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE,
    family text NOT NULL UNIQUE,
    redirect_uri text NOT NULL,
    code_challenge text NOT NULL,
    code_hash text NOT NULL DEFAULT '',
    access_hash text NOT NULL DEFAULT '',
    access_ends_at timestamptz,
    refresh_hash text NOT NULL DEFAULT '',
    ends_at timestamptz NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    revoked_at timestamptz
);
CREATE INDEX IF NOT EXISTS kb_oauth_connection_client_idx ON kb_oauth_connection (client_id);
CREATE INDEX IF NOT EXISTS kb_oauth_connection_user_idx ON kb_oauth_connection (user_id);
""",
    state_operations=[
        model(
            "AgentClient",
            "kb_oauth_client",
            {
                "id": number(),
                "client_id": models.TextField(unique=True),
                "name": models.TextField(default=""),
                "redirect_uris": array(models.TextField()),
                "made_at": models.DateTimeField(db_default=Now()),
            },
        ),
        model(
            "AgentConnection",
            "kb_oauth_connection",
            {
                "id": number(),
                "family": models.TextField(unique=True),
                "redirect_uri": models.TextField(),
                "code_challenge": models.TextField(),
                "code_hash": models.TextField(default=""),
                "access_hash": models.TextField(default=""),
                "access_ends_at": models.DateTimeField(null=True),
                "refresh_hash": models.TextField(default=""),
                "ends_at": models.DateTimeField(),
                "made_at": models.DateTimeField(db_default=Now()),
                "last_used_at": models.DateTimeField(null=True),
                "revoked_at": models.DateTimeField(null=True),
                "client": to("oauth.agentclient", models.CASCADE, related_name="connections"),
                "topic": to("topics.topic", models.CASCADE),
                "user": to(settings.AUTH_USER_MODEL, models.CASCADE, related_name="agent_connections"),
            },
            ordering=["-id"],
        ),
    ],
)


class Migration(migrations.Migration):
    initial = True
    dependencies = [
        ("topics", "001_topics"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [TABLES, grant("kb_oauth_client", "kb_oauth_connection")]
