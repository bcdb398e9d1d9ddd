"""How many requests in what time, as settings say it. Apart from throttles: checks of settings do without Redis."""

PERIODS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def parse_rate(rate: str) -> tuple[int | None, int]:
    """`300/min` as (300, 60). An empty rate means no limit. Raises ValueError for anything else."""
    if not rate:
        return None, 1
    number, _slash, period = rate.partition("/")
    if period[:1] not in PERIODS:
        raise ValueError(f"“{rate}” is not a rate such as 300/min")
    return int(number), PERIODS[period[:1]]
