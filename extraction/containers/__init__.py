"""Files that hold documents: ZIP archives, and messages with attachments."""
