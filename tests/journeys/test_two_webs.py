"""Two web machines that share nothing but servers: whichever gets the next request knows all that it needs."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from django.contrib.auth.hashers import Argon2PasswordHasher

from ingest.models import Job
from kb_project.operations.local_stack.supervisor import Supervisor
from sources.models import Source
from tests import servers
from tests.factories import make_staff
from tests.journeys.test_web import running
from tests.proxy import Proxy
from tests.waiting import wait_until

pytestmark = pytest.mark.deep

PASSWORD = "kingfisher-over-the-weir"
ACTS = {
    f"{name}.txt": f"{name.title()} Ferry Act 2021\n\n1. Fares\nA {name} ferry takes no fare on a Sunday.\n".encode()
    for name in ("oak", "beech", "larch")
}


class Browser:
    """What a person does, each request on a connection of its own, so that it meets the other machine."""

    def __init__(self, url: str) -> None:
        self.url, self.session = url, requests.Session()
        self.session.headers["Connection"] = "close"

    def open(self, path: str) -> str:
        answer = self.session.get(self.url + path, timeout=60)
        assert answer.status_code == 200, f"{path} answers {answer.status_code}: {answer.text[:2000]}"
        return answer.text

    def send(self, path: str, *, page: str, files: Any = None, **fields: Any) -> requests.Response:
        """Send the form of a page that was read."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token is not None
        data = {"csrfmiddlewaretoken": token[1], **fields}
        answer = self.session.post(self.url + path, data=data, files=files, timeout=60)
        assert answer.status_code == 200, f"{path} answers {answer.status_code}: {answer.text[:2000]}"
        return answer


@pytest.fixture
def two_webs(s3_storage: Any, s3_endpoint: str, transactional_db: None, tmp_path: Path) -> Iterator[str]:
    """The address of a proxy before two web servers; a worker and a classifier, each with a disk of its own."""
    supervisor = Supervisor()
    environment = {
        "KB_STORAGE": "s3",
        "KB_S3_ENDPOINT_URL": s3_endpoint,
        "KB_S3_BUCKET": "kb-tests",
        "KB_S3_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "tests",
        "AWS_SECRET_ACCESS_KEY": "tests",
        "KB_WEB_PROCESSES": "1",
    }

    def machine(name: str) -> dict[str, str]:
        return {**environment, "KB_DATA_DIR": str(tmp_path / name)}

    with contextlib.ExitStack() as stack:
        stack.callback(supervisor.stop)
        webs = [stack.enter_context(running(**machine(f"web{number}"))) for number in range(2)]
        servers.start_worker(supervisor, log=tmp_path / "worker.log", concurrency=1, **machine("worker"))
        servers.start_classifier(supervisor, log=tmp_path / "classifier.log", **machine("classifier"))
        proxy = stack.enter_context(Proxy(*(web.port for web in webs)).running())
        yield proxy.url


def test_a_person_works_through_two_machines_in_turn(two_webs: str) -> None:
    user = make_staff("dana")
    user.password = Argon2PasswordHasher().encode(PASSWORD, "salt-of-a-test")  # not as the tests' settings hash
    user.save()
    dana = Browser(two_webs)
    page = dana.open("/sign-in/?next=/library/")
    landed = dana.send("/sign-in/", page=page, username="dana", password=PASSWORD, next="/library/")
    assert landed.url.endswith("/library/")

    files = [("files", file) for file in ACTS.items()]
    batch = dana.send("/review/upload/", page=dana.open("/review/upload/"), files=files, topic_id="1", kind="law")
    path = batch.url.removeprefix(two_webs).partition("?")[0]
    assert re.fullmatch(r"/review/[0-9a-f-]{36}/", path), batch.url
    wait_until(lambda: Job.objects.filter(status="awaiting_review").count() == len(ACTS))
    for job in Job.objects.order_by("created_at"):
        of_job = f"{path}{job.pk}/"
        page = dana.open(of_job)
        title = job.ai_suggestions["title"]
        assert "Ferry Act" in title
        dana.send(of_job, page=page, do="confirm", kind="law", title=title)
    wait_until(lambda: Job.objects.filter(status="done").count() == len(ACTS))

    question = {"question": "What fare does a larch ferry take on a Sunday?"}
    found, asked, streamed = [], [], []
    for _ in range(2):  # both of them
        body = {"query": "beech ferry"}
        found.append(requests.post(f"{two_webs}/kb/search", json=body, timeout=60).json()["results"][0]["text"])
        asked.append(requests.post(f"{two_webs}/kb/ask", json=question, timeout=60).json()["answer"])
        with requests.post(f"{two_webs}/kb/ask/stream", json=question, stream=True, timeout=60) as stream:
            streamed.append([line.decode() for line in stream.iter_lines() if line.startswith(b"event: ")])
    assert "beech ferry" in found[0]
    assert found[0] == found[1]
    assert "Sunday" in asked[0]
    assert asked[0] == asked[1]
    assert [events[-1] for events in streamed] == ["event: done"] * 2
    for _ in range(2):
        assert dana.open("/library/export.csv").count("Ferry Act") == len(ACTS)

    # An action on many: its page is made by one machine, and gone on with by the other.
    ids = list(Source.objects.values_list("pk", flat=True))
    asks = dana.send("/library/act/", page=dana.open("/library/"), action="delete", sources=ids, next="/library/")
    work = re.search(r'name="work" value="([^"]+)"', asks.text)
    assert work is not None
    assert Source.objects.count() == len(ACTS)
    ended = dana.send("/library/act/on/", page=asks.text, work=work[1])
    assert f"{len(ACTS)} sources were deleted" in ended.text
    for _ in range(2):
        assert requests.post(f"{two_webs}/kb/search", json={"query": "ferry"}, timeout=60).json()["results"] == []

    dana.send("/sign-out/", page=dana.open("/library/"))
    for _ in range(2):
        assert "/sign-in/" in dana.session.get(f"{two_webs}/library/", timeout=60).url
