"""Systems that are up side by side on this machine and measured in turns, as bench/pgbench.py and bench/sysbench.py do."""

import contextlib
import fcntl
import json
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def run(command, **kwargs):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **kwargs).stdout


def add_arguments(parser):
    """The options that every comparison has."""
    parser.add_argument("--clients", default="8,64,400,1000", type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--warmup", type=int, default=10)
    parser.add_argument("--profile", action="store_true", help="show where each system's processor time goes")
    parser.add_argument("--out", help="write every single run to this JSON file")
    parser.add_argument("--lock", help="hold this lock file during each round, where others use the machine too")
    parser.add_argument("--keep", action="store_true", help="keep the temporary directory")


class Comparison:
    """The systems of one call, their directory, and their results."""

    def __init__(self, args, user):
        """user: as whom engines run if this runs as root."""
        self.args = args
        self.home = Path(tempfile.mkdtemp(prefix="multimed-bench-"))
        # Engines of root's run as somebody else.
        self.home.chmod(0o777 if os.getuid() == 0 else 0o755)
        self.processes = []
        self.owner = user if os.getuid() == 0 else None
        self.user = ["setpriv", "--reuid", user, "--clear-groups"] if self.owner else []
        self.results = []

    def directory(self, name):
        """A new directory of the engines' user."""
        directory = self.home / name
        directory.mkdir()
        if self.owner:
            shutil.chown(directory, self.owner)
        return directory

    def up(self, name, options):
        """Starts Multimed; returns it with its port, status and the PIDs that count for it."""
        port = free_port()
        directory = self.directory(name)
        log = open(self.home / f"{name}.log", "w")
        process = subprocess.Popen(
            [str(ROOT / "multimed"), "up", "--dir", str(directory), "--listen", f"127.0.0.1:{port}"] + options,
            stdout=subprocess.PIPE, stderr=log, text=True)
        self.processes.append(process)
        line = process.stdout.readline()
        if not line.startswith("ready "):
            sys.exit(f"multimed did not come up, see {log.name}")
        status = json.loads(run([str(ROOT / "multimed"), "status", "--json", "--dir", str(directory)]))
        return {"name": name, "host": "127.0.0.1", "port": port, "status": status,
                "pids": {process.pid: "middleware"} | {node["pid"]: node["name"] for node in status["nodes"]}}

    def start(self, name, command, port):
        """Starts a program as the engines' user, and waits until it listens; returns its PID."""
        log = open(self.home / f"{name}.log", "w")
        self.processes.append(subprocess.Popen(self.user + command, stdout=log, stderr=log))
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                time.sleep(0.5)
                return self.processes[-1].pid
            except OSError:
                time.sleep(0.1)
        sys.exit(f"nothing listens on port {port}; see {log.name}")

    @staticmethod
    def program(system, role="master"):
        """The program of a node of Multimed."""
        for node in system["status"]["nodes"]:
            if node["role"] == role:
                return Path(os.readlink(f"/proc/{node['pid']}/exe"))
        sys.exit(f"there is no {role} to take the programs from")

    @contextlib.contextmanager
    def turn(self):
        """Where several measure or build on one machine: each round is run while holding the lock file."""
        if not self.args.lock:
            yield
            return
        with open(self.args.lock, "a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def measure(self, title, clients, systems, load, counts=None):
        """Runs the systems in turns, and prints their medians and ratios.

        load: (system, clients, seconds) -> run with tps and cpu, the latter in microseconds a transaction
        counts: by a system's name, for those that have one: a count that is taken during each run, and printed
        """
        counts = counts or {}
        runs = {system["name"]: [] for system in systems}
        with self.turn():
            for system in systems:
                load(system, clients, self.args.warmup)
        for _ in range(self.args.runs):
            with self.turn():
                for system in systems:
                    mine = runs[system["name"]]
                    count = counts.get(system["name"])
                    with count.during(mine) if count else contextlib.nullcontext():
                        mine.append(load(system, clients, self.args.seconds))
        first = systems[0]["name"]
        print(f"{title}, {clients} clients")
        of = {system["name"]: system.get("of") for system in systems}
        for name, values in runs.items():
            # A system with an "of" is compared with that one; others are what the first is compared with.
            over, under = (name, of[name]) if of[name] else (first, name)
            ratios = [mine.tps / other.tps for mine, other in zip(runs[over], runs[under])]
            against = "" if over == under else f"   {over}/{under} {statistics.median(ratios):.3f} (lower bound {self.lower(ratios):.3f})"
            print(f"  {name:20s} {statistics.median(one.tps for one in values):9.0f} tps "
                  f"{statistics.median(one.cpu for one in values):7.1f} us CPU/tx{against}", flush=True)
            if name in counts:
                print(counts[name], flush=True)
        self.results.append({"clients": clients, "runs": runs})

    @staticmethod
    def lower(values):
        if len(values) < 5:
            # Of fewer no bound holds with 95 %: all of 2, 3 or 4 lie above the median once in 4, 8 or 16 times.
            return min(values)
        chance = random.Random(1)
        medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(2000))
        return medians[100]

    def keep_results(self):
        if self.args.out:
            Path(self.args.out).write_text(json.dumps({"arguments": {k: str(v) for k, v in vars(self.args).items()}, "results": self.results}, indent=1))

    def close(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
        for process in reversed(self.processes):
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
        if not self.args.keep:
            shutil.rmtree(self.home, ignore_errors=True)
