"""Where settings come from: the environment, `.env`, and what the data directory keeps."""

from __future__ import annotations

import json
import os
from pathlib import Path

import environ
from django.core.management.utils import get_random_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(BASE_DIR / ".env")

DATA_DIR = Path(env.str("KB_DATA_DIR", default="var"))
if not DATA_DIR.is_absolute():
    DATA_DIR = BASE_DIR / DATA_DIR


def running_stack() -> dict[str, str]:
    """The addresses of the embedded servers that `manage.py up` notes in the data directory while it runs."""
    try:
        return dict(json.loads((DATA_DIR / "stack.json").read_text(encoding="utf-8")))
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
