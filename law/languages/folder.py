"""What a language has in the files of its folder."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from law.languages.amending import AmendingWords
from law.languages.citations import ActWords, CitationWords, UnreadWords
from law.languages.documents import SIGNS, ClauseWords, DocumentWords
from law.languages.protocol import DateWords, DayMarkWords, QuotingWords, StatuteWords
from law.languages.questions import QuestionWords, SurveyWords
from law.languages.words import DivisionWords, read_rows, read_series, read_words


def read_language(folder: Path) -> dict[str, Any]:
    """Attributes of a `Language` by their names."""
    words = read_rows(folder / "words.toml")
    divisions = read_words(folder / "divisions.toml", DivisionWords)
    quoting = read_words(folder / "quoting.toml", QuotingWords)
    numerals = sorted(quoting.numbers, key=len, reverse=True)
    clauses = read_words(folder / "clauses.toml", ClauseWords, given={**SIGNS, "numeral": numerals})
    asked = {"own": clauses.own.pattern, "number_word": words["number_words"].split()}
    acts, foreign = read_words(folder / "acts.toml", ActWords), folder / "foreign.toml"
    if foreign.exists():
        acts = replace(acts, foreign=read_words(foreign, ActWords).foreign)
    return {
        **words,
        "divisions": divisions,
        "quoting": quoting,
        "clauses": clauses,
        "acts": acts,
        "series": read_series(folder),
        "citations": read_words(folder / "citations.toml", CitationWords, given=divisions.fields()),
        "statutes": read_words(folder / "statutes.toml", StatuteWords, given=divisions.fields()),
        "questions": read_words(folder / "questions.toml", QuestionWords, given=asked),
        "day_marks": read_words(folder / "days.toml", DayMarkWords, table="marks"),
        "dates": read_words(folder / "days.toml", DateWords, table="dates"),
        "documents": read_words(folder / "documents.toml", DocumentWords),
        "amending": read_words(folder / "amending.toml", AmendingWords),
        "unread": read_words(folder / "unread.toml", UnreadWords),
        "surveys": read_words(folder / "rules.toml", SurveyWords),
        "synonyms": (folder / "synonyms.txt").read_text(encoding="utf-8"),
    }
