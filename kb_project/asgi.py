"""The ASGI entry point of the web process."""

import multiprocessing
import os
import signal

from kb_project.parent_death import end_with
from kb_project.web_server import POOL_SIZE

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
os.environ.setdefault("KB_DB_POOL_SIZE", str(POOL_SIZE))
if (parent := multiprocessing.parent_process()) is not None and parent.pid:  # one of several processes of uvicorn
    end_with(parent.pid, signal.SIGTERM)()

from kb_project.asgi_handler import get_application

application = get_application()
