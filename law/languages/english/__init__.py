"""English: how it cites, divides laws and writes dates."""

import re
from pathlib import Path
from string import ascii_uppercase

import Stemmer

from law.languages.folder import read_language
from law.languages.protocol import Language

_stemmer = Stemmer.Stemmer("english", 0)  # who asks for stems keeps them


def _without_inflection(word: str) -> str:
    """The word without the endings of number and tense, where a stem goes further: `regulator` is no `regulation`."""
    word = re.sub("(?<=..)i(?:es|ed)$", "y", word)
    word = re.sub("(?<=[a-z]{3})(?:s|ed|ing)$", "", word)
    return re.sub(r"([b-df-hj-np-rtv-z])\1$", r"\1", word.removesuffix("e"))


class English(Language, rows=read_language(Path(__file__).parent)):
    """English. Its stemmer is asked for the words of every language that has none."""

    code = "en"
    alpha_3 = "eng"
    letters = "A-Za-z"
    alphabet = ascii_uppercase
    numbering = "A-Z"
    acronym = r"[A-Z][A-Za-z]{0,6}[A-Z]"
    no_evidence = "The documents here do not answer this question."

    def stem(self, token: str) -> str:
        return _stemmer.stemWord(token).replace("'", "")

    def are_forms(self, one: str, other: str) -> bool:
        short, long = sorted((one, other), key=len)
        return long in (f"{short}s", f"{short}es") or (short[-1:] == "y" and long == f"{short[:-1]}ies")

    def is_shown_for(self, word: str, asked: str) -> bool:
        return _without_inflection(word) == _without_inflection(asked)

    def form_keys(self, word: str) -> set[str]:
        return {word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)}
