"""The ASGI entry point of the web process."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
os.environ.setdefault("KB_DB_POOL_SIZE", "10")

from kb_project.asgi_handler import get_application

application = get_application()
