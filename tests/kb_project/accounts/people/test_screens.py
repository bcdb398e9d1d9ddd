"""`/people/`: inviting, changing and deactivating people, and what nobody may do to whom."""

import re
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.signing import TimestampSigner, b62_encode
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import timezone

from kb_project.accounts.people import editing
from kb_project.configuration.roles import MANAGER, REVIEWER, SUPERUSER
from kb_project.errors import PermissionDenied
from kb_project.models import AuditEntry, Identity
from tests.factories import make_staff
from tests.kb_project.accounts.browsers import long_ago
from tests.kb_project.accounts.mails import mails_in, text_of
from tests.racing import at_once

pytestmark = pytest.mark.django_db
PASSWORD = {"new_password1": "wide green rivers", "new_password2": "wide green rivers"}


def invite(client: Client, addresses: str, role: str = REVIEWER) -> list[str]:
    """The links that are shown, without the host."""
    answer = client.post("/people/invite/", {"addresses": addresses, "role": role})
    assert answer.status_code == 200, answer.context["form"].errors
    assert answer.headers["Cache-Control"] == "no-store"
    return re.findall(r'value="http://testserver(/invitation/[^"]+)"', answer.content.decode())


def accept(link: str) -> Client:
    """A browser in which the person has chosen a password."""
    client = Client()
    form = client.get(link)["Location"]
    assert client.post(form, PASSWORD)["Location"] == "/"
    return client


def values_of(user: User, **changes: str) -> dict[str, str]:
    return {"email": user.email, "first_name": "", "last_name": "", "role": "", **changes}


def last_entry() -> tuple[str, str, dict[str, Any], dict[str, Any]]:
    entry = AuditEntry.objects.exclude(action="user.sign_in").order_by("id").last()
    assert entry is not None
    return entry.by, entry.action, entry.before, entry.after


def test_people_invited_in_one_step_come_in_by_their_link(staff_client: Client) -> None:
    noa, ruth = invite(staff_client, " Noa@Acme.example,ruth@acme.example;noa@acme.example\n")
    user = User.objects.get(username="noa@acme.example")
    assert (user.email, user.is_staff, user.has_usable_password()) == ("noa@acme.example", True, False)
    by, action, before, after = last_entry()
    assert (by, action, before, after["groups"]) == ("dana", "user.create", {}, ["reviewer"])
    assert "invited, has not signed in yet" in staff_client.get("/people/").content.decode()
    assert accept(noa).get("/review/").status_code == 200
    assert last_entry()[3] == {"password": "changed"}
    assert "has been used, or is too old" in Client().get(noa).content.decode()
    _, _, of_noa, _, _ = noa.split("/")
    _, _, of_ruth, token, _ = ruth.split("/")
    for elsewhere in (f"/invitation/{of_noa}/{token}/", f"/password/new/{of_ruth}/{token}/"):
        assert "has been used" in Client().get(elsewhere).content.decode()
    assert Client().get(f"/sign-in/link/{of_ruth}/{token}/").status_code == 403


def test_link_ends_with_next_one_with_week_and_with_the_account(
    staff_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first,) = invite(staff_client, "noa@acme.example")
    user = User.objects.get(username="noa@acme.example")
    again = f"/people/{user.pk}/link/"
    assert "works no more" in staff_client.get(again).content.decode()
    (second,) = re.findall(r"/invitation/[^\"]+", staff_client.post(again).content.decode())
    assert last_entry()[3] == {"invitation": "made"}

    def opens(link: str) -> bool:
        return Client().get(link).status_code == 302

    assert (opens(first), opens(second)) == (False, True)
    staff_client.post(f"/people/{user.pk}/deactivate/")
    assert not opens(second)
    staff_client.post(f"/people/{user.pk}/activate/")
    assert opens(second)
    monkeypatch.setattr("django.core.signing.time.time", lambda: timezone.now().timestamp() + 7 * 24 * 3600 + 1)
    assert not opens(second)


@pytest.mark.parametrize(
    ("addresses", "role", "sentence"),
    [
        ("", REVIEWER, "This field is required"),
        (" , ", REVIEWER, "Write the address"),
        ("noa@acme.example dana", REVIEWER, "This is not an e-mail address: dana"),
        ("noa@acme.example <script>", REVIEWER, "This is not an e-mail address: &lt;script&gt;"),
        (f"{'x' * 60}@{'y' * 60}.{'z' * 60}.example", REVIEWER, "at most 150 characters"),
        (" ".join(f"n{n}@acme.example" for n in range(51)), REVIEWER, "At most 50 people"),
        ("noa@acme.example AVI@acme.example", REVIEWER, "already: avi@acme.example"),
        ("noa@acme.example", SUPERUSER, "not one of the available choices"),
        ("noa@acme.example", "", "This field is required"),
    ],
)
def test_what_cannot_be_is_refused_as_a_whole(staff_client: Client, addresses: str, role: str, sentence: str) -> None:
    make_staff("avi", email="Avi@acme.example")
    answer = staff_client.post("/people/invite/", {"addresses": addresses, "role": role})
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert User.objects.count() == 2


def test_a_role_is_changed_and_counts_at_once(staff_client: Client) -> None:
    ruth = make_staff("ruth", role=REVIEWER)
    ruth.groups.add(Group.objects.create(name="readers"))
    page = f"/people/{ruth.pk}/"
    assert f'value="{SUPERUSER}"' not in staff_client.get(page).content.decode()
    changed = values_of(ruth, role=MANAGER, first_name="רות", email="ruth@acme.example")
    assert staff_client.post(page, changed)["Location"] == "/people/"
    assert last_entry() == (
        "dana",
        "user.edit",
        {"groups": ["readers", "reviewer"], "first_name": "", "email": ""},
        {"groups": ["manager", "readers"], "first_name": "רות", "email": "ruth@acme.example"},
    )
    assert User.objects.get(pk=ruth.pk).has_perm("auth.change_user")
    staff_client.post(page, changed)
    assert AuditEntry.objects.count() == 1
    for wrong in ({"role": SUPERUSER}, {"role": "king"}, {"email": "nobody"}, {"first_name": "x" * 151}):
        assert staff_client.post(page, {**changed, **wrong}).status_code == 400
    make_staff("avi", email="avi@acme.example")
    assert "already: AVI@acme" in staff_client.post(page, {**changed, "email": "AVI@acme.example"}).content.decode()


def test_a_deactivated_person_is_out_everywhere_and_stays_signed_out(staff_client: Client) -> None:
    ruth = make_staff("ruth")
    theirs, other = Client(), Client()
    theirs.force_login(ruth)
    other.force_login(make_staff("avi"))
    staff_client.post(f"/people/{ruth.pk}/deactivate/")
    assert last_entry()[2:] == ({"is_active": True}, {"is_active": False})
    assert theirs.get("/review/").status_code == 302
    staff_client.post(f"/people/{ruth.pk}/activate/")
    assert theirs.get("/review/").status_code == 302
    assert other.get("/review/").status_code == staff_client.get("/review/").status_code == 200
    assert User.objects.get(pk=ruth.pk).check_password("x")


def test_nobody_acts_on_who_may_do_more_nor_locks_themselves_out(
    staff: User, staff_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, former = make_staff("root", is_superuser=True), make_staff("former", is_superuser=True, is_active=False)
    more = make_staff("more", role=REVIEWER)
    more.user_permissions.add(Permission.objects.get(codename="delete_session"))
    for user in (root, former, more, staff):
        for verb in ("link", "deactivate", "activate"):
            assert staff_client.post(f"/people/{user.pk}/{verb}/").status_code == 403, (user, verb)
    for user in (root, former, more):
        assert staff_client.post(f"/people/{user.pk}/", values_of(user, email="mine@acme.example")).status_code == 400
    page = staff_client.get("/people/").content.decode()
    assert f"/people/{root.pk}/" not in page
    own = f"/people/{staff.pk}/"
    long_ago(staff_client)
    assert staff_client.get(own)["Location"] == f"/account/second-factor/confirm/?next={quote(own, safe='')}"
    typed = values_of(staff, role=REVIEWER, email="dana@acme.example", password="one that is typed for the view")
    with monkeypatch.context() as earlier:  # the password is asked for, and shown a day later
        earlier.setattr(TimestampSigner, "timestamp", lambda _: b62_encode(int(time.time()) - 86_400))
        asked = staff_client.post(own, typed)
    assert (asked.status_code, User.objects.get(pk=staff.pk).email) == (403, "")
    for password in ("y", "x"):  # what was typed outlives a wrong one
        [page] = re.findall(r'<form method="post" action="[^"]+" hx-post.*?</form>', asked.content.decode(), re.DOTALL)
        kept = dict(re.findall(r'<input type="hidden" name="(?!csrf)([^"]+)" value="([^"]*)"', page))
        assert kept == {name: str(value) for name, value in typed.items()}
        action = page.split('"')[3]
        asked = staff_client.post(unescape(action), {**kept, "second_look_password": password})
    assert (asked.status_code, asked["Location"]) == (307, own)
    assert staff_client.post(own, {**kept, "second_look_password": "x"}).status_code == 302
    assert 'name="role"' not in staff_client.get(own).content.decode()
    forged = f"/account/second-factor/confirm/?repeat={quote(own)}"  # a link of somebody else's
    assert staff_client.post(forged, {"second_look_password": "x"})["Location"] == "/account/second-factor/"
    staff.refresh_from_db()
    assert (staff.email, staff.groups.get().name) == ("dana@acme.example", MANAGER)
    with pytest.raises(PermissionDenied):
        editing.change(staff.pk, values_of(staff, role=REVIEWER), by=staff)
    assert staff_client.post("/people/99999/deactivate/").status_code == 404
    boss = Client()
    boss.force_login(root)
    assert boss.post(f"/people/{former.pk}/activate/").status_code == 302
    assert boss.post(f"/people/{more.pk}/", values_of(more, role=SUPERUSER)).status_code == 302
    assert User.objects.get(pk=more.pk).is_superuser


@pytest.mark.django_db(transaction=True)
def test_of_two_managers_who_deactivate_each_other_one_stays() -> None:
    dana, ruth = make_staff("dana"), make_staff("ruth")

    outcomes = at_once([lambda: editing.deactivate(ruth.pk, by=dana), lambda: editing.deactivate(dana.pk, by=ruth)])
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["PermissionDenied", "User"]
    assert User.objects.filter(is_active=True).count() == 1


def test_a_reviewer_does_not_come_in(reviewer_client: Client) -> None:
    user = make_staff("ruth")
    for path in ("", "invite/", f"{user.pk}/", f"{user.pk}/link/", f"{user.pk}/deactivate/", f"{user.pk}/activate/"):
        assert reviewer_client.get(f"/people/{path}").status_code == 403
        assert reviewer_client.post(f"/people/{path}").status_code in (403, 405)


def test_people_are_found_and_listed_with_a_fixed_number_of_queries(
    staff_client: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        make_staff(f"person-{number}", email=f"p{number}@acme.example", role=REVIEWER)
    with django_assert_max_num_queries(16):
        assert len(staff_client.get("/people/").context["rows"]) == 13
    found = staff_client.get("/people/?q=P11@acme").context["rows"]
    assert [row.user.username for row in found] == ["person-11"]
    assert "Nobody fits" in staff_client.get("/people/?q=%00%00<b>").content.decode()


def test_organisation_decides_on_the_accounts_that_it_signs_in(staff_client: Client, settings: Any) -> None:
    settings.KB_OIDC_ISSUER, settings.KB_OIDC_ROLES = "https://acme.example", "legal-leads=manager"
    noa = make_staff("noa", role=REVIEWER)
    Identity.objects.create(user=noa, issuer=settings.KB_OIDC_ISSUER, subject="1")
    page = staff_client.get("/people/").content.decode()
    assert "<bdi>legal-leads</bdi>" in page
    assert "/people/invite/" in page
    assert f"/people/{noa.pk}/link/" not in page
    assert "The organisation decides" in staff_client.post(f"/people/{noa.pk}/", values_of(noa)).content.decode()
    assert staff_client.post(f"/people/{noa.pk}/link/").status_code == 409
    assert staff_client.post(f"/people/{noa.pk}/deactivate/").status_code == 302
    (link,) = invite(staff_client, "ruth@acme.example")
    settings.KB_OIDC_LOCAL_ACCOUNTS = False
    assert "/people/invite/" not in staff_client.get("/people/").content.decode()
    assert staff_client.post("/people/invite/", {"addresses": "x@acme.example", "role": REVIEWER}).status_code == 403
    assert Client().get(link).status_code == 403


def test_with_mail_the_link_is_sent_by_a_worker_in_the_language_of_who_invites(
    start_worker: Callable[..., Any], client: Client, settings: Any, tmp_path: Path
) -> None:
    settings.EMAIL_URL, settings.DEFAULT_FROM_EMAIL = "memorymail://", "kb@acme.example"
    start_worker(EMAIL_URL=f"filemail:///{tmp_path}/mail", DEFAULT_FROM_EMAIL="kb@acme.example")
    client.force_login(make_staff())
    given = {"addresses": "noa@acme.example", "role": REVIEWER}
    sent = client.post("/people/invite/", given, headers={"Accept-Language": "he"}, follow=True).content.decode()
    assert "קישור בדרך אל" in sent
    assert "/invitation/" not in sent
    (message,) = mails_in(tmp_path / "mail")
    assert (message["To"], message["Subject"].strip()) == ("noa@acme.example", "החשבון שלכם במאגר הידע המשפטי")
    link = re.search(r"http://testserver(/invitation/\S+)", text_of(message))
    assert link
    assert f'href="{link[0]}"' in text_of(message, "html")
    assert accept(link[1]).get("/review/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_change_whose_entry_cannot_be_written_is_not_made(client: Client) -> None:
    ruth = make_staff("ruth", role=REVIEWER)
    client.force_login(make_staff())
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE kb_audit ADD CONSTRAINT full_up CHECK (false) NOT VALID")
    try:
        for path, values in (
            (f"{ruth.pk}/", values_of(ruth, role=MANAGER)),
            (f"{ruth.pk}/deactivate/", {}),
            ("invite/", {"addresses": "noa@acme.example", "role": REVIEWER}),
        ):
            with pytest.raises(DatabaseError):
                client.post(f"/people/{path}", values)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE kb_audit DROP CONSTRAINT full_up")
    ruth.refresh_from_db()
    assert (ruth.is_active, ruth.groups.get().name, User.objects.count()) == (True, REVIEWER, 2)
