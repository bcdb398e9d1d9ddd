"""What entries of the audit are called for people. What is stored stays as it is."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

VERBS = {
    "bring": pgettext_lazy("audit", "Brought into a topic"),
    "connect": pgettext_lazy("audit", "Connected"),
    "create": pgettext_lazy("audit", "Created"),
    "delete": pgettext_lazy("audit", "Deleted"),
    "destroy": pgettext_lazy("audit", "Deleted for good"),
    "edit": pgettext_lazy("audit", "Edited"),
    "end": pgettext_lazy("audit", "Ended"),
    "give": pgettext_lazy("audit", "Address given"),
    "labels": pgettext_lazy("audit", "Labels changed"),
    "members": pgettext_lazy("audit", "Members changed"),
    "merge": pgettext_lazy("audit", "Merged"),
    "move": pgettext_lazy("audit", "Moved to another topic"),
    "name": pgettext_lazy("audit", "Named"),
    "radar": pgettext_lazy("audit", "Out-of-date citation looked at"),
    "read": pgettext_lazy("audit", "Read"),
    "refuse": pgettext_lazy("audit", "Sign-in refused"),
    "reindex": pgettext_lazy("audit", "Sent to be read again"),
    "rename": pgettext_lazy("audit", "Renamed"),
    "renew_secret": pgettext_lazy("audit", "Secret renewed"),
    "replace": pgettext_lazy("audit", "Replaced"),
    "restore": pgettext_lazy("audit", "Put back"),
    "revoke": pgettext_lazy("audit", "Revoked"),
    "search": pgettext_lazy("audit", "Searched"),
    "send_again": pgettext_lazy("audit", "Sent again"),
    "sign_in": pgettext_lazy("audit", "Signed in"),
    "work": pgettext_lazy("audit", "Made a version of another document"),
}
THINGS = {
    "agent": _("Agent"),
    "batch": _("Batch"),
    "evaluationquestion": _("Evaluation question"),
    "group": _("Group"),
    "identity": _("Account of the organisation"),
    "key": _("Key"),
    "label": _("Label"),
    "source": _("Source"),
    "synonym": _("Synonym"),
    "topic": _("Topic"),
    "user": _("Person"),
    "watchwebhook": _("Webhook of watches"),
    "webhook": _("Webhook"),
}


def verb_of(action: str) -> str:
    """What was done, in the reader's language. As it is stored where it has no word."""
    return str(VERBS.get(action.partition(".")[2], action))


def thing_of(action: str) -> str:
    """To what kind of thing, so too."""
    thing = action.partition(".")[0]
    return str(THINGS.get(thing, thing))
