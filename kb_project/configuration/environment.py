"""Where settings come from: the environment, `.env`, and what the data directory keeps."""

import json
import math
import os
import re
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import environ
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

BASE_DIR = Path(__file__).resolve().parents[2]
NOTE = "stack.json"  # in the data directory, while `manage.py up` runs
TRUE, FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
OURS = "KB_"  # what the names of the service's own variables begin with
# Of the file of this machine's model, which is found without settings, of containers, benchmarks and trials.
READ_ELSEWHERE = frozenset({"KB_LOCAL_MODEL_FILE", "KB_IMAGE", "KB_BASE_IMAGE", "KB_DATA_SETS", "KB_SMOKE"})
# Kubernetes tells every container of each service: of kb-web as KB_WEB_SERVICE_HOST, KB_WEB_PORT_8000_TCP and others.
OF_A_SERVICE = re.compile(r"(KB_\w+?)_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?)")


def _boolean(text: str) -> bool:
    if text.lower() not in TRUE + FALSE:
        raise ValueError
    return text.lower() in TRUE


def _number(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError
    return number


class Environment(environ.Env):
    """django-environ with strict switches and numbers: what cannot be read is a mistake, and the default stands in.

    `kb_project.operations.checks` reports all mistakes at once, and no process of the service starts with one.
    An empty switch or number is an unset one. A text is taken as it is, a leading dollar sign included.
    """

    _types: dict[object, tuple[Callable[[str], Any], str]] = {
        bool: (_boolean, "1 or 0"),
        int: (int, "a whole number"),
        float: (_number, "a number"),
    }

    def __init__(self) -> None:
        super().__init__()
        self.mistakes: list[str] = []
        self._asked: set[str] = set()

    def get_value(self, var: str, cast: Any = None, default: Any = None, parse_default: bool = False) -> Any:
        """The variable's value, or the default."""
        self._asked.add(var)
        if cast is str:
            return self.ENVIRON.get(var, default)
        if cast not in self._types:
            return super().get_value(var, cast=cast, default=default, parse_default=parse_default)
        text = self.ENVIRON.get(var, "").strip()
        if not text:
            return default
        convert, kind = self._types[cast]
        try:
            return convert(text)
        except ValueError:
            self.mistakes.append(f"{var} is {text!r}; it must be {kind}.")
            return default

    def unknown_names(self) -> dict[str, str]:
        """Variables of ours that nothing reads, each with the setting that is written most like it, or "".

        Ask when all settings have been read.
        """
        known = sorted(READ_ELSEWHERE.union(name for name in self._asked if name.startswith(OURS)))
        names = sorted(name for name in self.ENVIRON if name.startswith(OURS) and name not in known)
        return {
            name: next(iter(get_close_matches(name, known, n=1, cutoff=0.8)), "")
            for name in names
            if not self._is_of_a_service(name)
        }

    def _is_of_a_service(self, name: str) -> bool:
        found = OF_A_SERVICE.fullmatch(name)
        return bool(found and f"{found[1]}_SERVICE_HOST" in self.ENVIRON)


env = Environment()
env.read_env(BASE_DIR / ".env")


def server_url(variable: str, *, password: str) -> str:
    """The URL in the variable, with the password of another variable if it has none of its own, or "" when not set.

    So a password needs no escaping: in a URL `@`, `/`, `#` and `%` must be written `%40`, `%2F`, `%23` and `%25`.
    """
    return _readable(env.str(variable, default=""), variable=variable, password=password)


def server_urls(variable: str, *, password: str) -> list[str]:
    """As `server_url`, for several URLs with commas between them."""
    urls = (url.strip() for url in env.str(variable, default="").split(","))
    return [read for url in urls if url and (read := _readable(url, variable=variable, password=password))]


def _readable(url: str, *, variable: str, password: str) -> str:
    secret, parts = env.str(password, default=""), urlsplit(url)
    if parts.fragment or url.count("@") > 1 or "@" in parts.path or not _has_ports(parts.netloc):
        env.mistakes.append(  # a password was cut off in the middle
            f"{variable} cannot be read as a URL. Special characters in a password must be percent-encoded; "
            f"{password} takes it as it is."
        )
        return ""
    user, _, host = parts.netloc.rpartition("@")
    if not url or not secret or ":" in user:
        return url
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(secret, safe='')}@{host}"))


def mail_server(variable: str) -> dict[str, Any]:
    """Django's EMAIL_… settings for the URL in the variable, or {} when it is not set, or cannot be read."""
    url = env.str(variable, default="")
    try:
        return dict(env.email_url_config(url)) if url else {}
    except (ImproperlyConfigured, ValueError):
        env.mistakes.append(
            f"{variable} cannot be read; it must be like smtp+tls://name:password@mail.example.org:587."
        )
        return {}


def _has_ports(netloc: str) -> bool:
    """Whether what follows each colon is a number: of a cluster there are several hosts."""
    hosts = netloc.rpartition("@")[2]
    return all(re.fullmatch(r"(\[.*\]|[^:]*)(:\d*)?", host) for host in hosts.split(","))


DATA_DIR = Path(env.str("KB_DATA_DIR", default="var"))
if not DATA_DIR.is_absolute():
    DATA_DIR = BASE_DIR / DATA_DIR


def running_stack(data: Path = DATA_DIR) -> dict[str, str]:
    """The addresses of the embedded servers that `manage.py up` notes in the data directory while it runs, else {}."""
    try:
        return dict(json.loads((data / NOTE).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def kept_secret_key() -> str:
    """The SECRET_KEY of this data directory, made at first use and kept, so that sessions outlive a restart."""
    path = DATA_DIR / "secret_key"
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        DATA_DIR.mkdir(parents=True, exist_ok=True)
    try:
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
            file.write(get_random_secret_key())
    except FileExistsError:
        pass  # another process of the same start was first
    return path.read_text(encoding="ascii")
