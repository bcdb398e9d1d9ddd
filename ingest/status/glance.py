"""Whether all is well, and what is not, in one line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is not well, and the section of the page that tells more."""

    sentence: str
    section: str


def troubles(status: Mapping[str, Any], *, webhooks: bool) -> list[Trouble]:
    """What is not well in what `status_of_all` returned, the worst first. Of `webhooks` only who may see them hears."""
    found = [*_of_workers(status), *(_of_webhooks(status["webhooks"]) if webhooks else ()), *_of_work(status)]
    return [Trouble(sentence, section) for sentence, section in found]


def _of_workers(status: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    workers = status["workers"]
    if workers is None:
        yield _("the broker does not answer"), "workers-title"
    elif not workers:
        yield _("no worker is alive"), "workers-title"
    else:
        for does in status["unserved"]:
            yield _("no worker is alive for: %s") % does, "workers-title"


def _of_webhooks(webhooks: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    if webhooks["unserved"]:
        yield _("nobody sends what is due to webhooks"), "webhooks-title"
    if given_up := webhooks["given_up"]:
        sentence = ngettext("%d message to webhooks was given up", "%d messages to webhooks were given up", given_up)
        yield sentence % given_up, "webhooks-title"


def _of_work(status: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if failed := status["failed_count"]:
        yield ngettext("%d job failed", "%d jobs failed", failed) % failed, "failed-title"
    if status["provider_failures"]:
        yield _("a provider failed during the last day"), "provider-title"
    run = status["integrity"]
    if run and (run.findings or run.failed):
        yield _("the integrity checks found faults or broke off"), "integrity-title"
