"""How English cites: `section 5(a)(2) of the … Act`, `Rule 18.8.2`, `Part 4`, `C-131/12`."""

from __future__ import annotations

from kb_project.languages.citations import CitationWords

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DIVISION_ID = rf"(?:\d{{1,3}}(?-i:[A-Z])?|(?-i:[IVXLC]{{1,7}}|[A-Z])|(?:{'|'.join(_NUMBERS)}))"

CITATIONS = CitationWords(
    unit=(
        r"(?<![\w'’])(?:sections?|secs?\.?|ss?\.?|rules?|rr?\.|articles?|arts?\.?|regulations?|regs?\.?|paragraphs?"
        r"|paras?\.?|clauses?|cl\.)"
    ),
    number_word=r"number|no\.",
    number_letters="[A-Za-z]{1,2}(?![A-Za-z])",
    and_words=r"and\s|or\s|&",
    to_words=r"(?:up )?to\s|through\s",
    of_words="of|to|in|under",
    articles="the",
    clause_units=r"sub-?sections?|sub-?paragraphs?|paragraphs?|paras?\.?|points?|clauses?|items?",
    section_ends=r"ff?\.?|et\sseq\.?",
    link_words="of|to|in|under|from",
    link_articles=r"the\s",
    linked=r"(?:of|to|in|under|from)\s",
    division=(
        r"(?<!\w)(?P<kind>(?:parts?|chapters?|schedules?|annex|appendix|title|division)(?!\w)|(?:sched|sch|app|ch|pt)\.)"
        rf"\s?(?P<id>{_DIVISION_ID})(?![\w%])(?!\.\d)"
    ),
    unnumbered_annex=r"(?:the )?(?P<kind>schedule)(?!\w)",
    annex_label=r"(?P<kind>schedule|annex|appendix)(?!\w)",
    division_hints=("part", "chapter", "sch", "annex", "appendix", "title", "division", "app.", "ch.", "pt."),
    division_kinds={
        **{"sch": "schedule", "sched": "schedule", "app": "appendix", "ch": "chapter", "pt": "part"},
        **{"parts": "part", "chapters": "chapter", "schedules": "schedule"},
    },
    annexes=frozenset({"schedule", "annex", "appendix"}),
    ordinals={word: place for place, word in enumerate(_NUMBERS, 1)},
    identifier_forms=(
        (r"(?<=\b[a-z])\.(?=[a-z]\b)", ""),  # U.S.
        (r"\b([a-z])(?:\s?-\s?|\s)(?=\d{1,6}-\d)", r"\1-"),  # C 131/12
    ),
    number_nouns=frozenset({"no", "number"}),
)
