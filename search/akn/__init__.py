"""A document as Akoma Ntoso (OASIS LegalDocML 1.0)."""

from search.akn.document import compose, write
from search.akn.elements import permitted
from search.akn.identification import FORMAT

__all__ = ["FORMAT", "compose", "permitted", "write"]
