"""Jobs under any sequence of verbs, workers' deaths among them: the arrows of `ingest.job_states` say what may happen.

Every verb is tried on jobs in every state. Where an arrow starts from the state, the verb must do what a small model
says; where none does, it must refuse and change nothing.
"""

from typing import Any

import pytest
from hypothesis.stateful import initialize

from sources.files import storage
from tests.ingest.library.documents import stored_keys
from tests.machines.jobs_people import LABELS, People
from tests.machines.jobs_workers import Workers
from tests.machines.steps import drive, long_enough

pytestmark = [pytest.mark.django_db(transaction=True), long_enough, pytest.mark.deep]


class Jobs(People, Workers):
    """What both do, in any order."""

    @initialize()
    def one_is_discarded_one_is_a_source_and_one_waits(self) -> None:
        """As few steps seldom get so far: the rules are tried from here."""
        for place in range(3):
            self.upload_in_a_batch(place % 2)
            self.work(0, waiting=True)
            if place == 0:
                self.discard(place)
            if place == 1:
                self.commit(0, waiting=True, knowing=False, label=LABELS[0])
                self.work(0, waiting=True)


@pytest.fixture(autouse=True)
def room_to_classify(settings: Any) -> None:
    """Whose turn it is, is tested elsewhere; and tests before left their files, as they share one store."""
    settings.KB_CLASSIFY_CONCURRENCY = 10_000
    for key in stored_keys():
        storage.delete(key)


def test_jobs_go_along_the_arrows_and_nowhere_else() -> None:
    drive(Jobs, usually=120)
    print(f"{Jobs.taken} steps")
