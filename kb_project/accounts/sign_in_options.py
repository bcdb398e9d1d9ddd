"""What the settings say of the organisation's sign-in, and what is wrong with it."""

from collections.abc import Iterator, Mapping

from django.conf import settings

from kb_project.configuration.roles import MANAGER, READER, REVIEWER, SUPERUSER

ROLES = (READER, REVIEWER, MANAGER, SUPERUSER)


def offered() -> bool:
    """Whether people can sign in with the organisation."""
    return bool(settings.KB_OIDC_ISSUER)


def local_accounts() -> bool:
    """Whether people can sign in with a name and a password that are kept here."""
    return settings.KB_OIDC_LOCAL_ACCOUNTS or not offered()


def roles_by_group() -> Mapping[str, str]:
    """The role of each group that KB_OIDC_ROLES names, as `group=role`, separated by semicolons.

    A group's name may hold `=` and commas, as in LDAP.
    """
    return _pairs(settings.KB_OIDC_ROLES)


def groups_by_group() -> Mapping[str, str]:
    """The group here of each group of the organisation that KB_OIDC_TOPIC_GROUPS names, written as roles are."""
    return _pairs(settings.KB_OIDC_TOPIC_GROUPS)


def _pairs(text: str) -> Mapping[str, str]:
    pairs = (pair.rpartition("=") for pair in text.split(";") if pair.strip())
    return {group.strip(): name.strip() for group, _, name in pairs}


def configuration_errors() -> Iterator[str]:
    """A sentence for each mistake."""
    if not offered():
        if not settings.KB_OIDC_LOCAL_ACCOUNTS:
            yield "KB_OIDC_LOCAL_ACCOUNTS=0 leaves no way in without KB_OIDC_ISSUER."
        return
    for name in ("KB_OIDC_CLIENT_ID", "KB_OIDC_CLIENT_SECRET", "KB_OIDC_GROUPS_CLAIM"):
        if not getattr(settings, name):
            yield f"{name} must be set for KB_OIDC_ISSUER."
    if "openid" not in settings.KB_OIDC_SCOPES:
        yield "KB_OIDC_SCOPES must hold openid."
    if "?" in settings.KB_OIDC_ISSUER or "#" in settings.KB_OIDC_ISSUER:
        yield "KB_OIDC_ISSUER must be an address without ? and #."
    yield from _errors_of_groups()


def _errors_of_groups() -> Iterator[str]:
    roles = roles_by_group()
    if not roles and not groups_by_group():
        yield "KB_OIDC_ROLES is empty, so nobody could enter; it must be pairs such as legal-staff=reviewer."
    for group, role in roles.items():
        if not group or role not in ROLES:
            yield f"KB_OIDC_ROLES gives {group!r} the role {role!r}; it can be {', '.join(ROLES)}."
    for group, name in groups_by_group().items():
        if not group or not name or name in ROLES:
            yield f"KB_OIDC_TOPIC_GROUPS gives {group!r} the group {name!r}; it needs a name that is no role."
