"""023 identities: makes kb_identity, which links an account with a person of the organisation's provider."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from kb_project.database.migration_sql import grant, sql

IDENTITIES = """
CREATE TABLE IF NOT EXISTS kb_identity (
    id bigserial PRIMARY KEY,
    user_id integer NOT NULL UNIQUE REFERENCES auth_user (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    issuer text NOT NULL,
    subject text NOT NULL,
    CONSTRAINT kb_identity_issuer_subject_uniq UNIQUE (issuer, subject)
);
"""
IDENTITY = migrations.CreateModel(
    name="Identity",
    fields=[
        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
        ("issuer", models.TextField(verbose_name="issuer")),
        ("subject", models.TextField(verbose_name="subject")),
        (
            "user",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="identity", to=settings.AUTH_USER_MODEL
            ),
        ),
    ],
    options={
        "db_table": "kb_identity",
        "verbose_name": "sign-in with the organisation",
        "verbose_name_plural": "sign-ins with the organisation",
        "constraints": [models.UniqueConstraint(fields=("issuer", "subject"), name="kb_identity_issuer_subject_uniq")],
    },
)


class Migration(migrations.Migration):
    dependencies = [
        ("kb_project", "013_audit_and_roles"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [sql(IDENTITIES, state_operations=[IDENTITY]), grant("kb_identity")]
