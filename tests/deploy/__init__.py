"""The files of ``deploy/`` with the programs they are for: nginx, HAProxy, Caddy, Prometheus, systemd.

They run in an environment that has the locked set of dependencies and nothing else of ours (``make test-deploy``).

| module | what it is for |
|---|---|
| conftest | skips what lacks its program, and says so |
| proxies | a real server, and a real proxy in front of it with the file of ``deploy/`` |
| several_proxied | real servers on a real PostgreSQL, and a proxy with a file of ``deploy/several`` |
| test_alerts | the rules of Prometheus, as its own tool sees them; alerts.test.yaml says when they fire |
| test_proxies | what comes through a proxy, and what doesn't |
| test_several | two servers behind nginx and HAProxy: who reaches which, and when one dies |
| test_service | the unit of systemd |
"""
