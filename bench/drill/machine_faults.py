"""The faults of a service on several machines: each sort of part is killed, cut off and slowed."""

import random
from collections.abc import Callable
from functools import partial

from bench.drill.faults import Fault
from bench.drill.faulty_s3 import FaultyS3
from bench.drill.machines import BEATS, CLASSIFIERS, QDRANT, WEBS, WORKERS, Part, Service
from bench.links import Links

STORAGE, DEAD, SILENT, UPGRADE = (
    "storage",
    "primary dead, standby promoted",
    "primary silent, standby promoted",
    "upgrade",
)
SORTS = ("web", "worker", "classifier", "beat", "redis", "primary", "standby", QDRANT)
KILLED, CUT_OFF, SLOW = "{} killed", "{} cut off", "{} slow"
NAMES = (
    *(what.format(sort) for sort in SORTS for what in (KILLED, CUT_OFF, SLOW)),
    *(what.format(STORAGE) for what in (CUT_OFF, SLOW)),
    *("storage 503", DEAD, SILENT, UPGRADE),
)
SLOW_S = 0.05  # each way
AWAY_S, SLOWED_S = (3.0, 8.0), (5.0, 10.0)

Pick = Callable[[], Part]


def faults_of(service: Service, *, s3: FaultyS3, chance: random.Random) -> list[Fault]:
    """Every fault. A new sort of part is a line in `picks`, and links to it."""
    picks: dict[str, Pick] = {
        "web": lambda: service.parts[chance.choice(WEBS)],
        "worker": lambda: service.parts[chance.choice(WORKERS)],
        "classifier": lambda: service.parts[chance.choice(CLASSIFIERS)],
        "beat": lambda: service.parts[chance.choice(BEATS)],
        "redis": lambda: service.redis,
        "primary": lambda: service.cluster.primary,
        "standby": lambda: chance.choice(service.cluster.standbys),
    }
    if qdrant := service.qdrant:
        picks[QDRANT] = lambda: qdrant
    faults = [fault for sort, pick in picks.items() for fault in _of_part(sort, pick, links=service.links)]
    faults += _of_network(STORAGE, lambda: STORAGE, links=service.links)
    faults.append(
        Fault(
            name="storage 503", does="the storage refuses every request", begin=s3.refuse, end=s3.heal, lasts_s=AWAY_S
        )
    )
    for name, begin in ((DEAD, _bury_primary), (SILENT, _silence_primary)):
        faults.append(
            Fault(
                name=name,
                does="a standby is promoted. The old primary becomes a standby when all is whole",
                begin=partial(begin, service),
                end=service.promote,
                lasts_s=AWAY_S,
                after=service.replace_old_primary,
            )
        )
    faults.append(Fault(name=UPGRADE, does="each program is replaced, one after the other", begin=service.upgrade))
    assert [fault.name for fault in faults] == [name for name in NAMES if service.qdrant or QDRANT not in name]
    return faults


def _of_part(sort: str, pick: Pick, *, links: Links) -> list[Fault]:
    hit: list[Part] = []

    def kill() -> None:
        hit[:] = [pick()]
        hit[0].kill()

    killed = Fault(
        name=KILLED.format(sort),
        does="kill -9 of all its processes, and a new start later",
        begin=kill,
        end=lambda: hit[0].start(),
        lasts_s=AWAY_S,
    )
    return [killed, *_of_network(sort, lambda: pick().name, links=links)]


def _of_network(sort: str, pick: Callable[[], str], *, links: Links) -> list[Fault]:
    hit: list[str] = []

    def begin(change: Callable[[str], None]) -> None:
        hit[:] = [pick()]
        change(hit[0])

    def heal() -> None:
        links.slow(hit[0], 0)

    return [
        Fault(
            name=CUT_OFF.format(sort),
            does="nothing passes from or to it",
            begin=lambda: begin(links.cut_off),
            end=heal,
            lasts_s=AWAY_S,
        ),
        Fault(
            name=SLOW.format(sort),
            does=f"what comes from and goes to it takes {SLOW_S * 1000:.0f} ms longer each way",
            begin=lambda: begin(lambda name: links.slow(name, SLOW_S)),
            end=heal,
            lasts_s=SLOWED_S,
        ),
    ]


def _bury_primary(service: Service) -> None:
    service.cluster.primary.kill()


def _silence_primary(service: Service) -> None:
    service.links.cut_off(service.cluster.primary.name)
