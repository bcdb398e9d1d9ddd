"""How English texts cite judgments, and other things by where they are printed: `[2031] 2 AC 5`, `347 U.S. 483`."""

_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_DIVISIONS = "Acts?|Part|Section|Chapter|Schedule|Article|No|SI|PART|ACT|CAP"
_WORD = rf"(?!(?:{_MONTHS}|{_DIVISIONS})[a-z]*\b)[A-Z][A-Za-z&.]{{0,9}}"
_SERIES = rf"{_WORD}(?: (?:{_WORD}|\([A-Z]\w{{0,6}}\))){{0,3}}"
_YEAR = r"(?:1[89]|20)\d\d"
_YEAR_LEFT = r"(?:(?<=1)[89]|(?<=2)0)\d\d"  # behind its first digit
_IN_COURT = r"(?: \([A-Z][A-Za-z]{0,5}\))?"
# Courts that follow a year without brackets: SCC, ONCA, QCCS, ABKB; and the series of Scotland.
_COURTS = r"(?:[A-Z]{0,4}(?:C[ACJQS]|SC|[KQ]B|[FPT]C)|SCC|SC[CL]R|SLT|CanLII|SCC OnLine [A-Z][a-z]{1,4})"
STATES = (
    "Ala|Ariz|Ark|Cal|Colo|Conn|Del|Fla|Ga|Haw|Ill|Ind|Iowa|Kan|Ky|La|Mass|Md|Me|Mich|Minn|Miss|Mo|Mont|Neb|Nev"
    r"|N\. ?[HJMY]|Ohio St|Okla|Or|Pa|R\. ?I|Tenn|Tex|Va|Vt|Wash|W\. Va|Wis|Wyo"
)
_AMERICAN = (
    r"U\. ?S|S\. ?Ct|L\. ?Ed|F\. ?Supp|Fed\. ?Cl|Fed\. ?Reg|B\. ?R|U\. ?N\. ?T\. ?S|L\. ?N\. ?T\. ?S"
    r"|[NS]\. ?[EW]|So|N\. ?Y\. ?S|Cal\. ?Rptr|[FAP](?=\. ?[2-4]d)"
    rf"|(?:{STATES})(?:\. ?App)?"
)
_IN_DIGITS = (
    rf"(?<![/.-].){_YEAR_LEFT} (?:{_COURTS}|\(\d{{1,2}}\) [A-Z][A-Za-z]{{1,6}}) \d{{1,6}}{_IN_COURT}",
    rf"(?<![/.§-].)(?<!§ .)\d{{0,3}} (?:(?:{_AMERICAN})\. ?(?:(?:2d|3d|\dth) )?|US |F\. App['’]x )\d{{1,5}}",
    rf"[A-Z]_\d{{1,4}}/{_YEAR}",  # of Switzerland
    r" (?:[A-Z]{0,2}Z[RB]|StR|Bv[A-Z]) \d{1,5}/\d\d",
    r"(?<=[1-6])(?:19|20)\d\d[A-Z]{1,2}\d{4}",  # CELEX
    r":?\d\d?-(?:cv|cr|md|mc|bk)-\d{3,6}",
)
# Behind the first letter
_IN_LETTERS = (
    rf"(?:(?<=A)IR|(?<=I)LR) {_YEAR} [A-Z][A-Za-z]{{1,9}} \d{{1,5}}",
    r"(?<=B)GE \d{1,3} [IVX]{1,3} \d{1,4}",
    r"(?:(?<=B)(?:VerfGE|VerwGE|GHZ|GHSt|AGE|SGE)|(?<=N)JW) \d{1,4}, \d{1,4}",
    r"(?<=[IVX])[IVX]{0,3} (?:[A-Z]{0,2}Z[RB]|StR|Bv[A-Z]) \d{1,5}/\d\d",
    r"(?:(?<=E)CLI:[A-Z])?[A-Z]:[A-Z0-9]{1,7}:\d{4}:[A-Z0-9.]{0,24}[A-Z0-9]",
    # behind an act's name it only says where that is printed
    r"(?<=O)(?<!\(O)J (?:No )?[LC](?:[ ,/]{1,2}\d{1,4}(?:/\d{1,5})?)?"
    r"(?:, \d{1,2}\. ?\d{1,2}\. ?\d{4})?(?:, p\. ?\d{1,4})?(?<=\d)",
    # Civil Appeal No. 55 of 2030, Petition E005 of 2023
    r"(?:(?<=C)(?:ivil|riminal|onstitutional|ompany) [A-Z]|(?<=S)pecial [A-Z]|(?<=W)rit [A-Z])?"
    r"(?:(?<=A)(?:ppeal|pplication)|(?<=C)a(?:se|use)|(?<=P)etition|(?<=R)eference|(?<=S)uit)"
    rf"(?: [Nn]o\.?)? [A-Z]?\d{{1,5}} of {_YEAR}",
    r"(?<=G)\.R\. Nos?\. (?:L-)?\d{4,6}",  # of the Philippines
    rf"(?:(?<=F)A|(?<=C)A|(?<=H)C|(?<=D)C)[A-Z]{{1,3}} \d{{1,5}}/{_YEAR}",  # of Hong Kong
    r"(?<=N)o\. (?:\d:)?\d\d-(?:cv|cr|md|mc|bk)-\d{3,6}",
    r"[A-Z]{0,7}(?:/[A-Z0-9][A-Za-z0-9.()-]{0,14}){2,6}(?<=\d)",  # S/RES/1373, SEBI/HO/2031/12
)
_ENDS = r"(?![\w/]|[.,]\d)"
# Each begins with a sign of few, by which it is found the faster.
REPORTS = (
    rf"\[\d{{4}}\] (?:eKLR(?!\w)|(?:\d{{1,2}} )?{_SERIES} \d{{1,5}}{_IN_COURT}{_ENDS})",
    rf"\({_YEAR}\) \d{{1,3}} {_SERIES} \d{{1,5}}{_ENDS}",
    rf"\d(?<!\w.)(?:{'|'.join(_IN_DIGITS)}){_ENDS}",
    rf"[A-Z](?<!\w.)(?:{'|'.join(_IN_LETTERS)}){_ENDS}",
    rf"n[°º] ?\d\d-\d\d\.\d{{3}}{_ENDS}",
)
