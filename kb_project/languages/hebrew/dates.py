"""How Hebrew writes dates."""

from __future__ import annotations

from kb_project.languages.dates import DateWords

_MONTHS = (
    "ינואר", "פברואר", "מרץ|מרס|מארס", "אפריל", "מאי", "יוני", "יולי",
    "אוגוסט", "ספטמבר", "אוקטובר", "נובמבר", "דצמבר",
)  # fmt: skip

DATES = DateWords(
    months=_MONTHS,
    patterns=(rf"(?P<day>\d{{1,2}})\s+(?:ב|ל)?(?P<month>{'|'.join(_MONTHS)})\s*,?\s+(?P<year>\d{{4}})",),
    day_first=True,
)
