"""Asks a running server, as ``flipdeck admin`` does."""

from __future__ import annotations

import contextlib
import socket
from pathlib import Path

import msgspec

from .door import HERE, read_file, socket_in
from .messages import AdminRefusal, AnyAdminReply, AnyAdminRequest, RequestRefused, read_reply, write_request

ANSWER_SECONDS = 60.0
CHUNK = 64 * 1024


def ask(folder: Path, request: AnyAdminRequest) -> AnyAdminReply:
    """The reply; an AdminRefusal if the server refuses, or can't be asked."""
    try:
        door, secret = _connect(folder)
        with contextlib.closing(door):
            door.sendall(write_request(request, secret))
            reply = read_reply(_read_line(door))
    except PermissionError:
        raise AdminRefusal("no-rights", f"The server in {folder} belongs to somebody else: ask as its user.") from None
    except TimeoutError:
        raise AdminRefusal("no-answer", f"The server in {folder} does not answer; its log may say why.") from None
    except (ConnectionError, FileNotFoundError, NotADirectoryError, msgspec.DecodeError):
        raise AdminRefusal("no-server", f"No server runs in {folder}; --data names the folder of another.") from None
    except OSError as error:
        raise AdminRefusal("no-server", f"The server in {folder} can't be asked: {error.strerror or error}.") from None
    if isinstance(reply, RequestRefused):
        raise AdminRefusal(reply.code, reply.message)
    return reply


def _connect(folder: Path) -> tuple[socket.socket, str]:
    path = socket_in(folder)
    if path.exists() and hasattr(socket, "AF_UNIX"):
        door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            door.settimeout(ANSWER_SECONDS)
            door.connect(str(path))
        except BaseException:
            door.close()
            raise
        return door, ""
    told = read_file(folder)
    return socket.create_connection((HERE, told.port), ANSWER_SECONDS), told.secret


def _read_line(door: socket.socket) -> bytes:
    chunks = []
    while chunk := door.recv(CHUNK):
        chunks.append(chunk)
        if chunk.endswith(b"\n"):
            break
    if not chunks:
        raise ConnectionResetError
    return b"".join(chunks)
