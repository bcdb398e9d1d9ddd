"""Who may do what: two groups of the staff, the permissions that each holds, and those of a topic's members.

The groups are made by a migration and may be changed in the admin afterwards. A superuser holds every permission,
and so does an admin API key (`topics.authentication`). Merging deletes a label, so it asks for `delete_label`.
Whoever looks after people acts on nobody who may do more than they (`accounts.people`).
"""

from typing import Any

from django.db import DEFAULT_DB_ALIAS

READER = "reader"  # no group: who signs in and holds no right of staff
REVIEWER = "reviewer"
MANAGER = "manager"
SUPERUSER = "superuser"  # no group: Django's own word for who may do everything

_LOOK = (
    "topics.view_topic",
    "sources.view_source",
    "labels.view_label",
    "labels.view_labelalias",
    "ingest.view_job",
    "ingest.view_jobevent",
    "sources.view_chunk",
    "search.view_synonym",
    "answers.view_evaluationquestion",
    "answers.view_evaluationrun",
)
_REVIEW = (
    "ingest.add_job",  # upload, scan the inbox
    "ingest.change_job",  # confirm, discard, retry
    "labels.add_label",
    "labels.change_label",
    "sources.change_source",  # metadata, labels, reindex
)
_MANAGE_IN_TOPIC = (
    "sources.delete_source",
    "topics.change_topic",
    "answers.view_answertrace",
    "search.add_synonym",
    "search.change_synonym",
    "search.delete_synonym",
    "answers.add_evaluationquestion",
    "answers.change_evaluationquestion",
    "answers.delete_evaluationquestion",
    "answers.add_evaluationrun",
)
_MANAGE = (
    *_MANAGE_IN_TOPIC,
    "labels.delete_label",
    "topics.add_topic",
    "topics.view_apikey",
    "topics.add_apikey",
    "topics.change_apikey",
    "webhooks.view_webhook",
    "webhooks.add_webhook",
    "webhooks.change_webhook",
    "webhooks.delete_webhook",
    "kb_project.view_auditentry",
    "kb_project.view_integrityrun",
    "auth.view_user",
    "auth.add_user",
    "auth.change_user",
)
ROLES: dict[str, tuple[str, ...]] = {
    REVIEWER: (*_LOOK, *_REVIEW),
    MANAGER: (*_LOOK, *_REVIEW, *_MANAGE),
}

# What reaches beyond one topic, and so is nothing for a member of some, nor for a key that is pinned to one.
BEYOND_A_TOPIC = frozenset({"labels.change_label", "labels.delete_label", "topics.add_topic"})
IN_TOPIC: dict[str, frozenset[str]] = {
    REVIEWER: frozenset({*_LOOK, *_REVIEW}) - BEYOND_A_TOPIC,
    MANAGER: frozenset({*_LOOK, *_REVIEW, *_MANAGE_IN_TOPIC}) - BEYOND_A_TOPIC,
}
"""What members of a topic may do in it, by their role there."""
IN_SOME_TOPIC = "in some topic"  # asked of `has_perm` as its object


def holds(user: Any, right: str) -> bool:
    """Whether somebody who signed in, or a key, may do something: everywhere, or in a topic that they are a member of.

    What groups give counts for staff alone.
    """
    if not (user and user.is_authenticated and user.is_active):
        return False
    if user.is_staff:
        return bool(user.has_perm(right))
    return not user.is_superuser and bool(user.has_perm(right, IN_SOME_TOPIC))


def ensure_roles(apps: Any, using: str = DEFAULT_DB_ALIAS) -> None:
    """Make the groups with their permissions. Those that are there keep what a person added to them.

    `apps` is a registry with auth and contenttypes: a migration's, or Django's own. Makes the rows of permissions
    too, which Django itself does only after the last migration. `using` is the database.
    """
    groups, permissions, content_types = (
        apps.get_model(*model).objects.using(using)
        for model in (("auth", "Group"), ("auth", "Permission"), ("contenttypes", "ContentType"))
    )
    parts = {name: _parts(name) for names in ROLES.values() for name in names}
    type_ids = {(one.app_label, one.model): one.pk for one in content_types.all()}
    missing = dict.fromkeys((app, model) for app, _, model in parts.values() if (app, model) not in type_ids)
    made = content_types.bulk_create([content_types.model(app_label=app, model=model) for app, model in missing])
    type_ids |= {(one.app_label, one.model): one.pk for one in made}

    wanted = {name: (type_ids[app, model], f"{verb}_{model}") for name, (app, verb, model) in parts.items()}
    there = {(one.content_type_id, one.codename): one for one in permissions.all()}
    made = permissions.bulk_create(
        [
            permissions.model(content_type_id=type_id, codename=codename, name=f"Can {codename.replace('_', ' ')}")
            for type_id, codename in dict.fromkeys(wanted.values())
            if (type_id, codename) not in there
        ]
    )
    there |= {(one.content_type_id, one.codename): one for one in made}
    for role, names in ROLES.items():
        group, _ = groups.get_or_create(name=role)
        group.permissions.add(*(there[wanted[name]] for name in names))


def _parts(name: str) -> tuple[str, str, str]:
    """App, verb and model of a permission."""
    app, codename = name.split(".")
    verb, model = codename.split("_", 1)
    return app, verb, model
