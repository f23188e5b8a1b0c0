#!/usr/bin/env python3
"""Single figures of a Multimed on this machine: times, memory, what one long reader costs.

    bench/figures.py start | warm | clone | memory | visible | long-reader | faults [--scale 135] [--runs 5]

Scenarios:
  start        from the command to listening, and to the Master's data being served, on an existing instance
  warm         throughput of 64 clients in the first 3 s after an existing instance is ready, against seconds 20 to 30: point reads
               and TPC-B
  clone        from the Master serving to one Satellite serving, beside an idle and beside a loaded Master
  memory       resident memory of the middleware while 1,000 clients read
  visible      from a commit's acknowledgement to its being visible on the Satellite, on an idle instance
  long-reader  TPC-B and fresh reads while a REPEATABLE READ transaction stays open on the Satellite for 30 s and the
               Master vacuums
  faults       point reads, TPC-B and both mixed by 32 clients, two Satellites; during each one is killed and the other
               stopped for a while; in the end the tables of all engines must be equal

Scale 135 is a database of 2 GB. Needs pgbench and psql.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Wire:
    """As little of the protocol as one needs to ask a question without a process of its own."""

    def __init__(self, host, port):
        if host.startswith("/"):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(f"{host}/.s.PGSQL.{port}")
        else:
            self.socket = socket.create_connection((host, port))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.input = self.socket.makefile("rb")
        parameters = b"user\0postgres\0database\0postgres\0\0"
        self.socket.sendall(struct.pack("!ii", len(parameters) + 8, 3 << 16) + parameters)
        self.answer()

    def ask(self, sql):
        text = sql.encode() + b"\0"
        self.socket.sendall(b"Q" + struct.pack("!i", len(text) + 4) + text)
        return self.answer()

    def answer(self):
        """The first column of the last row; an error ends the program."""
        value = None
        while True:
            kind, length = struct.unpack("!ci", self.input.read(5))
            body = self.input.read(length - 4)
            if kind == b"D":
                size = struct.unpack("!i", body[2:6])[0]
                value = body[6:6 + size].decode() if size >= 0 else None
            elif kind == b"E":
                raise RuntimeError(body.decode(errors="replace"))
            elif kind == b"Z":
                return value


class Instance:
    """One Multimed, started and ended as its users do."""

    all = []

    def __init__(self, directory, *options):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.directory = directory
        self.began = time.monotonic()
        self.master_after = None
        self.listening_after = None
        self.process = subprocess.Popen(
            [str(ROOT / "multimed"), "up", "--dir", str(directory), "--listen", f"127.0.0.1:{self.port}", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        Instance.all.append(self)
        threading.Thread(target=self.watch_words, daemon=True).start()
        threading.Thread(target=self.watch_port, daemon=True).start()

    def watch_words(self):
        for line in self.process.stderr:
            if "serving the master's data" in line:
                self.master_after = time.monotonic() - self.began

    def watch_port(self):
        while self.listening_after is None and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                self.listening_after = time.monotonic() - self.began
            except OSError:
                time.sleep(0.005)

    def await_master(self):
        while self.master_after is None:
            if self.process.poll() is not None:
                sys.exit("multimed ended")
            time.sleep(0.005)

    def await_ready(self):
        line = self.process.stdout.readline()
        if not line.startswith("ready"):
            sys.exit("multimed did not come up")
        return time.monotonic() - self.began

    def nodes(self):
        return json.loads(subprocess.check_output(
            [str(ROOT / "multimed"), "status", "--json", "--dir", str(self.directory)]))["nodes"]

    def node(self, name):
        return next(node for node in self.nodes() if node["name"] == name)

    def await_all_serving(self):
        deadline = time.monotonic() + 60
        while any(node["state"] != "serving" for node in self.nodes()):
            if time.monotonic() > deadline:
                sys.exit(f"not all engines serve: {self.nodes()}")
            time.sleep(0.1)

    def at(self, node=None):
        host, port = (node["host"], node["port"]) if node else ("127.0.0.1", self.port)
        return ["-h", host, "-p", str(port), "-U", "postgres"]

    def pgbench(self, *options, node=None, **kwargs):
        return subprocess.Popen(["pgbench", "-n", *self.at(node), *options, "postgres"],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **kwargs)

    def load(self, scale):
        subprocess.run(["pgbench", "-i", "-q", "-s", str(scale), *self.at(), "postgres"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(60)


def told(name, values, unit):
    print(f"{name:44s} median {statistics.median(values):8.3f} {unit}   ({min(values):.3f} to {max(values):.3f}, {len(values)} runs)",
          flush=True)


def start(args, directory):
    listening, master = [], []
    for _ in range(args.runs):
        instance = Instance(directory, "--satellites", "0")
        instance.await_ready()
        # Told on another stream, which may be read later.
        instance.await_master()
        listening.append(instance.listening_after)
        master.append(instance.master_after)
        instance.end()
    told("command to listening", listening, "s")
    told("command to the Master's data served", master, "s")


def warm(args, directory):
    for name, options in (("point reads", ["-S"]), ("TPC-B", ["-b", "tpcb-like"])):
        early, late, ratios = [], [], []
        for _ in range(args.runs):
            instance = Instance(directory, "--satellites", "1")
            instance.await_ready()
            done = subprocess.run(["pgbench", "-n", *instance.at(), *options, "-c", "64", "-j", "1", "-T", "31", "-P", "1", "postgres"],
                                  capture_output=True, text=True, check=True)
            rates = [float(rate) for rate in re.findall(r"^progress: [\d.]+ s, ([\d.]+) tps", done.stderr, re.M)]
            instance.end()
            early.append(statistics.mean(rates[:3]))
            late.append(statistics.mean(rates[19:30]))
            ratios.append(early[-1] / late[-1])
        told(f"{name}, 64 clients, seconds 1 to 3", early, "tps")
        told(f"{name}, 64 clients, seconds 20 to 30", late, "tps")
        told(f"{name}, 64 clients, the first to the second", ratios, "")


def clone(args, directory):
    for load in (False, True):
        times = []
        for _ in range(args.runs):
            instance = Instance(directory, "--satellites", "1")
            instance.await_master()
            writers = instance.pgbench("-M", "prepared", "-c", "8", "-j", "2", "-T", "600") if load else None
            times.append(instance.await_ready() - instance.master_after)
            if writers:
                writers.terminate()
                writers.wait()
            instance.end()
        told(f"Master served to one Satellite serving, {'TPC-B, 8 clients' if load else 'idle'}", times, "s")


def memory(args, directory):
    instance = Instance(directory, "--satellites", "1")
    instance.await_ready()
    clients = instance.pgbench("-S", "-c", "1000", "-j", "2", "-T", "30")
    resident = []
    while clients.poll() is None:
        time.sleep(1)
        text = Path(f"/proc/{instance.process.pid}/status").read_text()
        resident.append(int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024)
    told("resident, 1,000 clients reading", resident, "MB")
    instance.end()


def visible(args, directory):
    instance = Instance(directory, "--satellites", "1")
    instance.await_ready()
    writer = Wire("127.0.0.1", instance.port)
    satellite = instance.node("satellite-1")
    reader = Wire(satellite["host"], satellite["port"])
    writer.ask("CREATE TABLE visible (n int)")
    writer.ask("INSERT INTO visible VALUES (-1)")
    times = []
    for i in range(args.runs * 100):
        time.sleep(0.02)
        writer.ask(f"UPDATE visible SET n = {i}")
        acknowledged = time.monotonic()
        while reader.ask("SELECT n FROM visible") != str(i):
            pass
        times.append((time.monotonic() - acknowledged) * 1000)
    times.sort()
    print(f"acknowledged to visible, idle: p50 {times[len(times) // 2]:.3f} ms, p99 {times[len(times) * 99 // 100]:.3f} ms "
          f"({len(times)} commits, the polling query's own time included)")
    writer.ask("DROP TABLE visible")
    instance.end()


def long_reader(args, directory):
    instance = Instance(directory, "--satellites", "1")
    instance.await_ready()
    clients = ["-c", "16", "-j", "2"]
    instance.pgbench(*clients, "-T", "20").wait()
    node = instance.node("master")
    master = Wire(node["host"], node["port"])

    def measured():
        writers = instance.pgbench(*clients, "-T", "30", "-P", "3")
        until = time.monotonic() + 28
        vacuum_at, late = 0, []
        observer = Wire("127.0.0.1", instance.port)
        while time.monotonic() < until:
            if time.monotonic() > vacuum_at:
                vacuum_at = time.monotonic() + 8
                master.ask("VACUUM pgbench_accounts")
            for _ in range(50):
                began = time.monotonic()
                observer.ask("SELECT max(bbalance) FROM pgbench_branches")
                late.append((time.monotonic() - began) * 1000)
            time.sleep(0.05)
        out = writers.communicate()[0]
        late.sort()
        return float(re.search(r"^tps = ([0-9.]+)", out, re.M)[1]), late[len(late) * 99 // 100]

    plain, plain_p99 = measured()
    reader = Wire("127.0.0.1", instance.port)
    reader.ask("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    first = reader.ask("SELECT sum(abalance) FROM pgbench_accounts")
    held, held_p99 = measured()
    again = reader.ask("SELECT sum(abalance) FROM pgbench_accounts")
    reader.ask("COMMIT")
    print(f"TPC-B, 16 clients: {plain:.0f} tps, with a 30 s snapshot on the Satellite {held:.0f} tps, ratio {held / plain:.2f}; "
          f"fresh reads p99 {plain_p99:.1f} ms and {held_p99:.1f} ms; the snapshot {'held' if first == again else 'CHANGED'}")
    instance.end()


def faults(args, directory):
    instance = Instance(directory, "--satellites", "2")
    instance.await_ready()
    loads = {"point reads": ["-S"], "TPC-B": [], "mixed": ["-b", "select-only@9", "-b", "tpcb-like@1"]}
    for name, load in loads.items():
        clients = instance.pgbench("-c", "32", "-j", "2", "-T", "20", *load)
        time.sleep(5)
        os.kill(instance.node("satellite-1")["pid"], signal.SIGKILL)
        time.sleep(5)
        stopped = instance.node("satellite-2")["pid"]
        os.kill(stopped, signal.SIGSTOP)
        time.sleep(5)
        with contextlib.suppress(ProcessLookupError):
            os.kill(stopped, signal.SIGCONT)
        out = clients.communicate()[0]
        done = re.search(r"^number of transactions actually processed: (\d+)", out, re.M)[1]
        failed = re.search(r"^number of failed transactions: (\d+)", out, re.M)[1]
        print(f"{name}, one Satellite killed, the other stopped for 5 s: {done} transactions, {failed} failed, "
              f"pgbench's exit status {clients.returncode}", flush=True)
        instance.await_all_serving()
    compare(instance)
    instance.end()


def compare(instance):
    """Whether all engines have the same rows, and these agree with each other."""
    engines = {node["name"]: Wire(node["host"], node["port"]) for node in instance.nodes()}
    master = engines["master"]
    end = master.ask("SELECT pg_current_wal_flush_lsn()")
    for name, engine in engines.items():
        while name != "master" and engine.ask(f"SELECT pg_last_wal_replay_lsn() >= '{end}'") != "t":
            time.sleep(0.1)
    for table in ("accounts", "tellers", "branches", "history"):
        sums = {name: engine.ask(f"SELECT count(*) || ' rows, ' || sum(hashtextextended(t::text, 0)) FROM pgbench_{table} t")
                for name, engine in engines.items()}
        print(f"pgbench_{table:9s} {'EQUAL' if len(set(sums.values())) == 1 else 'DIFFERENT'} on {len(sums)} engines: {sums['master']}")
    totals = [master.ask(f"SELECT sum({column}) FROM pgbench_{table}") for table, column in
              (("accounts", "abalance"), ("tellers", "tbalance"), ("branches", "bbalance"), ("history", "delta"))]
    print(f"sums of accounts, tellers, branches and history {'AGREE' if len(set(totals)) == 1 else 'DISAGREE'}: {', '.join(totals)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    scenarios = {"start": start, "warm": warm, "clone": clone, "memory": memory, "visible": visible,
                 "long-reader": long_reader, "faults": faults}
    parser.add_argument("scenario", nargs="+", choices=scenarios)
    parser.add_argument("--scale", type=int, default=135)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    home = Path(tempfile.mkdtemp(prefix="multimed-figures-"))
    home.chmod(0o755)
    directory = home / "instance"
    try:
        instance = Instance(directory, "--satellites", "0")
        instance.await_ready()
        instance.load(args.scale)
        instance.end()
        for scenario in args.scenario:
            scenarios[scenario](args, directory)
    finally:
        for instance in Instance.all:
            instance.end()
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
