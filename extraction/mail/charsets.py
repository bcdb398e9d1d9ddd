"""Names of character sets that mail programs write and Python does not know. Importing this module makes them known."""

from __future__ import annotations

import codecs
import re

HEBREW = "cp1255"
# A suffix tells the direction of Hebrew. A code page is named with the vendor before its number.
_ISO_8859 = re.compile(r"(?:x_|cs)?iso_?8859_?(\d+)_?[ie]?")
_CODE_PAGE = re.compile(r"(?:x_|ms_)?(?:windows|win|cp|dos|ibm|oem)_?(\d{3,4})(?:_[ie])?")
_OTHERS = {"visual": HEBREW, "logical": HEBREW, "x_mac_hebrew": HEBREW, "utf8mb4": "utf-8"}


def _known_as(name: str) -> codecs.CodecInfo | None:
    """What a name that Python has not found stands for. None if that is nothing we know."""
    name = name.lower().replace("-", "_")
    if found := _ISO_8859.fullmatch(name):
        other = HEBREW if found[1] == "8" else f"iso8859_{found[1]}"
    elif found := _CODE_PAGE.fullmatch(name):
        other = f"cp{found[1]}"
    else:
        other = _OTHERS.get(name, "")
    try:
        return codecs.lookup(other) if other and other != name else None
    except LookupError:
        return None


codecs.register(_known_as)
