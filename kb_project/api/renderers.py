"""JSON as the API answers it."""

from collections.abc import Mapping
from typing import Any

import orjson
from rest_framework.renderers import JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

_AS_JSON = JSONEncoder().default  # what is no JSON by itself: texts to be translated, numpy's numbers
_LINE_ENDS = ((b"\xe2\x80\xa8", b"\\u2028"), (b"\xe2\x80\xa9", b"\\u2029"))  # of JavaScript, as DRF writes them
_OPTIONS = orjson.OPT_NON_STR_KEYS | orjson.OPT_UTC_Z


class QuickJSONRenderer(JSONRenderer):
    """As DRF's, in a tenth of the time: that of the standard library takes as long as a statement of a search."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        if data is None:
            return b""
        written = orjson.dumps(data, default=_AS_JSON, option=_OPTIONS)
        for sign, escaped in _LINE_ENDS:
            written = written.replace(sign, escaped)
        return written
