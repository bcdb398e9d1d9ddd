"""Variables of the environment: what they may hold, and how a mistake is kept to be told at start."""

import re

import pytest

from kb_project.configuration import environment
from kb_project.configuration.environment import Environment, server_url
from tests.servers import PROJECT


@pytest.fixture
def env(monkeypatch: pytest.MonkeyPatch) -> Environment:
    """The project's reader with no mistakes noted yet."""
    monkeypatch.setattr(environment.env, "mistakes", [])
    return environment.env


@pytest.mark.parametrize(("text", "value"), [("1", True), ("Yes", True), ("on", True), ("0", False), ("FALSE", False)])
def test_switch_is_read(env: Environment, monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv("KB_TRIAL", text)
    assert env.bool("KB_TRIAL", default=not value) is value
    assert env.mistakes == []


@pytest.mark.parametrize(
    ("read", "text", "default", "sentence"),
    [
        ("bool", "maybe", True, "KB_TRIAL is 'maybe'; it must be 1 or 0."),
        ("bool", "2", False, "KB_TRIAL is '2'; it must be 1 or 0."),
        ("int", "abc", 8000, "KB_TRIAL is 'abc'; it must be a whole number."),
        ("int", "1.5", 8000, "KB_TRIAL is '1.5'; it must be a whole number."),
        ("float", "45 s", 45.0, "KB_TRIAL is '45 s'; it must be a number."),
        ("float", "nan", 45.0, "KB_TRIAL is 'nan'; it must be a number."),
        ("float", "inf", 45.0, "KB_TRIAL is 'inf'; it must be a number."),
    ],
)
def test_value_of_another_type_is_noted_and_the_default_taken(
    env: Environment, monkeypatch: pytest.MonkeyPatch, read: str, text: str, default: object, sentence: str
) -> None:
    monkeypatch.setenv("KB_TRIAL", text)
    assert getattr(env, read)("KB_TRIAL", default=default) == default
    assert env.mistakes == [sentence]


def test_empty_switch_or_number_is_an_unset_one_and_an_empty_text_is_empty(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KB_TRIAL", "")
    assert env.bool("KB_TRIAL", default=True) is True
    assert env.int("KB_TRIAL", default=7) == 7
    assert env.str("KB_TRIAL", default="300/min") == ""
    assert env.mistakes == []


def test_text_is_taken_as_it_is(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_TRIAL", "$ecret ")
    assert env.str("KB_TRIAL", default="") == "$ecret "


@pytest.mark.parametrize("secret", ["p@ss/w#rd", "100%", "סוד", "a:b"])
def test_password_of_its_own_variable_needs_no_escaping(
    env: Environment, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    import environ

    monkeypatch.setenv("DATABASE_URL", "postgres://kb@db.example.org:5432/kb?sslmode=require")
    monkeypatch.setenv("DATABASE_PASSWORD", secret)
    database = environ.Env.db_url_config(server_url("DATABASE_URL", password="DATABASE_PASSWORD"))
    assert database["PASSWORD"] == secret
    assert (database["HOST"], database["PORT"], database["USER"]) == ("db.example.org", 5432, "kb")
    assert database["OPTIONS"] == {"sslmode": "require"}
    monkeypatch.setenv("REDIS_URL", "redis://cache.example.org:6379/0")
    monkeypatch.setenv("REDIS_PASSWORD", secret)
    from redis.connection import parse_url

    broker = parse_url(server_url("REDIS_URL", password="REDIS_PASSWORD"))
    assert (broker["password"], broker["host"], broker["port"]) == (secret, "cache.example.org", 6379)


def test_password_in_the_url_goes_first(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://:inside@cache/0")
    monkeypatch.setenv("REDIS_PASSWORD", "beside")
    assert server_url("REDIS_URL", password="REDIS_PASSWORD") == "redis://:inside@cache/0"


def test_password_makes_no_url_where_there_is_none(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL")
    monkeypatch.setenv("DATABASE_PASSWORD", "beside")
    assert server_url("DATABASE_URL", password="DATABASE_PASSWORD") == ""


@pytest.mark.parametrize(
    "url",
    [
        "postgres://kb@h1:5432,h2:5432/kb",
        "postgres://kb:p%40ss@[::1]:5432/kb",
        "postgres:///kb?host=/run/postgresql",
        "rediss://cache.example.org/0",
    ],
)
def test_other_forms_of_a_url_are_taken(env: Environment, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    assert server_url("DATABASE_URL", password="DATABASE_PASSWORD") == url
    assert env.mistakes == []


@pytest.mark.parametrize("password", ["p@ss", "p/ss", "p#ss", "12/34"])
def test_password_that_breaks_its_url_is_a_mistake(
    env: Environment, monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgres://kb:{password}@db:5432/kb")
    assert server_url("DATABASE_URL", password="DATABASE_PASSWORD") == ""
    [sentence] = env.mistakes
    assert sentence.startswith("DATABASE_URL cannot be read as a URL.")
    assert password not in sentence


def test_variable_that_nothing_reads_is_named_with_the_one_that_is_meant(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = env.unknown_names()
    monkeypatch.setenv("KB_MAX_UPLOADS_MB", "5")
    monkeypatch.setenv("KB_QQQ", "1")
    monkeypatch.setenv("KB_MAX_UPLOAD_MB", "5")
    found = env.unknown_names()
    assert {name: found[name] for name in found.keys() - before.keys()} == {
        "KB_MAX_UPLOADS_MB": "KB_MAX_UPLOAD_MB",
        "KB_QQQ": "",
    }


def test_what_kubernetes_tells_of_services_is_no_setting(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    before = env.unknown_names()
    for name in ("SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP", "PORT", "PORT_8000_TCP", "PORT_8000_TCP_ADDR"):
        monkeypatch.setenv(f"KB_WEB_{name}", "10.0.0.1")
    assert env.unknown_names() == before
    monkeypatch.setenv("KB_MAIL_PORT", "25")  # of no service that there is
    assert [*env.unknown_names().keys() - before.keys()] == ["KB_MAIL_PORT"]


def test_what_our_own_files_set_is_known(env: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [PROJECT / name for name in (".env.example", "docker-compose.yml", "Dockerfile", "Makefile")]
    files += [*PROJECT.glob("deploy/**/*.yaml"), *PROJECT.glob("bench/**/*.py")]
    names = {name for file in files for name in re.findall(r"\bKB_[A-Z0-9_]+\b", file.read_text(encoding="utf-8"))}
    assert len(names) > 100
    for name in names:
        monkeypatch.setenv(name, "1")
    assert names.isdisjoint(env.unknown_names())
