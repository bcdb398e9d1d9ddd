"""Whether webhooks are served: a check of the integrity run, and one of `/readyz`."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from ingest.webhooks.delivering import overdue
from kb_project.operations import readiness
from kb_project.operations.integrity.registry import Finding, IntegrityCheck, register


def find_unserved() -> Iterator[Finding]:
    detail = gettext_noop("Something is due to it, and nobody has sent it for %(minutes)d minutes.")
    for url, late in overdue():
        yield Finding(f"webhook {url}", detail, {"minutes": late.total_seconds() // 60})


def check_outbox() -> None:
    """What is due to webhooks is sent. A receiver that is away is no reason not to be ready."""
    if late := overdue():
        raise readiness.NotReady(f"Nobody sends what is due to {len(late)} webhooks.")


register(
    IntegrityCheck(
        name="unserved_webhooks",
        meaning=_("What is due to a webhook is sent, whether or not its receiver takes it."),
        find=find_unserved,
        advice=_("See that the classifier, which also sends to webhooks, scheduler and broker run."),
        quick=True,
    )
)
readiness.register("webhooks", check_outbox)
