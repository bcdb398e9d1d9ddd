"""How English texts name acts of other languages behind `§ 5` and `Art. 5`: ` BGB`, ` du Code civil`, ` Cost.`."""

_LETTER = "[A-Za-zÀ-ɏ]"
# EStG, GG, InsO: two capitals at least, and no word of a heading
_SHORT = (
    r"(?!(?:OF|TO|IN|ON|BY|AS|IS|IT|NO|AT|IF|SO|WE|DO|AN|US|UK|PM|AM|OR(?= (?:[§\d]|[Aa]rt))|[IVXLC]+)\b)"
    rf"[A-Z]{_LETTER}{{0,9}}[A-Z][a-z]{{0,2}}"
)
_OF_THE = r" (?:du|de la|de l['’]|des|del|della|dello|dell['’]|dei|der|van het)"
_OF = rf"(?:{_OF_THE}| d[eioa])"
_CODE = (
    "Código|Codigo|Codice|Wetboek|Grundgesetz|Constitución|Constitucion|Costituzione|Constituição|Ley|Loi|Legge"
    "|Estatuto|Décret|Decreto"
)
_KIND = "[Cc]ivile?|[Pp]énal|[Pp]enale?|général|[Cc]omercio|[Pp]rocesal|[Tt]ributario"
_MORE = rf"(?: (?:{_KIND})(?!\w)|{_OF} ?[\w'’]{{3,20}})"
_NAME = rf"(?:(?:{_CODE}){_MORE}{{0,4}}|Code{_MORE}{{1,4}})"
# Const., C. civ., c.p.c.
_POINTED = (
    r"Cost\.|Const\.|[Cc](?:od)?\. ?(?:civ|pén|pen|com|trav|cons|proc\. ?(?:civ|pén))\."
    r"|(?!e\.g|i\.e|p\.m|a\.m)(?:[a-z]\.){2,4}"
)
_ACCENTED = r"[A-Z][a-z]*[À-ɏ][A-Za-zÀ-ɏ]*"  # Minpō
_ALONE = r"(?![\w-]|[.’'&]\w)"
FOREIGN = (
    rf"(?: [IVX]{{1,4}}(?= [A-Z]))?(?:{_OF}|,? of the(?: [A-Z][a-z]+)?)? ?(?<=[ '’])"
    rf"(?P<alias>{_NAME}{_ALONE}|{_POINTED}(?!\w)|{_ACCENTED}{_ALONE})"
    rf"|{_OF_THE} ?(?P<alias_3>[A-Z][\w'’]{{2,25}}{_MORE}{{0,4}}){_ALONE}"
    rf"|(?: [IVX]{{1,4}}(?= [A-Z]))? (?P<alias_2>{_SHORT}){_ALONE}(?! [A-Z]|, [A-Z]{{2}})"
)
