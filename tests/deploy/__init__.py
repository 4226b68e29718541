"""The files of ``deploy/`` with the programs they are for: nginx, Caddy, systemd.

They run in an environment that has the locked set of dependencies and nothing else of ours (``make test-deploy``).

| module | what it is for |
|---|---|
| conftest | skips what lacks its program, and says so |
| proxies | a real server, and a real proxy in front of it with the file of ``deploy/`` |
| test_proxies | what comes through a proxy, and what doesn't |
| test_service | the unit of systemd |
"""
