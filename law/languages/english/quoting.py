"""What matters in a quotation from an English law."""

from law.languages.protocol import QuotingWords

QUOTING = QuotingWords(
    negations=(
        "not no never nor neither none nothing without unless except cannot nobody unlawful illegal unable"
        " excluding exempt"
    ),
    forbids=(
        "forbid forbids forbidding forbidden forbade prohibit prohibits prohibiting prohibited prohibition bar bars"
        " barred bans banned prevent prevents preventing prevented preclude precludes precluded refuse refuses refrain"
        " deny denies against"
    ),
    modals=("must shall obliged required", "may can could might permitted entitled", "should ought", "will would"),
    units=(
        "day days",
        "week weeks",
        "month months",
        "year years",
        "hour hours",
        "minute minutes",
        "percent per-cent %",
        "dollar dollars $",
        "pound pounds £",
        "euro euros €",
        "rupee rupees",
        "metre metres",
        "kilometre kilometres",
        "kilogram kilograms",
        "member members",
        "person persons",
    ),
    leads_in=(
        r"\b(?:provid(?:es|ed|ing)|reads?|stat(?:es|ed)|says|follows|quoted|sets? out|enacts?|lays? down)\b"
        r"[^.:\n]{0,60}:"
    ),
    names_behind=r" (?:of|to|in|under) (?:the |an? )?(?:[A-Z]|\d)",
    names_before=r"(?:\w[^\W\d_]* [A-Z][\w.’'-]*|(?:1[5-9]|20)\d\d|(?:[A-Za-z]{2}|\d{4})\)),? (?:at )?$",
    goes_on=(
        r" (?:on (?!this|that|these|those|its|his|her|their|which|whether|an?\b|the (?:other|ground|point|basis))"
        r"|(?:Relating|Concerning|Regarding|Governing|Respecting)\b"
        r"|(?:relating to|concerning|regarding|governing|respecting) the [A-Z])"
    ),
    of_another=(
        r" (?:of|to|under) (?:the|this|that|these|those|his|her|its|our|your|their|my|an?|[A-Z])| (?:Abs|lit|Nr)\b"
    ),
    no_section=r"(?:clauses?|cl\.?|paragraphs?|paras?\.?|points?|items?)(?!\w)",
    same=r"\b(?:ibid|id|idem|loc\.? ?cit)\b",
)
