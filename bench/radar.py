"""Made circulars that cite sections of dated acts, and which of them the radar lists: `python -m bench.radar`.

Takes `versions` under KB_DATA_SETS. All versions are uploaded to one topic, and then circulars of a day on which a
version was in force. Each cites one section of it. Half of the sections changed later, as the index says.
"""

import random
import sys
import tempfile
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from bench.client import Api
from bench.command import add_limit, data_sets, parser_of, run
from bench.datasets import DataSet, Document
from bench.load import load
from bench.stack import embedded
from bench.tables import markdown
from bench.versions import Version, read_acts, take_in

SEED = 41
SETTLED_S = 20  # without a further row, while nothing is uploaded
TEXT = "To all offices.\nWe remind you that section {number} of the {title} applies to every application.\n"


def main() -> int:
    parser = parser_of("bench.radar", __doc__)
    add_limit(parser)
    parser.add_argument("--circulars", type=int, default=300, help="half of them on what changed (%(default)s)")
    parser.add_argument("--wrong", action="store_true", help="name what was told otherwise")
    chosen = parser.parse_args()
    acts = read_acts(data_sets() / "versions")[: chosen.limit]
    with tempfile.TemporaryDirectory(prefix="kb-bench-") as folder, embedded(Path(folder), keep=True) as stack:
        api = Api(stack.base_url, stack.api_key)
        topic_id, there = take_in(acts, api=api, stack=stack)
        made = [one for act in there for one in circulars(act, api=api)]
        chooser = random.Random(SEED)
        halves = [[one for one in made if one[1] == stale] for stale in (True, False)]
        some = [one for half in halves for one in chooser.sample(half, min(len(half), chosen.circulars // 2))]
        documents = [replace(one, filename=f"{n}.txt", unit=str(n)) for n, (one, _) in enumerate(some)]
        loaded = load(DataSet("radar", "Radar", tuple(documents)), api=api, topic_id=topic_id, connections=4)
        ids = {int(name.partition(".")[0]): source_id for source_id, name in loaded.sources.items()}
        listed = settled(api, topic_id=topic_id)
        api.close()
    stale = {ids[n] for n, (_, is_stale) in enumerate(some) if is_stale and n in ids}
    fresh = set(ids.values()) - stale
    if chosen.wrong:
        names = {source_id: documents[n] for n, source_id in ids.items()}
        for source_id in sorted((stale - listed) | (fresh & listed)):
            print(source_id in stale, names[source_id].published_at, names[source_id].content)
    rows = [
        [
            "cite what changed",
            str(len(stale)),
            str(len(stale & listed)),
            f"{len(stale & listed) / max(len(stale), 1):.3f}",
        ],
        [
            "cite what did not",
            str(len(fresh)),
            str(len(fresh & listed)),
            f"{len(fresh & listed) / max(len(fresh), 1):.3f}",
        ],
    ]
    print(markdown(["circulars that", "number", "listed", "share"], rows))
    return 0


def circulars(act: list[Version], *, api: Api) -> list[tuple[Document, bool]]:
    """A circular on each numbered section of each version but the last, and whether the section changed later."""
    found = []
    for place, version in enumerate(act[:-1]):
        later = {number for one in act[place + 1 :] for number in one.changed}
        day = version.begins + timedelta(days=1)
        for one in api.provisions(version.source_id):
            number = one["number"].rstrip(".")
            if one["kind"] == "section" and number:
                text = TEXT.format(number=number, title=version.title)
                title = f"Circular on section {number} of the {version.title}, {day}"
                circular = Document("", text, "circular", "", title=title, published_at=day.isoformat())
                found.append((circular, number in later))
    return found


def settled(api: Api, *, topic_id: int) -> set[int]:
    """The sources that the radar lists, once it lists no more."""
    listed: set[int] = set()
    until = time.monotonic() + SETTLED_S
    while time.monotonic() < until:
        now = {row["source"]["id"] for row in api.radar(topic_id=topic_id)}
        if now != listed:
            listed, until = now, time.monotonic() + SETTLED_S
        time.sleep(1)
    return listed


if __name__ == "__main__":
    sys.exit(run(main))
