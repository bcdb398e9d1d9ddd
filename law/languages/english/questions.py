"""How English asks."""

from law.languages.english.clauses import CLAUSES
from law.languages.questions import QuestionWords

_ASKS_WHEN = (
    r"(?:(?:^|[.!?,]\s+)(?:by )?(?:who|when) (?=(?:is|are|do|does|must|may|can|shall|should|will|has|have)\b)"
    r"|\bhow (?:soon|long|quickly|fast|many (?:[a-z]+ )?(?:days|weeks|months|years|hours))\b"
    r"|\b(?:within|in|by|after|for) (?:what|which|how)\b)"
)
_PERSON = (
    r"(?:i|we|you|they|he|she|it"
    r"|(?:the|an?|any|each|every|his|her|its|their)(?: (?!of |in |to |for |on |by |at )[a-z-]+){1,3}?)"
)
_NO_THING = r"(?!(?:of|for|per|to|in|on|by|at|that|which|who|is|are|shall|must|may|can|and|or)\b)"
_UNIT = r"(?:(?:sub)?sections?|articles?|rules?|regulations?|paragraphs?|parts?|chapters?|schedules?|clauses?)"
_UNITS = rf"{_UNIT} (?:\d[\w().]*|[ivx]+\b)(?:(?:,| and| to| or)+ (?:{_UNIT} )?\d[\w().]*)*"
_LAWS = (
    r"(?:acts?|laws?|statutes?|ordinances?|codes?|directives?|decrees?|regulations?|rules|by-?laws?|constitution"
    r"|(?-i:Orders?)|(?<=this )order|(?<=these )orders|(?<=this )(?:section|article|rule|part|schedule|provision)"
    r"|provisions)\b"
)
# A preposition stands only behind a capital: `the Protection of Piers Act`, but not `the licence under the act`.
_NOT_IN_NAME = (
    r"(?!(?:an?|any|each|every|of|for|in|on|to|under|by|from|with|at|while|if|where|when|that|which|who|is|are)\b)"
)
_OF_LAW = (
    r"(?:the |this |these )?(?:(?:provisions|amendments|changes) (?:of|to|in) (?:the |this )?)?"
    r"(?:(?-i:[A-Z][\w'’&.,()-]*) (?:of|for|in|on|to|with) "
    rf"|{_NOT_IN_NAME}[\w'’&.,()/-]+ ){{0,12}}?(?:{_UNITS}|{_LAWS})"
    r"(?:,? (?:[\d(]|(?:of|on|for|to|in|no|concerning|regarding)\b)"
    r"(?:(?!\b(?:while|if|where|when|that|which|who|is|are|may|must|shall)\b)[^?]){0,150}?)?"
    r"|(?:the )?(?-i:[A-Z][A-Z\d][\w-]*)"
)
_DOES = r"(?: (?:is|are|was|were|do|does|did|will|would|shall|should|has|have|had))"
_ON_DAY = r"(?:what|which) (?:date|day)"
_COMES = (
    r"(?:(?:be|been|first|become|brought|put|come|enter|entered|go|went) ){0,3}"
    r"(?:in(?:to)? (?:force|effect|operation)|(?:take|took|taken) effect|commenced?|effective"
    r"|(?:begin|begun|start(?:ed)?)(?= to (?:apply|operate|bind)|\W*\Z))"
)
_SAYS_COMES = (
    r"(?:,? (?:other than|except(?: for)?|with the exception of|(?:may|shall|will|is to) be (?:called|cited))\b"
    r"[^;:\n]{1,200}?)?,?(?: and)?"
    r"(?: (?:shall|will|is|are|was|were|be|been|has|have|to|deemed|also|first|hereby|it)){0,5}"
    r" (?:(?:comes?|came|enters?|entered|brought) (?:in)?to (?:force|effect|operation)|(?:takes?|took|taken) effect"
    r"|commence[sd]?\b|in force\b|effective\b|effect (?:as )?(?:from|on)\b"
    r"|(?:apply|applies|applied|applicable) (?:as )?(?:from|of)\b)"
)
_OWN = rf"(?:{CLAUSES.own.pattern})"
_PART = rf"(?P<part>th(?:is|ese) {_UNIT}\b|{_UNITS})(?: (?:of|to) {_OWN})?"
# Not of what only mentions it: `a licence under this Act takes effect`
_NO_MENTION = "".join(
    rf"(?<!\b{word} )"
    for word in (
        *("under", "of", "by", "in", "to", "with", "for", "from", "before"),
        *("after", "until", "when", "which", "if", "day", "date", "than"),
    )
)

QUESTIONS = QuestionWords(
    asks=(
        r"\b(?:who|whom|whose|what|where|why|how|which)\b"
        r"|^(?:when|is|are|was|do|does|did|can|could|may|might|must|should|will|would|has|have)\b"
    ),
    meaning=(
        r"(?:what(?:'s|’s| is| are)(?: meant by| the (?:meaning|definition) of)?|what (?:does|do)(?: [a-z]+ mean by)?"
        r"|what (?:counts|qualifies) as"
        r"|which [a-z]+ (?:is|are|counts? as)|who (?:counts|qualifies) as|who is (?:considered|deemed)(?: to be)?"
        r"|who (?:is|are)(?: the)?(?! (?:to|not|liable|responsible|entitled)\b)|define|definition of|meaning of"
        r"|how (?:is|are)(?=.+ defined\b))"
        r"\s+(?:(?:an?|the term) )?(?P<term>.+?)(?: mean| stand for| defined)?"
        r"(?:,? (?:for the purposes? of|under|in) (?:the|this|that|section) .+)?$"
    ),
    term_alone=(
        r"what(?:'s|’s| is| are) (?:an? [\w-]+(?: [\w-]+){0,3}|(?:meant by|the (?:meaning|definition) of) [^,]+)"
        r"(?:,.*)?$"
        r"|what (?:does|do) (?:[a-z]+ mean by|.+ (?:mean|stand for)\b)|(?:define|definition of|meaning of) "
        r"|how (?:is|are) .+ defined\b"
    ),
    is_a=r"\s+(?:is|are) (?=an? |the |any |those )|\s+(?:means?|refers? to)\b",
    articles=r"(?:an?|the)\s+",
    quantity=(
        r"(?<!\band )\bhow (?:many (?P<counted>[a-z]+)|(?:many|much|big|large|small|far|high|low|near)\b)"
        r"|\b(?:what|which|at what) (?:percentage|stake|share|number|volume|daily)\b"
        r"|\b(?:what|which)(?:'s|’s| is| are| was| were)?(?: an?| the| its| their| our| my)?(?: [\w-]+){0,2}"
        r" (?:maximum|minimum|smallest|largest|biggest|lowest|highest|threshold|cap|limit)\b"
        # What is the least that must be done is no number.
        r"(?! (?:[\w-]+ ){0,2}(?:standards|requirements|measures|criteria|conditions|controls|contents?|information)\b)"
    ),
    quantities=(
        r"\b(?:at least one|one or more|one (?=year|month|week|day|hour|third)|once|annual(?:ly)?|monthly|weekly|daily"
        r"|quarterly|free of charge|without (?:a )?(?:charge|fee|payment))\b"
    ),
    duration=(
        r"(?<!\band )\bhow (?:long|soon|fast|quickly|early|late)\b"
        r"|(?<!\band )\bhow (?:many (?:business |working |calendar )?(?:days|weeks|months|years|hours|minutes)"
        r"|much (?:time|notice))\b"
        r"|\b(?:within|in|for|by|after) (?:what|which) (?:length of )?(?:time|period|term|date|day)\b|\bby when\b"
        r"|\b(?:what|which)(?:'s|’s| is| are| was| were)?(?: an?| the| its| their| our| my)?(?: [\w-]+){0,2}"
        r" (?:deadlines?|time limits?|limitation period|notice period)\b"
    ),
    time_units=(
        r"(?:business |working |calendar |clear )?"
        r"(?:days?|weeks?|fortnights?|months?|years?|hours?|minutes?|seconds?)"
    ),
    lengths=r"\b(?:an?|one) (?:business |working |calendar |clear )?(?:day|week|fortnight|month|year|hour)\b",
    prompt=(
        r"\b(?:immediately|forthwith|promptly|without (?:undue |any )?delay|as (?:soon|long) as|until|till|indefinitely"
        r"|at once|annually|yearly|no later than|not later than|on or before|for (?:a|the|such) (?:period|term|time))\b"
    ),
    amount=(
        r"\b(?:what|which)(?:'s|’s| is| are| was| were)?(?: an?| the| its| their| our| my)?(?: [\w-]+){0,2}"
        r" (?:fees?|price|cost|costs|sum|amount|rate|salary|charge|tax)\b"
        r"|\bhow much (?:is|are|does|do|must|may|can|will|money)\b|\bwhat (?:do|does|will|would) [^?.]{1,40} cost\b"
    ),
    rates={
        unit: rf"\b(?:(?:per|each|every) (?:[a-z]+ )?{unit}\b|{adverb}\b)"
        for unit, adverb in (
            ("hour", "hourly"),
            ("day", "daily"),
            ("week", "weekly"),
            ("month", "monthly"),
            ("year", "(?:yearly|annual(?:ly)?)"),
        )
    },
    age=r"\bhow old\b|\bwhat(?:'s|’s| is)?(?: the| is the)?(?: [\w-]+){0,1} age\b|\bwhich age\b",
    aged=r"\b(?:ages?|aged|years? old|years?|minors?|adults?)\b",
    frequency=r"(?<!\band )\bhow (?:often|frequently|many times)\b",
    frequent=(
        r"\b(?:once|twice|times|each|every|annual(?:ly)?|yearly|monthly|weekly|daily|quarterly|regular(?:ly)?"
        r"|intervals?|per (?:year|month))\b"
    ),
    time=(
        r"(?:^|[.!?]\s+)when (?:is|are|was|were|do|does|did|must|may|might|can|could|shall|should|will|has|have)\b"
        r"|\bunder (?:what|which) (?:circumstances|conditions)\b|\bin (?:what|which) (?:cases|circumstances)\b"
    ),
    timed=(
        r"\b(?:if|where|when|whenever|unless|until|till|upon|after|before|once|provided that|as (?:soon|long) as"
        r"|immediately|forthwith|without (?:undue )?delay|at any time|at the (?:end|time|same time|beginning)|on expiry"
        r"|on (?:the|a|an|his|her|its|their|such|that|each|every|receipt|receiving|application|request|demand))\b"
    ),
    penalty=(
        r"\b(?:penalt(?:y|ies)|punish(?:ment|ments|ed|able)?|fined|sanctioned)\b"
        r"|\b(?:what|which|how (?:much|high|large|big)|is|are)\b[^?.]{0,40}"
        r"\b(?:fines?|sanctions?(?! [a-z]+(?:ions?|ance)\b))\b"
    ),
    penal=r"(?:\A|[.;\n])(?![^.;\n]*\b(?:do|does|shall) not apply\b)[^.;\n]*?"
    r"\b(?:liable|fine[sd]?|imprison\w*|penalt(?:y|ies)|punish\w*|sentenced?|forfeit\w*|sanction(?:s|ed)?)\b",
    commencement=(
        rf"(?<!until )(?<!till )\b(?:when|{_ON_DAY}){_DOES} (?:{_OF_LAW}),? {_COMES}\b"
        rf"|\b(?:from|since|as of) (?:when|{_ON_DAY}){_DOES} (?:{_OF_LAW}),? (?:apply|applied|applicable|bind)\b"
        r"|\b(?:what|which|when)(?:'s|’s| is| was| are) the (?:(?:date|day) of )?"
        r"(?:(?:commencement|effective|start)(?: date| day)?|(?:entry|coming) into (?:force|effect|operation))"
        rf" (?:of|for) (?:{_OF_LAW})(?!\w)"
    ),
    commences=(
        rf"(?:{_NO_MENTION}|(?<=provisions of ))\b(?:{_OWN}|{_PART}){_SAYS_COMES}",
        rf"(?:\A|[.;:)–—\n])\s*(?P<named>(?-i:[A-Z])[^.;:\n]{{0,150}}?\b(?-i:Act|Law|Ordinance|Code|Directive|Decree"
        rf"|Regulations?|Rules|Order|Statute)\b(?:,? \d[\d/]*)?){_SAYS_COMES}",
        # The first subsection names the act, a later one goes on: `(3) It shall come into force …`
        rf"(?:\A|\n)\(\d{{1,2}}\)\s*(?:it|they){_SAYS_COMES}",
        r"\b(?:(?:effective|commencement) date|date of (?:commencement|(?:entry|coming) into (?:force|effect)))"
        rf"(?: of {_OWN})?(?: is\b| shall be\b|\s?:)",
        rf"\b(?:commencement|(?:entry|coming) into (?:force|operation)) of {_OWN}(?: is\b| shall be\b|\s?:)",
    ),
    of_act=(
        "breach breaching breaking violation violating contravention contravening offence offences"
        " come comes came into force effect operation commence commenced commencement take takes took"
        " begin effective apply"
    ),
    kind_words=(
        "time period term deadline deadlines date long soon often many much high low big large fast quickly age day"
        " days week weeks month months year years hour hours amount sum number penalty penalties punishment fine fines"
        " sanction sanctions"
        " circumstances conditions cases"
    ),
    acts=(
        rf"{_ASKS_WHEN}[^?]{{0,120}}?\b(?:be|been) (?:[a-z]+ly )?(?P<act>[a-z]{{3,}})",
        rf"{_ASKS_WHEN}[^?]{{0,60}}?\b(?:is|are) [^?,;]{{1,60}}?\b(?P<act>[a-z]{{2,}}ed)"
        r"(?=\W*\Z| (?:to|by|in|from|within|for|on|under|at)\b)",
        r"^who (?:must|shall|may|can|should|will|is to) (?P<act>[a-z]{3,})",
        rf"{_ASKS_WHEN}[^?]{{0,60}}?\b(?:have|has) to (?P<act>[a-z]{{3,}})",
        rf"{_ASKS_WHEN}[^?]{{0,20}}?\b(?:must|shall|may|should|can|does|do|will) {_PERSON} (?P<act>[a-z]{{3,}})"
        r" (?:the|an?|his|her|its|their|any|every|each|such)\b",
    ),
    things=(
        r"(?<!within )(?<!after )\bhow many (?:days|weeks|months|years|hours) of ((?:[a-z]+ )?leave|[a-z]+)",
        r"\b(?:which|what) ([a-z]+)\b[^?]{0,80}?\b(?:must|shall|may|should|can) be ([a-z]+)",
        r"\bwhat(?:'s|’s| is| are) the (salary|salaries|wages?|pension|allowances?) (?:of|for)\b",
    ),
    aside=(
        r"\b(?:after|before|until|till|if|unless|once|when|whenever|where|since|as soon as"
        r"|(?:on|in|at|from|by|of) which)\b[^,;:.]{0,200}?(?=[,;:.]|\b(?:must|shall|may|will|should)\b|\Z)"
        r"|\b(?:of|for|about|on|from|with|concerning|regarding|against)"
        r" (?:the|an?|any|each|every|its|his|her|their|such) [a-z]+"
    ),
    done=r"[a-z]+(?:ed|en|wn)|paid|kept|held|made|sent|told|sold|built|met|left",
    passive=(
        r"\b(?:be|is|are)(?:[\s,]+(?:not|also|only|then|and|or|paid|kept|held|made|sent|given|[a-z]+ly|[a-z]+ed))*\s+"
    ),
    extremes=(
        r"\b(?:maximum|minimum|highest|lowest|largest|smallest|greatest)"
        r" (?:(?:amount|sum|value|size|level|rate|number) of (?:the |an? )?)?"
        rf"(?P<measured>{_NO_THING}[a-z-]+(?: {_NO_THING}[a-z-]+){{0,2}})"
    ),
    raised=(
        r"\b(?:question|issue|point)s?\b[^.;?]{0,60}\b(?:is|are|was|were|arises?|arose|remains?|becomes?)\b[^.;?]{0,20}"
        r"\b(?:whether|how|who|what|which|when|if)\b"
    ),
)
