"""The five kinds of document: the one list that models, storage, API and screens read."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class SourceKind(models.TextChoices):
    LAW = "law", _("Law")
    REGULATION = "regulation", _("Regulation")
    CIRCULAR = "circular", _("Circular")
    CASELAW = "caselaw", _("Case law")
    TOOL = "tool", _("Tool")
