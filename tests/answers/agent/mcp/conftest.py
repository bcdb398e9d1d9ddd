"""Topics with a document each."""

import pytest

from tests.factories import make_topic
from tests.search.corpus import add_source
from topics.models import Topic


@pytest.fixture
def library(db: None) -> Topic:
    topic = make_topic(slug="library", name="Libraries")
    add_source("five books for thirty days", topic=topic, title="Library law")
    return topic


@pytest.fixture
def harbour(db: None) -> Topic:
    topic = make_topic(slug="harbour", name="Harbours")
    add_source("nine books for ninety days", topic=topic, title="Harbour law")
    return topic
