"""021 second factors: makes kb_second_factor, what people show besides their passwords."""

from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import model, number

KINDS = ["app", "passkey", "recovery"]
SECOND_FACTORS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_second_factor (
    id bigserial PRIMARY KEY,
    user_id integer NOT NULL REFERENCES auth_user (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    kind varchar(20) NOT NULL CONSTRAINT kb_second_factor_kind_check CHECK (kind IN ('app', 'passkey', 'recovery')),
    name text NOT NULL DEFAULT '',
    secret text NOT NULL,
    counter bigint NOT NULL DEFAULT 0,
    made_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz
);
CREATE INDEX IF NOT EXISTS kb_second_factor_user_idx ON kb_second_factor (user_id);
""",
    state_operations=[
        model(
            "SecondFactor",
            "kb_second_factor",
            {
                "id": number(),
                "kind": models.CharField(
                    choices=[("app", "Authenticator app"), ("passkey", "Passkey"), ("recovery", "Recovery code")],
                    max_length=20,
                ),
                "name": models.TextField(default=""),
                "secret": models.TextField(),
                "counter": models.BigIntegerField(default=0),
                "made_at": models.DateTimeField(db_default=Now()),
                "last_used_at": models.DateTimeField(null=True),
                "user": models.ForeignKey(
                    on_delete=models.CASCADE, related_name="second_factors", to=settings.AUTH_USER_MODEL
                ),
            },
            ordering=["id"],
            constraints=[
                models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="kb_second_factor_kind_check")
            ],
        )
    ],
)


class Migration(migrations.Migration):
    dependencies = [
        ("kb_project", "009_audit_and_people"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [SECOND_FACTORS, grant("kb_second_factor")]
