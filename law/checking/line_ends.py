"""Line ends inside the paragraphs of a text that is checked: a title may stand on both sides of one."""

from law.patterns import regex

_BLANK = regex(r"\n[ \t]*\n")
_LEAST_TOGETHER = 80  # characters of two lines that are one paragraph: shorter ones may be a list
# No sentence ends here, and the next line begins neither further in nor with the mark of a list.
_INSIDE = regex(r"(?<![.:;?!\s\d])\n(?=\w|[\"“„״]\w|\([^\W\d]{3})")
_MARKED = regex(r"(?:\d{1,3}|\w)[.)]\s")


def without_line_ends(text: str) -> str:
    """The text with spaces for line ends inside paragraphs, as long as before. It has blank lines between these."""
    if not _BLANK.search(text):
        return text
    return _INSIDE.sub(lambda end: " " if _is_inside(text, end.start()) else "\n", text)


def _is_inside(text: str, place: int) -> bool:
    begins = text.rfind("\n", 0, place) + 1
    ends = text.find("\n", place + 1)
    together = (ends if ends >= 0 else len(text)) - begins
    is_list = _MARKED.match(text, place + 1) or text[begins : begins + 1].isspace()
    return together >= _LEAST_TOGETHER and not is_list
