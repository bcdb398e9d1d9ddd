"""Which lines begin a section, and which numbers are missing."""
