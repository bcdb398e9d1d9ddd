"""How English texts cite judgments, and other things by where they are printed: `[2031] 2 AC 5`, `347 U.S. 483`."""

_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_DIVISIONS = "Acts?|Part|Section|Chapter|Schedule|Article|No|SI|PART|ACT|CAP"
_WORD = rf"(?!(?:{_MONTHS}|{_DIVISIONS})[a-z]*\b)[A-Z][A-Za-z&.]{{0,9}}"
_SERIES = rf"{_WORD}(?: (?:{_WORD}|\([A-Z]\w{{0,6}}\))){{0,3}}"
_YEAR = r"(?:1[89]|20)\d\d"
_IN_COURT = r"(?: \([A-Z][A-Za-z]{0,5}\))?"
# Courts that follow a year without brackets: SCC, ONCA, QCCS, ABKB; and the series of Scotland.
_COURTS = r"(?:[A-Z]{0,4}(?:C[ACJQS]|SC|[KQ]B|[FPT]C)|SCC|SC[CL]R|SLT|CanLII|SCC OnLine [A-Z][a-z]{1,4})"
_STATES = (
    "Ala|Ariz|Ark|Cal|Colo|Conn|Del|Fla|Ga|Haw|Ill|Ind|Iowa|Kan|Ky|La|Mass|Md|Me|Mich|Minn|Miss|Mo|Mont|Neb|Nev"
    r"|N\. ?[HJMY]|Ohio St|Okla|Or|Pa|R\. ?I|Tenn|Tex|Va|Vt|Wash|W\. Va|Wis|Wyo"
)
_AMERICAN = (
    r"U\. ?S|S\. ?Ct|L\. ?Ed|F\. ?Supp|Fed\. ?Cl|Fed\. ?Reg|B\. ?R|U\. ?N\. ?T\. ?S|L\. ?N\. ?T\. ?S"
    r"|[NS]\. ?[EW]|So|N\. ?Y\. ?S|Cal\. ?Rptr|[FAP](?=\. ?[2-4]d)"
    rf"|(?:{_STATES})(?:\. ?App)?"
)
_FORMS = (
    rf"\[\d{{4}}\] (?:\d{{1,2}} )?{_SERIES} \d{{1,5}}{_IN_COURT}",
    rf"\({_YEAR}\) \d{{1,3}} {_SERIES} \d{{1,5}}",
    rf"(?<![\w/.-]){_YEAR} (?:{_COURTS}|\(\d{{1,2}}\) [A-Z][A-Za-z]{{1,6}}) \d{{1,6}}{_IN_COURT}",
    rf"AIR {_YEAR} [A-Z][A-Za-z]{{1,9}} \d{{1,5}}",
    rf"(?<![\w/.§-])(?<!§ )\d{{1,4}} (?:(?:{_AMERICAN})\. ?(?:(?:2d|3d|\dth) )?|US |F\. App['’]x )\d{{1,5}}",
    r"BGE \d{1,3} [IVX]{1,3} \d{1,4}",
    r"(?:BVerfGE|BVerwGE|BGHZ|BGHSt|BAGE|BSGE|NJW) \d{1,4}, \d{1,4}",
    r"(?:[IVX]{1,4}|\d) (?:[A-Z]{0,2}Z[RB]|StR|Bv[A-Z]) \d{1,5}/\d\d",
    r"(?:ECLI:)?[A-Z]{2}:[A-Z0-9]{1,7}:\d{4}:[A-Z0-9.]{0,24}[A-Z0-9]",
    r"[1-6](?:19|20)\d\d[A-Z]{1,2}\d{4}",  # CELEX
    # behind an act's name it only says where that is printed
    r"(?<!\()OJ (?:No )?[LC](?:[ ,/]{1,2}\d{1,4}(?:/\d{1,5})?)?"
    r"(?:, \d{1,2}\. ?\d{1,2}\. ?\d{4})?(?:, p\. ?\d{1,4})?(?<=\d)",
    # Civil Appeal No. 55 of 2030, Petition E005 of 2023
    r"(?:(?:Civil|Criminal|Special|Writ|Miscellaneous|Constitutional|Company) )?"
    r"(?:Appeal|Application|Case|Cause|Petition|Reference|Suit)(?: [Nn]o\.?)? [A-Z]?\d{1,5} of (?:1[89]|20)\d\d",
    r"(?:No\. )?(?:\d:)?\d\d-(?:cv|cr|md|mc|bk)-\d{3,6}",
    r"[A-Z]{1,8}(?:/[A-Z0-9][A-Za-z0-9.()-]{0,14}){2,6}(?<=\d)",  # S/RES/1373, SEBI/HO/2031/12
    r"n[°º] ?\d\d-\d\d\.\d{3}",
)
REPORTS = rf"(?<![\w])(?:{'|'.join(_FORMS)})(?![\w/]|[.,]\d)"
