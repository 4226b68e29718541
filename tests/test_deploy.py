"""What the files of ``deploy/`` say; ``tests/deploy`` runs them with the programs they are for."""

from __future__ import annotations

import re
import tomllib
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
PYTHONS = ("3.11", "3.12", "3.13")
PLATFORMS = ("linux", "darwin", "win32")


def read(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def locked(name: str) -> dict[str, list[Requirement]]:
    """By name: a package may have one version for each range of Pythons."""
    found: dict[str, list[Requirement]] = {}
    for line in re.sub(r" \\\n\s+--hash=\S+", "", read(name)).splitlines():
        if not line.startswith("#"):
            requirement = Requirement(line)
            found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def wanted(*extras: str) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(text) for extra in extras for text in project["optional-dependencies"][extra]]


def applies(requirement: Requirement, python: str, platform: str) -> bool:
    where = {"python_version": python, "python_full_version": f"{python}.1", "sys_platform": platform}
    return requirement.marker is None or requirement.marker.evaluate(where)


# ---------------------------------------------------------------- the locked set
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_lock_has_one_fitting_version_of_all_that_a_server_needs(python: str, platform: str) -> None:
    lock = locked("requirements.txt")
    for requirement in wanted("server", "bulk", "postgres"):
        if applies(requirement, python, platform):
            (found,) = [it for it in lock[canonicalize_name(requirement.name)] if applies(it, python, platform)]
            (pin,) = found.specifier
            assert pin.operator == "=="
            assert requirement.specifier.contains(pin.version), requirement.name


@pytest.mark.parametrize("name", ["requirements.txt", "build-requirements.txt"])
def test_every_locked_package_has_hashes_and_no_place_is_named(name: str) -> None:
    text = read(name)
    packages = re.findall(r"^[a-z0-9.-]+==.*(?:\n\s+--hash=sha256:[0-9a-f]{64}.*)+", text, re.MULTILINE)
    assert len(packages) == sum(map(len, locked(name).values())) > 3
    assert not re.search(r"://|index-url|find-links|file:", text)


def test_the_package_is_built_with_what_is_locked_for_it() -> None:
    lock = locked("build-requirements.txt")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    node = re.search(r'NODE = "(.+)"', (ROOT / "web/make.py").read_text(encoding="utf-8"))
    assert node
    needed = [*project["build-system"]["requires"], node[1]]
    assert set(needed) <= set(read("build-requirements.in").splitlines())
    for requirement in map(Requirement, needed):
        (found,) = lock[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(pin.version) for pin in found.specifier)


@pytest.mark.parametrize("name", ["Dockerfile", "README.md"])
def test_what_is_installed_is_installed_from_the_lock(name: str) -> None:
    text = read(name)
    assert "--require-hashes" in text
    for line in re.findall(r"pip (?:install|wheel).*", text):
        assert "--require-hashes" in line or "--no-deps" in line, line


# ---------------------------------------------------------------- what may be taken, and what may be done
def test_the_service_has_limits() -> None:
    unit = RawConfigParser(strict=False)
    unit.read_string(read("flipdeck.service"))
    service = unit["Service"]
    assert {"MemoryMax", "TasksMax", "CPUWeight", "LimitNOFILE"} <= {*map(str, _keys("flipdeck.service"))}
    assert service["NoNewPrivileges"] == "yes"
    assert service["CapabilityBoundingSet"] == ""


def _keys(name: str) -> list[str]:
    return re.findall(r"^(\w+)=", read(name), re.MULTILINE)


def test_the_container_can_write_its_volumes_only_and_has_no_capabilities_and_limits() -> None:
    made: dict[str, Any] = yaml.safe_load(read("compose.yaml"))
    service = made["services"]["flipdeck"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert "privileged" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["user"] == "10001:10001"
    assert {"mem_limit", "memswap_limit", "pids_limit"} <= service.keys()
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert {each.partition(":")[2] for each in service["volumes"]} == {"/data", "/cache"}
    (network,) = made["networks"]["table"]["ipam"]["config"]
    assert service["environment"]["FLIPDECK_PROXIES"] == network["gateway"]


def test_the_run_line_of_the_readme_confines_the_container_as_the_compose_file_does() -> None:
    for flag in (
        *("--read-only", "--cap-drop ALL", "--security-opt no-new-privileges", "--memory 2g", "--pids-limit 256"),
        *("--tmpfs /tmp", "-p 127.0.0.1:8000:8000", "-v flipdeck-cache:/cache"),
    ):
        assert flag in read("README.md"), flag


# ---------------------------------------------------------------- proxies
@pytest.mark.parametrize("name", ["Caddyfile", "nginx.conf", "compose.yaml", "README.md"])
def test_the_settings_of_the_server_stand_where_the_proxy_is_set_up(name: str) -> None:
    assert "FLIPDECK_PUBLIC_URL" in read(name)
    assert "FLIPDECK_PROXIES" in read(name)
