"""A program with a key that may do everything."""

import pytest
from rest_framework.test import APIClient

from tests.topics.keys import client_with_key


@pytest.fixture
def client(db: None) -> APIClient:
    return client_with_key(admin=True, name="tests")
