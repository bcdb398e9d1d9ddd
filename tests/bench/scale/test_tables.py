"""The report says what was measured, and why there is nothing where there is nothing."""

from bench.load import LoadedSet
from bench.metrics import percentiles
from bench.scale import tables
from bench.scale.beside_ingest import BesideIngest


def test_the_ratio_under_ingest_is_of_the_same_percentile() -> None:
    measured = BesideIngest(
        chunks=1000,
        idle=percentiles([10.0] * 20),
        during=percentiles([20.0] * 18 + [30.0, 30.0]),
        uploaded=LoadedSet(1, uploaded=10, upload_seconds=1.0, seconds=2.0),
        new_chunks=800,
    )
    table = tables.beside_ingest(measured)
    assert "| ratio |  | 2.00 | 3.00 | 3.00 |" in table
    assert "400 chunks/s" in table
