"""A real server and a real proxy in front of it, with the file of ``deploy/`` but for names, ports and paths."""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.patience import HANG

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = "cards.example.org"
CERTIFICATE = (
    *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"),
    *("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


@dataclass
class Answered:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.body)
        return found


@dataclass
class ProxiedServer:
    """A server, the proxy in front of it, and how to reach both."""

    folder: Path
    server_port: int
    proxy_port: int = field(default_factory=free_port)
    server: subprocess.Popen[bytes] | None = None

    # ------------------------------------------------------------ for clients
    def context(self, *protocols: str) -> ssl.SSLContext:
        made = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
        made.set_alpn_protocols(protocols or ["http/1.1"])
        return made

    def connect_plain(self, address: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.proxy_port), HANG, (address, 0))

    def connect(self, address: str = "127.0.0.1", name: str = NAME, *protocols: str) -> ssl.SSLSocket:
        """To the proxy over TLS, from this address of the machine."""
        return self.context(*protocols).wrap_socket(self.connect_plain(address), server_hostname=name)

    def ask(
        self, path: str, body: object = None, address: str = "127.0.0.1", headers: dict[str, str] | None = None
    ) -> Answered:
        line = http.client.HTTPConnection(NAME)
        line.sock = self.connect(address)
        return _ask(line, path, body, headers or {})

    def ask_server(self, path: str, headers: dict[str, str]) -> Answered:
        """Past the proxy."""
        return _ask(http.client.HTTPConnection("127.0.0.1", self.server_port, HANG), path, None, headers)

    def logged(self) -> list[dict[str, str]]:
        """What the server has logged."""
        return [json.loads(line) for line in (self.folder / "server.log").read_text().splitlines()]

    def proxy_logs_with(self, text: str) -> str:
        """All that the proxy has written, as soon as this is in it: it writes after it has answered."""
        end = time.monotonic() + HANG
        while time.monotonic() < end:
            written = "".join(path.read_text() for path in self.folder.glob("proxy*.log"))
            if text in written:
                return written
            time.sleep(0.02)
        raise AssertionError(f"it writes nothing of {text}")

    # ------------------------------------------------------------ the files of deploy/
    def nginx(
        self, name: str = "nginx.conf", servers: dict[str, str] | None = None
    ) -> tuple[list[str], dict[str, str]]:
        """``servers`` are the lines of the file that name them, and what they become."""
        servers = servers or {"server 127.0.0.1:8000;": f"server 127.0.0.1:{self.server_port};"}
        text, folder = (DEPLOY / name).read_text(), self.folder
        temporary = "".join(
            f"    {each}_temp_path {folder / each};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        text = replaced(
            text,
            {
                "user www-data;": "" if os.getuid() else "user root;",
                "pid /run/nginx.pid;": f"pid {folder / 'nginx.pid'};",
                "worker_processes auto;": "worker_processes 1;",
                "worker_rlimit_nofile 65536;": "",
                "worker_connections 20480;": "worker_connections 200;",
                "error_log /var/log/nginx/error.log": f"error_log {folder / 'proxy-error.log'}",
                "access_log /var/log/nginx/flipdeck.log": f"access_log {folder / 'proxy-access.log'}",
                "http {\n": f"http {{\n{temporary}",
                **servers,
                f"/etc/letsencrypt/live/{NAME}/": f"{folder}/",
                "listen 443": f"listen 127.0.0.1:{self.proxy_port}",
                "listen [::]:443": f"listen [::1]:{self.proxy_port}",
                "listen 80": f"listen 127.0.0.1:{free_port()}",
                "listen [::]:80 default_server;": "",
            },
        )
        conf = self.folder / "nginx.conf"
        conf.write_text(text)
        return ["nginx", "-p", str(folder), "-e", str(folder / "proxy-error.log"), "-c", str(conf)], {}

    def caddy(self) -> tuple[list[str], dict[str, str]]:
        text = replaced(
            (DEPLOY / "Caddyfile").read_text(),
            {
                "\tadmin off\n": f"\tadmin off\n\tauto_https disable_redirects\n\thttps_port {self.proxy_port}\n",
                f"\n{NAME} {{\n": f"\n{NAME} {{\n\tbind 127.0.0.1\n"
                f"\ttls {self.folder / 'fullchain.pem'} {self.folder / 'privkey.pem'}\n",
                "/var/log/caddy/flipdeck.log": str(self.folder / "proxy-access.log"),
                "reverse_proxy 127.0.0.1:8000": f"reverse_proxy 127.0.0.1:{self.server_port}",
            },
        )
        conf = self.folder / "Caddyfile"
        conf.write_text(text)
        home = {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        return ["caddy", "run", "--adapter", "caddyfile", "--config", str(conf)], home


def replaced(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert old in text, f"{old} is no longer in the file"
        text = text.replace(old, new)
    return text


def _ask(line: http.client.HTTPConnection, path: str, body: object, headers: dict[str, str]) -> Answered:
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        line.request("GET" if data is None else "POST", path, data, {"Content-Type": "application/json", **headers})
        answer = line.getresponse()
        return Answered(answer.status, answer.headers, answer.read())
    finally:
        line.close()


@contextmanager
def running(command: list[str], log: IO[bytes], **more: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env={**os.environ, **more})
    try:
        yield process
    finally:
        process.terminate()
        process.wait(HANG)
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def house(folder: Path, proxy: str) -> Iterator[ProxiedServer]:
    """Everything as the files of ``deploy/`` say, on free ports of this machine."""
    made = ProxiedServer(folder, free_port())
    subprocess.run(
        [*CERTIFICATE, "-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")],
        check=True,
        capture_output=True,
    )
    settings = {"FLIPDECK_PUBLIC_URL": f"https://{NAME}", "FLIPDECK_PROXIES": "127.0.0.1"}
    serve = [sys.executable, "-m", "flipdeck", "serve", "--port", str(made.server_port), "--data", str(folder / "data")]
    command, home = made.nginx() if proxy == "nginx" else made.caddy()
    if proxy == "nginx":
        command += ["-g", "daemon off;"]
    with (
        (folder / "server.log").open("wb") as server_log,
        (folder / "proxy-complaints.log").open("wb") as proxy_log,
        running(serve, server_log, **settings) as made.server,
        running(command, proxy_log, **home) as running_proxy,
    ):
        assert made.server.stdout is not None
        assert b"open at" in made.server.stdout.readline()
        await_door(made.proxy_port, running_proxy)
        yield made


def await_door(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + HANG
    while process.poll() is None and time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), HANG).close()
        except ConnectionRefusedError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError("the proxy does not listen")
