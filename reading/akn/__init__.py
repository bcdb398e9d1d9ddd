"""A document as Akoma Ntoso (OASIS LegalDocML 1.0)."""

from reading.akn.document import compose, write
from reading.akn.elements import permitted
from reading.akn.identification import FORMAT

__all__ = ["FORMAT", "compose", "permitted", "write"]
