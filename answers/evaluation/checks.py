"""What is looked at before a configuration is taken into use, besides the settings alone."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import ProgrammingError, transaction


@register(Tags.database)
def configuration_is_accepted(
    app_configs: Any, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """With `KB_EVALUATION_GATE=1`: answers are not worse with it. `manage.py prepare` asks, no other start does."""
    if not (databases and settings.KB_EVALUATION_GATE):
        return []
    from answers.evaluation import gate  # which needs all that answers do

    try:
        with transaction.atomic():
            return [Error(sentence, id="kb.E030") for sentence in gate.not_accepted()]
    except ProgrammingError:  # before the first migration
        return []
