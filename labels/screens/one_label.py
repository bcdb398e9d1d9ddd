"""The single label that a form with the label chooser speaks of."""

from __future__ import annotations

from labels.models import Label
from labels.naming import find, find_named


def named_label(slug: str, name: str) -> Label | None:
    """The label that was chosen, by its slug; without a script the slug may be of an earlier choice than the name."""
    chosen = find(slug) if slug else None
    if name and (chosen is None or chosen.name != name):
        return find_named(name)
    return chosen
