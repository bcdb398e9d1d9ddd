"""Django behind ASGI: one thread to a request, all text is UTF-8, and what cannot be read is refused as a problem."""

import asyncio
import gc
import io
import logging
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import IO, Any

import django
from asgiref.sync import sync_to_async
from django.core.exceptions import RequestAborted, SuspiciousOperation
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.signals import request_started
from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.urls import set_script_prefix
from django.utils.http import parse_header_parameters

from kb_project.api.problem import ProblemResponse
from kb_project.configuration.startup import run_startup_checks
from kb_project.database.connections import release
from kb_project.observability import tracing
from kb_project.screens.errors import refused_early
from kb_project.web.middleware import CONTENT_SECURITY_POLICY
from kb_project.web.request_body import Allowance, BodyRefused, allowance_for, read_body, with_length
from kb_project.web.streams import to_its_end
from law import patterns

logger = logging.getLogger(__name__)

MAX_PATH_LENGTH = 2_000  # characters of it in the log
MAX_AT_ONCE = 500  # requests that have a thread; many of them may be waiting for a model, and the probes still answer


class Utf8Request(ASGIRequest):
    """A request whose Content-Type cannot choose the codec.

    Django takes any codec of Python's for the query string and forms, also those that decode no text, and then fails.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


class Utf8Handler(ASGIHandler):
    """ASGIHandler that answers 400 where Django's own would let an exception out to the server."""

    request_class = Utf8Request

    def __init__(self) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(MAX_AT_ONCE, thread_name_prefix="request")
        self._in_a_thread = sync_to_async(self._answer, thread_sensitive=False, executor=self._threads)

    def load_middleware(self, is_async: bool = False) -> None:
        """Builds the synchronous chain: middleware and view then share the request's thread.

        In the asynchronous one each of them may hop to a thread and back, which costs more than a search.
        """
        super().load_middleware(is_async=False)

    async def handle(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        """Answers in one hop to a thread, which lives on for further requests. Only a stream is made in the event loop.

        Django's own makes a thread for each request and hops to it three times. When the client leaves, what the answer
        awaits in the event loop is cancelled.
        """
        try:
            body_file = await read_body(scope, receive, admit=lambda: self._admit(scope))
        except RequestAborted:
            return
        except BodyRefused as refused:
            logger.warning("%s %s: %s %s", scope["method"], scope["path"][:MAX_PATH_LENGTH], refused.status, refused)
            refuse = sync_to_async(self._refusal, thread_sensitive=False, executor=self._threads)
            await self.send_response(await refuse(scope, refused), send)
            return
        with _cancelled_by(self.listen_for_disconnect(receive)):
            await self._answer_to(with_length(scope, body_file), body_file, send)

    async def _admit(self, scope: Mapping[str, Any]) -> Allowance:
        """Whether more than an ordinary body is taken. Raises BodyRefused."""

        def look() -> Allowance:
            try:
                return allowance_for(self.request_class(scope, io.BytesIO()))
            except (ValueError, LookupError, SuspiciousOperation) as error:
                raise BodyRefused(400, "The address or a header of the request cannot be read.") from error
            finally:
                release()

        allowance: Allowance = await sync_to_async(look, thread_sensitive=False, executor=self._threads)()
        return allowance

    def _refusal(self, scope: Mapping[str, Any], refused: BodyRefused) -> HttpResponseBase:
        """The answer that ends the connection: no middleware sees it, since there is no whole request."""
        try:
            request = self.request_class(scope, io.BytesIO())
        except (ValueError, LookupError, SuspiciousOperation):
            response: HttpResponse = ProblemResponse(refused.status, detail=refused.detail)
        else:
            response = refused_early(request, refused.status, refused.detail)
            response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Connection"] = "close"
        response.headers["Content-Length"] = str(len(response.content))
        return response

    async def _answer_to(self, scope: Mapping[str, Any], body_file: IO[bytes], send: Any) -> None:
        response = await self._in_a_thread(scope, body_file)
        try:
            await self.send_response(response, send)
        finally:
            if response.streaming:
                await to_its_end(response.close)

    def _answer(self, scope: Mapping[str, Any], body_file: IO[bytes]) -> HttpResponseBase:
        """The response, of which nothing is left to do in this thread but what a stream does at its end."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        with body_file:
            response = self._response(scope, body_file)
            response._handler_class = self.__class__  # type: ignore[attr-defined]  # the sender of request_finished
            if response.streaming:
                release()  # it may last, and goes on in other threads
            else:
                response.close()
        return response

    def _response(self, scope: Mapping[str, Any], body_file: IO[bytes]) -> HttpResponseBase:
        try:
            request = self.request_class(scope, body_file)
        except (ValueError, LookupError, SuspiciousOperation) as error:
            logger.warning("A request could not be read: %s", error)
            return ProblemResponse(400, detail="The address or a header of the request cannot be read.")
        response = self.get_response(request)
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        return response


@contextmanager
def _cancelled_by(event: Coroutine[Any, Any, None]) -> Iterator[None]:
    """Cancel what the block awaits when the event comes, which then ends the block. Later it changes nothing."""
    running = asyncio.current_task()
    assert running is not None
    is_over = False

    def came(waiting: asyncio.Task[None]) -> None:
        if not waiting.cancelled() and waiting.exception() is not None and not is_over:
            running.cancel()

    waiting = asyncio.ensure_future(event)
    waiting.add_done_callback(came)
    try:
        yield
    except asyncio.CancelledError:
        if not waiting.done():  # somebody else has ended it
            raise
    finally:
        is_over = True
        waiting.cancel()


def get_application() -> Utf8Handler:
    """As `django.core.asgi.get_asgi_application`. Raises ImproperlyConfigured where the settings hold a mistake."""
    django.setup(set_prefix=False)
    run_startup_checks(urls=True)  # imports every view: the first request need not
    patterns.compile_all()
    tracing.start("web")
    handler = Utf8Handler()
    # What is loaded by now stays: the collector need not walk through it.
    gc.freeze()
    return handler
