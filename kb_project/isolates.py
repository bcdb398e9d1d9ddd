"""Names in sentences of plain text: each keeps its own direction, whichever way the sentence is written."""

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
_UNMARKED = str.maketrans("", "", FIRST_STRONG_ISOLATE + POP_ISOLATE)


def isolated(name: object) -> str:
    """The name between the marks that are to plain text what `<bdi>` is to HTML (`kb_project.screens.messages`).

    Without them the end of a Hebrew title, a bracket or a year, is shown on the wrong side in an English sentence.
    """
    return f"{FIRST_STRONG_ISOLATE}{name}{POP_ISOLATE}"


def unmarked(text: str) -> str:
    """The text without those marks, for programs, which compare it."""
    return text.translate(_UNMARKED)
