"""What an account is, in words: its role and its state, and who may change it."""

from typing import Any

from django.contrib.auth.models import Group, User
from django.db import models
from django.utils.translation import gettext_lazy as _

from kb_project.configuration import roles

WITH_RIGHTS = ("groups__permissions", "user_permissions")
"""What to prefetch for `role_of`, `rights_of` and `is_within`."""


class PersonRole(models.TextChoices):
    """A person has one: the first of these that fits, from the end."""

    READER = roles.READER, _("Reader")
    REVIEWER = roles.REVIEWER, _("Reviewer")
    MANAGER = roles.MANAGER, _("Manager")
    SUPERUSER = roles.SUPERUSER, _("System manager")

    @property
    def may(self) -> Any:
        """One sentence, for whoever gives the role."""
        return _MAY[self]


_MAY = {
    PersonRole.READER: _("Signs in and reads: topics open to everybody, and those that they are a member of."),
    PersonRole.REVIEWER: _("Uploads, confirms and edits documents, and names labels."),
    PersonRole.MANAGER: _("Also deletes and merges, and looks after topics, keys and people."),
    PersonRole.SUPERUSER: _("May do everything, also what only those who run the service need."),
}


class PersonState(models.TextChoices):
    """Whether somebody can enter."""

    ACTIVE = "active", _("active")
    INVITED = "invited", _("invited, has not signed in yet")
    DEACTIVATED = "deactivated", _("deactivated")


def role_of(user: User) -> PersonRole | None:
    """None: one of the staff who holds only rights that were given one by one."""
    if not user.is_staff:
        return PersonRole.READER
    if user.is_superuser:
        return PersonRole.SUPERUSER
    held = {group.name for group in user.groups.all()}
    return next((role for role in (PersonRole.MANAGER, PersonRole.REVIEWER) if role.value in held), None)


def state_of(user: User) -> PersonState:
    if not user.is_active:
        return PersonState.DEACTIVATED
    return PersonState.INVITED if user.last_login is None and not user.has_usable_password() else PersonState.ACTIVE


def rights_of(user: User) -> set[int]:
    """The ids of the permissions that a person holds who is no superuser, also of one who is deactivated."""
    own = {permission.pk for permission in user.user_permissions.all()}
    return own | {permission.pk for group in user.groups.all() for permission in group.permissions.all()}


def is_within(actor: User, user: User) -> bool:
    """Whether the actor may do all that the user may: whoever opens an account can do what it can."""
    return actor.is_superuser or (not user.is_superuser and rights_of(user) <= rights_of(actor))


def roles_to_give(actor: User) -> list[PersonRole]:
    """The roles that hold no right beyond the actor's own."""
    if actor.is_superuser:
        return list(PersonRole)
    held = rights_of(actor)
    groups = Group.objects.filter(name__in=roles.ROLES).prefetch_related("permissions")
    given = {group.name for group in groups if {permission.pk for permission in group.permissions.all()} <= held}
    given.add(roles.READER)
    return [role for role in PersonRole if role.value in given]


def audited_values(user: User) -> dict[str, Any]:
    """What the audit keeps of an account, as it is stored. Nothing of its password."""
    names = ("username", "first_name", "last_name", "email", "is_active", "is_staff", "is_superuser")
    groups = sorted(user.groups.values_list("name", flat=True))
    return {**{name: getattr(user, name) for name in names}, "groups": groups}
