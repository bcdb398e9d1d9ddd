"""Sources that are nearly the same as others, as was noticed when their files came in."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import F, Q
from django.db.models.functions import Coalesce

from ingest.models import Similar
from sources.models import Source

# Of two sources the job of one names the other, or its job. A source that was replaced is named by its own.
_PAIRS = (
    Similar.objects.annotate(named=Coalesce("source_id", "other__source_id"))
    .filter(job__source__isnull=False, named__isnull=False)
    .exclude(named=F("job__source"))
    .order_by()
)
SIMILAR = Q(pk__in=_PAIRS.values("job__source")) | Q(pk__in=_PAIRS.values("named"))
"""The condition that a source is nearly the same as another one."""


def similar_sources(source_ids: Collection[int]) -> Mapping[int, list[Source]]:
    """What each of the sources is nearly the same as, by their ids."""
    pairs = _PAIRS.filter(Q(job__source__in=source_ids) | Q(named__in=source_ids)).values_list("job__source", "named")
    both = sorted({pair for one, other in pairs for pair in ((one, other), (other, one))})
    sources = Source.objects.only("title", "filename").in_bulk({pk for pair in both for pk in pair})
    found = defaultdict(list)
    for one, other in both:
        found[one].append(sources[other])
    return found
