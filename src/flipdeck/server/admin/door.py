"""Where the operator's door is: a Unix socket in the data folder, or a port of this computer with a secret.

Whoever may write in the folder may use it: the socket, and the file with the port and the secret, are the owner's
alone.  The port is for systems without Unix sockets, for file systems that can't hold one, and for folders whose path
is too long for one.
"""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path

import msgspec
from msgspec import Struct

LONGEST_PATH = 100  # bytes: Linux allows 107, macOS 103
HERE = "127.0.0.1"
WAITING_AT_ONCE = 16
OWNER_ONLY = 0o177  # as a umask


class DoorFile(Struct, frozen=True, forbid_unknown_fields=True):
    port: int
    secret: str


def socket_in(folder: Path) -> Path:
    return folder / "admin.sock"


def file_in(folder: Path) -> Path:
    return folder / "admin.json"


def open_door(folder: Path) -> tuple[socket.socket, str]:
    """A listening socket, and the secret that requests need there.  OSError if there can be none.

    What a server that was killed has left behind is replaced: the journal's lock says that none runs here.
    """
    remove_door(folder)
    if hasattr(socket, "AF_UNIX") and len(os.fsencode(socket_in(folder))) <= LONGEST_PATH:
        try:
            return _open_unix_socket(socket_in(folder)), ""
        except OSError:
            socket_in(folder).unlink(missing_ok=True)  # a file system that can't hold one
    return _open_port(file_in(folder))


def remove_door(folder: Path) -> None:
    for path in (socket_in(folder), file_in(folder)):
        path.unlink(missing_ok=True)


def read_file(folder: Path) -> DoorFile:
    """OSError or msgspec.DecodeError if there is none."""
    return msgspec.json.decode(file_in(folder).read_bytes(), type=DoorFile)


def _open_unix_socket(path: Path) -> socket.socket:
    door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        before = os.umask(OWNER_ONLY)  # from its first moment, also where others may read the folder
        try:
            door.bind(str(path))
        finally:
            os.umask(before)
        door.listen(WAITING_AT_ONCE)
    except OSError:
        door.close()
        raise
    return door


def _open_port(path: Path) -> tuple[socket.socket, str]:
    door = socket.create_server((HERE, 0), backlog=WAITING_AT_ONCE)
    try:
        secret = secrets.token_urlsafe(32)
        told = msgspec.json.encode(DoorFile(door.getsockname()[1], secret))
        new = path.with_suffix(".new")  # whole or not there
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(told)
        new.replace(path)
    except OSError:
        door.close()
        raise
    return door, secret
