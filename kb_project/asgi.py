"""The ASGI entry point of the web process."""

from kb_project.processes.beginning import begin

begin()

import logging
import multiprocessing
import os
import signal
import sys

from uvicorn.config import STARTUP_FAILURE

from kb_project.observability import METRICS_DIRECTORY
from kb_project.processes.ending import exit_with_parent
from kb_project.web.web_server import allocate_metrics_files

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
os.environ["KB_WEB_PROCESS"] = "1"  # for the settings: this process has a pool of connections
if (parent := multiprocessing.parent_process()) is not None and parent.pid:  # one of several processes of uvicorn
    exit_with_parent(parent.pid, signal.SIGTERM)()

if METRICS_DIRECTORY in os.environ:
    allocate_metrics_files()

from kb_project.observability import tracing
from kb_project.web.asgi_handler import get_application

try:
    application = tracing.served(get_application())
except Exception:
    # By this code uvicorn knows that another try would fail too, and ends its other processes.
    logging.getLogger(__name__).exception("The web process cannot start")
    sys.exit(STARTUP_FAILURE)
