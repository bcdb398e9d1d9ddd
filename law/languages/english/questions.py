"""How English asks."""

from law.languages.protocol import QuestionWords

QUESTIONS = QuestionWords(
    asks=(
        r"\b(?:who|whom|whose|what|where|why|how|which)\b"
        r"|^(?:when|is|are|was|do|does|did|can|could|may|might|must|should|will|would|has|have)\b"
    ),
    meaning=(
        r"(?:what(?:'s|’s| is| are)(?: meant by| the (?:meaning|definition) of)?|what (?:does|do)"
        r"|what (?:counts|qualifies) as"
        r"|who (?:counts|qualifies) as|who is (?:considered|deemed)(?: to be)?|define|definition of|meaning of)"
        r"\s+(?:(?:an?|the term) )?(?P<term>.+?)(?: mean| stand for)?$"
    ),
    is_a=r"\s+(?:is|are) (?=an? |the |any |those )|\s+(?:means?|refers? to)\b",
    quantity=(
        r"(?<!\band )\bhow"
        r" (?:many|much|long|soon|fast|quickly|early|late|often|big|large|small|old|far|high|low|near)\b"
        r"|\b(?:what|which|at what) (?:age|percentage|stake|sum|amount|rate|share|number|volume|daily)\b"
        r"|\bby when\b"
        r"|(?:^|[.!?]\s+)when (?:is|are|was|were|do|does|did|must|shall|should|will|has|have)\b"
        r"|\b(?:what|which)(?:'s|’s| is| are| was| were)?(?: an?| the| its| their| our| my)?(?: [\w-]+){0,2}"
        r" (?:maximum|minimum|smallest|largest|biggest|lowest|highest"
        r"|deadlines?|penalty|fines?|fees?|threshold|cap|limit)\b"
    ),
    quantities=r"\b(?:one (?=year|month|week|day|hour|third)|once|annual(?:ly)?|monthly|weekly|daily|quarterly)\b",
)
