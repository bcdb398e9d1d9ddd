"""Who Postgres runs as where the service runs as root, which Postgres refuses."""

import os
import shutil
import stat
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb_project.operations.local_stack import CannotStart

NAME = "pgserver"
# Another number for root's own user: its files stay root's, its powers are left behind.
_AS_NOBODY_SPECIAL = ("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")


@dataclass(frozen=True)
class ServerAccount:
    """`before` is put before a command, `identity` are arguments of `subprocess`. `uid` owns the server's files."""

    uid: int
    before: tuple[str, ...] = ()
    identity: dict[str, Any] = field(default_factory=dict)

    def give(self, directory: Path) -> None:
        """Make the account the owner of a directory and of all in it."""
        if directory.stat().st_uid != self.uid:
            for path in (directory, *directory.rglob("*")):
                os.chown(path, self.uid, -1, follow_symlinks=False)


def server_account(program: Path, data: Path) -> ServerAccount:
    """Ourselves, or, for root, a user of its own, or root under another number where that user gets nowhere.

    No mode of a directory is changed. `program` is what the account runs, `data` where its files are.
    Raises CannotStart.
    """
    if os.geteuid() != 0:
        return ServerAccount(os.geteuid())
    closed = _closed(program) or _closed(data)
    if closed is None:
        return _own_user()
    if shutil.which(_AS_NOBODY_SPECIAL[0]) and _runs(*_AS_NOBODY_SPECIAL, "true"):
        return ServerAccount(0, before=_AS_NOBODY_SPECIAL)
    raise CannotStart(
        f"Postgres does not run as root, and another user may not pass through {closed}: run this as an ordinary "
        "user, put the project and KB_DATA_DIR where all may pass (such as /srv), or set DATABASE_URL."
    )


def _closed(path: Path) -> Path | None:
    """The first directory above the path that others may not pass through, or a file that only its owner may run."""
    path = path.resolve()
    if path.is_file() and path.stat().st_mode & (stat.S_IROTH | stat.S_IXOTH) != stat.S_IROTH | stat.S_IXOTH:
        return path
    return next((one for one in reversed(path.parents) if one.exists() and not one.stat().st_mode & stat.S_IXOTH), None)


def _own_user() -> ServerAccount:
    import pwd  # POSIX only, like root

    try:
        user = pwd.getpwnam(NAME)
    except KeyError:
        useradd = shutil.which("useradd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        made = useradd and _runs(useradd, "--system", "--shell", "/usr/sbin/nologin", NAME, codes=(0, 9))
        if not made:  # code 9: another start made it just now
            raise CannotStart(
                f"Postgres does not run as root and the user {NAME} could not be made: "
                "run this as an ordinary user, or set DATABASE_URL."
            ) from None
        user = pwd.getpwnam(NAME)
    return ServerAccount(user.pw_uid, identity={"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []})


def _runs(*command: str, codes: tuple[int, ...] = (0,)) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode in codes
