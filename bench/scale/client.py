"""One client of the search API, on one kept-alive connection.

With `http.client`, as what the client itself costs is part of every time that is measured: of a request that the
service answers in 1.3 ms, httpx spends another 1.2 ms.
"""

import http.client
import json
import time
from typing import Any
from urllib.parse import urlsplit

from bench.client import MAX_WAIT_S, ApiError


class SearchApi:
    """Not to be shared between threads."""

    def __init__(self, base_url: str, api_key: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(base_url).netloc, timeout=MAX_WAIT_S)
        self._headers = {"Authorization": f"Api-Key {api_key}", "Content-Type": "application/json"}

    def search_with(self, body: dict[str, Any]) -> dict[str, Any]:
        """POST /kb/search with exactly these fields. Raises ApiError when the service refuses."""
        content = json.dumps(body).encode()
        try:
            status, answer = self._post(content)
        except (ConnectionError, http.client.RemoteDisconnected):
            self._connection.close()  # the service closed it while nothing was asked
            status, answer = self._post(content)
        if status != 200:
            raise ApiError(status, answer.decode())
        return dict(json.loads(answer))

    def timed(self, body: dict[str, Any]) -> tuple[dict[str, Any], float]:
        """The answer, and the milliseconds until it was read."""
        started = time.perf_counter()
        answer = self.search_with(body)
        return answer, (time.perf_counter() - started) * 1000

    def close(self) -> None:
        self._connection.close()

    def _post(self, content: bytes) -> tuple[int, bytes]:
        self._connection.request("POST", "/kb/search", content, self._headers)
        response = self._connection.getresponse()
        return response.status, response.read()
