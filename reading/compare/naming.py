"""What a changed provision is called, and what became of it."""

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from law.citations.provision_names import name_of
from law.structure.provisions import ProvisionKind
from sources.comparison import ChangeKind, ProvisionText
from sources.models import Source

MAX_NAME_LENGTH = 100  # characters
MAX_NAMED_LENGTH = 40  # of a paragraph's first words


def change_name(text: ProvisionText, source: Source) -> str:
    """Its name in its document, or its first words where it has none."""
    line = text.text.split("\n", 1)[0][:MAX_NAME_LENGTH]
    if text.eid:
        name = name_of(text, source=source) or line
        return name[:1].upper() + name[1:]
    if text.kind is ProvisionKind.HEADING:
        return line
    return _("The beginning") if text.key else _("Paragraph “%s”") % Truncator(line).chars(MAX_NAMED_LENGTH)


def change_said(kind: ChangeKind) -> str:
    """What became of it, in a word."""
    return {
        ChangeKind.ADDED: pgettext("provision", "added"),
        ChangeKind.REMOVED: pgettext("provision", "removed"),
        ChangeKind.MOVED: pgettext("provision", "moved"),
        ChangeKind.CHANGED: pgettext("provision", "changed"),
    }[kind]
