"""What is asked before a screen of staff is shown, with what its address names. Apps add theirs when set up."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest

guards: list[Callable[[HttpRequest, Mapping[str, Any]], None]] = []
