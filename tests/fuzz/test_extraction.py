"""A few hostile files of every light kind through the isolated reader; `python -m bench.fuzz` reads thousands."""

import os
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.fuzz.hostile import KINDS
from tests.fuzz.reading import CODES, TEXT, Read, read

pytestmark = pytest.mark.deep

FILES_OF_A_KIND = int(os.environ.get("KB_FUZZ_FILES", "1"))
LIGHT = [name for name, kind in KINDS.items() if kind.weight >= 1]


@pytest.mark.timeout(7200)
def test_hostile_files_end_as_text_or_with_a_code_within_their_limits() -> None:
    warnings.filterwarnings("ignore", "Duplicate name")
    files = [(kind, number) for kind in LIGHT for number in range(1, FILES_OF_A_KIND + 1)]
    with ThreadPoolExecutor(4) as pool:
        reads: list[Read] = list(pool.map(lambda file: read(file[0], seed=1, number=file[1]), files))
    assert [one for one in reads if one.faults] == []
    assert {one.outcome for one in reads} <= {TEXT, *CODES}
    assert {"text", "corrupt"} <= {one.outcome for one in reads}
