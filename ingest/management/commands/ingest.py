"""`manage.py ingest PATH… --kind KIND --topic SLUG [--wait]`: files or folders into the knowledge base."""

import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from tqdm import tqdm

from extraction.formats import NAMES
from ingest.intake.unpack import unpack_upload
from ingest.intake.upload import Metadata, accept_upload, receive_path
from ingest.job_states import JobStatus
from ingest.models import Job
from ingest.similar.duplicates import DuplicateDocument
from kb_project.configuration.startup import ServiceCommand
from kb_project.errors import ApiError
from sources.fields import error_of_days
from sources.kinds import SourceKind
from topics.models import Topic

POLL_S = 0.5
OF_ONE_FILE = ("version_of", "valid_from", "valid_to", "undated")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is no date of the form YYYY-MM-DD") from error


def _is_hidden(path: Path, folder: Path) -> bool:
    """Whether the file, or a folder between it and the one that was named, is hidden: `.git` is no document."""
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


class Command(ServiceCommand):
    help = (
        "Take in files, or every file under a folder, and what is in archives and attached to messages. "
        "With --wait, stay until all are searchable or failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help=f"files and folders ({NAMES})")
        parser.add_argument("--kind", required=True, choices=SourceKind.values)
        parser.add_argument("--topic", required=True, metavar="SLUG")
        parser.add_argument("--version-of", type=int, metavar="ID", help="it is another version of this source's work")
        parser.add_argument("--valid-from", type=_day, metavar="DAY", help="the first day on which it is in force")
        parser.add_argument("--valid-to", type=_day, metavar="DAY", help="the day before which its being in force ends")
        parser.add_argument("--undated", action="store_true", help="no day on which that version is in force is known")
        parser.add_argument("--wait", action="store_true", help="stay until every file is done or failed")
        parser.add_argument("--timeout", type=int, default=3600, metavar="S", help="longest wait (default 3600)")

    def handle(self, *, paths: list[Path], kind: str, topic: str, wait: bool, timeout: int, **options: Any) -> None:
        found = Topic.objects.filter(slug=topic).first()
        if found is None:
            known = ", ".join(Topic.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(f"There is no topic {topic!r}. Known: {known}.")
        files = list(self._files(paths))
        about = Metadata(**{name: options[name] for name in OF_ONE_FILE if options[name] is not None})
        if sentence := error_of_days(about.valid_from, about.valid_to):
            raise CommandError(sentence)
        self._is_one = about != Metadata()
        self._require_one(len(files))
        self._queued: list[UUID] = []
        self._duplicates = self._refused = 0
        accept = partial(accept_upload, topic=found, kind=kind, metadata=about, by="manage.py ingest")
        for path in tqdm(files, desc="taking in", unit="file", file=self.stderr, leave=False):
            with self._refusals(path), unpack_upload(receive_path(path)) as documents:
                self._require_one(len(documents))
                jobs: dict[int, Job] = {}
                for place, document in enumerate(documents):
                    with self._refusals(path.parent / document.name):
                        jobs[place] = accept(document.accepted(), part_of=document.part_of(jobs))
                        self._queued.append(jobs[place].pk)
        self.stdout.write(f"{len(self._queued)} queued, {self._duplicates} duplicates, {self._refused} refused.")
        failed = self._wait(self._queued, timeout) if wait else 0
        if self._refused or failed:
            raise CommandError(f"{self._refused} refused, {failed} failed.")

    def _require_one(self, count: int) -> None:
        """Raise `CommandError` for several files where something is said of one."""
        if self._is_one and count != 1:
            raise CommandError(f"--version-of, --valid-from and --valid-to are of one document; these are {count}.")

    @contextmanager
    def _refusals(self, path: Path) -> Iterator[None]:
        """Count a refusal, and say of which file it is."""
        try:
            yield
        except DuplicateDocument as refusal:
            self._duplicates += 1
            self.stdout.write(f"duplicate  {path}: {refusal.detail}")
        except ApiError as refusal:
            self._refused += 1
            self.stdout.write(f"refused    {path}: {refusal.detail}")
        except OSError as error:
            self._refused += 1
            self.stdout.write(f"unreadable {path}: {error.strerror or error}")

    def _files(self, paths: list[Path]) -> Iterator[Path]:
        for path in paths:
            if path.is_dir():
                yield from sorted(inner for inner in path.rglob("*") if inner.is_file() and not _is_hidden(inner, path))
            elif path.exists():
                yield path
            else:
                raise CommandError(f"There is no file or folder {path}.")

    def _wait(self, ids: list[UUID], timeout: int) -> int:
        """Follow the jobs to their end with a progress bar. Gives how many failed."""
        ends = time.monotonic() + timeout
        at_rest = Job.objects.filter(pk__in=ids, status__in=[JobStatus.DONE, JobStatus.FAILED])
        with tqdm(total=len(ids), desc="indexing", unit="file", file=self.stderr, leave=False) as bar:
            while (finished := at_rest.count()) < len(ids):
                bar.update(finished - bar.n)
                if time.monotonic() > ends:
                    raise CommandError(
                        f"{len(ids) - finished} of {len(ids)} files are still waiting after {timeout} s. "
                        "They stay queued; is a worker running?"
                    )
                time.sleep(POLL_S)
            bar.update(finished - bar.n)
        failures = Job.objects.filter(pk__in=ids, status=JobStatus.FAILED).order_by("created_at")
        for job in failures:
            self.stdout.write(f"failed     {job.filename}: {job.error_code}: {job.error_message}")
        self.stdout.write(f"{len(ids) - len(failures)} searchable, {len(failures)} failed.")
        return len(failures)
