"""How Hebrew cites sections, parts and schedules."""

from law.languages.protocol import CitationWords

_PREFIXES = "[ושהכבלמ]"
_UNITS = ("ראשון ראשונה", "שני שנייה שניה", "שלישי שלישית", "רביעי רביעית", "חמישי חמישית", "שישי שישית ששי ששית")
_MORE_UNITS = ("שביעי שביעית", "שמיני שמינית", "תשיעי תשיעית", "עשירי עשירית")
_ORDINALS = {word: place for place, words in enumerate((*_UNITS, *_MORE_UNITS), 1) for word in words.split()}
_DIVISIONS = ("חלק", "שער", "פרק", "סימן", "תוספת", "נספח", "טופס", "לוח")
_DIVISION_ID = (
    rf"(?:ה?(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})(?![א-ת])"
    r"|(?:ט[\"״]?[וז]|[יכלמנ][\"״]?[א-ט])(?![א-ת])|[א-ת](?![א-ת\"״])|\d{1,3}(?![\w.%/-]))[׳']?(?: ?\d{1,2}(?![\w.%/]))?"
)
_SAID = "(?:סעיפים|סעיף|תקנות|תקנה|פרק|סימן|חלק|תוספת)"
_HINTS = (
    "אותו",
    "אותה",
    "אותם",
    "סע",
    "ס'",
    "ס׳",
    'ס"ס',
    "ס״ס",
    "ס ",
    "תקנ",
    "תק'",
    "תק׳",
    "פסק",
    "פיסק",
    "פרט",
    "פריט",
    "כלל",
    *_DIVISIONS,
)

CITATIONS = CitationWords(
    hints=_HINTS,
    unit=(
        rf"(?<![א-ת]){_PREFIXES}{{0,4}}?(?:סעיפים|סעיפי|סעיף|סע['׳.]|ס[\"״]ס|(?<!מ)ס(?= \d)"
        r"|תקנת[ ־-]משנה|תקנה|תקנות(?= \d)|תק['׳]|(?<!מ)ס['׳]|פרט|פרטים(?= \d)|כלל|כללים(?= \d)"
        r"|פריט|פריטים(?= \d)|פי?סקה(?= \d)|פי?סקאות(?= \d))"
    ),
    number_word=r"מספר|מס['׳.]?",
    # Letters may be set off from the digits: `13-א`, `13"א`, `34כ"ד`, `סעיף 13 א לחוק`.
    number_letters=(
        r"(?:(?:[\"״]|[־-](?!ו))(?=[א-ת]{1,2}\d?(?![א-ת\"״]))| (?=[א-הז-ט](?: [לבש]|\(|\n|$)))?"
        r"(?:[א-ת][\"״][א-ת](?![א-ת])|(?:(?!ו[־-]\d|או \d)[א-ת]){1,3})"
    ),
    later_letters=r"(?:(?!ו[־-]\d|או \d)[א-ת]){1,2}(?![א-ת])",
    conjunction=r"ו[־-]\d|או \d",
    glued_and="ו",
    and_words=r"ו(?:גם|כן) |ו[־–-]?|או ",
    to_words=r"ו?עד ",
    of_words="של",
    clause_units=(
        rf"(?<![א-ת]){_PREFIXES}{{0,4}}?"
        "(?:סעיפים[ ־]קטנים|סעיף[ ־]קטן|תקנ[הות]{1,2}[ ־-]משנה|פי?סק(?:אות|ה|ת)(?:[ ־-]משנה)?)"
    ),
    again=r" (?:ה?אמור(?:ה|ים|ות)?|הנ[\"״]ל)(?![א-ת])",
    said=(rf"(?<![א-ת]){_PREFIXES}{{0,4}}?(?:אות[והםן] {_SAID}|{_SAID} (?:ה?אמור(?:ה|ים|ות)?|הנ[\"״]ל))(?![א-ת])"),
    subsections=rf"{_PREFIXES}{{0,4}}?(?:סעי|תקנ)",
    term_of='(?:ל|של |שב)ה?הגדר(?:ה|ת)(?: של)? ["”“„][^"”“„\n]{1,60}["“”]',
    section_ends="רי?ש[אה]|סי?פ[אה]|ואילך|והלאה",
    more_clauses=("וב?(?:פי?סקאות|פי?סקה|סעיפים קטנים|סעיף קטן)", "ו[־–-]?"),
    link_words=r"של|לפי|על[ \-־]פי|מתוך",
    # A prefix letter of a name is part of its first word, unless it is set off (`ל־חוק`).
    link_articles="[לבמש]{1,2}[־-]",
    linked=r"של |[לבמש]{1,2}[־-]?[א-ת]",
    list_prefix="[ובל]{1,2}[־–-]",
    act_words="(?:ל|של )(?:חוק|פקודת|תקנות|צו|כללי)",
    division=rf"(?<![א-ת]){_PREFIXES}{{0,4}}?(?P<kind>{'|'.join(_DIVISIONS)})(?: (?P<id>{_DIVISION_ID}))",
    unnumbered_annex=rf"{_PREFIXES}{{1,4}}?(?P<kind>תוספת|נספח)(?![א-ת])",
    annex_alone=(
        rf"(?<![א-ת])(?:{_PREFIXES}{{0,3}}שב|[ושכמ]{{0,2}}[הבל])(?P<kind>תוספת)(?![א-ת])"
        r"(?:(?<=שבתוספת)|(?= ?(?:[.,;:)\n–]|$)| (?:ל(?:חוק|תקנות|פקוד|צו)|או|כאמור|לפי|לא|אם|על|יהי|ו)))"
    ),
    annex_label="ה?(?P<kind>תוספת|נספח|לוח)(?![א-ת])",
    annexes=frozenset({"תוספת", "נספח", "טופס", "לוח"}),
    ordinals=_ORDINALS | {f"ה{word}": place for word, place in _ORDINALS.items()},
    names={"section": "סעיף", "regulation": "תקנה", "item": "פרט", "paragraph": "פסקה"},
    cited_in="{place} ל{title}",
    calendar_year=r"ה?תש[א-ת\"״'׳]{1,5}",
    identifier_forms=(
        (r"(?<=[א-ת])\.(?=[א-ת])", ""),  # ע.א.
        (r"(?<=[א-ת])-?(?=\d{1,9}-\d)", " "),  # עא1234/05
    ),
    number_nouns=frozenset({"מס", "מספר"}),
)
