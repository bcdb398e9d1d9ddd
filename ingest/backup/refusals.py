"""What backup and restore refuse, each with the sentence for the person."""

from __future__ import annotations


class BackupRefused(Exception):
    """The backup cannot be made, or cannot be restored; nothing was changed unless the sentence says so."""
