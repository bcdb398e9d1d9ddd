"""A client that repeats what it may repeat, and tells apart what was done, what was not, and what nobody knows."""

import threading
import time
from collections.abc import Callable
from typing import Any

import httpx2

from bench.client import PAGE, ApiError
from bench.drill.ledger import Ledger

PAUSE_S = 0.5
READ_S = 60.0
HEALS_WITHIN_S = 300.0  # what is not answered by then is given up: faults last seconds


class Unknown(Exception):
    """The request was sent and its answer did not come, or said that the service is not there: it may be done."""


class GivenUp(Exception):
    """The drill is over, or the service did not come back."""


class NotHealed(GivenUp):
    """The service did not come back; the ledger has a complaint of it."""


class PatientApi:
    """Safe to share between threads. `stop` ends every wait with `GivenUp`."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        ledger: Ledger,
        stop: threading.Event,
        connections: int = 32,
        heals_within_s: float = HEALS_WITHIN_S,
    ) -> None:
        self._ledger, self._stop, self._heals_within_s = ledger, stop, heals_within_s
        self._http = httpx2.Client(
            base_url=base_url,
            headers={"Authorization": f"Api-Key {api_key}"},
            timeout=httpx2.Timeout(READ_S, connect=5.0),
            limits=httpx2.Limits(
                max_connections=connections, max_keepalive_connections=connections // 2, keepalive_expiry=2.0
            ),
        )

    def close(self) -> None:
        self._http.close()

    def once(self, method: str, path: str, **options: Any) -> Any:
        """One request that is surely not done twice; a refused connection is tried again.

        Raises `ApiError` for a refusal, `Unknown` when the outcome is, and `GivenUp`.
        """
        pause = self.patience(f"{method} {path}")
        while True:
            try:
                response = self._http.request(method, path, **options)
            except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
                self._ledger.meet_trouble()
                pause()
                continue
            except httpx2.HTTPError as error:
                self._ledger.meet_trouble()
                raise Unknown(f"{method} {path}: {type(error).__name__}") from error
            if response.is_success:
                return response.json() if response.content else None
            refusal = ApiError(response.status_code, response.text)
            if refusal.status == 429:
                pause()
                continue
            if refusal.status in (502, 503):
                self._ledger.meet_trouble()
                if refusal.problem.get("rejected"):  # a batch of which no file came in says so itself
                    raise refusal
                raise Unknown(f"{method} {path}: {refusal}")
            if refusal.status >= 500:
                self._ledger.complain(f"{method} {path} was answered with {refusal}")
                raise Unknown(f"{method} {path}: {refusal}")
            raise refusal

    def safe(self, method: str, path: str, **options: Any) -> Any:
        """A request that may be repeated until somebody answers. Raises `ApiError` and `GivenUp`."""
        pause = self.patience(f"{method} {path}")
        while True:
            try:
                return self.once(method, path, **options)
            except Unknown:
                pause()

    def once_or_gone(self, method: str, path: str, **options: Any) -> None:
        """A request after which its object is gone. Where the answer was lost, one that finds none is an answer."""
        try:
            self.once(method, path, **options)
        except Unknown:
            self.pause()
            try:
                self.safe(method, path, **options)
            except ApiError as refusal:
                if refusal.status != 404:
                    raise

    def pages(self, path: str, **params: Any) -> list[dict[str, Any]]:
        """Every result of a list."""
        found: list[dict[str, Any]] = []
        while True:
            page = self.safe("GET", path, params={**params, "limit": PAGE, "offset": len(found)})
            found += page["results"]
            if len(found) >= page["count"] or not page["results"]:
                return found

    def job(self, job_id: str) -> dict[str, Any]:
        return dict(self.safe("GET", f"/admin/kb/jobs/{job_id}"))

    def pause(self, seconds: float = PAUSE_S) -> None:
        """Wait. Raises `GivenUp` when the drill is over."""
        if self._stop.wait(seconds):
            raise GivenUp

    def patience(self, what: str) -> Callable[[], None]:
        """The pause between the tries of one thing, which ends them when the service does not come back.

        It raises `GivenUp` when the drill is over, and `NotHealed` when the tries have gone on for too long.
        """
        ends = time.monotonic() + self._heals_within_s

        def pause() -> None:
            if time.monotonic() > ends:
                self._ledger.complain(f"{what} was given up: no answer within {self._heals_within_s:.0f} s")
                raise NotHealed(what)
            self.pause()

        return pause

    def is_ready(self) -> bool:
        """Whether the service says of itself that all its parts are there."""
        try:
            return self._http.get("/readyz", timeout=10.0).status_code == 200
        except httpx2.HTTPError:
            time.sleep(0.1)
            return False
