"""Texts cut to a length."""

MIN_SUMMARY_LENGTH, MAX_SUMMARY_LENGTH = 80, 200

_DANGLING = ' ,;:–—-([{"“”״'


def cut_at_word(text: str, longest: int) -> str:
    """As many whole words as fit. A word longer than that is cut."""
    if len(text) <= longest:
        return text
    whole = text[: longest + 1].rpartition(" ")[0].rstrip(_DANGLING)
    return whole or text[:longest]
