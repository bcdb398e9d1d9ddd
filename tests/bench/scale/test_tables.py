"""The report says what was measured, and why there is nothing where there is nothing."""

from pathlib import Path

from bench.metrics import percentiles
from bench.scale import tables
from bench.scale.beside_ingest import BesideIngest
from bench.scale.peers import NOT_INSTALLED, PGVECTOR_STORE, SERVICE, PeerRow, ask_pgvector_store
from bench.scale.qdrant import Filled
from bench.scale.uploads import Uploaded


def test_peers_are_told_as_multiples_of_the_service_on_the_same_topic() -> None:
    rows = [
        PeerRow("largest", 220_000, SERVICE, percentiles([10.0, 10.0]), recall=0.9, top1=0.8),
        PeerRow("largest", 220_000, "another", percentiles([250.0, 250.0]), recall=0.5, top1=0.4),
        PeerRow("largest", 220_000, PGVECTOR_STORE, percentiles([]), note="not installed"),
    ]
    service, another, missing = tables.peers(rows).splitlines()[2:]
    assert service.startswith("| largest | 220,000 | **this service** | 2 | 10.0 |  | 0.900 | 0.800 |")
    assert "| 250.0 | 25.0 | 0.500 |" in another
    assert "not installed" in missing


def test_a_peer_that_is_not_installed_is_named_and_skipped(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\nexit {NOT_INSTALLED}\n")
    python.chmod(0o755)
    answers, note = ask_pgvector_store([], topic_id=1, database_url="", python=str(python))
    assert answers == []
    assert "requirements-bench.txt" in note


def test_the_ratio_under_ingest_is_of_the_same_percentile() -> None:
    measured = BesideIngest(
        chunks=1000,
        idle=percentiles([10.0] * 20),
        during=percentiles([20.0] * 18 + [30.0, 30.0]),
        uploaded=Uploaded(files=10, refused=0, failed=0, upload_s=1.0, seconds=2.0),
        new_chunks=800,
    )
    table = tables.beside_ingest(measured)
    assert "| ratio |  | 2.00 | 3.00 | 3.00 |" in table
    assert "400 chunks/s" in table


def test_a_filled_collection_is_told_by_the_chunk() -> None:
    table = tables.filled({"hashing": Filled(2_000, fill_s=4.0, optimize_s=7.0, disk=6_000_000, memory=3_000_000)})
    assert "| hashing | 2,000 | 4 | 500 | 7 | 3,000 | 1,500 |" in table
