"""What `/readyz` says of Qdrant: whether it answers, and how much is still to be brought in."""

from kb_project.errors import Unavailable
from kb_project.operations import readiness
from search.index.qdrant.client import asking
from search.index.qdrant.collections import in_use
from search.index.qdrant.outbox import waiting


def check_index() -> None:
    """A collection is in use, and Qdrant has it. Raises NotReady."""
    try:
        name = in_use([]).name
        with asking() as client:
            there = client.collection_exists(name)
    except Unavailable as refusal:
        raise readiness.NotReady(refusal.detail) from refusal
    if not there:
        raise readiness.NotReady("The search index is lost. It is being filled again.")


def register() -> None:
    """Have `/readyz` ask."""
    readiness.register("index", check_index)
    readiness.TOLD["index"] = lambda: {"waiting": waiting()}
