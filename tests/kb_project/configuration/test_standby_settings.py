"""`DATABASE_REPLICA_URLS`: what becomes of it, and which mistakes are told at start."""

from typing import Any

import pytest

from kb_project.configuration import environment
from kb_project.configuration.environment import server_urls
from kb_project.configuration.standby_settings import configuration_errors, standby_databases

PRIMARY = "postgres://kb@db1/kb"


def test_standbys_have_options_of_the_primary_and_small_pools() -> None:
    pool = {"min_size": 2, "max_size": 10, "timeout": 1.5}
    options = {"application_name": "kb", "connect_timeout": 5, "target_session_attrs": "read-write", "pool": pool}
    primary: dict[str, Any] = {"ENGINE": "ours", "HOST": "db1", "NAME": "kb", "USER": "kb", "OPTIONS": options}
    urls = ["postgres://kb:secret@db2:5433/kb", "postgres://kb@db3/kb?connect_timeout=7"]
    found = standby_databases(primary, urls)
    assert [*found] == ["replica1", "replica2"]
    assert found["replica1"] | {"OPTIONS": None} == {
        "ENGINE": "ours",
        "HOST": "db2",
        "PORT": 5433,
        "NAME": "kb",
        "USER": "kb",
        "PASSWORD": "secret",
        "OPTIONS": None,
    }
    assert found["replica1"]["OPTIONS"] == {
        "application_name": "kb",
        "connect_timeout": 2,
        "pool": {"min_size": 0, "max_size": 10, "timeout": 0.5},
    }
    assert found["replica2"]["OPTIONS"]["connect_timeout"] == 7
    assert options["pool"] is pool
    assert pool["min_size"] == 2


@pytest.mark.parametrize(
    ("primary", "urls", "sentence"),
    [
        ("", ["postgres://db2/kb"], "needs DATABASE_URL"),
        (PRIMARY, ["mysql://db2/kb"], "URL 1 of DATABASE_REPLICA_URLS must begin with postgres://"),
        (PRIMARY, ["db2"], "URL 1 of DATABASE_REPLICA_URLS must begin with postgres://"),
        (
            PRIMARY,
            ["postgres://db2/kb", "postgres://kb@DB1:5432/kb"],
            "URL 2 of DATABASE_REPLICA_URLS is the",
        ),
        (
            PRIMARY,
            ["postgres://db2/kb", "postgres://other@db2:5432/kb"],
            "URL 2 of DATABASE_REPLICA_URLS names the",
        ),
        (PRIMARY, ["postgres://db2/other"], "must name the database that DATABASE_URL names"),
        (PRIMARY, [f"postgres://db{number}/kb" for number in range(2, 11)], "names 9 servers; it can be 8 at most"),
    ],
)
def test_mistakes_are_told(primary: str, urls: list[str], sentence: str) -> None:
    [found] = configuration_errors(primary, urls)
    assert sentence in found


@pytest.mark.parametrize("primary", [PRIMARY, "postgres://kb@db1,db2:5432/kb?target_session_attrs=read-write"])
def test_a_standby_may_be_the_next_primary(primary: str) -> None:
    assert not [*configuration_errors(primary, ["postgres://db2/kb", "postgres://[::1]:5433/kb"])]
    assert not [*configuration_errors(primary, [])]


def test_urls_are_divided_by_commas_and_get_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment.env, "mistakes", [])
    monkeypatch.setenv("DATABASE_REPLICA_URLS", "postgres://kb@db2/kb, postgres://kb:own@db3/kb,")
    monkeypatch.setenv("DATABASE_PASSWORD", "p@ss")
    read = server_urls("DATABASE_REPLICA_URLS", password="DATABASE_PASSWORD")
    assert read == ["postgres://kb:p%40ss@db2/kb", "postgres://kb:own@db3/kb"]
    monkeypatch.setenv("DATABASE_REPLICA_URLS", "postgres://kb:p@ss@db2/kb")
    assert server_urls("DATABASE_REPLICA_URLS", password="DATABASE_PASSWORD") == []
    assert len(environment.env.mistakes) == 1
