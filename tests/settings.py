"""The project's settings with cheap password hashes, no connection that outlives its request, and a quick flush."""

from kb_project.settings import *  # noqa: F403
from kb_project.settings import DATABASES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES["default"] |= {"CONN_MAX_AGE": 0, "ENGINE": "tests.database"}
DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 0, "max_size": 10}  # for requests (tests/database)
REDIS_PATIENCE_S = 2.0  # all processes of a run share two cores, and a wait in vain would count nothing
