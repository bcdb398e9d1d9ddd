"""How the text of a version was made of the version before by an amending act, and who confirmed it.

It is kept as JSON with the source and with the job that makes it: `{amending: {source_id, title}, base, base_sha256,
by, on, lost_tables, days, changes: [{number, provision, action, eid, words, sections, corrected?}], left_out:
[{provision, action, eid, words}]}`. `corrected` is what a person, or the model
`corrected.proposed_by`, said in place of what was read. `base` is the id of
the version before, `number` the place of an instruction in the amending act from 0, `action` one of
`law.amendments.instructions`, `provision` one of the amending act, `eid` the address of its section. `days` are those
that a person gave, by provision. With `lost_tables` rows of tables became lines, with `base_is_gone` the version before
was taken back or replaced since.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db.models import TextChoices
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kb_project.isolates import isolated

MAX_WORDS_LENGTH = 300  # characters of an instruction that are kept


class Origin(TextChoices):
    """Where the text of a source comes from."""

    UPLOADED = "uploaded", gettext_lazy("uploaded")
    CONSOLIDATED = "consolidated", gettext_lazy("unofficial consolidation")


def sentence_of(consolidation: Mapping[str, Any]) -> str:
    """That a text is nobody's official one, by whom it was made, and of what."""
    return _("Unofficial consolidation, made here by %(by)s on %(day)s from %(act)s.") % {
        "by": isolated(consolidation["by"]),
        "day": date_format(dt.date.fromisoformat(consolidation["on"])),
        "act": isolated(consolidation["amending"]["title"]),
    }
