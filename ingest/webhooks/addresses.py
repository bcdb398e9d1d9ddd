"""What is refused as the address of a webhook."""

import re
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from ingest.webhooks.models import MAX_URL_LENGTH
from ingest.webhooks.sending import PORTS, is_permitted
from kb_project.clients.addresses import numeric

_ADDRESS = re.compile(r"[!-~]+")


def fault_of(url: str, setting: str) -> str:
    """The sentence that refuses an address, empty for a good one. Where a name leads is looked at when it is called.

    The setting names the networks where it may lead besides the public internet.
    """
    networks = getattr(settings, setting)
    try:
        parts = urlsplit(url)
        host, known = parts.hostname, parts.scheme in PORTS and parts.port != 0
    except ValueError:
        host, known = None, False
    if not (known and host and _ADDRESS.fullmatch(url) and len(url) <= MAX_URL_LENGTH):
        return _("Give an address that begins with https://, of at most %d characters.") % MAX_URL_LENGTH
    if parts.username is not None or parts.password is not None or parts.fragment:
        return _("The address must not have a name, a password or a # in it.")
    number = numeric(host)
    if number is not None and not is_permitted(number, encrypted=parts.scheme == "https", networks=networks):
        return _("This address is not one of the public internet. %s can allow it.") % setting
    if parts.scheme == "http" and not networks:
        return _("Only https:// is allowed outside of %s.") % setting
    return ""
