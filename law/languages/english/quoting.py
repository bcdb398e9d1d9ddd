"""What matters in a quotation from an English law."""

from law.languages.protocol import QuotingWords

QUOTING = QuotingWords(
    negations=(
        "not no never nor neither none nothing without unless except cannot nobody unlawful illegal unable"
        " excluding exempt"
    ),
    negating="n't",
    forbids=(
        "forbid forbids forbidding forbidden forbade prohibit prohibits prohibiting prohibited prohibition bar bars"
        " barred bans banned prevent prevents preventing prevented preclude precludes precluded refuse refuses refrain"
        " deny denies against"
    ),
    modals=("must shall obliged required need", "may can could might permitted entitled", "should ought", "will would"),
    waived="obliged required need",
    units={
        "day": "day days",
        "week": "week weeks",
        "month": "month months",
        "year": "year years",
        "hour": "hour hours",
        "minute": "minute minutes",
        "percent": "percent per-cent %",
        "dollar": "dollar dollars $",
        "pound": "pound pounds £",
        "euro": "euro euros €",
        "rupee": "rupee rupees",
        "shekel": "shekel shekels ₪",
        "metre": "metre metres meter meters",
        "kilometre": "kilometre kilometres kilometer kilometers km",
        "kilogram": "kilogram kilograms kg",
        "member": "member members",
        "person": "person persons",
    },
    units_before={
        "level": "level",
        "rupee": "rs rupees",
        "shekel": "nis ils",
        "dollar": "usd",
        "euro": "eur",
        "pound": "gbp",
    },
    amounts={"fortnight": (2, "week"), "decade": (10, "year")},
    qualifiers={"working": "working day", "business": "working day", "calendar": "", "clear": "", "consecutive": ""},
    at_least=r"at least|(?:not|no) (?:less|fewer|lower|shorter) than|(?:a |the )?minimum of",
    at_most=r"at most|(?:not|no) (?:more|longer|greater|higher) than|not exceed(?:ing)?|up to|(?:a |the )?maximum of",
    all_of=r"(?:all|each) of (?:the following|these)|all the following",
    any_of=r"(?:any|one|either)(?: or more)? of (?:the following|these)",
    numerals={
        1: "one",
        2: "two",
        3: "three",
        4: "four",
        5: "five",
        6: "six",
        7: "seven",
        8: "eight",
        9: "nine",
        10: "ten",
        11: "eleven",
        12: "twelve",
        13: "thirteen",
        14: "fourteen",
        15: "fifteen",
        16: "sixteen",
        17: "seventeen",
        18: "eighteen",
        19: "nineteen",
        20: "twenty",
        30: "thirty",
        40: "forty",
        50: "fifty",
        60: "sixty",
        70: "seventy",
        80: "eighty",
        90: "ninety",
        100: "hundred",
        1_000: "thousand thousands",
        100_000: "lakh lakhs",
        1_000_000: "million millions",
        10_000_000: "crore crores",
    },
    joins_numerals="and",
    lists_numerals="to or and",
    leads_in=(
        r"\b(?:provid(?:es|ed|ing)|reads?|stat(?:es|ed)|says|follows|quoted|sets? out|enacts?|lays? down)\b"
        r"[^.:\n]{0,60}:"
    ),
    goes_on=(
        r" (?:on (?!this|that|these|those|its|his|her|their|which|whether|an?\b|the (?:other|ground|point|basis))"
        r"|(?:Relating|Concerning|Regarding|Governing|Respecting)\b"
        r"|(?:relating to|concerning|regarding|governing|respecting) the [A-Z])"
    ),
    no_section=r"(?:clauses?|cl\.?|paragraphs?|paras?\.?|points?|items?)(?!\w)",
    that=r"\bthat",
    naming=(
        r"\b(?:here(?:in)?after|referred to(?: here(?:in)?)?(?: as)?|called|known as|defined as|collectively|together"
        r"|jointly|each|also|in this [a-z]+|the|an?|or|and|as)\b"
    ),
    signals=r"(?:compare|cf\.?|contrast|see(?:,? also|,? e\.g\.)?|accord|so|thus|per|that is|as)\b,?",
    against=r"vs?\.?",
    joins_names="v|and",
    at="at",
    paragraph=r"paras?\.?|paragraphs?",
    of_case="['’]s case",
    of_name="of|in",
    of_judgment=r"(?:of|in) (?:the|that|this|its|his|her) (?:judgment|decision|opinion|ruling|award|speech)s?\b",
    refers=(
        r"\b(?:above|supra|infra|below|aforesaid|aforementioned|herein(?:after|before)?|(?:the |that )?said"
        r"|provisions? of|at (?:page|pp?\.) ?\d+|emphasis (?:added|supplied))\b"
    ),
    rules=(
        r"\b(?:(?:has|have|is|are) to|cannot|up to|not exceeding|at (?:most|least)"
        r"|(?:no|not) (?:more|less|later|longer|shorter)"
        r"|(?:long|short|great|high)est|maximum|minimum|unless"
        r"|(?:fine|penalty|rate|fee|levy) is"
        r"|(?:comes?|came|enters?|entered) into (?:force|operation|effect))\b"
    ),
    tells=(
        r"\b(?:was(?! to\b)|were(?! to\b)|did|went|gave|took|came(?! into (?:force|operation|effect)\b)|waited|lived"
        r"|has (?:already )?been|(?:we|he|she|they|I) had)\b"
        r"|\b(?:tenant|landlord|claimant|defendant|applicant|respondent|appellant|plaintiff|petitioner|he|she|they|we)"
        r" [a-z]+ed\b"
    ),
    speaks=(
        r"\b(?:testif\w+|deposed|wrote|writes|told|e-?mails?|letters?|affidavits?|witness(?:es)?|minutes|messages?"
        r"|transcripts?|cross-examin\w+|(?:his|her|their|\w+['’]s) words)\b"
    ),
    introduces=(
        r"\b(?:it|which|that|there|provisions?|sub-?sections?|sections?|articles?|regulations?|rules?|acts?|statutes?"
        r"|laws?|codes?|wording|text|words|legislat\w+|parliament|congress)\b[^.;]{0,60}$"
    ),
    same=r"\b(?:ibid|id|idem|loc\.? ?cit)\b",
)
