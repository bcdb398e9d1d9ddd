"""Publication as `search.documents` does it, without any maintenance afterwards."""

from django.db import transaction

from search.chunking.drafts import ChunkDraft
from search.index import IndexContext, engine
from sources.models import Source
from tests.search.corpus import passage


def publish(source: Source, *drafts: ChunkDraft | str) -> None:
    """Publish without any maintenance afterwards."""
    whole = [passage(draft) if isinstance(draft, str) else draft for draft in drafts]
    with engine().stage(whole, context=IndexContext.of(source)) as staged, transaction.atomic():
        engine().publish(staged, source=source)
