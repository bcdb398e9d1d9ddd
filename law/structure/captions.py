"""What a judgment begins with: the lines that name its court, parties, judges, day and number."""

from collections.abc import Sequence
from itertools import takewhile

from law.languages.scripts import main_language
from law.structure.provisions import ProvisionKind

MAX_HEADINGS = 20  # of a caption


def caption_length(headings: Sequence[tuple[str, str, str]], *, title: str) -> int:
    """How many of the provisions that a judgment begins with are lines of its caption.

    `headings` are their kinds, numbers and headings in the order of the text. Those up to the last that names a court,
    a judge, a party, a case or the judgment itself belong to it, as long as none has a number.
    """
    leading = takewhile(lambda one: one[0] == ProvisionKind.HEADING and not one[1], headings[:MAX_HEADINGS])
    named = [at for at, (_, _, heading) in enumerate(leading, 1) if _is_of_caption(heading, title)]
    return named[-1] if named else 0


def _is_of_caption(heading: str, title: str) -> bool:
    words = main_language(heading).documents
    patterns = (words.court.match, words.judgment.search, words.parties.fullmatch, words.case_number.search)
    return heading in title or any(found(heading) for found in patterns)
