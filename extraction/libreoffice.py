"""Turns DOC into DOCX by LibreOffice, where it is installed: without a network, macros, links or anyone's profile."""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from extraction.document import ExtractionFailed
from kb_project.processes.ending import exit_with_parent

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
TIMEOUT_S = 180  # of a run
RESTART = 81  # the exit status that asks for another run
PROGRAMS = ("/usr/lib/libreoffice/program/soffice.bin", "/opt/libreoffice/program/soffice.bin")
FILTER_IN, FILTER_OUT = "MS Word 97", "docx:MS Word 2007 XML"
# The proxy is for a system that gives no namespace: what LibreOffice would fetch, it asks of a port where nobody is.
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{items}</oor:items>
"""
_ITEM = """<item oor:path="/org.openoffice.{path}">
<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>
"""
_SETTINGS = (
    ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Office.Writer/Content/Update", "Link", "0"),
    ("Inet/Settings", "ooInetProxyType", "1"),
    ("Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPProxyPort", "9"),
    ("Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPSProxyPort", "9"),
)


@cache
def program() -> str | None:
    """The path of LibreOffice's program, None where there is none. Cached for the process."""
    script = shutil.which("soffice") or shutil.which("libreoffice")
    beside = [str(Path(script).resolve().with_name("soffice.bin"))] if script else []
    return next((path for path in (*beside, *PROGRAMS) if os.access(path, os.X_OK)), None)


def as_docx(path: Path, directory: Path) -> Path:
    """The same document as DOCX, in a directory that is empty.

    Raises ExtractionFailed: unsupported_type without LibreOffice, corrupt, or extraction_timeout.
    """
    found = program()
    if found is None:
        raise missing()
    source, profile = directory / "document.doc", directory / "profile"
    source.symlink_to(path.resolve())
    (profile / "user").mkdir(parents=True)
    items = "".join(_ITEM.format(path=path, name=name, value=value) for path, name, value in _SETTINGS)
    (profile / "user" / "registrymodifications.xcu").write_text(PROFILE.format(items=items), encoding="utf-8")
    command = [found, f"-env:UserInstallation={profile.as_uri()}", "--headless", "--norestore", "--nolockcheck"]
    command += ["--nodefault", f"--infilter={FILTER_IN}", "--convert-to", FILTER_OUT, "--outdir", str(directory)]
    try:
        if _run([*command, str(source)], directory) == RESTART:
            _run([*command, str(source)], directory)
    except subprocess.TimeoutExpired as error:
        raise ExtractionFailed("extraction_timeout", f"LibreOffice took longer than {TIMEOUT_S} seconds.") from error
    made = source.with_suffix(".docx")
    if not made.is_file():
        raise ExtractionFailed("corrupt", "The Word file is damaged and LibreOffice cannot open it.")
    return made


def _run(command: list[str], directory: Path) -> int:
    """Its exit status. A new profile is filled by a first run, which asks for a second one."""
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=TIMEOUT_S,
        check=False,
        cwd=directory,
        env={"PATH": os.defpath, "HOME": str(directory), "TMPDIR": str(directory), "LC_ALL": "C.UTF-8"},
        preexec_fn=_before(exit_with_parent(os.getpid(), signal.SIGKILL), without_network()),
    ).returncode


def missing() -> ExtractionFailed:
    """The refusal of a DOC where nothing can read it."""
    sentence = "This is an old Word file (.doc), which needs LibreOffice, and this server has none."
    return ExtractionFailed("unsupported_type", f"{sentence} Save it as DOCX or PDF and upload it again.")


def _before(*calls: Callable[[], None]) -> Callable[[], None]:
    def run() -> None:
        for call in calls:
            call()

    return run


def without_network() -> Callable[[], None]:
    """What the child calls before it runs another program: that gets a namespace of its own, which leads nowhere.

    On Linux, and where the system allows it. Elsewhere nothing happens.
    """
    if not sys.platform.startswith("linux"):
        return lambda: None
    unshare = ctypes.CDLL(None).unshare  # looked up here: between fork and exec as little as possible may happen

    def leave() -> None:
        if unshare(CLONE_NEWNET):  # only root may do that by itself
            unshare(CLONE_NEWUSER | CLONE_NEWNET)

    return leave
