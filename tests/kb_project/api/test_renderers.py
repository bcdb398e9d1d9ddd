"""The API's JSON says what DRF's own says."""

import datetime as dt
import json
from enum import StrEnum
from uuid import UUID

import numpy as np
from django.utils.translation import gettext_lazy
from rest_framework.renderers import JSONRenderer

from kb_project.api.json_bodies import QuickJSONRenderer


class Word(StrEnum):
    ONE = "one"


def test_values_are_written_as_by_drf() -> None:
    day = dt.date(2026, 11, 29)
    data = {
        "day": day,
        "moment": dt.datetime(2026, 11, 29, 12, 0, 1, 250, tzinfo=dt.UTC),
        "elsewhere": dt.datetime(2026, 11, 29, 12, tzinfo=dt.timezone(dt.timedelta(hours=2))),
        "id": UUID(int=7),
        "said": gettext_lazy("Kind"),
        "word": Word.ONE,
        "score": np.float32(0.5),
        "tuple": (1, 2.5, None, True),
        "text": 'חוק \u2028 " \\ \n é',
        7: "a number as a name",
    }
    assert json.loads(QuickJSONRenderer().render(data)) == json.loads(JSONRenderer().render(data))


def test_letters_are_written_as_they_are() -> None:
    assert QuickJSONRenderer().render({"a": "חוק"}) == '{"a":"חוק"}'.encode()
    assert QuickJSONRenderer().render("a\u2028b\u2029") == rb'"a\u2028b\u2029"'
    assert QuickJSONRenderer().render(None) == b""
