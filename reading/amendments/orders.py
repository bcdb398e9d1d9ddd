"""Orders of a topic that fix days which an amending act leaves open."""

from django.db.models import Q
from django.utils import timezone

from law.amendments.beginning.orders import MAX_ORDERS, FixedDay, days_fixed
from law.amendments.instructions import Instruction
from sources.kinds import SourceKind
from sources.models import Source
from sources.provisions import whole_text
from sources.references.listing import citing

MAX_ORDER_LENGTH = 100_000  # characters of a text that is looked through


def days_by_orders(amending: Source, instructions: list[Instruction]) -> dict[str, FixedDay]:
    """By provision, what documents of its topic that name an amending act say of its beginning, the newest of them.

    A judgment fixes no day, nor does what has ended.
    """
    if all(one.day for one in instructions):
        return {}
    stands = Q(valid_to=None) | Q(valid_to__gt=timezone.localdate())
    here = Source.objects.filter(stands, topic_id=amending.topic_id).exclude(kind=SourceKind.CASELAW)
    named = citing(amending, with_own=False).filter(source__in=here)
    pks = dict.fromkeys(named.values_list("source_id", flat=True)[: 20 * MAX_ORDERS])
    orders = (whole_text(pk)[:MAX_ORDER_LENGTH] for pk in list(pks)[:MAX_ORDERS])
    return days_fixed(instructions, orders=orders, titles=[amending.title])
