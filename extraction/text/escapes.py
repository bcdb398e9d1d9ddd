"""What Office writes for a character that XML does not take, such as `_x000D_`."""

import re

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


def unescaped(text: str) -> str:
    """The text with the characters that were escaped. `_x005F_` is the line of what would be an escape."""
    if "_x" not in text:
        return text
    units = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
