"""008 keys and former slugs: makes kb_api_key, and kb_topic_slug for the slugs under which files still lie."""

from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import model, number, to

CASCADE = models.CASCADE
KEYS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_api_key (
    id bigserial PRIMARY KEY,
    name varchar(200) NOT NULL,
    prefix varchar(8) NOT NULL UNIQUE,
    secret_hash varchar(64) NOT NULL,
    admin boolean NOT NULL DEFAULT false,
    topic_id bigint REFERENCES kb_topic (id) DEFERRABLE INITIALLY DEFERRED,
    made_by_id integer REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz
);
CREATE INDEX IF NOT EXISTS kb_api_key_topic_id_idx ON kb_api_key (topic_id);
CREATE INDEX IF NOT EXISTS kb_api_key_made_by_id_idx ON kb_api_key (made_by_id);
""",
    state_operations=[
        model(
            "ApiKey",
            "kb_api_key",
            {
                "id": number(),
                "name": models.CharField(max_length=200, verbose_name="name"),
                "prefix": models.CharField(editable=False, max_length=8, unique=True, verbose_name="prefix"),
                "secret_hash": models.CharField(editable=False, max_length=64),
                "admin": models.BooleanField(db_default=False, default=False, verbose_name="may use the admin paths"),
                "topic": to(
                    "topics.topic",
                    CASCADE,
                    blank=True,
                    null=True,
                    related_name="api_keys",
                    verbose_name="pinned to topic",
                ),
                "made_by": to(
                    settings.AUTH_USER_MODEL, CASCADE, blank=True, editable=False, null=True, verbose_name="made by"
                ),
                "created_at": models.DateTimeField(db_default=Now(), editable=False, verbose_name="created"),
                "expires_at": models.DateTimeField(blank=True, null=True, verbose_name="expires"),
                "last_used_at": models.DateTimeField(blank=True, editable=False, null=True, verbose_name="last used"),
                "revoked_at": models.DateTimeField(blank=True, editable=False, null=True, verbose_name="revoked"),
            },
            named=("API key", "API keys"),
            ordering=["id"],
        )
    ],
)
FORMER_SLUGS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_topic_slug (
    id bigserial PRIMARY KEY,
    slug varchar(50) NOT NULL UNIQUE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    retired_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS kb_topic_slug_topic_id_idx ON kb_topic_slug (topic_id);
""",
    state_operations=[
        model(
            "FormerSlug",
            "kb_topic_slug",
            {
                "id": number(),
                "slug": models.CharField(max_length=50, unique=True, verbose_name="slug"),
                "topic": to("topics.topic", CASCADE, related_name="former_slugs", verbose_name="topic"),
                "retired_at": models.DateTimeField(db_default=Now(), editable=False, verbose_name="in use until"),
            },
            named=("former slug", "former slugs"),
            ordering=["-id"],
        )
    ],
)


class Migration(migrations.Migration):
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("topics", "001_topics")]
    operations = [KEYS, FORMER_SLUGS, grant("kb_api_key", "kb_topic_slug")]
