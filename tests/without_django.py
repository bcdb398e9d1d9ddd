"""A plugin for pytest, of `make test-law`: whatever imports Django or what works with a database fails.

`law` and `extraction` need neither, and nor do their tests, which are read without the `conftest.py` that starts
servers.
"""

import sys

BLOCKED = ("django", "rest_framework", "celery", "psycopg", "redis")

for name in BLOCKED:
    sys.modules[name] = None  # type: ignore[assignment]  # importing it fails
