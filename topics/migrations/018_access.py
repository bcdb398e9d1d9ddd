"""018 access: to whom topics are open, their members, and keys that act as their person. Everything stays open."""

from django.conf import settings
from django.db import migrations, models

from kb_project.database.migration_sql import check_constraint, grant, sql
from kb_project.database.migration_state import fields, model, number, to

CASCADE = models.CASCADE
OPEN_TO = ("everybody", "signed_in", "members")
ROLES = ("reader", "reviewer", "manager")

TOPICS = sql(
    """
ALTER TABLE kb_topic ADD COLUMN IF NOT EXISTS open_to varchar(20) NOT NULL DEFAULT 'everybody';
"""
    + check_constraint("kb_topic", "kb_topic_open_to_check", "open_to IN ('everybody', 'signed_in', 'members')"),
    state_operations=[
        *fields(
            "Topic",
            {
                "open_to": models.CharField(
                    choices=[
                        ("everybody", "everybody"),
                        ("signed_in", "whoever signs in"),
                        ("members", "its members only"),
                    ],
                    db_default="everybody",
                    default="everybody",
                    max_length=20,
                    verbose_name="open to",
                )
            },
        ),
        migrations.AddConstraint(
            "Topic",
            models.CheckConstraint(condition=models.Q(open_to__in=list(OPEN_TO)), name="kb_topic_open_to_check"),
        ),
    ],
)
MEMBERS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_topic_member (
    id bigserial PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    person_id integer REFERENCES auth_user (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    group_id integer REFERENCES auth_group (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    role varchar(20) NOT NULL,
    CONSTRAINT kb_topic_member_person_key UNIQUE (topic_id, person_id),
    CONSTRAINT kb_topic_member_group_key UNIQUE (topic_id, group_id),
    CONSTRAINT kb_topic_member_one_check CHECK ((person_id IS NULL) <> (group_id IS NULL)),
    CONSTRAINT kb_topic_member_role_check CHECK (role IN ('reader', 'reviewer', 'manager'))
);
CREATE INDEX IF NOT EXISTS kb_topic_member_person_id_idx ON kb_topic_member (person_id);
CREATE INDEX IF NOT EXISTS kb_topic_member_group_id_idx ON kb_topic_member (group_id);
""",
    state_operations=[
        model(
            "TopicMember",
            "kb_topic_member",
            {
                "id": number(),
                "topic": to("topics.topic", CASCADE, related_name="members", verbose_name="topic"),
                "person": to(settings.AUTH_USER_MODEL, CASCADE, blank=True, null=True, verbose_name="person"),
                "group": to("auth.group", CASCADE, blank=True, null=True, verbose_name="group"),
                "role": models.CharField(
                    choices=[("reader", "Reader"), ("reviewer", "Reviewer"), ("manager", "Manager")],
                    default="reader",
                    max_length=20,
                    verbose_name="role",
                ),
            },
            named=("member of a topic", "members of topics"),
            ordering=["id"],
            constraints=[
                models.UniqueConstraint(fields=["topic", "person"], name="kb_topic_member_person_key"),
                models.UniqueConstraint(fields=["topic", "group"], name="kb_topic_member_group_key"),
                models.CheckConstraint(
                    condition=models.Q(group__isnull=False, person=None) | models.Q(group=None, person__isnull=False),
                    name="kb_topic_member_one_check",
                ),
                models.CheckConstraint(condition=models.Q(role__in=list(ROLES)), name="kb_topic_member_role_check"),
            ],
        )
    ],
)
KEYS = sql(
    "ALTER TABLE kb_api_key ADD COLUMN IF NOT EXISTS personal boolean NOT NULL DEFAULT false;",
    state_operations=fields(
        "ApiKey",
        {"personal": models.BooleanField(db_default=False, default=False, editable=False, verbose_name="personal")},
    ),
)


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("topics", "008_keys_and_former_slugs"),
    ]
    operations = [TOPICS, MEMBERS, KEYS, grant("kb_topic_member")]
