"""What matters in a quotation from an English law."""

from law.languages.protocol import QuotingWords

QUOTING = QuotingWords(
    negations=(
        "not no never nor neither none nothing without unless except cannot nobody unlawful illegal unable"
        " excluding exempt"
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
    names_before=r"(?:\w[^\W\d_]* [A-Z][\w.’'-]*|(?:1[5-9]|20)\d\d|\)),? (?:at )?$",
    same=r"\b(?:ibid|id|idem|loc\.? ?cit)\b",
)
