"""Every row of `amending.toml` reads its examples, and nothing of them is left unread."""

import pytest

from law.amendments.sentences import read_sentence
from law.languages import LANGUAGES, Language
from law.languages.amending import InstructionForm

EXAMPLES = [
    pytest.param(language, form, example, id=f"{language.code}-{form.does}-{example[:40]}")
    for language in LANGUAGES
    for form in language.amending.forms
    for example in form.reads
]


@pytest.mark.parametrize(("language", "form", "example"), EXAMPLES)
def test_a_form_reads_its_examples(language: Language, form: InstructionForm, example: str) -> None:
    read = read_sentence(example, language)
    assert read is not None
    assert not any(one.unread for one in read.instructions)
    assert form.lead or form.does in {one.action.value for one in read.instructions}


def test_every_row_has_an_example() -> None:
    bare = [form.printed for language in LANGUAGES for form in language.amending.forms if not form.reads]
    assert bare == []


def test_what_is_no_instruction_is_none() -> None:
    english, hebrew = (next(one for one in LANGUAGES if one.code == code) for code in ("en", "he"))
    for said in ("The registrar may refuse a licence.", "In section 5, a licence includes a permit."):
        assert read_sentence(said, english) is None
    assert read_sentence("השר רשאי לקבוע בתקנות את סדרי הדיון.", hebrew) is None
