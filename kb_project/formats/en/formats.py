"""Days as 1 Mar 2026, which no reader takes for the third of January."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y H:i"
