"""Days as 1.3.2026, as Hebrew texts write them."""

DATE_FORMAT = "j.n.Y"
DATETIME_FORMAT = "j.n.Y H:i"
