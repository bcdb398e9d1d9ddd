"""Inviting people, changing what they may do, and ending and giving back their access.

Nobody acts on who may do more than they, and nobody takes their own access away. So of those who look after people
there is always one left: whoever acted last.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from kb_project import audit
from kb_project.accounts import sign_in_options
from kb_project.accounts.notices import Notice, send_notice
from kb_project.accounts.rights import PersonRole, audited_values, is_within, role_of, roles_to_give
from kb_project.accounts.second_factor import factors
from kb_project.accounts.sessions.ending import end_sessions
from kb_project.configuration import roles
from kb_project.errors import Conflict, Invalid, NotFound, PermissionDenied
from kb_project.models import Identity

MAX_AT_ONCE = 50  # addresses
MAX_ADDRESS_LENGTH = 150  # characters, as of a user name
MAY_CHANGE = "auth.change_user"


@transaction.atomic
def invite(addresses: Sequence[str], role: str, *, by: User) -> list[User]:
    """Make an account for each address, all or none. The address in small letters is its user name.

    None of them can be signed in to before its link has been used. Raises Invalid for what is no address, or one that
    an account has, PermissionDenied, and Conflict when somebody else was faster.
    """
    require_passwords()
    given = _role(role, by=by)
    return [_make(name, given, by=by) for name in _addresses(addresses)]


def require_passwords() -> None:
    """Raise PermissionDenied where the organisation alone signs people in."""
    if not sign_in_options.local_accounts():
        raise PermissionDenied(_("Passwords are not used here. Sign in with the organisation."))


def _role(name: str, *, by: User) -> PersonRole:
    role = next((role for role in roles_to_give(by) if role.value == name), None)
    if role is None:
        sentence = _("Choose a role that you may give.")
        raise Invalid(sentence, errors={"role": [sentence]})
    return role


def _addresses(typed: Sequence[str]) -> list[str]:
    """Each once, in small letters. Raises Invalid."""
    names = list(dict.fromkeys(name.strip().lower() for name in typed))
    if not names:
        raise _wrong("addresses", _("Write the address of whom you invite."))
    if len(names) > MAX_AT_ONCE:
        raise _wrong("addresses", _("At most %d people at once.") % MAX_AT_ONCE)
    for name in names:
        _require_address(name)
    taken = User.objects.filter(username__in=names).values_list("username", flat=True)
    for name in [*taken, *(name for name in names if User.objects.filter(email__iexact=name).exists())]:
        raise _wrong("addresses", _("There is an account with this address already: %s") % name)
    return names


def _require_address(address: str) -> None:
    try:
        validate_email(address)
    except ValidationError as error:
        raise _wrong("addresses", _("This is not an e-mail address: %s") % address[:MAX_ADDRESS_LENGTH]) from error
    if len(address) > MAX_ADDRESS_LENGTH:
        raise _wrong("addresses", _("An address has at most %d characters here.") % MAX_ADDRESS_LENGTH)


def _wrong(field: str, sentence: str) -> Invalid:
    return Invalid(sentence, errors={field: [sentence]})


def _make(name: str, role: PersonRole, *, by: User) -> User:
    try:
        is_staff, is_superuser = role is not PersonRole.READER, role is PersonRole.SUPERUSER
        user = User.objects.create_user(name, email=name, is_staff=is_staff, is_superuser=is_superuser)
    except IntegrityError as error:
        raise Conflict(_("Somebody else has invited one of these people just now. Load the page again.")) from error
    _give(user, role)
    audit.record(by=by.get_username(), action="user.create", thing=user, after=audited_values(user))
    return user


def _give(user: User, role: PersonRole) -> None:
    """This role and no other. Groups of one's own making stay."""
    user.groups.remove(*Group.objects.filter(name__in=roles.ROLES))
    user.groups.add(*Group.objects.filter(name__in=roles.ROLES.keys() & {role.value}))


@transaction.atomic
def change(user_id: int, values: Mapping[str, str], *, by: User) -> User:
    """Change `role`, `email`, `first_name` and `last_name`. Of oneself not the role.

    Raises NotFound, Invalid, PermissionDenied, and Conflict for an account on which the organisation decides.
    """
    actor, user = _held(user_id, by=by)
    if is_of_organisation(user):
        raise Conflict(_("The organisation decides on this account. What you change here ends with the next sign-in."))
    email, former, before = values["email"].strip(), user.email, audited_values(user)
    if email.lower() != former.lower():
        _refuse_taken(email, user)
    role = role_of(user)
    if values["role"] != (role.value if role else ""):
        if user == actor:
            raise PermissionDenied(_("You cannot take away your own access. Ask another manager."))
        role = _role(values["role"], by=actor)
        user.is_staff, user.is_superuser = role is not PersonRole.READER, role is PersonRole.SUPERUSER
        _give(user, role)
    user.email, user.first_name, user.last_name = email, values["first_name"], values["last_name"]
    user.save()
    if email != former:
        for address in filter(None, (former, email)):
            send_notice(user, Notice.ADDRESS, address=address)
    return _recorded(user, before, by=actor)


def is_of_organisation(user: User) -> bool:
    return sign_in_options.offered() and Identity.objects.filter(user=user).exists()


def _refuse_taken(email: str, user: User) -> None:
    if email and User.objects.exclude(pk=user.pk).filter(email__iexact=email).exists():
        raise _wrong("email", _("There is an account with this address already: %s") % email)


@transaction.atomic
def renew_invitation(user_id: int, *, by: User) -> User:
    """The account, for a new link to a password. Earlier links to a first one open nothing any more.

    Raises NotFound, PermissionDenied, and Conflict for one that is deactivated or that the organisation signs in.
    """
    require_passwords()
    actor, user = _held_other(user_id, by=by)
    if not user.is_active or is_of_organisation(user):
        raise Conflict(_("This account cannot be signed in to with a password."))
    if not user.has_usable_password():
        user.set_unusable_password()  # another one, on which the links depend
        user.save(update_fields=["password"])
    audit.record(by=actor.get_username(), action="user.edit", thing=user, after={"invitation": "made"})
    return user


@transaction.atomic
def remove_second_factors(user_id: int, *, by: User) -> User:
    """For a person who has lost theirs. Their sessions end: who found what was lost may be signed in."""
    actor, user = _held_other(user_id, by=by)
    factors.remove_all(user, by=actor)
    end_sessions(user)
    return user


@transaction.atomic
def deactivate(user_id: int, *, by: User) -> User:
    """From now on nothing of this person opens anything: no password, no session, no key, no link."""
    user = _set_active(user_id, False, by=by)
    end_sessions(user)
    return user


@transaction.atomic
def activate(user_id: int, *, by: User) -> User:
    """The person may enter again as before, and the keys that they made work. Sessions stay ended."""
    return _set_active(user_id, True, by=by)


def _set_active(user_id: int, is_active: bool, *, by: User) -> User:
    actor, user = _held_other(user_id, by=by)
    before = audited_values(user)
    user.is_active = is_active
    user.save(update_fields=["is_active"])
    return _recorded(user, before, by=actor)


def _held(user_id: int, *, by: User) -> tuple[User, User]:
    """Who acts and on whom, as they are now and until the transaction ends. Raises NotFound and PermissionDenied.

    So of two managers who deactivate each other at once, one stays.
    """
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=[by.pk, user_id]).order_by("pk")
    held = {row.pk: row for row in rows}
    actor, user = held.get(by.pk), held.get(user_id)
    if user is None:
        raise NotFound(_("There is no such person."))
    if actor is None or not (actor.is_active and actor.is_staff and actor.has_perm(MAY_CHANGE)):
        raise PermissionDenied(_("Your account may not do this. Ask a manager for the right role."))
    if not is_within(actor, user):
        raise PermissionDenied(_("This person may do more than you. Ask somebody who may do as much."))
    return actor, user


def _held_other(user_id: int, *, by: User) -> tuple[User, User]:
    actor, user = _held(user_id, by=by)
    if actor == user:
        raise PermissionDenied(_("You cannot take away your own access. Ask another manager."))
    return actor, user


def _recorded(user: User, before: Mapping[str, Any], *, by: User) -> User:
    after = audited_values(user)
    audit.record(by=by.get_username(), action="user.edit", thing=user, before=before, after=after)
    return user
