"""`python -m bench.batch`: two hundred made-up files as one batch, classified, decided, searched for and counted."""

import argparse
import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from bench.batch_client import BatchApi
from bench.batch_outcome import Outcome, check_search, check_sources
from bench.batch_review import CONNECTIONS, decide, take_in
from bench.client import ApiError
from bench.load import ensure_topic
from bench.made_up import make_files
from bench.stack import StackFailed, embedded
from bench.tables import markdown

GOOD, COPIES = 185, 5  # with the ten broken ones: 200


def table(outcome: Outcome) -> str:
    def codes(counted: Counter[str]) -> str:
        return ", ".join(f"{count} {code}" for code, count in sorted(counted.items())) or "none"

    rows = [
        ("files", str(outcome.files)),
        ("refused", codes(outcome.refused)),
        ("failed", codes(outcome.failed)),
        ("duplicates", str(outcome.duplicates)),
        ("awaiting review", str(outcome.awaiting)),
        ("kind proposed right", str(outcome.kinds_right)),
        ("sources", str(outcome.sources)),
        ("found by their word", str(outcome.found)),
        ("labels", str(outcome.labels)),
        ("seconds to classify", f"{outcome.classify_s:.1f}"),
        ("seconds to embed", f"{outcome.embed_s:.1f}"),
        ("does not add up", str(len(outcome.problems))),
    ]
    return markdown(["batch", ""], rows)


def main() -> int:
    # Asked to end, leave through the `with` block that stops the embedded servers.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    parser = argparse.ArgumentParser(prog="python -m bench.batch", description=__doc__)
    parser.add_argument("--data-dir", type=Path, help="start the service on this data, and keep it")
    parser.add_argument("--keep", action="store_true", help="keep the temporary data of the service")
    chosen = parser.parse_args()
    os.environ["KB_CLASSIFIER"] = "rules"  # also where the environment has a key
    files = make_files(good=GOOD, copies=COPIES)
    try:
        with embedded(chosen.data_dir, keep=chosen.keep) as stack:
            api = BatchApi(stack.base_url, stack.api_key, connections=CONNECTIONS + 1)
            topic_id = ensure_topic(f"batch-{int(time.time())}", name="A batch", api=api, stack=stack)
            outcome, jobs = take_in(files, api=api, topic_id=topic_id)
            jobs = decide(files, jobs, api=api, outcome=outcome)
            check_sources(files, jobs, api=api, topic_id=topic_id, outcome=outcome)
            check_search(files, jobs, api=api, topic_id=topic_id, outcome=outcome)
            api.close()
    except (ApiError, StackFailed) as error:
        print(error, file=sys.stderr)
        return 2
    print(table(outcome))
    for problem in outcome.problems:
        print(f"- {problem}")
    return 1 if outcome.problems else 0


if __name__ == "__main__":
    sys.exit(main())
