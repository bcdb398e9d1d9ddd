"""Forms of Hebrew verbs, made from those in which questions are put: `מתי יש להגיש`, `למי נמסרה` and `הבקשה תוגש`.

No dictionary: some of the forms made are no words, and no text has them.
"""

from law.languages.hebrew.morphology import FINAL_LETTERS
from law.patterns import regex

_FUTURE = "יתנ"
_MIN_LETTERS = 3  # letters behind the ל
_LETTER = "[א-הזחטכ-ת]"  # no vowel letter
_PRESENT = regex(r"מ([א-ת]{1,2}י[א-ת])ימ")  # `איפה מגישים`
# No forms that nouns have too: `תוקף`, `מגרשים`, `תקופה`, `תלונת`
_SUFFERED = regex(rf"נ({_LETTER})({_LETTER})({_LETTER})(?<!ה)[הו]")  # `למי נמסרה`
_INTENSIVE = regex(rf"[ית]({_LETTER})ו({_LETTER})({_LETTER})(?<![הת])")  # `האם תבוטל`
MIN_STEM_LENGTH = 3  # letters: shorter forms are met by chance


def verb_forms(word: str) -> set[str]:
    """Other persons and tenses, the passive, and the noun of the act, without final letters. None of another word."""
    word = word.translate(FINAL_LETTERS)
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
