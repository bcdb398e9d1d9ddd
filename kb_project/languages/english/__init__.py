"""English."""

from __future__ import annotations

import re
from string import ascii_uppercase

import Stemmer

from kb_project.languages.english.citations import CITATIONS
from kb_project.languages.english.dates import DATES
from kb_project.languages.english.documents import DOCUMENTS
from kb_project.languages.english.statutes import STATUTES
from kb_project.languages.protocol import Language

_stemmer = Stemmer.Stemmer("english", 0)  # who asks for stems keeps them


class English(Language):
    """English; its stemmer is asked for the words of every language that has none."""

    code = "en"
    letters = "A-Za-z"
    alphabet = ascii_uppercase
    numbering = "A-Z"
    function_words = (
        "a an and are as at be by for from how in is it of on or that the this to was what when which who will with"
    )
    question_words = (
        "who whom whose where why do does did can could would should may might must shall there any some these those"
        " such so than then i we you he she they my our your their his her its me us them has have had were been being"
        " many much not no if but also into about between under over through within during out up down upon per"
        " via more most other same own"
    )
    small_title_words = frozenset(
        {"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "under", "with"}
    )
    no_evidence = "The documents here do not answer this question."
    citations = CITATIONS
    statutes = STATUTES
    dates = DATES
    documents = DOCUMENTS

    def stem(self, token: str) -> str:
        return _stemmer.stemWord(token).replace("'", "")

    def are_forms(self, one: str, other: str) -> bool:
        short, long = sorted((one, other), key=len)
        return long in (f"{short}s", f"{short}es") or (short[-1:] == "y" and long == f"{short[:-1]}ies")

    def form_keys(self, word: str) -> set[str]:
        return {word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)}
