"""008 keys and former slugs: makes kb_api_key, and kb_topic_slug for the slugs under which files still lie."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql

KEYS = """
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
"""
FORMER_SLUGS = """
CREATE TABLE IF NOT EXISTS kb_topic_slug (
    id bigserial PRIMARY KEY,
    slug varchar(50) NOT NULL UNIQUE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    retired_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS kb_topic_slug_topic_id_idx ON kb_topic_slug (topic_id);
"""

ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")
CASCADE = django.db.models.deletion.CASCADE
API_KEY = migrations.CreateModel(
    name="ApiKey",
    fields=[
        ("id", ID),
        ("name", models.CharField(max_length=200, verbose_name="name")),
        ("prefix", models.CharField(editable=False, max_length=8, unique=True, verbose_name="prefix")),
        ("secret_hash", models.CharField(editable=False, max_length=64)),
        ("admin", models.BooleanField(db_default=False, default=False, verbose_name="may use the admin paths")),
        (
            "topic",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=CASCADE,
                related_name="api_keys",
                to="topics.topic",
                verbose_name="pinned to topic",
            ),
        ),
        (
            "made_by",
            models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="made by",
            ),
        ),
        ("created_at", models.DateTimeField(db_default=Now(), editable=False, verbose_name="created")),
        ("expires_at", models.DateTimeField(blank=True, null=True, verbose_name="expires")),
        ("last_used_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="last used")),
        ("revoked_at", models.DateTimeField(blank=True, editable=False, null=True, verbose_name="revoked")),
    ],
    options={
        "db_table": "kb_api_key",
        "verbose_name": "API key",
        "verbose_name_plural": "API keys",
        "ordering": ["id"],
    },
)
FORMER_SLUG = migrations.CreateModel(
    name="FormerSlug",
    fields=[
        ("id", ID),
        ("slug", models.CharField(max_length=50, unique=True, verbose_name="slug")),
        (
            "topic",
            models.ForeignKey(on_delete=CASCADE, related_name="former_slugs", to="topics.topic", verbose_name="topic"),
        ),
        ("retired_at", models.DateTimeField(db_default=Now(), editable=False, verbose_name="in use until")),
    ],
    options={
        "db_table": "kb_topic_slug",
        "verbose_name": "former slug",
        "verbose_name_plural": "former slugs",
        "ordering": ["-id"],
    },
)


class Migration(migrations.Migration):
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("topics", "001_topics")]
    operations = [
        sql(KEYS, state_operations=[API_KEY]),
        sql(FORMER_SLUGS, state_operations=[FORMER_SLUG]),
        grant("kb_api_key", "kb_topic_slug"),
    ]
