"""`manage.py reembed`: make all vectors that are lacking, here and now."""

import time
from typing import Any

from tqdm import tqdm

from kb_project.configuration.startup import ServiceCommand
from search.embedders.spaces import use_configured
from search.embedders.vector_progress import progress
from search.index import engine
from search.index.filling import fill_for

TURN_S = 60.0
LOOK_S = 1.0


class Command(ServiceCommand):
    """What is done in the background anyway, with a bar. Another process that is at it is waited for."""

    help = "Have searches use the embedder that the settings name, and make the vectors that are lacking."

    def handle(self, *args: Any, **options: Any) -> None:
        space = use_configured()
        found = progress()
        lacking = sum(one.passages - one.vectors for one in found.topics)
        with tqdm(total=lacking, unit="chunk", disable=not self.stderr.isatty()) as bar:
            fill_for(TURN_S, on_progress=bar.update)
            while not progress().is_complete:
                time.sleep(LOOK_S)
                fill_for(TURN_S, on_progress=bar.update)
        engine().maintain(thorough=True)
        self.stdout.write(f"Searches use {space}. Compare the answers: manage.py evaluate --topic SLUG.")
