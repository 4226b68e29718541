"""Real servers on a real PostgreSQL, and a real proxy in front of them with a file of ``deploy/several``.

Two of the three servers that the file names run; nobody is behind the third address.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from flipdeck.wire.routing import routed
from tests.deploy.proxies import CERTIFICATE, DEPLOY, NAME, ProxiedServer, await_door, free_port, replaced, running
from tests.patience import HANG
from tests.server.databases import postgres

ADDRESSES = ("172.30.78.11:8000", "172.30.78.12:8000", "172.30.78.13:8000")
LEASE = ("--lease-seconds", "3", "--bot-workers", "1", "--most-connections", "200")


@dataclass
class ProxiedServers(ProxiedServer):
    ports: list[int] = field(default_factory=lambda: [free_port() for _ in ADDRESSES])
    servers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    lines: ExitStack = field(default_factory=ExitStack)  # connections of clients

    def counted(self, node: int, name: str) -> float:
        """A metric of a server, past the proxy."""
        self.server_port = self.ports[node]
        text = self.ask_server("/metrics", {}).body.decode()
        (value,) = re.findall(rf"^flipdeck_{name} (\S+)$", text, re.MULTILINE)
        return float(value)

    def greet(self, seated: dict[str, Any]) -> ClientConnection:
        """Connected at the table, however often that has to be tried."""
        hello = {"type": "hello", "protocol": 1, "table": seated["code"], "token": seated["token"]}
        while True:
            try:
                url = f"wss://{NAME}{routed('/ws', seated['code'])}"
                socket = self.lines.enter_context(connect(url, sock=self.connect_plain(), ssl=self.context()))
                socket.send(json.dumps(hello))
                if json.loads(socket.recv(HANG))["type"] == "welcome":
                    return socket
            except (OSError, InvalidStatus, ConnectionClosed, TimeoutError):
                pass

    def command(self, proxy: str) -> list[str]:
        lines = dict(zip(ADDRESSES, (f"127.0.0.1:{port}" for port in self.ports), strict=True))
        if proxy == "nginx":
            return [*self.nginx("several/nginx.conf", lines)[0], "-g", "daemon off;"]
        both = (self.folder / "fullchain.pem").read_text() + (self.folder / "privkey.pem").read_text()
        (self.folder / "both.pem").write_text(both)
        text = replaced(
            (DEPLOY / "several" / "haproxy.cfg").read_text(),
            {
                **lines,
                "log /dev/log local0": "log stdout format raw local0",
                "    user haproxy\n    group haproxy\n": "",
                "    maxconn 20000\n": "    maxconn 200\n",
                "bind :80\n": f"bind 127.0.0.1:{free_port()}\n",
                "bind :443 ssl": f"bind 127.0.0.1:{self.proxy_port} ssl",
                "/etc/haproxy/certs/": str(self.folder / "both.pem"),
            },
        )
        (self.folder / "haproxy.cfg").write_text(text)
        return ["haproxy", "-db", "-f", str(self.folder / "haproxy.cfg")]


def prepare(folder: Path) -> ProxiedServers:
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run([*CERTIFICATE, *files], check=True, capture_output=True)
    return ProxiedServers(folder, 0)


@contextmanager
def two_servers_behind(folder: Path, proxy: str) -> Iterator[ProxiedServers]:
    made = prepare(folder)
    url = postgres().url(postgres().new())
    settings = {"FLIPDECK_PUBLIC_URL": f"https://{NAME}", "FLIPDECK_PROXIES": "127.0.0.1", "FLIPDECK_JOURNAL": url}
    with ExitStack() as stack:
        for node, port in enumerate(made.ports[:2]):
            log = stack.enter_context((folder / f"server{node}.log").open("wb"))
            data = ["--port", str(port), "--data", str(folder / f"data{node}")]
            serve = [sys.executable, "-m", "flipdeck", "serve", *data, *LEASE]
            server = stack.enter_context(running(serve, log, **settings))
            made.servers.append(server)
            assert server.stdout is not None
            assert b"open at" in server.stdout.readline(), (folder / f"server{node}.log").read_text()
        log = stack.enter_context((folder / "proxy-complaints.log").open("wb"))
        written = stack.enter_context((folder / "proxy-out.log").open("wb"))
        process = subprocess.Popen(made.command(proxy), stdout=written, stderr=log, env=dict(os.environ))
        stack.callback(process.wait, HANG)
        stack.callback(process.terminate)
        await_door(made.proxy_port, process)
        stack.enter_context(made.lines)
        yield made
