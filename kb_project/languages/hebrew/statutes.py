"""How Hebrew laws and regulations are divided."""

from __future__ import annotations

from kb_project.languages.statutes import StatuteWords

_ORDINALS = (
    "ראשו(?:ן|נה)|שני(?:י?ה)?|שלישית?|רביעית?|חמישית?|שי?שית?|שביעית?|שמינית?|תשיעית?|עשירית?"
    "|(?:אח[דת]|שני[םי]|שתי[םי]|שלושה?|ארבעה?|חמי?שה?|שי?שה?|שבעה?|שמונה|תשעה?)[־ -]עשרה?"
)

STATUTES = StatuteWords(
    section_words="סעיף|תקנה|כלל",
    section_initials="סתכ",
    number_letters=r"[א-ת]{1,3}(?:[\"״'׳][א-ת]?)?",
    marginal_headings=True,
    mentions=r"[בלשמכ]{1,2}(?:סעיף|תקנה|תקנת|פסקה|פרט|כלל|צו|פרק|תוספת)|מס['׳]|עמ['׳]|עמוד|יום|שנת",
    title_start="(?![לבושכה])[א-ת]",
    clause_letters=r"[א-ת]{1,3}\d?",
    divisions="חלק|שער|פרק|סימן",
    division_number=(
        rf"(?:ה?(?:{_ORDINALS})(?![א-ת])|[א-ת]{{1,2}}[\"״][א-ת](?![א-ת])|[א-ת](?![א-ת])[׳']?|\d{{1,3}})"
        r"(?:\s?\d{1,2}(?:[א-ת](?![א-ת]))?[׳']?|[א-ת](?![א-ת])[׳']?)?"
    ),
    annexes="ה?תוספת|נספח|טופס|לוח",
    division_initials="חשפסתהנטל",
    unnumbered_annexes=frozenset({"תוספת", "התוספת"}),
    division_mention="(?:ל|ש[לב])(?:חוק|פקוד|תקנו|תוספת|צו)|לחוק",
    contents=r"תוכן(?:\s+ה?עניינים)?",
    unfinished=r"\b(?:[בלשומכה]{0,3}סעיף|[בלשומכ]{1,3}סעיפים|של|את|או|על|לפי|בין)",
    hanging=r"סעיפים|סעיף|תקנות|תקנה|פסקה|פסקאות|\bאו",
    inserts="יבוא(?:ו)?|ייקרא|יקרא|תבוא",
)
