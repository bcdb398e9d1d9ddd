"""How English writes dates."""

from __future__ import annotations

from kb_project.languages.dates import DateWords

_MONTHS = (
    "January|Jan", "February|Feb", "March|Mar", "April|Apr", "May", "June|Jun", "July|Jul",
    "August|Aug", "September|Sept|Sep", "October|Oct", "November|Nov", "December|Dec",
)  # fmt: skip
_NAMES = "|".join(_MONTHS)

DATES = DateWords(
    months=_MONTHS,
    patterns=(
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+day)?(?:\s+of)?\s+(?P<month>{_NAMES})\b\.?,?\s+(?P<year>\d{{4}})",
        rf"\b(?P<month>{_NAMES})\b\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})",
    ),
)
