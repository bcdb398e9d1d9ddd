"""Which classifiers the settings lead to, in which order."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from ingest.stages.classify.stage import configured_classifiers


@pytest.mark.parametrize(
    ("key", "named", "chosen"),
    [
        ("", "", ["rules"]),
        ("a-key", "", ["anthropic"]),
        ("a-key", "rules", ["rules"]),
        ("", "anthropic", ["anthropic"]),
        ("a-key", "openai, anthropic,rules", ["openai", "anthropic", "rules"]),
    ],
)
def test_a_key_chooses_claude_unless_the_setting_says_otherwise(
    key: str, named: str, chosen: list[str], settings: Any
) -> None:
    settings.ANTHROPIC_API_KEY, settings.KB_CLASSIFIER = key, named
    assert [classifier.provider for classifier in configured_classifiers()] == chosen


def test_classifier_that_does_not_exist_is_mistake_in_settings(settings: Any) -> None:
    settings.KB_CLASSIFIER = "oracle"
    with pytest.raises(ImproperlyConfigured, match="KB_CLASSIFIER names 'oracle'"):
        configured_classifiers()
