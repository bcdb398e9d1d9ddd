"""Hebrew letters and their values. Forms and spellings of words by prefix letters and endings, no dictionary.

Forms of verbs are made from those in which questions are put: `מתי יש להגיש`, `למי נמסרה` and `הבקשה תוגש`. Some of the
forms made are no words, and no text has them.
"""

from collections.abc import Iterator

from law.patterns import regex

VALUES = dict(zip("אבגדהוזחטיכלמנסעפצקרשת", (*range(1, 11), *range(20, 100, 10), 100, 200, 300, 400), strict=True))
FINALS = dict(zip("ךםןףץ", (20, 40, 50, 80, 90), strict=True))
ALL_VALUES = {**VALUES, **FINALS}
# No value begins with another, so that a slug can be read back and names with different letters keep different slugs:
# that is why tet and samekh are doubled. Final forms are the same letter as their middle forms.
TO_ASCII = {
    "א": "a", "ב": "b", "ג": "g", "ד": "d", "ה": "h", "ו": "v", "ז": "z", "ח": "ch", "ט": "tt", "י": "y",
    "כ": "k", "ך": "k", "ל": "l", "מ": "m", "ם": "m", "נ": "n", "ן": "n", "ס": "ss", "ע": "e", "פ": "p",
    "ף": "p", "צ": "ts", "ץ": "ts", "ק": "q", "ר": "r", "ש": "sh", "ת": "th",
}  # fmt: skip
PREFIX_LETTERS = frozenset("והבכלמש")
FINAL_LETTERS = str.maketrans("ךםןףץ", "כמנפצ")
VOWEL_LETTERS = "וי"  # written or left out
# Plurals, constructs and possessives, longer ones first.
ENDINGS = (
    *("ויות", "יות", "יים", "ותי", "ים", "ות", "ית", "יו", "יה", "הם", "הן", "נו", "כם"),
    *("ה", "ת", "י", "ך", "ו", "ם"),
)
_ENDINGS = {last: tuple(one for one in ENDINGS if one[-1] == last) for last in {one[-1] for one in ENDINGS}}
MAX_PREFIXES = 3
MIN_STEM_LENGTH = 3  # letters: shorter forms are met by chance
LONG_STEM = 5
MIN_SKELETON_LENGTH = 3
# Two endings after the same letters, the shorter first: singular and plural, and what stands before another noun.
# Final letters are written as their middle forms here.
_FORM_ENDINGS = frozenset(
    {("", "ימ"), ("", "ות"), ("", "י"), ("ה", "ות"), ("ה", "ימ"), ("ה", "ת"), ("ת", "ות"), ("ת", "יות")}
)
_ANY_FORM_ENDING = ("", "ימ", "ות", "יות", "ה", "ת", "י", "מ")


# Words that are the same with and without the vowel letter in the second group: רי·שיון, תו·כנית, עני·ין.
_FULL_OR_SHORT = (
    ("י", regex(r"^([והבכלמש]{0,3}?[א-ת])(י?)([א-ת]{2}ו(?:ן|נ[א-ת]{1,4}))$")),
    ("ו", regex(r"^([והבכלמש]{0,3}?ת)(ו?)([א-ת]{2}י(?:ת|ות)[א-ת]{0,2})$")),
    ("י", regex(r"^([והבכלמש]{0,3}?(?:ענ|קנ|בנ|מנ|מעונ)י)(י?)([ןנ][א-ת]{0,4})$")),
)
_PLURAL = ("ים", "ין")
_FUTURE = "יתנ"
_FORMATIVE = PREFIX_LETTERS | set("יתנא")  # before a root
_ROOT_LENGTH = 3
_MIN_LETTERS = 3  # letters behind the ל
_LETTER = "[א-הזחטכ-ת]"  # no vowel letter
_PRESENT = regex(r"מ([א-ת]{1,2}י[א-ת])ימ")  # `איפה מגישים`
# Nouns have these forms too: only of what is known to be a verb
_SIMPLE = regex(r"([א-ת])ו([א-ת])([א-ת])(?:ת|ימ|ות)?")  # `מתי מוסר`
_CAUSATIVE = regex(r"מ([א-ת]{1,3}?י[א-לנ-ת])(?:ה|ת|ימ|ות)?")  # `מי מעניק`
_STRENGTHENED = regex(r"מ([א-ת]{3,4}?)(?:ת|ימ|ות)?")  # `כיצד מעגלים`
# No forms that nouns have too: `תוקף`, `מגרשים`, `תקופה`, `תלונת`
_SUFFERED = regex(rf"נ({_LETTER})({_LETTER})({_LETTER})(?<!ה)[הו]")  # `למי נמסרה`
_INTENSIVE = regex(rf"[ית]({_LETTER})ו({_LETTER})({_LETTER})(?<![הת])")  # `האם תבוטל`


def letters_order(letters: str) -> tuple[int, int]:
    """The number that the letters make, and that of the letters inserted after it: `יב` is 12, `בא` between ב and ג."""
    values = [ALL_VALUES.get(letter, 0) for letter in letters]  # a misprint may mix scripts
    size = 1
    while size < len(values) and (values[size - 1] >= 10 > values[size] or letters[:2] in {"טו", "טז"}):
        size += 1
    return sum(values[:size]), sum(values[size:])


def is_hebrew(word: str) -> bool:
    """Whether a bare word begins with a Hebrew letter."""
    return "א" <= word[:1] <= "ת"


def stem(word: str) -> str:
    """The light stem of a bare Hebrew word (no vowel marks, no quotes), with no letter in its final form.

    Words that share a stem are often but not always related. The index therefore holds the word as it stands too.
    Grammatical order of the prefixes is not asked for: requiring it found less.
    """
    word = _bare(word)
    for ending in _ENDINGS.get(word[-1:], ()):
        if word.endswith(ending) and len(word) - len(ending) >= MIN_STEM_LENGTH:
            word = word[: -len(ending)]
            break
    return word.translate(FINAL_LETTERS)


def other_spellings(stem: str) -> list[str]:
    """The stems that differ from this one by a single ו or י: `רשיונ` and `רישיונ`, `תכנ` and `תוכנ`.

    In front of a stem only a י can have come or gone, where a letter before it was taken for a prefix: `בטחון` and
    `ביטחון` leave `טחונ` and `יטחונ`. What begins with a digit has none.
    """
    if not is_hebrew(stem):
        return []
    shorter = [stem[:at] + stem[at + 1 :] for at in range(1, len(stem)) if stem[at] in VOWEL_LETTERS]
    shorter += [stem[1:]] if stem[:1] == "י" else []
    longer = [stem[:at] + letter + stem[at:] for at in range(1, len(stem)) for letter in VOWEL_LETTERS]
    found = dict.fromkeys([*(one for one in shorter if len(one) >= MIN_STEM_LENGTH), *longer, f"י{stem}"])
    found.pop(stem, None)  # of `יי` either may have been doubled
    return list(found)


def full_or_short(word: str) -> list[str]:
    """The same bare word in full or short spelling, where that is certain: `רישיון`, `רשיון`; `תוכנית`, `תכנית`."""
    found = ((letter, pattern.match(word)) for letter, pattern in _FULL_OR_SHORT)
    return [f"{one[1]}{'' if one[2] else letter}{one[3]}" for letter, one in found if one]


def are_spellings(one: str, other: str) -> bool:
    """Whether two stems have the same skeleton. Where that is short, whether they differ by a single ו or י."""
    if one[:1] != other[:1] or not is_hebrew(one):  # as of most: a name is compared with hundreds of titles
        return False
    bare = skeleton(one)
    return bare == skeleton(other) and (len(bare) >= MIN_SKELETON_LENGTH or other in other_spellings(one))


def skeleton(stem: str) -> str:
    """What all spellings of a stem have in common. It joins unrelated words too, so it only compares names."""
    stem = stem.removesuffix("ינ") if len(stem) > LONG_STEM else stem
    return stem[:1] + "".join(letter for letter in stem[1:] if letter not in VOWEL_LETTERS)


def are_forms(one: str, other: str) -> bool:
    """Whether one word is a plural, a construct or a prefixed form of the other, without final letters."""
    one, other = _with_single_vowels(one), _with_single_vowels(other)
    pairs = [(one, other)]
    pairs += [(bare, other) for bare in _without_prefix(one)] + [(one, bare) for bare in _without_prefix(other)]
    return any(_differ_in_ending(*pair) for pair in pairs)


def is_form_of(word: str, base: str) -> bool:
    """Whether a word is the base, its plural or construct, perhaps with prefix letters, without final letters.

    The base has no prefix but the article, and no other forms where it has two letters.
    """
    words = [word, *_without_prefix(word)]
    bases = [base, *([base[1:]] if base[0] == "ה" and len(base) > LONG_STEM else [])]
    if len(base) < MIN_STEM_LENGTH:
        return base in words
    pairs = [(one, other) for one in words for other in bases if len(one) >= MIN_STEM_LENGTH]
    pairs += [(_with_single_vowels(one), _with_single_vowels(other)) for one, other in pairs if len(one) >= LONG_STEM]
    return any(_differ_in_ending(*pair) for pair in pairs)


def is_shown_for(word: str, asked: str) -> bool:
    """Whether the words have one stem, or differ in spelling.

    What differs in spelling and in number too is more often another word: `פטור` is none of `פיטורים`.
    """
    short, long = sorted((_bare(word), _bare(asked)), key=len)
    if len(short) == MIN_STEM_LENGTH and long == f"{short}ת":
        return False  # the construct of another noun: `חובת` is of `חובה`, and no form of `חוב`
    return stem(word) == stem(asked) or word.endswith(_PLURAL) == asked.endswith(_PLURAL)


def _bare(word: str) -> str:
    """The word without the letters that its stem lacks in front."""
    start = 0
    while start < MAX_PREFIXES and len(word) - start > MIN_STEM_LENGTH and word[start] in PREFIX_LETTERS:
        start += 1
    return word[start:]


def form_keys(word: str) -> set[str]:
    """What the word may come from, without final letters."""
    word = _with_single_vowels(word)
    bases = [word, *_without_prefix(word)]
    return {base.removesuffix(ending) for base in bases for ending in _ANY_FORM_ENDING}


def _with_single_vowels(word: str) -> str:
    """Full and defective spelling differ most often in doubled letters."""
    return word.replace("יי", "י").replace("וו", "ו")


def _without_prefix(word: str) -> Iterator[str]:
    """The word without one or two prefix letters."""
    for count in (1, 2):
        # What is left of a short word by anything but the article is more often another word.
        least = 2 if word[:count] == "ה" else 3
        if len(word) - count >= least and PREFIX_LETTERS.issuperset(word[:count]):
            yield word[count:]


def _differ_in_ending(one: str, other: str) -> bool:
    common = next(
        (place for place, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other))
    )
    short, long = sorted((one[common:], other[common:]), key=lambda ending: (len(ending), ending))
    if common < 2:
        return False
    return one == other or (short, long) in _FORM_ENDINGS or (one[common - 1] == "י" and (short, long) == ("", "מ"))


def verb_forms(word: str, *, is_verb: bool = False) -> set[str]:
    """Other persons and tenses, the passive, and the noun of the act, without final letters. None of another word."""
    word = word.translate(FINAL_LETTERS)
    if is_verb and (told := _SIMPLE.fullmatch(word)):
        return _without_he(f"{told[1]}{told[2]}ו{told[3]}")
    if is_verb and (told := _CAUSATIVE.fullmatch(word)):
        return _with_he(told[1])
    if is_verb and (told := _STRENGTHENED.fullmatch(word)):
        return _without_he(told[1])
    if told := _PRESENT.fullmatch(word):
        return _with_he(told[1])
    if told := _SUFFERED.fullmatch(word):
        return _suffered(*told.groups())
    if told := _INTENSIVE.fullmatch(word):
        return _intensive(*told.groups())
    if not word.startswith("ל") or len(word) <= _MIN_LETTERS:
        return set()
    root = word[1:]
    return _with_he(root[1:]) if root[0] == "ה" else _without_he(root)


def roots(word: str) -> set[str]:
    """Three letters of a bare word that may be its root: `צרפ` of `יצורפו`, and others."""
    word = word.translate(FINAL_LETTERS)
    starts = [start for start in range(MAX_PREFIXES) if _FORMATIVE.issuperset(word[:start])]
    bare = ("".join(letter for letter in word[start:] if letter not in VOWEL_LETTERS) for start in starts)
    return {one[:_ROOT_LENGTH] for one in bare if len(one) >= _ROOT_LENGTH} or {word}


def spoken_forms(word: str) -> set[str]:
    """The active forms of an infinitive in which people tell and ask: `להחזיר` and החזירו, מחזירים, תחזיר."""
    word = word.translate(FINAL_LETTERS)
    if not word.startswith("ל") or len(word) <= _MIN_LETTERS or word[-1] == "ה":
        return set()
    root = word[2:] if word[1] == "ה" else word[1:]
    bare = root[:-2] if root.endswith("ות") else root.replace("ו", "")
    if len(bare) < MIN_STEM_LENGTH:
        return set()
    future = {f"{letter}{root}" for letter in "אתי"}
    if word[1] == "ה":
        return future | {f"ה{root}{end}" for end in ("", "ה", "ו")} | {f"מ{root}{end}" for end in ("", "ה", "ות", "ימ")}
    past, present = (f"{bare[0]}{vowel}{bare[1:]}" for vowel in "יו")
    told = {f"{stem}{end}" for stem in (bare, past) for end in ("", "ה", "ו", "תי")}
    told = set() if len(bare) > MIN_STEM_LENGTH and bare[0] == "ש" else told  # `שעבדה` is one who worked
    return future | told | {f"{stem}{end}" for stem in (present, f"מ{bare}") for end in ("", "ת", "ות", "ימ")}


def _with_he(root: str) -> set[str]:
    """`להגיש`, `להירשם`, `להתנגד`: יגיש, תוגש, הוגש, הגשה, מגיש, התנגדות."""
    root = f"{root[:-2]}ה" if root.endswith("ות") else root  # `להראות`: יראה
    short = root.replace("י", "")
    futures = {f"{letter}{root}" for letter in _FUTURE} | {f"{letter}ו{short}" for letter in "יתמה"}
    return futures | {
        f"{before}{form}{end}" for before in "המ" for form in (root, short) for end in ("", "ה", "ת", "ות")
    }


def _without_he(root: str) -> set[str]:
    """`לשמור`, `לאשר`, `לדחות`: ישמור, נשמר, שמירה, יאושר, אישור, תידחה, דחייה."""
    if root.endswith("ות"):
        bare = root[:-2]
        ended, nouns = f"{bare}ה", {f"{bare}ייה", f"{bare}יית", f"{bare[0]}י{bare[1:]}וי"}
    else:
        bare = root.replace("ו", "")
        ended, nouns = bare, {f"{bare[:-1]}י{bare[-1]}ה", f"{bare[:-1]}י{bare[-1]}ת", f"{bare[:-1]}ו{bare[-1]}"}
        nouns |= {f"{bare[0]}י{bare[1:-1]}ו{bare[-1]}"}
    passive = f"{ended[0]}ו{ended[1:]}"
    forms = {ended, passive, root} | nouns
    return {f"{letter}{form}" for letter in _FUTURE for form in (root, ended, passive)} | {
        form
        for form in {*forms, f"יי{ended}", f"תי{ended}", f"נ{ended}", f"מ{ended}", f"מ{passive}"}
        if len(form) >= _MIN_LETTERS
    }


def _suffered(first: str, second: str, last: str) -> set[str]:
    """`נמסרה`: ימסור, תימסר, נמסר, מסירה. Not what is made of the root in another way: `נבדקה` is of no `בידוק`."""
    bare = f"{first}{second}{last}"
    futures = {f"{letter}{form}" for letter in _FUTURE for form in (bare, f"{first}{second}ו{last}")}
    return futures | {f"יי{bare}", f"תי{bare}", f"{first}{second}י{last}ה", f"{first}{second}י{last}ת"}


def _intensive(first: str, second: str, last: str) -> set[str]:
    """`תבוטל`: יבטל, יבוטל, מבוטל, ביטול."""
    forms = (f"{first}{second}{last}", f"{first}ו{second}{last}")
    return {f"{letter}{form}" for letter in f"מ{_FUTURE}" for form in forms} | {forms[1], f"{first}י{second}ו{last}"}
