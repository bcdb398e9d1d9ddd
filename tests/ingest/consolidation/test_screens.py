"""`/library/{source}/consolidation/`: instructions beside the changes that they make, and what a person confirms."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from ingest.consolidation import correcting
from ingest.consolidation.correcting import corrections_of, form_for
from ingest.consolidation.planning import plan
from ingest.models import Job
from law.amendments.consolidating import instructions_of
from sources import instructions
from sources.models import Source
from sources.provisions import whole_text
from sources.references.background import run_pending
from tests.factories import make_topic
from tests.ingest.consolidation.acts import planned, ports, reform, stored, take_in

pytestmark = pytest.mark.django_db(transaction=True)


def path(amending: Source) -> str:
    return reverse("library-consolidation", args=[amending.pk])


def test_each_instruction_stands_beside_what_it_makes_of_the_act(staff_client: Client, tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    page = staff_client.get(path(amending)).content.decode()
    assert page.count('name="chosen"') == 2
    assert "checked" not in page.split("<tbody>")[1].split("</tbody>")[0]  # nothing is confirmed before somebody looked
    assert ("30</del>" in page, "45</ins>" in page) == (True, True)
    assert "The place, or the words, are not there." in page
    assert "The act is not in this topic." in page
    shown = staff_client.get(f"/library/{amending.pk}/").content.decode()
    assert "Changes other acts: 5 instructions" in shown
    assert f"/library/{amending.pk}/consolidation/" in shown
    assert "/consolidation/" not in staff_client.get(f"/library/{act.pk}/").content.decode()
    assert act.title in page


def test_what_is_ticked_is_made_and_told_on_both_pages(staff_client: Client, tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    version = planned(amending, act)
    sent = {"base": act.pk, "fingerprint": version.fingerprint, "chosen": [0]}
    assert staff_client.post(path(amending), sent)["Location"] == path(amending)
    [job] = Job.objects.filter(consolidation__isnull=False)
    assert act.title in staff_client.get(path(amending)).content.decode()
    made = stored(job)
    page = staff_client.get(path(amending)).content.decode()
    assert reverse("document", args=[made.pk]) in page
    assert reverse("library-source-delete", args=[made.pk]) in page
    read = Client().get(f"/documents/{made.pk}/").content.decode()
    assert "Unofficial consolidation" in read
    assert "1 instruction was carried out" in read
    assert f"/documents/{amending.pk}/#" in read
    assert Client().get(f"/kb/sources/{made.pk}").json()["origin"] == "consolidated"


def test_a_day_that_is_given_is_kept_while_one_confirms(staff_client: Client, tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    first = stored(_made(staff_client, amending, act))
    assert 'name="day.3"' in staff_client.get(path(amending)).content.decode()
    assert staff_client.get(path(amending), {"day.3": "soon"}).status_code == 400
    page = staff_client.get(path(amending), {"day.3": "2026-01-01"}).content.decode()
    assert 'value="2026-01-01"' in page
    version = planned(amending, first, _3="2026-01-01")
    sent = {"base": first.pk, "fingerprint": version.fingerprint, "chosen": version.possible}
    assert staff_client.post(f"{path(amending)}?day.3=2026-01-01", sent).status_code == 302
    assert Job.objects.filter(consolidation__base=first.pk).exists()


def test_an_order_of_the_topic_gives_the_day_that_the_act_leaves_open(staff_client: Client, tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    amending.identifier = "S.C. 2025, c. 7"
    amending.save()
    order = (
        "Under An Act to reform harbours, chapter 7 of the Statutes of Canada, 2025, the Minister fixes May 1, 2026 as "
        "the day on which {} of that Act commences."
    )
    take_in(tmp_path, order.format("section 3"), title="Order fixing a day")
    take_in(tmp_path, order.format("section 2"), title="Order elsewhere", topic=make_topic(name="Elsewhere"))
    while run_pending():
        pass
    page = staff_client.get(path(amending)).content.decode()
    assert 'name="day.3" value="2026-05-01"' in page
    assert "the Minister fixes May 1, 2026" in page
    assert 'name="day.3" value=""' in staff_client.get(f"{path(amending)}?day.3=").content.decode()  # left open
    listed = Client().get(f"/kb/sources/{amending.pk}/instructions").json()["instructions"]
    assert [one["day"] for one in listed if one["amending"] == "3"] == ["2026-05-01"]
    version = planned(amending, act, _3="2026-05-01")
    sent = {"base": act.pk, "fingerprint": version.fingerprint, "chosen": version.possible}
    assert staff_client.post(path(amending), sent).status_code == 302
    [job] = Job.objects.filter(consolidation__base=act.pk)
    assert job.consolidation is not None
    assert job.consolidation["days"] == {"3": "2026-05-01"}


def test_what_was_ticked_stays_ticked_when_it_is_refused(staff_client: Client, tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    answer = staff_client.post(path(amending), {"base": act.pk, "fingerprint": "x", "chosen": [1]})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Look at it once more." in page
    assert 'value="1" checked' in page
    assert not Job.objects.filter(consolidation__isnull=False).exists()


def test_an_act_that_amends_nothing_says_so(staff_client: Client, tmp_path: Path) -> None:
    assert "No instruction to change another act" in staff_client.get(path(ports(tmp_path))).content.decode()


@pytest.mark.parametrize(
    ("language", "condition", "labels"),
    [
        ("en", "If section 2 of the Tugs Act comes into force first, then,", ("If it is not so", "If it is so")),
        ("he", "If section 2 of the Tugs Act comes into force first, then,", ("אם לא יהיה כך", "אם כך יהיה")),
        (
            "en",
            "On the first day on which section 2 of the Tugs Act is in force,",
            ("Before that day", "From that day on"),
        ),
    ],
)
def test_both_outcomes_of_what_depends_on_another_act_stand_side_by_side(
    staff_client: Client, tmp_path: Path, language: str, condition: str, labels: tuple[str, str]
) -> None:
    ports(tmp_path)
    amending = reform(
        tmp_path,
        "Harbours Reform Act\nS.C. 2025, c. 7\nAssented to 2025-03-04\n1.\n"
        f"{condition} in section 4 of the Ports Act 2010, for “30 days” substitute “45 days”.",
    )
    page = staff_client.get(path(amending), headers={"accept-language": language}).content.decode()
    assert 'name="chosen"' not in page
    cells = re.findall(r'<div data-of="([^"]+)">(.*?)</div>', page, re.DOTALL)
    fee = "A fee is paid to a registrar within <mark>{}</mark> days."
    assert [(label, " ".join(words.split())) for label, words in cells[-2:]] == [
        (labels[0], fee.format(30)),
        (labels[1], fee.format(45)),
    ]
    [(attributes, head)] = re.findall(
        r'<div class="change-text"([^>]*)><div class="beside-row beside-head"([^>]*)>', page
    )
    assert attributes == (' dir="ltr" lang="en"' if language == "he" else ' dir="ltr"')
    assert head == f' lang="{language}"'


def test_what_may_never_have_come_into_force_is_not_ticked_and_says_why(staff_client: Client, tmp_path: Path) -> None:
    ports(tmp_path)
    clause = "If section 2 of the Tugs Act comes into force before section 1 of this Act, then that section 1 is deemed"
    amending = reform(
        tmp_path,
        "Harbours Reform Act\nS.C. 2025, c. 7\nAssented to 2025-03-04\n1.\n"
        "Section 4 of the Ports Act 2010 is repealed.\n2.\n(1) In this section, other Act means the Tugs Act.\n"
        f"(2) {clause} never to have come into force.",
    )
    page = staff_client.get(path(amending)).content.decode()
    assert 'name="chosen"' not in page
    assert page.count(f"<bdi>{clause} never to have come into force") == 2  # of the repeal, and of itself
    assert re.findall(r'<h2 id="act-\d+"><bdi>(.*?)</bdi>', page) == ["Ports Act 2010"]
    cells = dict(re.findall(r'<div data-of="([^"]+)">(.*?)</div>', page, re.DOTALL))
    assert "Repealed" in cells["If it is not so"]
    assert "Repealed" not in cells["If it is so"]


def test_an_act_of_another_topic_is_not_amended(staff_client: Client, tmp_path: Path) -> None:
    ports(tmp_path, topic=make_topic())
    amending = reform(tmp_path)
    page = staff_client.get(path(amending)).content.decode()
    assert 'name="chosen"' not in page
    assert page.count("The act is not in this topic.") == 5


def _made(client: Client, amending: Source, act: Source) -> Job:
    version = planned(amending, act)
    sent = {"base": act.pk, "fingerprint": version.fingerprint, "chosen": version.possible}
    client.post(path(amending), sent)
    return Job.objects.get(consolidation__base=act.pk)


def test_what_was_not_found_is_corrected_and_ticked_by_itself(staff_client: Client, tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    asked = staff_client.get(path(amending), {"correct": "2"}).content.decode()
    assert 'value="Subsection 3(9)"' in asked
    assert 'name="old"' not in asked  # it repeals a place
    refused = staff_client.post(f"{path(amending)}?correct=2", {"number": 2, "place": "somewhere near the end"})
    assert refused.status_code == 400
    assert "This place was not understood: somewhere near the end." in refused.content.decode()
    sent = staff_client.post(f"{path(amending)}?day.3=2026-01-01&correct=2", {"number": 2, "place": "subsection 3(1)"})
    assert sent["Location"] == f"{path(amending)}?day.3=2026-01-01#instruction-2"
    page = staff_client.get(path(amending)).content.decode()
    assert page.count('name="chosen"') == 3
    assert 'value="2" data-alone' in page
    assert "corrected by hand" in page
    corrections = corrections_of(staff_client.session, amending)
    version = next(one for one in plan(amending, days={}, corrections=corrections) if one.base == act)
    chosen = {"base": act.pk, "fingerprint": version.fingerprint, "chosen": [2]}
    assert staff_client.post(path(amending), chosen).status_code == 302
    made = stored(Job.objects.get(consolidation__isnull=False))
    assert "(1) [Repealed, 2025, c. 7, s. 1]" in whole_text(made.pk)
    assert "corrected by hand" in Client().get(f"/documents/{made.pk}/").content.decode()
    assert staff_client.post(path(amending), {"number": 2, "place": "Subsection 3(9)"}).status_code == 302
    assert corrections_of(staff_client.session, amending) == {}


def test_an_instruction_that_is_not_there_is_not_corrected(staff_client: Client, tmp_path: Path) -> None:
    amending = reform(tmp_path)
    assert "Correct an instruction" not in staff_client.get(path(amending), {"correct": "99"}).content.decode()
    assert staff_client.post(path(amending), {"number": 99, "place": "section 3"}).status_code == 400
    assert staff_client.post(path(amending), {"number": "x"}).status_code == 400
    assert staff_client.get(path(amending), {"correct": "9" * 5_000}).status_code == 200


def test_words_that_the_form_cannot_hold_stay_as_they_were_read(staff_client: Client, tmp_path: Path) -> None:
    long = " ".join(["days"] * 200)
    said = f"1.\nIn subsection 3(2) of the Ports Act 2010, for “30 days” substitute “{long}”."
    amending = reform(tmp_path, f"Harbours Reform Act\n{said}")
    [one] = instructions_of(whole_text(amending.pk))
    sent = {**form_for(one, 0).initial, "day": "2026-01-01"}
    assert (one.new, sent["old"]) == ((long,), "30 days")
    assert staff_client.post(path(amending), sent).status_code == 302
    kept = corrections_of(staff_client.session, amending)[0]
    assert (kept.place, kept.old, kept.new, str(kept.day)) == ("", "", "", "2026-01-01")


def test_a_correction_is_of_the_text_that_was_read(staff_client: Client, tmp_path: Path) -> None:
    amending = reform(tmp_path)
    staff_client.post(path(amending), {"number": 2, "place": "subsection 3(1)"})
    assert corrections_of(staff_client.session, amending)
    amending.content_sha256 = "of another file"
    amending.save(update_fields=["content_sha256"])
    assert "corrected by hand" not in staff_client.get(path(amending)).content.decode()


def test_what_is_too_much_to_correct_is_said(
    staff_client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    amending = reform(tmp_path)
    sent = {"number": 2, "place": "subsection 3(1)"}
    monkeypatch.setattr(correcting, "MAX_CORRECTIONS", 0)
    refused = staff_client.post(path(amending), sent)
    assert refused.status_code == 400
    assert "More than 0 instructions of one act are not corrected here." in refused.content.decode()
    monkeypatch.setattr(instructions, "MAX_TEXT_LENGTH", 100)
    refused = staff_client.post(path(amending), sent, headers={"accept-language": "he"})
    assert refused.status_code == 413
    assert "יותר מ־100 תווים" in refused.content.decode()


@pytest.mark.parametrize(
    ("language", "said"), [("en", "The place gets two texts on one day."), ("he", "המקום מקבל שני נוסחים באותו יום.")]
)
def test_of_two_texts_of_one_place_it_is_said_that_one_needs_another_day(
    staff_client: Client, tmp_path: Path, language: str, said: str
) -> None:
    ports(tmp_path)
    texts = [
        f"({number}) Section 4 of the Ports Act 2010 is replaced by the following:\n4. Fees\nA fee of {number} is paid."
        for number in (1, 2)
    ]
    amending = reform(tmp_path, "\n".join(["Harbours Reform Act\nS.C. 2025, c. 7\nAssented to 2025-03-04\n1.", *texts]))
    page = staff_client.get(path(amending), headers={"accept-language": language}).content.decode()
    assert page.count(said) == 2
