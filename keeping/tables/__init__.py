"""One question to many documents: tables whose every cell has a verified quote."""
