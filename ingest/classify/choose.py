"""Which classifier the settings ask for."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from ingest.classify.anthropic_classifier import AnthropicClassifier
from ingest.classify.proposal import Classifier
from ingest.classify.rules.classifier import RulesClassifier

CLASSIFIERS = ("anthropic", "rules")


def choose_classifier() -> Classifier:
    """Claude when there is a key, else the rules; `KB_CLASSIFIER` may name one of them."""
    name = settings.KB_CLASSIFIER or ("anthropic" if settings.ANTHROPIC_API_KEY else "rules")
    if name == "rules":
        return RulesClassifier()
    if name == "anthropic":
        return AnthropicClassifier(
            api_key=settings.ANTHROPIC_API_KEY,
            base_url=settings.ANTHROPIC_BASE_URL,
            model=settings.KB_CLASSIFIER_MODEL,
        )
    raise ImproperlyConfigured(f"KB_CLASSIFIER is {name!r}; it can be {' or '.join(CLASSIFIERS)}.")
