"""What needs a person, in one sentence, then one by one with what to do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is not well, what to do about it, and the section of the page that tells more."""

    sentence: str
    remedy: str
    section: str


def troubles(status: Mapping[str, Any], *, webhooks: bool) -> list[Trouble]:
    """What is not well in what `status_of_all` returned, the worst first. Of `webhooks` only who may see them hears."""
    return [*_of_workers(status), *(_of_webhooks(status["webhooks"]) if webhooks else ()), *_of_work(status)]


def summary(wrong: list[Trouble]) -> str:
    """The one sentence."""
    if not wrong:
        return _("Everything works.")
    said = ngettext("%(n)d thing needs you.", "%(n)d things need you.", len(wrong)) % {"n": len(wrong)}
    return f"{said} {_('Everything else works.')}"


def _of_workers(status: Mapping[str, Any]) -> Iterator[Trouble]:
    workers = status["workers"]
    if workers is None:
        yield Trouble(
            _("The broker does not answer."),
            _("Workers get no work until it does. See that its server runs."),
            "workers-title",
        )
    elif not workers:
        yield Trouble(_("No worker is alive."), _("Jobs wait until you start one."), "workers-title")
    else:
        for does in status["unserved"]:
            yield Trouble(
                _("No worker is alive for: %s.") % does, _("Such work waits until you start one."), "workers-title"
            )


def _of_webhooks(webhooks: Mapping[str, int]) -> Iterator[Trouble]:
    if webhooks["unserved"]:
        yield Trouble(
            _("Nobody sends what is due to webhooks."),
            _("See that the worker for classification and webhooks runs."),
            "webhooks-title",
        )
    if given_up := webhooks["given_up"]:
        sentence = ngettext(
            "%(n)d message to webhooks was given up.", "%(n)d messages to webhooks were given up.", given_up
        )
        yield Trouble(sentence % {"n": given_up}, _("The list of each webhook says why."), "webhooks-title")


def _of_work(status: Mapping[str, Any]) -> Iterator[Trouble]:
    if failed := status["failed_count"]:
        sentence = ngettext("%(n)d job failed.", "%(n)d jobs failed.", failed) % {"n": failed}
        yield Trouble(sentence, _("Read why, then retry or upload another copy."), "failed-title")
    if status["provider_failures"]:
        yield Trouble(
            _("A provider failed during the last day."),
            _("Read what it said. Its work goes to the next in its chain, if there is one."),
            "provider-title",
        )
    run = status["integrity"]
    if run and (run.findings or run.failed):
        yield Trouble(
            _("The integrity checks found faults or broke off."),
            _("Read which. Some are mended by `manage.py check_integrity --repair`."),
            "integrity-title",
        )
