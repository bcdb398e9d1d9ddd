"""Which classifier the settings lead to."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from ingest.classify.anthropic_classifier import AnthropicClassifier
from ingest.classify.rules.classifier import RulesClassifier
from ingest.classify.stage import choose_classifier


@pytest.mark.parametrize(
    ("key", "named", "chosen"),
    [
        ("", "", RulesClassifier),
        ("a-key", "", AnthropicClassifier),
        ("a-key", "rules", RulesClassifier),
        ("", "anthropic", AnthropicClassifier),
    ],
)
def test_a_key_chooses_claude_unless_the_setting_says_otherwise(
    key: str, named: str, chosen: type, settings: Any
) -> None:
    settings.ANTHROPIC_API_KEY, settings.KB_CLASSIFIER = key, named
    assert isinstance(choose_classifier(), chosen)


def test_a_classifier_that_does_not_exist_is_a_mistake_in_the_settings(settings: Any) -> None:
    settings.KB_CLASSIFIER = "oracle"
    with pytest.raises(ImproperlyConfigured):
        choose_classifier()
