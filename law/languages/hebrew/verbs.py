"""Forms of Hebrew verbs, made from those in which questions are put: `מתי יש להגיש`, `למי נמסרה` and `הבקשה תוגש`.

No dictionary: some of the forms made are no words, and no text has them.
"""

from law.languages.hebrew.morphology import FINAL_LETTERS
from law.patterns import regex

_FUTURE = "יתנ"
_MIN_LETTERS = 3  # letters behind the ל
_LETTER = "[א-הזחטכ-ת]"  # no vowel
_ENDING = "(?:ת|ימ|ות)"
_TOLD_WITH_HE = regex(r"מ([א-ת]{1,2}י[א-ת])ימ|[ית]([א-ת]י[א-ת])ו?")  # `איפה מגישים`, `מתי תגיש`
# `למי נמסרה`; `ממה ממומן`, `מי מכהנת`, `האם תבוטל`
_TOLD = regex(
    rf"נ({_LETTER}{{3}})(?<!ה)(?:[הות]|ימ|ות)?"
    rf"|מ({_LETTER})ו({_LETTER}{{2}}){_ENDING}?|מ({_LETTER}{{3}}){_ENDING}|[ית]({_LETTER})ו({_LETTER}{{2}})ו?"
)
_TOLD_OF_DOER = regex(rf"({_LETTER})ו({_LETTER})({_LETTER})(?<!ה){_ENDING}?")  # `מי מוסר`
_TOLD_HOLLOW = regex(rf"[ית]({_LETTER})ו({_LETTER})ו?")  # `מתי תדון`
MIN_STEM_LENGTH = 3  # letters: shorter forms are met by chance


def verb_forms(word: str) -> set[str]:
    """Other persons and tenses, the passive, and the noun of the act, without final letters. None of another word."""
    word = word.translate(FINAL_LETTERS)
    if told := _TOLD_WITH_HE.fullmatch(word):
        return _with_he(told[1] or told[2])
    if told := _TOLD.fullmatch(word):
        return _without_he("".join(filter(None, told.groups())))
    if told := _TOLD_OF_DOER.fullmatch(word):
        return _of_doer(*told.groups())
    if told := _TOLD_HOLLOW.fullmatch(word):
        first, last = told.groups()
        return {f"{before}{first}ו{last}" for before in _FUTURE} | {f"{first}יו{last}", f"ני{first}ו{last}"}
    if not word.startswith("ל") or len(word) <= _MIN_LETTERS:
        return set()
    root = word[1:]
    return _with_he(root[1:]) if root[0] == "ה" else _without_he(root)


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


def _of_doer(first: str, second: str, last: str) -> set[str]:
    """`מוסר`: ימסור, יימסר, נמסר, מסירה. Not what is made of the root in another way: `עובד` is of no `עיבוד`."""
    bare = f"{first}{second}{last}"
    futures = {f"{letter}{form}" for letter in _FUTURE for form in (bare, f"{first}{second}ו{last}")}
    return futures | {f"תי{bare}", f"{first}{second}י{last}ה", f"{first}{second}י{last}ת"}
