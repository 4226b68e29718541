"""A Ray cluster for tests, as a process: two machines of one worker each, all on the loopback address.

It prints the address, then adds a machine for every line it reads and prints the process id of it; when its input is
closed, everything ends.  Ray's own ``ray start`` would listen on every network of the machine.
"""

from __future__ import annotations

import sys

from ray.cluster_utils import Cluster


def add_machine(cluster: Cluster) -> int:
    machine = cluster.add_node(
        node_ip_address="127.0.0.1",
        num_cpus=1,
        object_store_memory=80_000_000,
        include_dashboard=False,
        include_log_monitor=False,
    )
    return int(machine.all_processes["raylet"][0].process.pid)


def main() -> None:
    cluster = Cluster()
    try:
        add_machine(cluster)
        add_machine(cluster)
        print(cluster.address, flush=True)
        for _ in sys.stdin:
            print(add_machine(cluster), flush=True)
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main()
