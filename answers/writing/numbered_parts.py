"""The numbers of citations in the text of an answer: `Three hives may be kept [1].`"""

import re
from collections.abc import Iterator

NUMBER = re.compile(r"\[(\d{1,3})\]")


def numbered_parts(text: str) -> Iterator[tuple[str, str]]:
    """The text in parts, each with the number that stands behind it, as written. Behind the last stands ''."""
    parts = NUMBER.split(text)  # text, number, text, …, text
    yield from zip(parts[::2], [*parts[1::2], ""], strict=True)
