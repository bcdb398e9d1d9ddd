"""`/account/sessions/`, and what the audit has of sign-ins."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from kb_project.models import AuditEntry
from tests.factories import make_staff
from topics.keys import find_usable_key, make_personal_key

pytestmark = pytest.mark.django_db
PAGE, END = "/account/sessions/", "/account/sessions/end/"


def entered(name: str, browser: str) -> Client:
    client = Client(headers={"User-Agent": browser})
    assert client.post("/sign-in/", {"username": name, "password": "x"}).status_code == 302
    return client


def test_a_person_sees_where_they_are_signed_in_and_what_acts_as_them() -> None:
    make_staff("noa")
    dana = make_staff("dana")
    entered("noa", "Opera of noa")
    entered("dana", "Firefox on the train")
    here = entered("dana", "Chrome at the desk")
    make_personal_key(dana, "script of dana", with_rights=False, last_day=None)
    answer = here.get(PAGE)
    assert {one.browser: one.is_this for one in answer.context["sessions"]} == {
        "Chrome at the desk": True,
        "Firefox on the train": False,
    }
    page = answer.content.decode()
    assert "script of dana" in page
    assert "127.0.0.1" in page
    assert "Opera of noa" not in page
    assert Client().get(PAGE).status_code == 302


def test_ending_all_leaves_this_browser_alone() -> None:
    make_staff("noa")
    dana = make_staff("dana")
    of_noa, elsewhere, here = entered("noa", "a"), entered("dana", "b"), entered("dana", "c")
    _key, plaintext = make_personal_key(dana, "script", with_rights=False, last_day=None)
    assert here.get(END).status_code == 200
    assert elsewhere.get(PAGE).status_code == 200  # asked, and nothing ended
    here.post(END)
    assert elsewhere.get(PAGE).status_code == 302
    assert find_usable_key(plaintext) is None
    assert here.get(PAGE).status_code == 200
    assert of_noa.get(PAGE).status_code == 200
    ended = AuditEntry.objects.filter(action="user.edit").values_list("by", "object_id", "after")
    assert list(ended) == [("dana", str(dana.pk), {"sessions": "ended"})]
    assert AuditEntry.objects.filter(action="key.revoke", by="dana").count() == 1


def test_sign_ins_and_refusals_are_in_the_audit_without_what_was_typed(client: Client) -> None:
    make_staff("dana")
    refused = client.post("/sign-in/", {"username": "dana", "password": "wrong horse"})
    assert "The user name or the password is not right." in refused.content.decode()
    client.post("/sign-in/", {"username": "my secret", "password": "wrong horse"})
    client.post("/sign-in/", {"username": "dana", "password": ""})  # nothing to look at
    client.post("/sign-in/", {"username": "dana", "password": "x"})
    told = list(AuditEntry.objects.order_by("id").values_list("action", "by", "object_id", "after"))
    how = {"way": "password", "address": "127.0.0.1"}
    dana = str(User.objects.get().pk)
    assert told == [
        ("user.refuse", "dana", dana, how),
        ("user.refuse", "-", "", how),
        ("user.sign_in", "dana", dana, how),
    ]
    assert not any(word in str(told) for word in ("secret", "horse"))
    page = client.get("/audit/").content.decode()
    assert "Sign-in refused" in page
    assert "Signed in" in page


def test_a_browser_is_called_by_its_name() -> None:
    make_staff("dana")
    said = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0"
    here = entered("dana", said)
    assert [one.called for one in here.get(PAGE).context["sessions"]] == ["Edge on Windows"]
    assert "Edge on Windows" in here.get(PAGE).content.decode()
    entered("dana", "Lynx/2.9")
    assert "Lynx/2.9" in [one.called for one in here.get(PAGE).context["sessions"]]
