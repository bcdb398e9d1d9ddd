"""008 API keys: makes kb_api_key."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql

SQL = """
CREATE TABLE IF NOT EXISTS kb_api_key (
    id bigserial PRIMARY KEY,
    name varchar(200) NOT NULL,
    prefix varchar(8) NOT NULL UNIQUE,
    secret_hash varchar(64) NOT NULL,
    admin boolean NOT NULL DEFAULT false,
    topic_id bigint REFERENCES kb_topic (id) DEFERRABLE INITIALLY DEFERRED,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz
);
CREATE INDEX IF NOT EXISTS kb_api_key_topic_id_idx ON kb_api_key (topic_id);
"""


class Migration(migrations.Migration):
    dependencies = [("topics", "001_topics")]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.CreateModel(
                    name="ApiKey",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=200, verbose_name="name")),
                        (
                            "prefix",
                            models.CharField(editable=False, max_length=8, unique=True, verbose_name="prefix"),
                        ),
                        ("secret_hash", models.CharField(editable=False, max_length=64)),
                        (
                            "admin",
                            models.BooleanField(
                                db_default=False, default=False, verbose_name="may use the admin paths"
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(db_default=Now(), editable=False, verbose_name="created"),
                        ),
                        ("expires_at", models.DateTimeField(blank=True, null=True, verbose_name="expires")),
                        (
                            "last_used_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="last used"),
                        ),
                        (
                            "revoked_at",
                            models.DateTimeField(blank=True, editable=False, null=True, verbose_name="revoked"),
                        ),
                        (
                            "topic",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="api_keys",
                                to="topics.topic",
                                verbose_name="pinned to topic",
                            ),
                        ),
                    ],
                    options={
                        "db_table": "kb_api_key",
                        "verbose_name": "API key",
                        "verbose_name_plural": "API keys",
                        "ordering": ["id"],
                    },
                ),
            ],
        ),
        grant("kb_api_key"),
    ]
