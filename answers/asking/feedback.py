"""What people say of an answer: whether it helped, and why. The last word about each answer is kept."""

from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from answers.models import AnswerFeedback, AnswerTrace
from kb_project.errors import NotFound

LONGEST_NOTE = 2_000  # characters


def give(answer_id: UUID, *, helpful: bool, note: str = "", by: str, pin: int | None) -> None:
    """Keep it in place of what was said before.

    Raises NotFound for an answer that is forgotten, and for one of another topic than a caller is pinned to.
    """
    traces = AnswerTrace.objects.filter(answer_id=answer_id)
    trace_id = (traces if pin is None else traces.filter(topic_id=pin)).values_list("pk", flat=True).first()
    said = {"helpful": helpful, "note": note.strip(), "by": by, "at": Now()}
    try:
        with transaction.atomic():
            if trace_id is not None:
                AnswerFeedback.objects.update_or_create(trace_id=trace_id, defaults=said)
    except IntegrityError:  # the trace was forgotten just now
        trace_id = None
    if trace_id is None:
        raise NotFound(_("There is no such answer, or it was given too long ago."))
