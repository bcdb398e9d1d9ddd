"""`/check/` and the report of a check."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from answers.checking import checks
from answers.checking.shown import ShownFinding, pieces
from answers.checking.tasks import tidy_checks
from answers.checking.verdicts.findings import Outcome
from answers.checking.word import is_word
from answers.insights import queries
from answers.models import TextCheck, VerdictCount
from answers.tasks import forget_old_traces
from kb_project.isolates import isolated
from sources.models import Source
from tests.answers.checking.verdicts.test_check import HOISTS
from tests.factories import first_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
BRIEF = (
    "Section 9 of the Hoists Act 1990 is cited.\n\nSection 2(2) of that Act: “An owner shall let the hoist be used”."
)


@pytest.fixture(autouse=True)
def law(db: None) -> Source:
    return add_document(HOISTS, kind="law", title="Hoists Act 1990")


def sent(client: Client, **more: Any) -> Any:
    return client.post("/check/", {"text": BRIEF, "as_of": "2025-01-01", **more}, follow=True)


def test_the_report_shows_the_text_with_its_findings(client: Client) -> None:
    page = sent(client, text=f"{BRIEF} Section 4 of that Act is old.").content.decode()
    assert 'An owner <mark class="phase-failed">shall let</mark> the hoist be used' in page
    assert f"The law reads: “{isolated('An owner shall not let the hoist be used')}”." in page
    assert 'href="/documents/' in page
    assert "No model reads whether the law says so" in page
    first = page.index('id="finding-citations:0"')
    assert "no such provision" in page[first : page.index('id="finding-quotations:0"')]
    assert page.count('href="#finding-citations:0"') == page.count('href="#text-citations:0"') == 1


def test_the_gravest_findings_come_first(client: Client) -> None:
    page = sent(client, text=f"Section 4 of the Lanterns Act 1999 is old.\n\n{BRIEF}").content.decode()
    assert page.index('id="finding-citations:1"') < page.index('id="finding-citations:0"')


def test_numbers_of_paragraphs_hang_beside_the_text(client: Client) -> None:
    page = sent(client, text=f"Claim\n1. {BRIEF}\n(a) Nothing else.\n12 years passed.").content.decode()
    found = re.search('<div class="answer-text[^>]*>(.*?</div>)\\s*</div>', page, re.DOTALL)
    assert found
    assert '<div class="hung" dir="ltr"><b>1.</b> <mark class="phase-failed">Section 9' in found[1]
    assert '<div class="hung" dir="ltr">(a) Nothing else.' in found[1]
    assert '<div dir="ltr">12 years passed.</div>' in found[1]
    assert found[1].count("<div") == 6


def test_a_paragraph_runs_in_the_direction_of_its_own_language(client: Client) -> None:
    hebrew = "בית המשפט קבע כי המעלית נבדקה, וכי בעל הבניין רשאי להפעילה עד הבדיקה הבאה"
    page = sent(client, text=f"{hebrew}.\n7.\nHoists stop at once. (ראו)").content.decode()
    assert '<div class="answer-text sheet" dir="rtl"><div dir="rtl">' in page
    assert '<div class="hung"><b>7.</b>' in page
    assert '<div dir="ltr">Hoists stop at once. (ראו)</div>' in page


def shown(number: int, words: str, outcome: Outcome, *, within: str) -> ShownFinding:
    start = within.index(words)
    return finding(number, words, {"start": start, "end": start + len(words)}, outcome)


def finding(number: int, words: str, found: dict[str, Any], outcome: Outcome) -> ShownFinding:
    return ShownFinding(
        number=number, key=str(number), words=words, found=found, outcome=outcome, verdict="", remark=""
    )


def test_a_wrong_statement_is_marked_around_the_citation_in_it() -> None:
    text = "1. By s 3 of the Act the fee is $300.\nIt is paid."
    statement = shown(1, "By s 3 of the Act the fee is $300.", Outcome.WRONG, within=text)
    citation = shown(2, "s 3 of the Act", Outcome.RIGHT, within=text)
    found = list(pieces(text, [citation, statement]))
    assert "".join(piece.text for piece in found) == text
    assert [piece.text for piece in found if piece.colour] == ["By ", " the fee is $300."]
    assert [(found[at - 1].text, piece.finding) for at, piece in enumerate(found) if piece.finding] == [
        ("s 3 of the Act", citation),
        (" the fee is $300.", statement),
    ]


def test_a_right_quotation_in_a_wrong_statement_is_not_marked() -> None:
    text = "The fee “is due at noon” and is $300."
    statement = shown(1, text, Outcome.WRONG, within=text)
    quotation = shown(2, "“is due at noon”", Outcome.EXISTS, within=text)
    unsure = shown(3, "is $300", Outcome.NOT_JUDGED, within=text)
    for only in ("", "wrong"):
        found = list(pieces(text, [statement, quotation, unsure], only=only))
        assert "".join(piece.text for piece in found if not piece.colour) == quotation.words
    assert [piece.finding for piece in found if piece.finding] == [statement]
    assert not any(piece.colour for piece in pieces(text, [statement, quotation], only="exists"))


class Counted(int):
    """A place in a text that counts how often places are compared."""

    compared = 0

    def __lt__(self, other: int) -> bool:
        Counted.compared += 1
        return super().__lt__(other)

    def __le__(self, other: int) -> bool:
        Counted.compared += 1
        return super().__le__(other)


def test_each_mark_is_looked_at_beside_its_neighbours_alone() -> None:
    many, Counted.compared = 2_000, 0
    differs = [[Counted(2 * place), Counted(2 * place + 1)] for place in range(many)]
    quotation = finding(1, "", {"start": 0, "end": 2 * many, "differs": differs}, Outcome.WRONG)
    marked = [piece.text for piece in pieces("xy" * many, [quotation]) if piece.colour]
    assert marked == ["x"] * many
    assert 0 < Counted.compared < 50 * many


def test_what_nobody_must_look_at_is_folded_and_the_counts_add_up(client: Client) -> None:
    page = sent(client, text=f"{BRIEF} Section 4 of that Act is old.").content.decode()
    folded = page.index("<details>\n      <summary>")
    assert page.index('id="finding-quotations:0"') < folded < page.index('id="finding-citations:1"')
    assert folded < page.index('id="finding-statements:')
    assert [int(n) for n in re.findall(r"<b>(\d+)</b>", page)] == [5, 2, 1, 2]  # all, wrong, not judged, exist


def test_ones_checks_are_listed(staff_client: Client) -> None:
    nobody = Client()
    sent(nobody)
    assert "Your checks" not in nobody.get("/check/").content.decode()
    found = re.findall(r'aria-label="(Keep: .*?)"', sent(staff_client).content.decode())
    assert found
    assert len(set(found)) == len(found)
    page = staff_client.get("/check/").content.decode()
    assert "Your checks" in page
    assert page.count("2 of 3 wrong") == 1
    assert sent(staff_client, text="x").status_code == 200
    assert staff_client.get("/check/").content.decode().count('href="/check/') > page.count('href="/check/')


def test_findings_are_filtered(client: Client) -> None:
    path = sent(client).redirect_chain[-1][0]
    page = client.get(f"{path}?only=exists").content.decode()
    assert "no such provision" not in page
    assert '<li id="finding-citations:1" value="3"' in page


def test_a_verdict_is_overruled_with_a_remark(client: Client) -> None:
    path = sent(client).redirect_chain[-1][0]
    page = client.post(f"{path}overrule/", {"finding": "quotations:0", "remark": "Quoted so on purpose"}, follow=True)
    assert page.redirect_chain == [(f"{path}#finding-quotations:0", 302)]
    told = page.content.decode()
    assert "Quoted so on purpose" in told
    assert "<s>quote differs</s>" in told
    assert "<mark class=" in told  # what else is wrong
    assert "shall let</mark>" not in told
    overruled = client.get(f"{path}?only=overruled").content.decode()
    assert overruled.count('id="finding-') == 1
    assert 'id="finding-quotations:0"' not in client.get(f"{path}?only=wrong").content.decode()
    assert TextCheck.objects.get().remarks == {"quotations:0": "Quoted so on purpose"}
    client.post(f"{path}overrule/", {"finding": "quotations:0", "remark": ""})
    assert TextCheck.objects.get().remarks == {}


@pytest.mark.usefixtures("checks_wait_for_classifiers")
def test_a_check_that_waits_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MAX_LENGTH_AT_ONCE", 10)
    page = sent(client)
    assert "The text waits for its turn." in page.content.decode()
    TextCheck.objects.update(status="running", done=3, total=8)
    assert '<progress value="3" max="8">' in client.get(page.redirect_chain[-1][0]).content.decode()
    monkeypatch.setattr(checks, "MAX_WAITING", 0)
    refused = sent(client)
    assert refused.status_code == 503
    assert "Too many texts are being checked." in refused.content.decode()


def counted() -> dict[tuple[str, str], tuple[int, int]]:
    return {(one.kind, one.verdict): (one.findings, one.overruled) for one in VerdictCount.objects.all()}


def test_what_is_overruled_is_counted_once(client: Client, settings: Any) -> None:
    for _ in range(2):
        path = sent(client).redirect_chain[-1][0]
    assert counted()["citations", "no_such_provision"] == (2, 0)
    for remark in ("A typing error", "Two typing errors"):
        client.post(f"{path}overrule/", {"finding": "citations:0", "remark": remark})
        assert counted()["citations", "no_such_provision"] == (2, 1)
    TextCheck.objects.update(at=timezone.now() - timedelta(days=settings.KB_CHECK_DAYS, minutes=1))
    tidy_checks()
    assert counted()["citations", "no_such_provision"] == (2, 1)
    [shown] = [one for one in queries.verdicts_given(queries.kept(None)) if one.verdict == "no_such_provision"]
    assert (shown.findings, shown.overruled, shown.percent) == (2, 1, 50.0)
    assert not queries.verdicts_given(queries.kept(frozenset({first_topic().pk})))  # asked in all topics


def test_a_verdict_that_stands_again_is_not_counted(client: Client) -> None:
    path = sent(client, topic=first_topic().pk).redirect_chain[-1][0]
    for remark in ("A typing error", ""):
        client.post(f"{path}overrule/", {"finding": "quotations:0", "remark": remark})
    assert counted()["quotations", "differs"] == (1, 0)
    assert queries.verdicts_given(queries.kept(frozenset({first_topic().pk})))
    VerdictCount.objects.update(day=timezone.localdate() - timedelta(days=400))
    forget_old_traces()
    assert not counted()


def test_insights_show_what_was_overruled(client: Client, staff_client: Client) -> None:
    path = sent(client).redirect_chain[-1][0]
    client.post(f"{path}overrule/", {"finding": "citations:0", "remark": "A typing error"})
    page = staff_client.get("/insights/").content.decode()
    assert "Checks of texts" in page
    assert "(100.0 %)" in page


def test_what_cannot_be_checked_is_said_on_the_form(client: Client) -> None:
    page = sent(client, text=" ")
    assert page.status_code == 400
    assert "Paste a text, or choose a file." in page.content.decode()
    assert sent(client, as_of="soon").status_code == 400
    broken = SimpleUploadedFile("brief.pdf", b"\x7fELF\0\0")
    assert sent(client, file=broken).status_code == 415


def test_nothing_is_kept_without_days(client: Client, settings: Any) -> None:
    settings.KB_CHECK_DAYS = 0
    page = sent(client).content.decode()
    assert "shall let</mark>" in page
    assert not TextCheck.objects.exists()


def test_the_report_of_others_is_not_there(staff_client: Client) -> None:
    path = sent(staff_client).redirect_chain[-1][0]
    assert Client().get(path).status_code == 404


def test_word_has_the_findings(client: Client) -> None:
    path = sent(client).redirect_chain[-1][0]
    answer = client.get(path.removesuffix("/") + ".docx")
    assert is_word(answer.content)
