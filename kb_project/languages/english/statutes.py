"""How English laws and rulebooks are divided."""

from __future__ import annotations

from kb_project.languages.statutes import StatuteWords

STATUTES = StatuteWords(
    section_words=(r"Section|SECTION|Sec\.|Rule|RULE|Regulation|REGULATION|Article|ARTICLE|Art\."),
    section_initials="SRAPCMD",
    number_letters="[A-Z]{1,2}(?![a-z])",
    above_number=r"(?:PART|Part|CHAPTER|Chapter|SCHEDULE|Schedule|APP|ANNEX|SECTION) ?[\dIVXL]{1,5}[A-Z]?",
    number_suffix="Guidance",
    divisions="PART|Part|CHAPTER|Chapter|TITLE|Title|DIVISION|Division|SUBPART|Subpart|BOOK|Book",
    division_number=(r"(?:\d{1,3}[A-Z]?|[IVXLC]+|[A-Z]|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten)(?![a-z\d])"),
    annexes="(?i:schedule|appendix|annex|exhibit|app)",
    annex_gap=r"\s?",
    division_title='[A-Z“"(]',
    division_initials="PCTDSBAEpcstdbae",
    division_mention=r"of\b|to\b",
    contents="(?:table of )?contents",
    unfinished=r"\b(?:of|the|and|or|to|in|by|for|a|an|sections?|rules?)",
    hanging=r"\b(?:sections?|rules?|articles?|paragraphs?|and|or|to)",
    inserts="inserted?|substituted?|added",
)
