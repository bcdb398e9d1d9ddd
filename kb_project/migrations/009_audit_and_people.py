"""009 audit and people: makes kb_audit, whose rows nobody changes, kb_integrity_run, kb_identity and the groups.

An identity links an account with a person of the organisation's provider.
"""

from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import Now

from kb_project.configuration.roles import ensure_roles
from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import model, number

AUDIT = sql(
    """
CREATE TABLE IF NOT EXISTS kb_audit (
    id bigserial PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    by text NOT NULL,
    action text NOT NULL,
    object_type text NOT NULL,
    object_id text NOT NULL,
    object_name text NOT NULL DEFAULT '',
    topic_id bigint,
    before jsonb NOT NULL DEFAULT '{}',
    after jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX IF NOT EXISTS kb_audit_object_idx ON kb_audit (object_type, object_id);
CREATE INDEX IF NOT EXISTS kb_audit_at_idx ON kb_audit (at DESC);
CREATE OR REPLACE FUNCTION kb_audit_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit entries are never changed';
END $$;
CREATE OR REPLACE TRIGGER kb_audit_final BEFORE UPDATE OR DELETE ON kb_audit
    FOR EACH ROW EXECUTE FUNCTION kb_audit_is_final();
""",
    state_operations=[
        model(
            "AuditEntry",
            "kb_audit",
            {
                "id": number(),
                "at": models.DateTimeField(db_default=Now(), verbose_name="when"),
                "by": models.TextField(verbose_name="who"),
                "action": models.TextField(verbose_name="what"),
                "object_type": models.TextField(verbose_name="type"),
                "object_id": models.TextField(verbose_name="id"),
                "object_name": models.TextField(blank=True, default="", verbose_name="name"),
                "topic_id": models.BigIntegerField(blank=True, null=True, verbose_name="topic"),
                "before": models.JSONField(blank=True, default=dict, verbose_name="before"),
                "after": models.JSONField(blank=True, default=dict, verbose_name="after"),
            },
            named=("audit entry", "audit entries"),
            ordering=["-id"],
            indexes=[
                models.Index(fields=["object_type", "object_id"], name="kb_audit_object_idx"),
                models.Index(fields=["-at"], name="kb_audit_at_idx"),
            ],
        )
    ],
)
RUNS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_integrity_run (
    id bigserial PRIMARY KEY,
    started_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL,
    by varchar(20) NOT NULL CHECK (by IN ('command', 'beat')),
    results jsonb NOT NULL DEFAULT '[]'
);
""",
    state_operations=[
        model(
            "IntegrityRun",
            "kb_integrity_run",
            {
                "id": number(),
                "started_at": models.DateTimeField(verbose_name="started"),
                "finished_at": models.DateTimeField(verbose_name="finished"),
                "by": models.CharField(
                    choices=[("command", "Command"), ("beat", "Schedule")], max_length=20, verbose_name="run by"
                ),
                "results": models.JSONField(default=list, verbose_name="results"),
            },
            named=("integrity check", "integrity checks"),
            ordering=["-id"],
            constraints=[
                models.CheckConstraint(condition=models.Q(by__in=["command", "beat"]), name="kb_integrity_run_by_check")
            ],
        )
    ],
)
IDENTITIES = sql(
    """
CREATE TABLE IF NOT EXISTS kb_identity (
    id bigserial PRIMARY KEY,
    user_id integer NOT NULL UNIQUE REFERENCES auth_user (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    issuer text NOT NULL,
    subject text NOT NULL,
    CONSTRAINT kb_identity_issuer_subject_uniq UNIQUE (issuer, subject)
);
""",
    state_operations=[
        model(
            "Identity",
            "kb_identity",
            {
                "id": number(),
                "issuer": models.TextField(verbose_name="issuer"),
                "subject": models.TextField(verbose_name="subject"),
                "user": models.OneToOneField(
                    on_delete=models.CASCADE, related_name="identity", to=settings.AUTH_USER_MODEL
                ),
            },
            named=("sign-in with the organisation", "sign-ins with the organisation"),
            constraints=[models.UniqueConstraint(fields=("issuer", "subject"), name="kb_identity_issuer_subject_uniq")],
        )
    ],
)


def make_roles(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    ensure_roles(apps, editor.connection.alias)


class Migration(migrations.Migration):
    initial = True
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        *(AUDIT, RUNS, IDENTITIES),
        grant("kb_audit", "kb_integrity_run", "kb_identity"),
        migrations.RunPython(make_roles, migrations.RunPython.noop),
    ]
