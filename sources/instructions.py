"""The instructions of an amending act that is here, and the orders of its topic that fix when they begin."""

from collections.abc import Iterable

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from kb_project.errors import TooLarge
from law.amendments.beginning.orders import MAX_ORDERS, FixedDay, days_fixed, days_of
from law.amendments.consolidating import instructions_of, with_days
from law.amendments.instructions import Instruction
from law.structure.provisions import ProvisionKind
from sources.kinds import SourceKind
from sources.models import Provision, Source
from sources.provisions import whole_text
from sources.references.listing import citing

MAX_TEXT_LENGTH = 300_000  # characters of a document
MAX_ORDER_LENGTH = 100_000  # characters of a text that is looked through


def instructions_here(source: Source) -> list[Instruction]:
    """What a document says is to be done to other acts, with the days that orders fix. Raises `TooLarge`."""
    read = instructions_of(bounded(whole_text(source.pk)))
    return with_days(read, days_of(days_by_orders(source, read)))


def bounded(text: str) -> str:
    """Raises `TooLarge`."""
    if len(text) > MAX_TEXT_LENGTH:
        raise TooLarge(_("A document of more than %d characters is not consolidated here.") % MAX_TEXT_LENGTH)
    return text.strip()


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
    return days_fixed(instructions, orders=orders, titles=[amending.title, amending.identifier, *amending.aliases])


def section_eids(provisions: Iterable[Provision]) -> dict[str, str]:
    """The addresses of sections by their numbers, of a number that stands twice the first."""
    eids: dict[str, str] = {}
    for one in provisions:
        if one.kind == ProvisionKind.SECTION:
            eids.setdefault(one.number, one.eid)
    return eids
