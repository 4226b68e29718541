"""What the files for several servers say, beside what a server really offers: settings, ports, paths, metrics."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from flipdeck.server.config import PREFIX, Config
from flipdeck.server.metrics import Metrics
from flipdeck.wire.operations import OPERATIONS
from flipdeck.wire.routing import ROUTE_PARAMETER
from tests.server.sitting import hall
from tests.server.virtual import run

DEPLOY = Path(__file__).parent.parent / "deploy"
SEVERAL, MONITORING = DEPLOY / "several", DEPLOY / "monitoring"
SETTINGS = {PREFIX + spec.name.upper() for spec in fields(Config)}
PATHS = {operation.path for operation in OPERATIONS}


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((SEVERAL / "compose.yaml").read_text())
    return found


def kubernetes() -> dict[str, dict[str, Any]]:
    """By kind; of several of a kind the first."""
    found: dict[str, dict[str, Any]] = {}
    for document in yaml.safe_load_all((SEVERAL / "kubernetes.yaml").read_text()):
        found.setdefault(document["kind"], document)
    return found


def container() -> dict[str, Any]:
    (found,) = kubernetes()["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert isinstance(found, dict)
    return found


def metric_names() -> set[str]:
    async def story() -> str:
        async with hall() as it:
            return Metrics(it.lobby).text()

    return set(re.findall(r"^(flipdeck_\w+)", run(story()), re.MULTILINE))


# ---------------------------------------------------------------- proxies
def test_every_proxy_goes_by_the_routing_key_consistently() -> None:
    nginx, haproxy = (SEVERAL / "nginx.conf").read_text(), (SEVERAL / "haproxy.cfg").read_text()
    assert re.search(rf"map \$arg_{ROUTE_PARAMETER} \$route", nginx)
    assert "hash $route consistent;" in nginx
    assert f"balance url_param {ROUTE_PARAMETER}\n" in haproxy
    assert "hash-type consistent\n" in haproxy
    annotations = kubernetes()["Ingress"]["metadata"]["annotations"]
    assert annotations["nginx.ingress.kubernetes.io/upstream-hash-by"] == f"$arg_{ROUTE_PARAMETER}"


def test_all_files_have_the_same_servers() -> None:
    services = compose()["services"]
    nodes = [f"{services[f'node{n}']['networks']['tables']['ipv4_address']}:8000" for n in (1, 2, 3)]
    assert re.findall(r"server ([\d.]+:\d+) max_fails", (SEVERAL / "nginx.conf").read_text()) == nodes
    assert re.findall(r"server node\d ([\d.:]+)", (SEVERAL / "haproxy.cfg").read_text()) == nodes
    scraped = yaml.safe_load((MONITORING / "prometheus.yaml").read_text())["scrape_configs"][0]
    assert scraped["static_configs"][0]["targets"] == nodes
    assert scraped["metrics_path"] in PATHS


@pytest.mark.parametrize("name", ["several/nginx.conf", "several/haproxy.cfg", "several/compose.yaml"])
def test_the_settings_of_the_servers_stand_where_the_proxy_is_set_up(name: str) -> None:
    named = set(re.findall(rf"{PREFIX}\w+", (DEPLOY / name).read_text()))
    assert {"FLIPDECK_PUBLIC_URL", "FLIPDECK_PROXIES", "FLIPDECK_JOURNAL"} <= named <= SETTINGS


def test_the_proxy_for_several_differs_from_that_for_one_in_its_servers_alone() -> None:
    one, several = [(DEPLOY / name).read_text().splitlines() for name in ("nginx.conf", "several/nginx.conf")]
    changed = {line.strip() for line in set(one) - set(several) if not line.strip().startswith("#")}
    assert changed == {"server 127.0.0.1:8000;"}


# ---------------------------------------------------------------- containers
def test_the_nodes_of_the_compose_file_are_confined_as_the_one_alone_is() -> None:
    alone = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["flipdeck"]
    made = compose()["services"]
    for name in ("node1", "node2", "node3"):
        for key in ("user", "read_only", "tmpfs", "cap_drop", "security_opt", "mem_limit", "pids_limit", "init"):
            assert made[name][key] == alone[key], (name, key)
        assert "ports" not in made[name], "only the proxy is reached from outside"
        environment = made[name]["environment"]
        assert {each for each in environment if each.startswith(PREFIX)} <= SETTINGS
        assert environment["FLIPDECK_PROXIES"] == made["proxy"]["networks"]["tables"]["ipv4_address"]
        assert made["database"]["networks"]["tables"]["ipv4_address"] in environment["FLIPDECK_JOURNAL"]
    assert "ports" not in made["database"]
    volumes = [volume for name in ("node1", "node2", "node3") for volume in made[name]["volumes"]]
    assert len(set(volumes)) == 6, "each has folders of its own"


# ---------------------------------------------------------------- Kubernetes
def test_probes_ask_what_the_server_answers() -> None:
    it = container()
    asked = {name: it[name]["httpGet"]["path"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert asked == {
        "startupProbe": "/health/live",
        "livenessProbe": "/health/live",
        "readinessProbe": "/health/ready",
    }
    assert set(asked.values()) <= PATHS
    (port,) = it["ports"]
    environment = {each["name"]: each.get("value") for each in it["env"]}
    assert str(port["containerPort"]) == environment["FLIPDECK_PORT"]
    assert {name for name in environment if name.startswith(PREFIX)} <= SETTINGS


def test_a_pod_has_time_to_stop_and_not_all_stop_at_once() -> None:
    pod = kubernetes()["Deployment"]["spec"]["template"]["spec"]
    environment = {each["name"]: each.get("value") for each in container()["env"]}
    pause = int(container()["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pause + 2 * float(environment["FLIPDECK_DRAIN_SECONDS"]) < pod["terminationGracePeriodSeconds"]
    assert kubernetes()["Deployment"]["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    assert kubernetes()["PodDisruptionBudget"]["spec"]["maxUnavailable"] == 1
    labels = kubernetes()["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert kubernetes()["Service"]["spec"]["selector"] == labels
    assert kubernetes()["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels


def test_a_pod_is_confined_and_the_metrics_are_kept_from_the_public() -> None:
    secure = container()["securityContext"]
    assert (secure["readOnlyRootFilesystem"], secure["allowPrivilegeEscalation"]) == (True, False)
    assert secure["capabilities"] == {"drop": ["ALL"]}
    (rule,) = kubernetes()["Ingress"]["spec"]["rules"]
    backends = {path["path"]: path["backend"]["service"]["name"] for path in rule["http"]["paths"]}
    assert backends == {"/metrics": "flipdeck-nowhere", "/": "flipdeck"}
    assert (
        kubernetes()["Ingress"]["metadata"]["annotations"]["nginx.ingress.kubernetes.io/enable-access-log"] == "false"
    )


# ---------------------------------------------------------------- what is watched
def test_every_metric_that_a_board_or_an_alert_names_is_there() -> None:
    known = metric_names()
    for name in ("grafana.json", "alerts.yaml"):
        named = set(re.findall(r"\bflipdeck_\w+", (MONITORING / name).read_text()))
        assert len(named) > 8
        assert named <= known, name
    assert "flipdeck_nothing" not in known


def test_the_board_is_whole() -> None:
    board = json.loads((MONITORING / "grafana.json").read_text())
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) >= 15
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells)), "one lies over another"
    assert max(x for x, _ in cells) < 24
    assert all(target["expr"] for panel in panels for target in panel["targets"])
