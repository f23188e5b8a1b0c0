#!/usr/bin/env python3
"""Compares Multimed with MariaDB alone, by sysbench, on this machine.

    bench/sysbench.py point-select [--clients 8,64,400,1000] [--runs 5] [--seconds 10] [--rows 1000000] [--prepared]
    bench/sysbench.py read-only | read-only-autocommit | read-write | write-only | update-index ...

Everything runs on this machine and its cores: load generator, middleware, engines. The systems are all up during the
whole of it; their runs are interleaved (A B C, A B C, ...) and compared pair by pair. Printed: the median of each system,
the median of the paired ratios and its lower 95 % bound. Behind each median stands the CPU time a transaction of the whole
system, without the load generator. Needs sysbench on the PATH.

Systems: multimed (strong freshness, one Satellite); mariadb, one engine with the settings of Multimed's Master; pool, the same
with MariaDB's own thread pool; for scenarios that write, binary too: mariadb with a durable binary log, which Multimed's
Master has. The transactions of read-only begin with START TRANSACTION READ ONLY for all systems, where sysbench has BEGIN;
read-only-autocommit executes the same 14 reads without a transaction (--skip-trx).
"""

import argparse
import collections
import re
import shutil
import signal
import subprocess
import sys

from comparison import ROOT, Comparison, add_arguments, free_port, run
from processes import cpu_seconds, profile

Run = collections.namedtuple("Run", "tps cpu")

# By scenario: the script and its options.
SCRIPTS = {
    "point-select": ["oltp_point_select"],
    "read-only": [str(ROOT / "bench/sysbench-read-only.lua")],
    "read-only-autocommit": ["oltp_read_only", "--skip-trx=on"],
    "read-write": ["oltp_read_write"],
    "write-only": ["oltp_write_only"],
    "update-index": ["oltp_update_index"],
}
WRITING = ("read-write", "write-only", "update-index")

# Of Multimed's Master, for the engines that it is compared with.
LIKE_MASTER = ("innodb_buffer_pool_size", "innodb_log_file_size", "innodb_flush_log_at_trx_commit")
DURABLE_BINARY_LOG = {"log_bin": "binlog", "binlog_format": "ROW", "sync_binlog": "1", "max_binlog_size": "268435456", "server_id": "1"}


class Bench(Comparison):
    def __init__(self, args):
        super().__init__(args, "nobody")

    def multimed(self):
        system = self.up("multimed", ["--engine", "mariadb", "--satellites", str(self.args.satellites)]
                         + (["--engine-bin", self.args.engine_bin] if self.args.engine_bin else []))
        system["socket"] = next(node["host"] for node in system["status"]["nodes"] if node["role"] == "master")
        system["bin"] = self.program(system).parent
        self.load(system)
        return system

    def mariadb(self, name, like, extra=None):
        """One engine with the settings that the Master of Multimed has."""
        data = self.directory(name)
        share = like["bin"].parent / "share"
        share = share / "mysql" if (share / "mysql").is_dir() else share
        server = [str(like["bin"] / "mariadbd"), "--no-defaults", f"--datadir={data}", f"--lc-messages-dir={share}", f"--character-sets-dir={share / 'charsets'}"]
        tables = "".join((share / f"{file}.sql").read_text() + "\n" for file in (
            "mariadb_system_tables", "mariadb_performance_tables", "mariadb_system_tables_data", "fill_help_tables",
            "maria_add_gis_sp_bootstrap", "mariadb_sys_schema"))
        run(self.user + server + ["--bootstrap", "--silent-startup", "--max-allowed-packet=8M"],
            input="CREATE DATABASE IF NOT EXISTS mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n" + tables)
        port = free_port()
        settings = {"port": port, "bind_address": "127.0.0.1", "socket": data / "socket", "max_connections": 1100, "ssl": "0",
                    "pid_file": data / "pid"}
        settings.update({setting: self.ask(like["bin"], like["socket"], f"SELECT @@{setting}") for setting in LIKE_MASTER})
        settings.update(extra or {})
        pid = self.start(name, server + [f"--{key}={value}" for key, value in settings.items()], port)
        system = {"name": name, "host": "127.0.0.1", "port": port, "pids": {pid: name}, "socket": data / "socket", "bin": like["bin"]}
        self.load(system)
        return system

    def ask(self, binaries, socket, sql):
        return run([str(binaries / "mariadb"), "--no-defaults", "--skip-ssl", "-NB", "-u", "root", "-S", str(socket), "-e", sql]).strip()

    def load(self, system):
        # MariaDB permits root from anywhere on the machine only where names are resolved, so that each system gets the same account.
        self.ask(system["bin"], system["socket"],
                 "CREATE DATABASE sbtest; CREATE USER sbtest IDENTIFIED BY 'sbtest'; GRANT ALL ON sbtest.* TO sbtest")
        run(self.sysbench(system, ["oltp_common"], 1) + ["prepare"])

    def sysbench(self, system, script, clients):
        return ["sysbench"] + script + ["--db-driver=mysql", f"--mysql-host={system['host']}", f"--mysql-port={system['port']}",
                "--mysql-user=sbtest", "--mysql-password=sbtest", f"--threads={clients}", f"--table-size={self.args.rows}",
                f"--db-ps-mode={'auto' if self.args.prepared else 'disable'}", "--rand-type=uniform"]

    def command(self, system, clients, seconds):
        return self.sysbench(system, SCRIPTS[self.args.scenario], clients) + [f"--time={seconds}", "run"]

    def transactions(self, system, clients, seconds):
        before = cpu_seconds(system["pids"])
        out = run(self.command(system, clients, seconds))
        used = cpu_seconds(system["pids"]) - before
        done = re.search(r"transactions: +(\d+) +\(([0-9.]+) per sec", out)
        if not done:
            sys.exit("sysbench printed no rate of transactions:\n" + out)
        return Run(float(done[2]), used * 1e6 / max(1, int(done[1])))

    def compare(self, systems):
        title = f"{self.args.scenario} ({'prepared' if self.args.prepared else 'text'})"
        for clients in self.args.clients:
            self.measure(title, clients, systems, self.transactions)
            if self.args.profile:
                for system in systems:
                    print(f"  {system['name']}:")
                    profile(system["pids"], self.command(system, clients, self.args.seconds))
        self.keep_results()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", choices=list(SCRIPTS))
    add_arguments(parser)
    parser.add_argument("--rows", type=int, default=1000000)
    parser.add_argument("--satellites", type=int, default=1)
    parser.add_argument("--prepared", action="store_true", help="prepared statements of the protocol instead of text")
    parser.add_argument("--engine-bin", help="directory of installed MariaDB programs for Multimed")
    args = parser.parse_args()
    if not shutil.which("sysbench"):
        parser.error("sysbench is not on the PATH")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    bench = Bench(args)
    try:
        multimed = bench.multimed()
        systems = [multimed, bench.mariadb("mariadb", multimed), bench.mariadb("pool", multimed, {"thread_handling": "pool-of-threads"})]
        if args.scenario in WRITING:
            systems.append(bench.mariadb("binary log", multimed, DURABLE_BINARY_LOG))
        bench.compare(systems)
    except subprocess.CalledProcessError as failed:
        sys.exit(f"{' '.join(failed.cmd)} failed:\n{failed.output}")
    finally:
        bench.close()


if __name__ == "__main__":
    main()
