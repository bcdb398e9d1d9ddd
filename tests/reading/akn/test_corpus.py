"""Real laws and rules as Akoma Ntoso."""

import os

import pytest

from tests.reading.akn.checking import DATA, check, files

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no {DATA} (set KB_DATA_SETS)")
EVERY = int(os.environ.get("KB_AKN_EVERY", "20"))


def test_real_documents_are_valid_and_keep_their_text() -> None:
    checked = [check(path, kind) for path, kind in files(EVERY)]
    assert len(checked) > 600 / EVERY
    assert [(one.name, one.errors[:2]) for one in checked if one.errors] == []
    assert [one.name for one in checked if not one.is_same] == []
