"""`/people/`: who may enter and what each may do, inviting, changing, deactivating. Each a form in a dialog."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce, wraps
from operator import or_
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from kb_project.accounts import links, sign_in_options
from kb_project.accounts.people import editing
from kb_project.accounts.people.editing import MAX_ADDRESS_LENGTH, MAX_AT_ONCE
from kb_project.accounts.rights import WITH_RIGHTS, PersonRole, PersonState, is_within, role_of, roles_to_give, state_of
from kb_project.accounts.second_look import recently
from kb_project.accounts.tasks import mail_invitation
from kb_project.errors import ApiError, NotFound
from kb_project.isolates import safe_message
from kb_project.models import SecondFactor
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import done, next_url, redirect_from_dialog, render_dialog
from kb_project.web.origins import origin_of

PEOPLE_A_PAGE = 50
MAX_SEARCH_LENGTH = 200  # characters
FOUND_BY = ("username", "email", "first_name", "last_name")
View = Callable[[StaffRequest, User], HttpResponse]


class RoleField(forms.ChoiceField):
    """Radio buttons, which the template shows with what each role may do."""

    def __init__(self, **options: Any) -> None:
        super().__init__(label=gettext_lazy("Role"), widget=forms.RadioSelect, **options)


class InviteForm(forms.Form):
    """`roles` are those that may be given."""

    addresses = forms.CharField(
        label=gettext_lazy("E-mail addresses"),
        help_text=gettext_lazy("One or more, with spaces or commas between them. The address is the user name."),
        max_length=MAX_AT_ONCE * (MAX_ADDRESS_LENGTH + 2),
        widget=forms.Textarea({"rows": 2, "dir": "ltr", "autofocus": True}),
    )
    role = RoleField(initial=PersonRole.REVIEWER)

    def __init__(self, *args: Any, roles: Sequence[PersonRole], **options: Any) -> None:
        super().__init__(*args, **options)
        self.roles = roles
        self.fields["role"].choices = [(role.value, role.label) for role in roles]  # type: ignore[attr-defined]

    def typed(self) -> list[str]:
        return [address for address in re.split(r"[\s,;]+", self.cleaned_data["addresses"]) if address]


class PersonForm(forms.Form):
    """Of a person with this `role`, who may be given one of `roles`. Without any it stays."""

    role = RoleField(required=False)
    email = forms.EmailField(
        label=gettext_lazy("E-mail address"), required=False, max_length=254, widget=forms.EmailInput({"dir": "ltr"})
    )
    first_name = forms.CharField(
        label=gettext_lazy("First name"), required=False, max_length=150, widget=forms.TextInput({"dir": "auto"})
    )
    last_name = forms.CharField(
        label=gettext_lazy("Last name"), required=False, max_length=150, widget=forms.TextInput({"dir": "auto"})
    )

    def __init__(self, *args: Any, role: PersonRole | None, roles: Sequence[PersonRole], **options: Any) -> None:
        super().__init__(*args, **options)
        self.present_role, self.roles = role, roles
        if roles:
            self.fields["role"].choices = [(one.value, one.label) for one in roles]  # type: ignore[attr-defined]
        else:
            del self.fields["role"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        return {**values, "role": values.get("role") or self.present_role or ""}


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One person. `is_within` as whoever looks sees it, `is_local` if not the organisation decides on the account."""

    user: User
    role: PersonRole | None
    state: PersonState
    is_within: bool
    is_local: bool


@staff_may(GET="auth.view_user")
def people(request: StaffRequest) -> HttpResponse:
    """A page of those who may enter, then of those who may no longer."""
    typed = "".join(filter(str.isprintable, request.GET.get("q", ""))).strip()[:MAX_SEARCH_LENGTH]
    page = Paginator(_found(typed), PEOPLE_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "section": "people",
        "typed": typed,
        "page": page,
        "rows": list(_rows(page.object_list, by=_actor(request))),
        "has_local_accounts": sign_in_options.local_accounts(),
        "groups": [(group, PersonRole(role)) for group, role in sign_in_options.roles_by_group().items()]
        if sign_in_options.offered()
        else [],
        "sign_in_address": request.build_absolute_uri(reverse("sign-in")),
    }
    return render(request, "people/people.html", context)


def _found(typed: str) -> QuerySet[User]:
    has_factor = Exists(SecondFactor.objects.filter(user=OuterRef("pk")))
    people = (
        User.objects.annotate(has_second_factor=has_factor)
        .select_related("identity")
        .prefetch_related(*WITH_RIGHTS)
        .order_by("-is_active", "username")
    )
    if not typed:
        return people
    return people.filter(reduce(or_, (Q(**{f"{name}__icontains": typed}) for name in FOUND_BY)))


def _actor(request: StaffRequest) -> User:
    return User.objects.prefetch_related(*WITH_RIGHTS).get(pk=request.user.pk)


def _rows(people: Iterable[User], *, by: User) -> Iterable[PersonRow]:
    for user in people:
        is_local = not (sign_in_options.offered() and hasattr(user, "identity"))
        yield PersonRow(user, role_of(user), state_of(user), is_within(by, user), is_local)


@staff_may(GET="auth.add_user", POST="auth.add_user")
@recently
def invite(request: StaffRequest) -> HttpResponse:
    """New accounts for addresses. Each gets a link by mail, or it is shown."""
    editing.require_passwords()
    form = InviteForm(request.POST or None, roles=roles_to_give(_actor(request)))
    context = {"form": form, "next": reverse("people"), "is_oidc_offered": sign_in_options.offered(), "mails": _mails()}
    if request.method != "POST":
        return render_dialog(request, "people/_invite.html", context)
    if form.is_valid():
        try:
            people = editing.invite(form.typed(), form.cleaned_data["role"], by=request.user)
            return _hand_over(request, people)
        except ApiError as refusal:
            _say(form, refusal)
    return render_dialog(request, "people/_invite.html", context, status=400)


def _mails() -> bool:
    return bool(settings.EMAIL_URL)


def _say(form: Any, refusal: ApiError) -> None:
    for field, sentences in (refusal.errors or {"": [refusal.detail]}).items():
        form.add_error(field if field in form.fields else None, list(sentences))


def _hand_over(request: StaffRequest, people: list[User]) -> HttpResponse:
    """Mail the links. Those that cannot be mailed are shown, this once: nothing keeps the answer."""
    mailed = [user for user in people if _mails() and user.email]
    for user in mailed:
        service = f"{origin_of(request)}/"
        mail_invitation.delay(user_id=user.pk, service=service, language=get_language() or settings.LANGUAGE_CODE)
    if mailed:
        sentence = ngettext("A link is on its way to %(people)s.", "Links are on their way to %(people)s.", len(mailed))
        messages.success(request, safe_message(sentence, people=", ".join(user.email for user in mailed)))
    shown = [(user, origin_of(request) + links.invitation_path(user)) for user in people if user not in mailed]
    if not shown:
        return redirect_from_dialog(request, reverse("people"))
    response = render_dialog(request, "people/_links.html", {"shown": shown, "next": reverse("people")})
    response["Cache-Control"] = "no-store"
    return response


def _of_person(view: View) -> Callable[[StaffRequest, int], HttpResponse]:
    """Call the view with the person. What it refuses, and that the person is gone, is said where one is."""

    @wraps(view)
    def wrapper(request: StaffRequest, user_id: int) -> HttpResponse:
        try:
            user = User.objects.filter(pk=user_id).first()
            if user is None:
                raise NotFound(_("There is no such person."))
            return view(request, user)
        except ApiError as refusal:
            context = {"said": refusal.detail, "next": reverse("people")}
            return render_dialog(request, "people/_refused.html", context, status=refusal.status)

    return wrapper


@staff_may(GET=editing.MAY_CHANGE, POST=editing.MAY_CHANGE)
@recently
@_of_person
def change(request: StaffRequest, user: User) -> HttpResponse:
    """Role, name and address."""
    role = role_of(user)
    initial = {"role": role, "email": user.email, "first_name": user.first_name, "last_name": user.last_name}
    given = roles_to_give(_actor(request)) if user != request.user else []
    form = PersonForm(request.POST or None, initial=initial, role=role, roles=given)
    context = {"form": form, "person": user, "next": _back(request)}
    if request.method != "POST":
        return render_dialog(request, "people/_change.html", context)
    if form.is_valid():
        try:
            editing.change(user.pk, form.cleaned_data, by=request.user)
        except ApiError as refusal:
            _say(form, refusal)
        else:
            return done(request, _back(request), _("The account of %(person)s was changed."), person=user)
    return render_dialog(request, "people/_change.html", context, status=400)


def _back(request: StaffRequest) -> str:
    return next_url(request, default=reverse("people"))


@staff_may(GET=editing.MAY_CHANGE, POST=editing.MAY_CHANGE)
@recently
@_of_person
def link(request: StaffRequest, user: User) -> HttpResponse:
    """Invite again. Who has a password can choose another one by it."""
    if request.method != "POST":
        context = {"person": user, "state": state_of(user), "mails": _mails() and user.email, "next": _back(request)}
        return render_dialog(request, "people/_link.html", context)
    return _hand_over(request, [editing.renew_invitation(user.pk, by=request.user)])


def _settled(request: StaffRequest, user: User, piece: str, verb: Callable[..., object], said: str) -> HttpResponse:
    """Ask the question `piece` about somebody. When it is answered, do it and say so."""
    if request.method != "POST":
        return render_dialog(request, piece, {"person": user, "next": _back(request)})
    verb(user.pk, by=request.user)
    return done(request, _back(request), said, person=user)


@staff_may(GET=editing.MAY_CHANGE, POST=editing.MAY_CHANGE)
@recently
@_of_person
def second_factor(request: StaffRequest, user: User) -> HttpResponse:
    """Remove the second factors of somebody who has lost them."""
    said = _("%(person)s signs in with the password alone now.")
    return _settled(request, user, "people/_second_factor.html", editing.remove_second_factors, said)


@staff_may(GET=editing.MAY_CHANGE, POST=editing.MAY_CHANGE)
@recently
@_of_person
def deactivate(request: StaffRequest, user: User) -> HttpResponse:
    return _settled(request, user, "people/_deactivate.html", editing.deactivate, _("%(person)s can no longer enter."))


@staff_may(GET=editing.MAY_CHANGE, POST=editing.MAY_CHANGE)
@recently
@_of_person
def activate(request: StaffRequest, user: User) -> HttpResponse:
    return _settled(request, user, "people/_activate.html", editing.activate, _("%(person)s can enter again."))
