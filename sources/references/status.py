"""What became of a reference."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class ResolutionStatus(TextChoices):
    """Whether what a reference cites is in the topic. Unread is one of which the text's words for its act were not."""

    RESOLVED = "resolved", _("resolved")
    AMBIGUOUS = "ambiguous", _("ambiguous")
    NOT_HERE = "not_here", _("not here")
    UNREAD = "unread", _("not read")
