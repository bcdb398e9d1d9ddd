"""Background work of checks."""

from uuid import UUID

from celery import shared_task

from answers.checking import checks
from answers.checking.checks import CheckRequest
from answers.models import CheckStatus, TextCheck


@shared_task
def run_check(check_id: str) -> None:
    """Check a long text."""
    checks.run(UUID(check_id))


def begin(asked: CheckRequest) -> TextCheck:
    """As `checks.begin`, with a hint to the workers where one is to do it. Beat looks for what waits."""
    one = checks.begin(asked)
    if one.status == CheckStatus.QUEUED:
        run_check.delay(str(one.pk))
    return one


@shared_task
def tidy_checks() -> int:
    """Delete checks that have been kept for `KB_CHECK_DAYS`, and go on with those that no worker does."""
    gone = checks.forget_old()
    for check_id in checks.waiting():
        run_check.delay(str(check_id))
    return gone
