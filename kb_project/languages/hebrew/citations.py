"""How Hebrew cites: `סעיף 5(א)(2) לחוק …`, `פרק ב׳`, `ע"א 1234/05`."""

from __future__ import annotations

from kb_project.languages.citations import CitationWords

_PREFIXES = "[ושהכבלמ]"
_UNITS = ("ראשון ראשונה", "שני שנייה שניה", "שלישי שלישית", "רביעי רביעית", "חמישי חמישית", "שישי שישית ששי ששית")
_MORE_UNITS = ("שביעי שביעית", "שמיני שמינית", "תשיעי תשיעית", "עשירי עשירית")
_ORDINALS = {word: place for place, words in enumerate((*_UNITS, *_MORE_UNITS), 1) for word in words.split()}
_DIVISIONS = ("חלק", "שער", "פרק", "סימן", "תוספת", "נספח", "לוח")
_DIVISION_ID = (
    rf"(?:ה?(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})(?![א-ת])"
    r"|(?:ט[\"״]?[וז]|[יכלמנ][\"״]?[א-ט])(?![א-ת])|[א-ת](?![א-ת\"״])|\d{1,3}(?![\w.%/-]))[׳']?(?:\s?\d{1,2}(?![\w.%/]))?"
)

CITATIONS = CitationWords(
    unit=(
        rf"(?<![א-ת]){_PREFIXES}{{0,4}}?(?:סעיפים|סעיפי|סעיף|סע['׳.]|ס[\"״]ס|ס(?=\s\d)|תקנת[\s־-]משנה|תקנה|תקנות(?=\s\d)"
        r"|תק['׳]|(?<!מ)ס['׳]|פרט|פרטים(?=\s\d)|כלל|כללים(?=\s\d)|פריט|פריטים(?=\s\d)|פי?סקה(?=\s\d)|פי?סקאות(?=\s\d))"
    ),
    number_word=r"מספר|מס['׳.]?",
    number_letters=r"(?!ו[־-]\d)[א-ת]{1,3}",
    later_letters=r"(?!ו[־-]\d)[א-ת]{1,2}(?![א-ת])",
    conjunction=r"ו[־-]\d",
    glued_and="ו",
    and_words=r"ו(?:גם|כן)\s|ו[־–-]?|או\s",
    to_words=r"ו?עד\s",
    of_words="של",
    clause_units=r"סעיפים\sקטנים|סעיף\sקטן|פי?סקאות|פי?סקה|פי?סקת[\s־-]משנה",
    spacing=(
        # The letters of a number set off from its digits: `13-א`, `13"א`, `34כ"ד`; `סעיף 13 א לחוק`.
        (
            r"(?<=\d)(?:[\"״]|[־-](?!ו))(?=[א-ת]{1,2}\d?(?![א-ת\"״]))|(?<=\d[א-ת])[\"״](?=[א-ת](?![א-ת]))",
            "",
        ),
        (r"(?P<unit>(?:סעיף|תקנה|ס['׳]) ?\d{1,4}) (?=[א-הז-ט](?: [לבש]|\(|$))", r"\g<unit>"),
    ),
    section_ends="רי?ש[אה]|סי?פ[אה]|ואילך|והלאה",
    more_clauses=("וב?(?:פי?סקאות|פי?סקה|סעיפים קטנים|סעיף קטן)", "ו[־–-]?"),
    link_words=r"של|לפי|על[ \-־]פי|מתוך",
    # A prefix letter of a name is part of its first word, unless it is set off (`ל־חוק`).
    link_articles="[לבמש]{1,2}[־-]",
    linked=r"של\s|[לבמש]{1,2}[־-]?[א-ת]",
    list_prefix="[ובל]{1,2}[־–-]",
    act_words="(?:ל|של )(?:חוק|פקודת|תקנות|צו|כללי)",
    division=rf"(?<![א-ת]){_PREFIXES}{{0,4}}?(?P<kind>{'|'.join(_DIVISIONS)})(?:\s(?P<id>{_DIVISION_ID}))",
    unnumbered_annex=rf"{_PREFIXES}{{1,4}}?(?P<kind>תוספת|נספח)(?![א-ת])",
    annex_label="ה?(?P<kind>תוספת|נספח|לוח)(?![א-ת])",
    division_hints=_DIVISIONS,
    annexes=frozenset({"תוספת", "נספח", "לוח"}),
    ordinals=_ORDINALS | {f"ה{word}": place for word, place in _ORDINALS.items()},
    calendar_year=r"ה?תש[א-ת\"״'׳]{1,5}",
    identifier_forms=(
        (r"(?<=[א-ת])\.(?=[א-ת])", ""),  # ע.א.
        (r"(?<=[א-ת])-?(?=\d{1,9}-\d)", " "),  # עא1234/05
    ),
    number_nouns=frozenset({"מס", "מספר"}),
)
