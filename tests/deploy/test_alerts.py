"""The rules of Prometheus, as its own tool sees them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.deploy.proxies import DEPLOY

CASES = Path(__file__).parent / "alerts.test.yaml"
RULES = DEPLOY / "monitoring" / "alerts.yaml"


def promtool(*words: str) -> str:
    asked = subprocess.run(["promtool", *words], capture_output=True, text=True, check=False)
    assert asked.returncode == 0, asked.stdout + asked.stderr
    return asked.stdout


def test_promtool_has_nothing_to_say_about_the_files() -> None:
    promtool("check", "config", "--lint=all", str(DEPLOY / "monitoring" / "prometheus.yaml"))


def test_promtool_sees_the_alerts_fire_when_they_should_and_only_then() -> None:
    assert "SUCCESS" in promtool("test", "rules", str(CASES))


def test_every_alert_is_seen_firing_and_silent() -> None:
    names = re.findall(r"alert: (\w+)", RULES.read_text())
    cases = CASES.read_text()
    for name in names:
        assert re.search(rf"alertname: {name}, exp_alerts: \[\]", cases), f"{name} is never silent"
        assert re.search(rf"alertname: {name}\n\s+exp_alerts:\n\s+- exp_labels", cases), f"{name} never fires"
