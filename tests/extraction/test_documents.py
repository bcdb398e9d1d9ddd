"""The document set: Word, web and text files give their true text."""

import re

import pytest

from extraction import ExtractionFailed, extract
from tests.extraction.scoring import Entry, entries, needs_documents, score

HIGHEST_CER = 0.001
NOTE_NUMBER = re.compile("[⁰¹²³⁴-⁹]+ ?")  # Word prints it, the true text has the note without it

pytestmark = needs_documents


@pytest.mark.parametrize("entry", entries(".docx", ".html", ".txt"), ids=lambda entry: entry.file)
def test_text_is_the_true_text(entry: Entry) -> None:
    if "ok" not in entry.accepted:
        with pytest.raises(ExtractionFailed) as caught:
            list(extract(entry.path))
        assert caught.value.code in entry.accepted
        return
    text = "\n".join(page.text for page in extract(entry.path))
    scored = score(NOTE_NUMBER.sub("", text), NOTE_NUMBER.sub("", entry.truth))
    assert scored.cer <= HIGHEST_CER
    assert scored.numbers == 1.0
    assert scored.words == 1.0
