"""Which words of a query say what it is about, and how much the others still count.

Statistics alone are misled here: `what` and `could` are common in questions but rare in regulations, so their inverse
document frequency is that of a name.
"""

from __future__ import annotations

from collections.abc import Sequence

from search.text.analysis import Term, terms

# Found everywhere and telling nothing.
FUNCTION_WORDS = frozenset(
    term.word
    for term in terms(
        "של על את עם או אם כי לא הוא היא הם הן זה זו זאת אלה כל גם מה מי אל בין לפי יש אין "
        "a an and are as at be by for from how in is it of on or that the this to was what when which who will with"
    )
)
# They ask, and tell nothing of what about.
QUESTION_WORDS = frozenset(
    term.word
    for term in terms(
        "מי מה מתי כמה איפה היכן איך כיצד למה מדוע איזה איזו אילו אלו האם מהו מהי מהם מהן מיהו מיהי מיהם לאן מאין"
        " באיזה באיזו באילו לאיזה לאיזו לאילו מאיזה מאיזו עבור אחרי לפני אשר היה היתה הייתה היו"
        " יהיה תהיה ניתן אפשר יכול"
        " who whom whose where why do does did can could would should may might must shall there any some these those"
        " such so than then i we you he she they my our your their his her its me us them has have had were been being"
        " many much not no if but also into about between under over through within during out up down upon per"
        " via more most other same own"
    )
)
ASKING_WORTH = 0.3  # from 0.15 to 0.5 did about as well


def telling_terms(query: Sequence[Term]) -> list[Term]:
    """The terms that say what is asked about; with none, those that are no function words; with none, all."""
    content = [term for term in query if term.word not in FUNCTION_WORDS]
    return [term for term in content if term.word not in QUESTION_WORDS] or content or list(query)


def worth(word: str) -> float:
    """What a word of a query counts, from 0 to 1: less where it belongs to the asking and not to what is asked."""
    return ASKING_WORTH if word in FUNCTION_WORDS or word in QUESTION_WORDS else 1.0
