"""The document set: Word, web and text files give their true text."""

import pytest

from sources.extraction import ExtractionFailed, extract
from tests.sources.extraction.scoring import Entry, entries, needs_documents, score

HIGHEST_CER = 0.001

pytestmark = needs_documents


@pytest.mark.parametrize("entry", entries(".docx", ".html", ".txt"), ids=lambda entry: entry.file)
def test_text_is_the_true_text(entry: Entry) -> None:
    if "ok" not in entry.accepted:
        with pytest.raises(ExtractionFailed) as caught:
            list(extract(entry.path))
        assert caught.value.code in entry.accepted
        return
    scored = score("\n".join(page.text for page in extract(entry.path)), entry.truth)
    assert scored.cer <= HIGHEST_CER
    assert scored.numbers == 1.0
    assert scored.words == 1.0
