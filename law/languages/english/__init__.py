"""English: how it cites, divides laws and writes dates."""

import re
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from string import ascii_uppercase

import Stemmer

from law.languages.acts import ActWords
from law.languages.amending import read_amending
from law.languages.citations import CitationWords
from law.languages.clauses import ClauseWords
from law.languages.documents import DocumentWords
from law.languages.english.questions import QUESTIONS
from law.languages.english.quoting import QUOTING
from law.languages.protocol import DateWords, DayMarkWords, Language, StatuteWords
from law.languages.series import read_series
from law.languages.unread import UnreadWords
from law.languages.words import read_divisions, read_words

_FOLDER = Path(__file__).parent
_DIVISIONS = read_divisions(_FOLDER / "divisions.toml")
_stemmer = Stemmer.Stemmer("english", 0)  # who asks for stems keeps them


def _without_inflection(word: str) -> str:
    """The word without the endings of number and tense, where a stem goes further: `regulator` is no `regulation`."""
    word = re.sub("(?<=..)i(?:es|ed)$", "y", word)
    word = re.sub("(?<=[a-z]{3})(?:s|ed|ing)$", "", word)
    return re.sub(r"([b-df-hj-np-rtv-z])\1$", r"\1", word.removesuffix("e"))


class English(Language):
    """English. Its stemmer is asked for the words of every language that has none."""

    code = "en"
    alpha_3 = "eng"
    letters = "A-Za-z"
    alphabet = ascii_uppercase
    numbering = "A-Z"
    function_words = (
        "a an and are as at be by for from how in is it of on or that the this to was what when which who will with"
    )
    acronym = r"[A-Z][A-Za-z]{0,6}[A-Z]"
    joined_prefixes = "anti co multi non self semi sub"  # without those of other words, as in `present`
    elisions = "d l"  # of names and terms from French: `l'Abbé`
    question_words = (
        "who whom whose where why do does did can could would should may might must shall there any some these those"
        " such so than then i we you he she they my our your their his her its me us them has have had were been being"
        " many much not no if but also into about between under over through within during out up down upon per"
        " via more most other same own"
    )
    number_words = (
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half"
        " quarter double twice triple"
    )
    meta_words = (
        "document documents passage passages source sources text texts answer answers question questions information"
        " according based say says mention mentions contain contains provide provided find found following follows"
        " summary short conclusion here hello thank thanks glad happy help hope"
    )
    abbreviations = (
        "mr mrs ms dr prof st art arts sec secs reg regs para paras nos ltd inc vs cf approx lit abs nr subs ch sch cl"
        " ss id ibid"
    )
    abbreviations_inside = "cent etc viz"
    abbreviations_of_number = "no rs"
    small_title_words = frozenset(
        {"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "under", "with"}
    )
    no_evidence = "The documents here do not answer this question."
    synonyms = (_FOLDER / "synonyms.txt").read_text(encoding="utf-8")
    divisions = _DIVISIONS
    citations = read_words(_FOLDER / "citations.toml", CitationWords, divisions=_DIVISIONS)
    acts = replace(
        read_words(_FOLDER / "acts.toml", ActWords), foreign=read_words(_FOLDER / "foreign.toml", ActWords).foreign
    )
    unread = read_words(_FOLDER / "unread.toml", UnreadWords)
    amending = read_amending(_FOLDER)
    series = read_series(_FOLDER)
    statutes = read_words(_FOLDER / "statutes.toml", StatuteWords, divisions=_DIVISIONS)
    day_marks = read_words(_FOLDER / "days.toml", DayMarkWords, table="marks")
    questions = QUESTIONS
    quoting = QUOTING
    dates = read_words(_FOLDER / "days.toml", DateWords, table="dates")
    documents = read_words(_FOLDER / "documents.toml", DocumentWords)

    @cached_property
    def clauses(self) -> ClauseWords:
        from law.languages.english.clauses import CLAUSES

        return CLAUSES

    def stem(self, token: str) -> str:
        return _stemmer.stemWord(token).replace("'", "")

    def are_forms(self, one: str, other: str) -> bool:
        short, long = sorted((one, other), key=len)
        return long in (f"{short}s", f"{short}es") or (short[-1:] == "y" and long == f"{short[:-1]}ies")

    def is_shown_for(self, word: str, asked: str) -> bool:
        return _without_inflection(word) == _without_inflection(asked)

    def form_keys(self, word: str) -> set[str]:
        return {word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)}
