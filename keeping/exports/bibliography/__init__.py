"""The places that a file cites, for programs that keep bibliographies: CSL-JSON, BibTeX and RIS."""
