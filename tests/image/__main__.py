"""What `make image-test` does: build, start, the smoke journey, kill amid an ingest, count what is lost."""

import argparse
import json
import sys
import time
from pathlib import Path

from deploy import sbom
from tests.image import engine, faults, stand_ins
from tests.image.engine import PROJECT, Engine
from tests.smoke import Failed, journey, say

IMAGE = "localhost/kb-image-test"
HOST = "kb.example.org"
SETTINGS = {
    "KB_IMAGE": IMAGE,
    "ALLOWED_HOSTS": HOST,
    # What breaks a URL, a shell or a YAML file.
    "POSTGRES_PASSWORD": "p@ss/w#rd%20:?&",
    "REDIS_PASSWORD": "r@d/i#s 'quoted'",
    "AWS_SECRET_ACCESS_KEY": "s3@/#secret+key=1",
}
READY_WITHIN_S = 180


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.image", description=__doc__)
    parser.add_argument("--base", default="python:3.13-slim", help="the base image (%(default)s)")
    parser.add_argument("--stand-ins", action="store_true", help="make base image and servers of Debian")
    parser.add_argument("--ocr", default="1", choices=("0", "1"), help="with Tesseract (%(default)s)")
    parser.add_argument("--keep", action="store_true", help="leave the services running")
    chosen = parser.parse_args()
    files = [PROJECT / "docker-compose.yml", Path(__file__).with_name("two-of-each.yml")]
    if chosen.stand_ins:
        files.append(Path(__file__).with_name("stand_ins") / "compose.yml")
    try:
        with engine.running(environment=SETTINGS, files=files) as here:
            base = stand_ins.make(here) if chosen.stand_ins else chosen.base
            try:
                build(here, base=base, ocr=chosen.ocr)
                start(here)
                examine(here)
                follow(here)
            except Failed:
                say(here.compose("logs", "--tail", "40", check=False)[-12_000:])
                raise
            finally:
                if not chosen.keep:
                    here.compose("down", "--volumes", "--timeout", "20", check=False)
    except Failed as failure:
        say(f"image-test failed: {failure}")
        return 1
    say("image-test passed")
    return 0


def build(here: Engine, *, base: str, ocr: str) -> None:
    started = time.monotonic()
    form = ["--format", "docker", "--network", "host"] if here.program == "podman" else []
    here.run("build", *form, "--build-arg", f"BASE={base}", "--build-arg", f"OCR={ocr}", "--tag", IMAGE, str(PROJECT))
    size = int(here.run("image", "inspect", "--format", "{{.Size}}", IMAGE))
    bill = sbom.write(here.run, image=IMAGE, path=PROJECT / "dist" / "sbom.cdx.json")
    say(f"image: {here.program}, {size / 1e6:.0f} MB, built in {time.monotonic() - started:.0f} s on {base}; {bill}")


def start(here: Engine) -> None:
    started = time.monotonic()
    here.compose("up", "--detach", "--no-build")
    for service, number in (("web", 1), ("web", 2), ("worker", 1), ("worker", 2), ("classifier", 1)):
        wait_until_healthy(here, service, number)
    say(f"services: ready after {time.monotonic() - started:.0f} s")
    for line in here.compose("ps", "--all", "--format", "json").splitlines():
        one = json.loads(line)
        say(f"  {one['Name']:<28} {one['Image']:<40} {one['State']} {one.get('Health', '')}")


def wait_until_healthy(here: Engine, service: str, number: int) -> None:
    ends = time.monotonic() + READY_WITHIN_S
    container = here.container(service, number)
    while (state := here.run("inspect", "--format", "{{.State.Health.Status}}", container).strip()) != "healthy":
        if time.monotonic() > ends:
            raise Failed(f"{container} is {state} after {READY_WITHIN_S} s.")
        time.sleep(1)


def examine(here: Engine) -> None:
    """Who runs in the containers, with what rights, and that the probes do not depend on ALLOWED_HOSTS."""
    for service in ("web", "worker", "classifier", "beat"):
        said = here.run("exec", here.container(service, 1), "sh", "-c", faults.RIGHTS)
        user, capabilities, privileges, writable = said.split()
        say(f"  {service}: user {user}, capabilities {capabilities}, no new privileges {privileges}, /app {writable}")
        if (user, int(capabilities, 16), privileges, writable) != ("10001", 0, "1", "read-only"):
            raise Failed(f"The rights of {service} are not what they should be: {said}")
    url = here.address("web", 1)
    answers = {host: faults.status(url + "/healthz", host=host) for host in ("127.0.0.1", HOST, "other.example")}
    say(f"  ALLOWED_HOSTS={HOST}: /healthz answers {answers}")
    if answers != {"127.0.0.1": 200, HOST: 200, "other.example": 400}:
        raise Failed("Hosts are not told apart as they should be.")


def follow(here: Engine) -> None:
    key = here.run("exec", here.container("web", 1), "python", "manage.py", "create_api_key", "test", "--admin").strip()
    one, two = (journey.Service(here.address("web", number), key=key) for number in (1, 2))
    journey.check_batch(one)
    journey.check_batch_is_found(two)
    say("journey: a batch sent to web 1, classified, confirmed, found by web 1 and web 2")
    report = faults.kill_amid_an_ingest(here, one=one, two=two)
    say(report)
    here.run("exec", here.container("web", 2), "python", "manage.py", "check_integrity")
    say("check_integrity: nothing is wrong")
    here.compose("start", "web", "worker")
    for service in ("web", "worker"):
        wait_until_healthy(here, service, 1)
    journey.check_batch_is_found(journey.Service(here.address("web", 1), key=key))
    say("web 1 and worker 1 were started again and are healthy")


if __name__ == "__main__":
    sys.exit(main())
