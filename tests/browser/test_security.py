"""No script but ours ever runs: hostile text in every field, every screen looked at, in a real browser."""

import re
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from playwright.sync_api import Dialog, Page

from answers.models import AnswerTrace
from ingest.job_states import JobStatus
from ingest.models import Job, JobEvent
from kb_project import audit
from labels import assign
from labels.models import Label
from sources.models import Chunk
from tests.anthropic_server import AnthropicServer, Block, cited, in_place_of_claude
from tests.factories import make_job, make_staff
from tests.search.corpus import add_source, section
from topics.edit import edit
from topics.keys import issue_key
from topics.models import ApiKey

pytestmark = pytest.mark.django_db(transaction=True)

MARK = "xssmark"
PAYLOADS = (
    f"<script>window.{MARK}=1</script>",
    f'"><img src=x onerror="window.{MARK}=1">',
    f"'><svg onload=window.{MARK}=1>",
    f"</textarea></title></script><script>window.{MARK}=1</script>",
    f"javascript:window.{MARK}=1",
    "{{ 7|add:7 }}{% debug %}${window." + MARK + "=1}",
)
HOSTILE = " ".join(PAYLOADS)
SHORT = PAYLOADS[1]
WATCH = """
window.__violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.__violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
"""
# Playwright's own wait evaluates a string each time, which the page's policy stops.
AWAIT_TWO = """async () => {
  for (let turn = 0; window.__violations.length < 2 && turn < 500; turn++)
    await new Promise((go) => setTimeout(go, 20));
}"""
# Attributes that would be code, addresses that would, and scripts in the page itself.
INLINE = """() => {
  const found = [];
  for (const element of document.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      if (/^(on|hx-on|x-on|v-on)/i.test(name)) found.push(`${element.tagName} ${name}`);
      const address = /^(href|src|action|formaction|xlink:href|data)$/i.test(name);
      if (address && /^\\s*(javascript|data:text|vbscript)/i.test(value))
        found.push(`${element.tagName} ${name}=${value}`);
    }
    const code = element.tagName === "SCRIPT" && !element.src && !/json/.test(element.type);
    if (code && element.textContent.trim()) found.push("SCRIPT " + element.textContent.slice(0, 80));
  }
  return found;
}"""


@pytest.fixture
def claude(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    """A model that answers with what it should not."""
    with in_place_of_claude(settings, monkeypatch) as server:
        server.will_stream(Block(f"{HOSTILE} [a](javascript:window.{MARK}=1)", [cited(0, 0)]))
        yield server


@pytest.fixture
def addresses(transactional_db: None) -> list[str]:
    """Hostile text wherever text is kept, and the address of every screen."""
    topic = edit(1, {"name": SHORT, "system_prompt_addendum": HOSTILE}, by=SHORT)
    label = Label.objects.create(name=SHORT[:60], slug="hostile")
    label.aliases.create(name=PAYLOADS[0][:60], slug="hostile-alias")
    Label.objects.create(name=SHORT[:60] + "s", slug="hostiles")
    draft = section("1", HOSTILE[:200], f"landlord {HOSTILE} deposit.")
    fields: dict[str, Any] = {
        "title": HOSTILE[:300],
        "identifier": SHORT,
        "description": HOSTILE,
        "subject": HOSTILE[:150],
    }
    source = add_source(draft, filename=f"{SHORT}.txt", **fields)
    Chunk.objects.update(path=[HOSTILE])
    assign.add(source, [label], by=SHORT)
    suggestions = {
        "kind": "law",
        "title": HOSTILE[:300],
        "subject": HOSTILE[:150],
        "summary": HOSTILE,
        "identifier": SHORT,
        "labels": [
            {"slug": "hostile", "name": SHORT, "existing": True},
            {"slug": "n", "name": SHORT, "existing": False},
        ],
        "evidence": {"title": {"page": 1, "quote": HOSTILE}},
        "provider": SHORT,
        "model": SHORT,
    }
    common: dict[str, Any] = {"filename": f"{SHORT}.txt", "warnings": [HOSTILE], "ai_suggestions": suggestions}
    waiting = make_job(status=JobStatus.AWAITING_REVIEW, confirmed=None, batch_id=uuid4(), **common)
    message: dict[str, Any] = {"error_code": "corrupt", "error_message": HOSTILE}
    failed = make_job(status=JobStatus.FAILED, batch_id=waiting.batch_id, **message, **common)
    decided = {"kind": "law", "title": HOSTILE, "labels": [{"slug": "x", "name": SHORT}]}
    done = make_job(status=JobStatus.DONE, batch_id=waiting.batch_id, **{**common, "confirmed": decided})
    for job in Job.objects.all():
        JobEvent.objects.create(job=job, to_state=job.status, by=SHORT, why=HOSTILE)
    key, _ = issue_key(name=SHORT, by="tests")
    ApiKey.objects.update(prefix="<b>aaaaa")
    trace = AnswerTrace.objects.create(
        **dict.fromkeys(("question", "answer", "by", "provider", "model", "error"), HOSTILE),
        citations=[{"n": 1, "title": HOSTILE, "quote": HOSTILE}],
        status="answered",
        retrieval_ms=1.0,
        took_ms=1.0,
    )
    group = Group.objects.create(name=SHORT[:100])
    make_staff("root", is_superuser=True, first_name=SHORT[:100], last_name=SHORT[:100])
    person = User.objects.create_user("x" + SHORT[:100], password="x")
    with transaction.atomic():
        audit.record(by=SHORT, action="source.edit", thing=source, before={SHORT: HOSTILE}, after={SHORT: [HOSTILE]})
    entry = audit.AuditEntry.objects.order_by("-id").first()
    assert entry is not None
    batch = f"/review/{waiting.batch_id}/"
    paths = ["/", f"/?topic={topic.pk}&q=landlord", f"/documents/{source.pk}/?q={SHORT}", "/status/", "/api/docs/"]
    paths += ["/?q=" + payload for payload in PAYLOADS] + ["/nothing/<script>", "/library/999999/", "/admin/nothing/"]
    paths += ["/review/", "/review/upload/", batch, *(f"{batch}{job.pk}/" for job in (waiting, failed, done))]
    paths += [f"{batch}{waiting.pk}/text/", f"{batch}?status=failed", "/library/", f"/library/?q={SHORT}"]
    paths += [f"/library/{source.pk}/", f"/library/{source.pk}/delete/", f"/library/{source.pk}/reindex/"]
    paths += [f"/library/{source.pk}/work/?q={SHORT}", f"/works/{source.work_id}/?as_of={SHORT}"]
    paths += [
        "/labels/",
        f"/labels/?q={SHORT}",
        "/labels/new/",
        "/labels/nearly-the-same/",
        f"/labels/options/?q={SHORT}",
    ]
    paths += [f"/labels/{label.pk}/{verb}/" for verb in ("rename", "merge", "delete")]
    paths += ["/topics/", f"/topics/{topic.pk}/", "/keys/", f"/keys/{key.pk}/revoke/", "/keys/new/", "/people/"]
    paths += [f"/people/?q={SHORT}", *(f"/people/{person.pk}/{verb}" for verb in ("", "link/", "deactivate/"))]
    rows = [source, waiting, label, trace, entry, group, Chunk.objects.first()]
    for row in rows:
        where = f"/admin/{row._meta.app_label}/{row._meta.model_name}/"  # type: ignore[union-attr]
        paths += [where, f"{where}?q={SHORT}", f"{where}{row.pk}/change/", f"{where}{row.pk}/history/"]  # type: ignore[union-attr]
    paths += ["/admin/", "/password/", "/sign-in/", "/admin/kb/"]
    return paths


class Watch:
    """What went wrong in a page while it was watched."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: list[str] = []
        page.add_init_script(WATCH)
        page.on("dialog", self._dialog)
        page.on("pageerror", lambda error: self.found.append(f"{page.url}: {error}"))

    def _dialog(self, dialog: Dialog) -> None:
        self.found.append(f"{self.page.url}: a dialog: {dialog.message}")
        dialog.dismiss()

    def look(self) -> None:
        page = self.page
        if page.evaluate(f"window.{MARK} !== undefined"):
            self.found.append(f"{page.url}: a script ran")
        self.found += [f"{page.url}: {violation}" for violation in page.evaluate("window.__violations ?? []")]
        self.found += [f"{page.url}: inline {inline}" for inline in page.evaluate(INLINE)]


@pytest.mark.deep
def test_hostile_text_in_every_field_runs_nothing_on_any_screen(
    page: Page, log_in: Callable[..., None], asgi_server: str, addresses: list[str]
) -> None:
    """Every other screen in Hebrew: what is escaped does not depend on the language."""
    watch = Watch(page)
    faults = []
    for language, some in (("en", addresses[::2]), ("he", addresses[1::2])):
        log_in(language=language, username="root")
        for address in some:
            response = page.goto(asgi_server + address)
            assert response is not None
            if response.status >= 500:
                faults.append((address, response.status))
            watch.look()
    assert faults == []
    assert watch.found == []


def test_what_a_model_says_runs_nothing(
    page: Page, asgi_server: str, addresses: list[str], claude: AnthropicServer
) -> None:
    watch = Watch(page)
    page.goto(asgi_server)
    page.locator("#search-box").fill("landlord deposit")
    page.locator("#search-form [data-ask-button]").click()
    page.locator(".citations li").first.wait_for()
    page.locator(".cite").first.hover()
    watch.look()
    assert "<script>" in page.locator("[data-text]").inner_text()  # it is there, as text
    page.goto(f"{asgi_server}/ask/?q=landlord+deposit&topic=1")
    watch.look()
    assert watch.found == []


def test_the_policy_stops_what_would_get_into_a_page(page: Page, asgi_server: str, transactional_db: None) -> None:
    """The second wall: the watch above would see something, and nothing runs even if a page were broken into."""
    watch = Watch(page)
    page.goto(asgi_server)
    page.evaluate(
        """(mark) => {
          const box = document.createElement("div");
          box.innerHTML = `<img src=x onerror="window.${mark}=1"><a href="javascript:window.${mark}=1" id="link">x</a>`;
          document.body.append(box);
          const script = document.createElement("script");
          script.textContent = `window.${mark}=1`;
          document.body.append(script);
          document.getElementById("link").click();
        }""",
        MARK,
    )
    page.evaluate(AWAIT_TWO)
    assert page.evaluate(f"window.{MARK} === undefined")
    watch.look()
    assert [sentence for sentence in watch.found if re.search("script-src", sentence)]
