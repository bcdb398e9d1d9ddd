"""Docker with Compose, or Podman behind Docker's API, which Compose then talks to."""

import contextlib
import os
import resource
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.smoke import Failed

PROJECT = Path(__file__).resolve().parents[2]
NAME = "kb-image-test"
WITHIN_S = 900
HEALTH_EVERY_S = 5  # as docker-compose.yml has it of the servers


class Engine:
    """Runs `docker` or `podman`, and Compose on this project's file with those of the test over it."""

    def __init__(self, program: str, compose: Sequence[str], *, environment: Mapping[str, str], files: Sequence[Path]):
        self.program = program
        self.environment = {**os.environ, **environment}
        self._compose = [*compose, "--project-name", NAME, *(part for file in files for part in ("--file", str(file)))]

    def run(self, *arguments: str, check: bool = True) -> str:
        """The output of a command of the engine. Raises Failed when it fails."""
        return self._run([self.program, *arguments], check=check)

    def compose(self, *arguments: str, check: bool = True) -> str:
        """The output of a command of Compose. Raises Failed when it fails."""
        return self._run([*self._compose, *arguments], check=check)

    def container(self, service: str, number: int) -> str:
        """The id of a service's container, counted from 1. Raises Failed when there are fewer."""
        found = self.compose("ps", "--all", "--quiet", service).split()
        names = sorted(self.run("inspect", "--format", "{{.Name}}", each).strip().lstrip("/") for each in found)
        if number > len(names):
            raise Failed(f"There are {len(names)} containers of {service}.")
        return names[number - 1]

    def address(self, service: str, number: int) -> str:
        """Where the container's port 8000 is reached from here."""
        ports = self.run("port", self.container(service, number), "8000/tcp")
        return "http://" + ports.strip().splitlines()[0]

    def _run(self, command: Sequence[str], *, check: bool) -> str:
        done = subprocess.run(
            list(command),
            cwd=PROJECT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
        )
        if check and done.returncode:
            raise Failed(
                f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
            )
        return done.stdout


@contextlib.contextmanager
def running(*, environment: Mapping[str, str], files: Sequence[Path]) -> Iterator[Engine]:
    """The engine of this machine. Raises Failed when there is none."""
    if shutil.which("docker") and subprocess.run(["docker", "info"], capture_output=True).returncode == 0:
        yield Engine("docker", _compose(), environment=environment, files=files)
    elif shutil.which("podman"):
        with _podman() as found:
            yield Engine("podman", _compose(), environment={**found, **environment}, files=files)
    else:
        raise Failed(
            "Neither a Docker engine nor podman is here: install one (Debian: apt install podman docker-compose)."
        )


def _compose() -> list[str]:
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]):
            said = subprocess.run([*command, "version", "--short"], capture_output=True, text=True)
            if said.returncode == 0 and not said.stdout.startswith(("1.", "v1.")):
                return command
    raise Failed("Docker Compose 2 is not here (Debian 13 has it: apt install docker-compose).")


@contextlib.contextmanager
def _podman() -> Iterator[dict[str, str]]:
    """Podman's service on a socket of its own; yields what leads Podman and Compose to it."""
    with tempfile.TemporaryDirectory(prefix="kb-podman-") as name:
        folder, environment = Path(name), {}
        if not Path("/run/systemd/system").exists():  # a machine that is a container itself
            open_files, processes = (
                min(wanted, resource.getrlimit(kind)[1] if resource.getrlimit(kind)[1] > 0 else wanted)
                for kind, wanted in ((resource.RLIMIT_NOFILE, 20_000), (resource.RLIMIT_NPROC, 20_000))
            )
            limits = f'["nofile={open_files}:{open_files}", "nproc={processes}:{processes}"]'
            (folder / "containers.conf").write_text(
                f"[containers]\ndefault_ulimits = {limits}\n"
                '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\nruntime = "runc"\n',
                encoding="utf-8",
            )
            environment["CONTAINERS_CONF"] = str(folder / "containers.conf")
        address = f"unix://{folder}/podman.sock"
        service = subprocess.Popen(
            ["podman", "system", "service", "--time", "0", address],
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stopped = threading.Event()
        try:
            while not (folder / "podman.sock").exists():
                if service.poll() is not None:
                    raise Failed("podman system service ended at once.")
                time.sleep(0.1)
            environment["DOCKER_HOST"] = address
            if "CONTAINERS_CONF" in environment:  # no systemd, so no timer that runs the health checks
                threading.Thread(target=_check_health, args=[environment, stopped], daemon=True).start()
            yield environment
        finally:
            stopped.set()
            service.terminate()
            service.wait()


def _check_health(environment: Mapping[str, str], stopped: threading.Event) -> None:
    everything = {"env": {**os.environ, **environment}, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    while not stopped.wait(HEALTH_EVERY_S):
        listed = subprocess.run(
            ["podman", "ps", "--quiet", "--filter", f"label=com.docker.compose.project={NAME}"],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        )
        checks = [
            subprocess.Popen(["podman", "healthcheck", "run", each], **everything)  # type: ignore[call-overload]
            for each in listed.stdout.split()
        ]
        for check in checks:
            with contextlib.suppress(subprocess.TimeoutExpired):
                check.wait(60)
