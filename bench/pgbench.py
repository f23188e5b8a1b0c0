#!/usr/bin/env python3
"""Compares Multimed with PostgreSQL alone and behind PgBouncer, by pgbench, on this machine.

    bench/pgbench.py point-reads [--clients 8,64,400,1000] [--runs 5] [--seconds 10] [--scale 50] [--protocol simple]
    bench/pgbench.py tpcb | mixed | remote-apply | satellites | definitions ...

Everything runs on this machine and its cores: load generator, proxies, engines. The systems of a scenario are all up
during the whole of it; their runs are interleaved (A B C, A B C, ...) and compared pair by pair, so that a machine
whose speed drifts does not decide the result. Printed: the median of each system, the median of the paired ratios and
its lower 95 % bound (bootstrap; of fewer than five runs the least ratio). Needs pgbench and, for comparisons with it, pgbouncer on the PATH.

Scenarios:
  point-reads   pgbench -S:  multimed (strong freshness, one Satellite), pgbouncer, direct
  tpcb          pgbench TPC-B-like: the same systems
  mixed         90 % point reads, 10 % updates: multimed with freshness strong against eventual; and how long strong
                reads waited for the Satellite to be fresh, by SHOW WAITS, whose times are known to an eighth
  remote-apply  TPC-B-like: multimed against pgbouncer in front of one PostgreSQL with a streaming standby, remote_apply
  satellites    TPC-B-like: three Satellites against one; the figure is the Master's CPU time a transaction
  definitions   pgbench -S alone, beside a session that creates and drops temporary tables 50 times a second, and beside one
                that does so with tables in another database, each as a ratio to alone; and the share of the reads that
                Satellites executed, by SHOW ROUTES. The same with PostgreSQL alone, since the definitions themselves take
                a part of a small machine

Behind each median stands the CPU time a transaction of the whole system (engines and proxies, without the load
generator), which says more than the throughput of a shared machine. --profile adds one more run of each system, and what
each of its processes takes of that (bench/processes.py). The relay alone: bench/relay-tpcb.
"""

import argparse
import collections
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from comparison import Comparison, add_arguments, free_port, run
from processes import cpu_seconds, profile

Run = collections.namedtuple("Run", "tps cpu first_script")

MIXED = {
    "read@9": """\\set aid random(1, 100000 * :scale)
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
""",
    "update@1": """\\set aid random(1, 100000 * :scale)
UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = :aid;
""",
}

# Executed 50 times a second beside the reads: a script, and the database.
DEFINITIONS = {
    "temporary": ("CREATE TEMP TABLE t (id int PRIMARY KEY, v text);\nDROP TABLE t;\n", "postgres"),
    "elsewhere": ("CREATE TABLE t (id int PRIMARY KEY, v text);\nDROP TABLE t;\n", "elsewhere"),
}
DEFINITIONS_RATE = 50


class Waits:
    """How long readers waited for a Satellite to be fresh, over several runs: SHOW WAITS counts since the start."""

    def __init__(self, ask):
        self.ask = ask
        self.micros = collections.Counter()
        self.reads = 0

    def counted(self):
        rows = (line.split("|") for line in self.ask("SHOW WAITS").splitlines())
        return collections.Counter({int(at_most): int(waits) for at_most, waits in rows})

    @contextlib.contextmanager
    def during(self, runs):
        """Adds the waits of the one run that the block appends."""
        before = self.counted()
        yield
        self.micros += self.counted() - before
        self.reads += runs[-1].first_script

    def at(self, share, count):
        """The time in ms that this share of so many reads kept to; those that are not counted did not wait."""
        left = count - self.micros.total()
        if left >= share * count:
            return 0.0
        for micros, waits in sorted(self.micros.items()):
            left += waits
            if left >= share * count:
                return micros / 1000
        return 0.0

    def __str__(self):
        waited = self.micros.total()
        return (f"  reads that waited: {waited / self.reads:.1%} of {self.reads}; these for p50 {self.at(0.5, waited):.2f} ms, "
                f"p99 {self.at(0.99, waited):.2f} ms, max {max(self.micros, default=0) / 1000:.2f} ms; "
                f"all reads p99 {self.at(0.99, self.reads):.2f} ms")


class Satellites:
    """The share of the reads of several runs that Satellites executed: SHOW ROUTES counts since the start."""

    NO_READS = ("update", "session_control")

    def __init__(self, ask):
        self.ask = ask
        self.placed = collections.Counter()

    def counted(self):
        rows = (line.split("|") for line in self.ask("SHOW ROUTES").splitlines())
        return collections.Counter({row[0]: int(row[-1]) for row in rows if row[0] not in self.NO_READS})

    @contextlib.contextmanager
    def during(self, runs):
        before = self.counted()
        yield
        self.placed += self.counted() - before

    def __str__(self):
        reads = self.placed.total()
        return f"  reads on Satellites: {self.placed['fresh_satellite'] / reads:.4f} of {reads}"


class Bench(Comparison):
    def __init__(self, args):
        super().__init__(args, "postgres")
        self.engine_bin = args.engine_bin

    # --- systems

    def multimed(self, name="multimed", satellites=1, config=""):
        configuration = self.home / f"{name}.toml"
        configuration.write_text(config + '\n[metrics]\nlisten = "off"\n')
        system = self.up(name, ["--satellites", str(satellites), "--config", str(configuration)]
                         + (["--engine-bin", self.engine_bin] if self.engine_bin else []))
        self.load(system["port"])
        return system

    def postgresql(self, name, like=None, extra=None):
        """One engine with the settings that the Master of Multimed has."""
        data = self.home / f"{name}-data"
        binaries = Path(self.binaries(like))
        run(self.user + [str(binaries / "initdb"), "-D", str(data), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"])
        port = free_port()
        settings = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": self.socket_directory(),
                    "max_connections": 1100, "max_wal_senders": 8}
        if like:
            for setting in ("shared_buffers", "wal_buffers", "max_wal_size", "checkpoint_timeout", "effective_cache_size",
                            "work_mem", "commit_delay", "commit_siblings", "jit", "io_method", "full_page_writes", "wal_compression", "synchronous_commit"):
                value = self.ask(like, f"SELECT current_setting('{setting}', true)")
                if value:
                    settings[setting] = value
        settings.update(extra or {})
        pid = self.start_engine(binaries, data, settings, name)
        self.load(port)
        return {"name": name, "host": "127.0.0.1", "port": port, "data": data, "binaries": binaries, "pids": {pid: name}}

    def socket_directory(self):
        directory = self.home / "s"
        if not directory.exists():
            directory.mkdir()
            directory.chmod(0o777)
        return str(directory)

    def start_engine(self, binaries, data, settings, name):
        arguments = [f"-c{key}={value}" for key, value in settings.items()]
        return self.start(name, [str(binaries / "postgres"), "-D", str(data)] + arguments, settings["port"])

    def standby_of(self, primary, name):
        """Starts a streaming standby; from now on it counts as part of the primary's system."""
        data = self.home / f"{name}-data"
        copier = primary["binaries"] / "pg_basebackup"
        if not copier.exists():
            sys.exit(f"{copier} does not exist: name an installed PostgreSQL with --engine-bin")
        run(self.user + [str(copier), "-h", "127.0.0.1", "-p", str(primary["port"]),
             "-U", "postgres", "-D", str(data), "-R", "-c", "fast", "--no-sync"])
        with open(data / "postgresql.auto.conf", "a") as conf:
            conf.write("primary_conninfo = 'host=127.0.0.1 port=%d user=postgres application_name=standby'\n" % primary["port"])
        port = free_port()
        pid = self.start_engine(primary["binaries"], data, {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": self.socket_directory(),
                                                       "max_connections": 1100, "fsync": "off"}, name)
        primary["pids"][pid] = name

    def pgbouncer(self, behind, pool, name="pgbouncer"):
        port = free_port()
        ini = self.home / f"{name}.ini"
        ini.write_text(f"""[databases]
* = host={self.socket_directory()} port={behind['port']}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
auth_file =
pool_mode = transaction
default_pool_size = {pool}
max_client_conn = 5000
max_prepared_statements = 100
""" if self.pgbouncer_version() >= (1, 21) else f"""[databases]
* = host={self.socket_directory()} port={behind['port']} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {pool}
max_client_conn = 5000
""")
        ini.chmod(0o644)
        pid = self.start(name, ["pgbouncer", str(ini)], port)
        return {"name": name, "host": "127.0.0.1", "port": port, "pids": behind["pids"] | {pid: "pgbouncer"}}

    @staticmethod
    def pgbouncer_version():
        first = run(["pgbouncer", "--version"]).split()[1]
        return tuple(int(part) for part in first.split(".")[:2])

    def binaries(self, like):
        if self.engine_bin:
            return self.engine_bin
        return str(self.program(like).parent)

    # --- work

    def ask(self, system, sql, database="postgres"):
        return run(["psql", "-XAt", "-h", system["host"], "-p", str(system["port"]), "-U", "postgres", "-d", database, "-c", sql]).strip()

    def load(self, port):
        run(["pgbench", "-i", "-q", "-s", str(self.args.scale), "-h", "127.0.0.1", "-p", str(port), "-U", "postgres", "postgres"])

    def command(self, system, clients, extra, seconds):
        return ["pgbench", "-n", "-h", system["host"], "-p", str(system["port"]), "-U", "postgres", "-c", str(clients),
                "-j", str(min(2, clients)), "-T", str(seconds), "-M", self.args.protocol] + extra + ["postgres"]

    def pgbench(self, system, clients, extra, seconds):
        """Transactions per second, CPU time of the system in microseconds a transaction, transactions of the first script."""
        command = self.command(system, clients, extra, seconds)
        with self.beside(system, seconds):
            before = cpu_seconds(system["pids"])
            out = run(command, env={**os.environ, **system.get("env", {})})
        used = cpu_seconds(system["pids"]) - before
        tps = re.search(r"^tps = ([0-9.]+)", out, re.MULTILINE)
        done = re.search(r"^number of transactions actually processed: ([0-9]+)", out, re.MULTILINE)
        if not tps or not done:
            sys.exit("pgbench said nothing of tps:\n" + out)
        first = re.search(r"^ - ([0-9]+) transactions", out, re.MULTILINE) or done
        return Run(float(tps[1]), used * 1e6 / int(done[1]), int(first[1]))

    @contextlib.contextmanager
    def beside(self, system, seconds):
        """Executes the definitions that the system is to be measured beside, if any."""
        if "beside" not in system:
            yield
            return
        script, database = system["beside"]
        # A definition that was under way when the last run ended may have come to its end after the table had been dropped.
        self.ask(system, "DROP TABLE IF EXISTS t", database)
        process = subprocess.Popen(
            ["pgbench", "-n", "-h", system["host"], "-p", str(system["port"]), "-U", "postgres", "-c", "1", "-T", str(seconds + 60),
             "-R", str(DEFINITIONS_RATE), "-f", str(script), database], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield
            if process.poll() is not None:
                sys.exit(f"the definitions in {database} have ended by themselves")
        finally:
            # A shell lets programs in the background ignore SIGINT.
            process.terminate()
            process.wait(30)
            self.ask(system, "DROP TABLE IF EXISTS t", database)

    def compare(self, systems, extra):
        for clients in self.args.clients:
            counts = {system["name"]: system["counts"](lambda sql: self.ask(systems[0], sql, "multimed"))
                      for system in systems if "counts" in system}
            self.measure(f"{self.args.scenario} ({self.args.protocol})", clients, systems,
                         lambda system, number, seconds: self.pgbench(system, number, extra, seconds), counts)
            if self.args.profile:
                for system in systems:
                    print(f"  {system['name']}:")
                    with self.beside(system, self.args.seconds):
                        profile(system["pids"], self.command(system, clients, extra, self.args.seconds),
                                {**os.environ, **system.get("env", {})})
        self.keep_results()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", choices=["point-reads", "tpcb", "mixed", "remote-apply", "satellites", "definitions"])
    add_arguments(parser)
    parser.add_argument("--scale", type=int, default=50)
    parser.add_argument("--protocol", choices=["simple", "extended", "prepared"], default="simple")
    parser.add_argument("--pool", type=int, default=20, help="PgBouncer's pool; tune it for PgBouncer")
    parser.add_argument("--engine-bin", help="directory of installed PostgreSQL programs for every system; remote-apply needs one")
    parser.add_argument("--config", help="TOML file for Multimed", type=lambda path: Path(path).read_text())
    args = parser.parse_args()
    needed = ["pgbench", "psql"] + ([] if args.scenario in ("mixed", "satellites", "definitions") else ["pgbouncer"])
    missing = [program for program in needed if not shutil.which(program)]
    if missing:
        parser.error(f"{args.scenario} needs {', '.join(missing)} on the PATH")
    if args.scenario == "remote-apply" and not args.engine_bin:
        parser.error("remote-apply needs --engine-bin, a directory of installed PostgreSQL programs")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    bench = Bench(args)
    try:
        multimed = bench.multimed(config=args.config or "")
        if args.scenario in ("point-reads", "tpcb"):
            direct = bench.postgresql("direct", like=multimed)
            systems = [multimed]
            if args.protocol != "prepared" or bench.pgbouncer_version() >= (1, 21):
                systems.append(bench.pgbouncer(direct, args.pool))
            bench.compare(systems + [direct], ["-S"] if args.scenario == "point-reads" else [])
        elif args.scenario == "mixed":
            scripts = []
            for name, text in MIXED.items():
                script, _, weight = name.partition("@")
                (bench.home / script).write_text(text)
                scripts += ["-f", f"{bench.home / script}@{weight}"]
            eventual = {**multimed, "name": "eventual", "env": {"PGOPTIONS": "-c multimed.freshness=eventual"}}
            bench.compare([{**multimed, "name": "strong", "counts": Waits}, eventual], scripts + ["-D", f"scale={args.scale}"])
        elif args.scenario == "definitions":
            direct = bench.postgresql("direct", like=multimed)
            systems = []
            for system, more in ((multimed, {"counts": Satellites}), (direct, {})):
                bench.ask(system, "CREATE DATABASE elsewhere")
                alone = system["name"]
                systems.append({**system, **more, "of": alone})
                for name, (text, database) in DEFINITIONS.items():
                    script = bench.home / name
                    script.write_text(text)
                    systems.append({**system, **more, "name": f"{alone} {name}", "of": alone, "beside": (script, database)})
            bench.compare(systems, ["-S"])
        elif args.scenario == "satellites":
            def master_of(system):
                return {**system, "pids": {node["pid"]: "master" for node in system["status"]["nodes"] if node["role"] == "master"}}
            bench.compare([master_of({**bench.multimed("three", satellites=3), "name": "three"}), master_of({**multimed, "name": "one"})], [])
        else:
            primary = bench.postgresql("primary", like=multimed)
            bench.standby_of(primary, "standby")
            run(["psql", "-X", "-h", "127.0.0.1", "-p", str(primary["port"]), "-U", "postgres", "-c",
                 "ALTER SYSTEM SET synchronous_standby_names = 'standby'", "-c", "ALTER SYSTEM SET synchronous_commit = 'remote_apply'",
                 "-c", "SELECT pg_reload_conf()"])
            bench.compare([multimed, bench.pgbouncer(primary, args.pool, "remote-apply")], [])
    finally:
        bench.close()


if __name__ == "__main__":
    main()
