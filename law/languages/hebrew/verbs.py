"""Forms of Hebrew verbs, made from the infinitive in which questions are put: `מתי יש להגיש` and `הבקשה תוגש`.

No dictionary: some of the forms made are no words, and no text has them.
"""

from law.languages.hebrew.morphology import FINAL_LETTERS

_FUTURE = "יתנ"
_MIN_LETTERS = 3  # letters behind the ל


def verb_forms(word: str) -> set[str]:
    """Other persons and tenses, the passive, and the noun of the act, without final letters. None of another word."""
    word = word.translate(FINAL_LETTERS)
    if not word.startswith("ל") or len(word) <= _MIN_LETTERS:
        return set()
    root = word[1:]
    return _with_he(root[1:]) if root[0] == "ה" else _without_he(root)


def _with_he(root: str) -> set[str]:
    """`להגיש`, `להירשם`, `להתנגד`: יגיש, תוגש, הוגש, הגשה, מגיש, התנגדות."""
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
