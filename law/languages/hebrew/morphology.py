"""Hebrew letters and their values. Forms and spellings of words by prefix letters and endings, no dictionary."""

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
MIN_STEM_LENGTH = 3
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


_PLURAL = ("ים", "ין")


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
