"""Mistakes in the environment are said at start."""

from typing import Any

import pytest
from django.core.checks import run_checks

from answers.asking.ask import configured
from kb_project.llm.roles import ANSWERS, PROVIDERS


def sentences() -> list[str]:
    return [message.msg for message in run_checks() if str(message.id).startswith("kb.")]


def test_the_defaults_are_right() -> None:
    assert sentences() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KB_STORAGE", "ftp"),
        ("KB_EMBEDDER", "magic"),
        ("KB_MAX_UPLOAD_MB", 0),
        ("KB_HEARTBEAT_S", -1.0),
        ("KB_STALLED_AFTER_S", 1.0),
        ("KB_ANSWERER", "oracle"),
        ("KB_ANSWERER", "anthropic"),  # without a key
        ("KB_ANSWERER", "openai,extractive"),  # without a model
        ("KB_ANSWERER", "extractive,extractive"),
        ("KB_ANSWERER", "extractive,"),
        ("KB_ANSWERER", "rules"),
        ("KB_CLASSIFIER", "extractive"),
        ("KB_CLASSIFIER", "rules,openai"),
        ("KB_EXPANDER", "rules"),
        ("KB_LLM_DAILY_TOKENS", -1),
        ("KB_ANSWER_CACHE_S", -1),
        ("KB_ANSWER_TIMEOUT_S", 0.0),
        ("KB_WEB_PROCESSES", 0),
        ("KB_RERANKER", "oracle"),
        ("KB_RERANKER_PASSAGES", 101),
        ("KB_RERANKER_TIMEOUT_S", 0.0),
        ("REDIS_URL", "http://cache/0"),
        ("KB_ADMIN_PASSWORD", "short"),
        ("KB_ADMIN_PASSWORD", "Password2026!"),
    ],
)
def test_a_value_that_cannot_be_is_named(settings: Any, name: str, value: object) -> None:
    setattr(settings, name, value)
    assert any(sentence.startswith(name) for sentence in sentences())


def test_a_reranker_needs_what_it_is_made_of(settings: Any) -> None:
    settings.KB_RERANKER = "http"
    assert sentences() == ["KB_RERANKER_URL must be set for KB_RERANKER=http."]
    settings.KB_RERANKER_URL = "http://127.0.0.1:8080"
    assert sentences() == []
    settings.KB_RERANKER, settings.KB_RERANKER_MODEL = "sentence-transformers", "/no/such/folder"
    assert sentences()[0].startswith("KB_RERANKER_MODEL is '/no/such/folder'")


def test_what_sign_in_with_the_organisation_needs_is_named(settings: Any) -> None:
    settings.KB_OIDC_LOCAL_ACCOUNTS = False
    assert sentences() == ["KB_OIDC_LOCAL_ACCOUNTS=0 leaves no way in without KB_OIDC_ISSUER."]
    settings.KB_OIDC_ISSUER = "ftp://acme.example?tenant=1"
    settings.KB_OIDC_SCOPES = ["profile"]
    found = sentences()
    for name in ("CLIENT_ID", "CLIENT_SECRET", "SCOPES", "ISSUER", "ROLES is empty"):
        assert any(sentence.startswith(f"KB_OIDC_{name}") for sentence in found), name
    assert "KB_OIDC_ISSUER must begin with https:// or http:// and name a host." in found
    settings.KB_OIDC_ISSUER, settings.KB_OIDC_SCOPES = "https://acme.example", ["openid"]
    settings.KB_OIDC_CLIENT_ID = settings.KB_OIDC_CLIENT_SECRET = "x"
    for pairs in ("legal", "legal=king", "=reviewer", "legal=reviewer;x"):
        settings.KB_OIDC_ROLES = pairs
        assert [one[:20] for one in sentences()] == ["KB_OIDC_ROLES gives "], pairs
    settings.KB_OIDC_ROLES = " CN=Legal,OU=Staff = reviewer; leads=manager ;it=superuser;"
    assert sentences() == []
    settings.EMAIL_URL = "smtp://mail.example"
    assert sentences() == ["DEFAULT_FROM_EMAIL must be set for EMAIL_URL: mail needs a sender."]


def test_a_chain_is_read_in_order(settings: Any) -> None:
    settings.ANTHROPIC_API_KEY, settings.KB_LLM_MODEL = "a-key", "a-model"
    settings.KB_ANSWERER, settings.KB_CLASSIFIER = "anthropic, openai,extractive", "openai,rules"
    settings.KB_EXPANDER = "openai,none"
    assert sentences() == []
    settings.KB_ANSWERER = "anthropic,mistral,extractive"
    assert sentences() == ["KB_ANSWERER names 'mistral'; it can name anthropic, openai and extractive."]


def test_values_that_could_not_be_read_are_told_together(settings: Any) -> None:
    settings.ENVIRONMENT_MISTAKES = ["KB_PORT is no number.", "KB_DEMO is no switch."]
    assert sentences() == settings.ENVIRONMENT_MISTAKES


@pytest.mark.parametrize("provider", [*PROVIDERS, ANSWERS.offline])
def test_each_name_of_a_chain_has_an_answerer(settings: Any, provider: str) -> None:
    settings.ANTHROPIC_API_KEY, settings.KB_LLM_MODEL, settings.KB_ANSWERER = "a-key", "a-model", provider
    assert configured("").provider == provider


@pytest.mark.parametrize("rate", ["often", "0/min", "-1/min", "300", "ten/min"])
@pytest.mark.parametrize("scope", ["anon", "search", "ask"])
def test_a_rate_that_is_none_or_lets_nobody_in_is_named(settings: Any, scope: str, rate: str) -> None:
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], scope: rate}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    assert [sentence.split()[0] for sentence in sentences()] == [f"KB_THROTTLE_{scope.upper()}"]


def test_requests_may_go_unlimited(settings: Any) -> None:
    unlimited = dict.fromkeys(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "")
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": unlimited}
    assert sentences() == []


@pytest.mark.parametrize("rate", ["", "often", "0/h", "-1/h", "10", "ten/h"])
@pytest.mark.parametrize(
    ("limit", "name"),
    [
        ("account_and_address", "KB_LOGIN_FAILURES_PAIR"),
        ("account", "KB_LOGIN_FAILURES_ACCOUNT"),
        ("address", "KB_LOGIN_FAILURES_ADDRESS"),
    ],
)
def test_a_limit_of_failed_sign_ins_that_is_none_is_named(settings: Any, limit: str, name: str, rate: str) -> None:
    settings.KB_LOGIN_FAILURES = {**settings.KB_LOGIN_FAILURES, limit: rate}
    assert [sentence.split()[0] for sentence in sentences()] == [name]
