"""Kinds of documents, by what their numbers count."""

STATUTORY_KINDS = frozenset({"law", "regulation"})


def numbers_paragraphs(kind: str) -> bool:
    """Whether the numbers that a document of this kind gives itself are of paragraphs, and not of sections."""
    return kind not in STATUTORY_KINDS
