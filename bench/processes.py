#!/usr/bin/env python3
"""Where the processor time of a load goes: a run of pgbench or sysbench, by what each process or thread of a system does.

    bench/processes.py NAME=PID [NAME=PID ...] -- pgbench ... | sysbench ...

A name is that of an engine or a proxy, the PID its first process. Printed for each transaction: the time it ran and how
much of that in the kernel, the time it was ready to run and waited for a core, and how often it went to sleep. Read from
/proc (proc(5): stat, status, schedstat) in the middle of the run, when everybody is connected.
"""

import argparse
import collections
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
ENGINE_PROCESSES = ("walsender", "walreceiver", "startup", "checkpointer", "walwriter", "background writer",
                    "autovacuum", "io worker", "logical replication launcher")
RUNTIME_THREADS = re.compile(r"C[12] Compiler|Sweeper")
COLLECTOR_THREADS = re.compile(r"G1 |GC |VM Thread|Serial")

Use = collections.namedtuple("Use", "ran kernel waited sleeps")

# By program: the option that has the seconds, and the rate of transactions in the output.
LOADS = {"pgbench": (re.compile(r"-T (\d+)"), re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)),
         "sysbench": (re.compile(r"--time=(\d+)"), re.compile(r"transactions: +\d+ +\(([0-9.]+) per sec"))}


def parents():
    """The parent of each process, and its CPU time with that of its ended children in ticks."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                fields = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
                found[int(entry)] = (int(fields[1]), sum(map(int, fields[11:15])))
    return found


def root_of(pid, known, roots):
    while pid in known and pid not in roots:
        pid = known[pid][0]
    return pid if pid in roots else None


def cpu_seconds(roots):
    """CPU time that the processes and all their descendants, also the ended ones, have used."""
    known = parents()
    return sum(ticks for pid, (_, ticks) in known.items() if root_of(pid, known, roots)) / TICKS


def engine_process(title):
    """What a process of PostgreSQL does, by its title: "postgres: CLUSTER: walsender ...", or a client's."""
    what = re.sub(r"^postgres: (?:\S+: )?", "", title)
    return next((name for name in ENGINE_PROCESSES if what.startswith(name)), "backends")


def task_role(process, task, root):
    title = Path("/proc", process, "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    if title.startswith("postgres: "):
        return f"{root}: {engine_process(title)}"
    thread = Path("/proc", process, "task", task, "comm").read_text().strip()
    if thread.startswith("multimed-"):
        return f"{root}: {re.sub('-[0-9]+$', '', thread)}"
    if RUNTIME_THREADS.match(thread):
        return f"{root}: compiler"
    if COLLECTOR_THREADS.match(thread):
        return f"{root}: garbage collector"
    return root


def usage(roots):
    """What each thread below the roots has used since it began, by role, thread and process."""
    known = parents()
    used = {}
    for pid in known:
        root = root_of(pid, known, roots)
        if root is None:
            continue
        tasks = []
        with contextlib.suppress(OSError):
            tasks = os.listdir(f"/proc/{pid}/task")
        for task in tasks:
            with contextlib.suppress(OSError):
                directory = Path("/proc", str(pid), "task", task)
                ran, waited, _ = map(int, (directory / "schedstat").read_text().split())
                kernel = int((directory / "stat").read_text().rpartition(")")[2].split()[12])
                sleeps = int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", (directory / "status").read_text(), re.MULTILINE)[1])
                used[task_role(str(pid), task, roots[root]), task] = Use(ran, kernel * 1e9 / TICKS, waited, sleeps)
    return used


def profile(roots, command, env=None):
    """Runs pgbench or sysbench for the time it says, and prints what each role uses for a transaction.

    roots: name by PID of what the load is on.
    """
    time_option, rate = LOADS[command[0]]
    seconds = int(time_option.search(" ".join(command))[1])
    load = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    try:
        roots = {**roots, load.pid: "load generator"}
        time.sleep(seconds * 0.3)
        began, before = time.monotonic(), usage(roots)
        time.sleep(seconds * 0.5)
        after, ended = usage(roots), time.monotonic()
        out = load.communicate()[0]
    finally:
        # No load stays behind when whoever measures is told to end.
        load.kill()
    tps = rate.search(out)
    if not tps:
        sys.exit(f"{command[0]} printed no rate of transactions:\n" + out)
    transactions = float(tps[1]) * (ended - began)
    roles = collections.defaultdict(lambda: Use(0, 0, 0, 0))
    for (role, task), use in after.items():
        earlier = before.get((role, task), Use(0, 0, 0, 0))
        roles[role] = Use(*(total + now - then for total, now, then in zip(roles[role], use, earlier)))
    print(f"  {float(tps[1]):.0f} tps; for a transaction:   ran us   kernel   waited   sleeps")
    for role, use in sorted(roles.items(), key=lambda entry: -entry[1].ran):
        if use.ran / transactions >= 100:
            print(f"    {role:34s} {use.ran / transactions / 1000:8.1f} {use.kernel / transactions / 1000:8.1f} "
                  f"{use.waited / transactions / 1000:8.1f} {use.sleeps / transactions:8.2f}")
    print(f"    {'all':34s} {sum(use.ran for use in roles.values()) / transactions / 1000:8.1f} "
          f"{sum(use.kernel for use in roles.values()) / transactions / 1000:8.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="+", metavar="NAME=PID")
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    args = parser.parse_args(sys.argv[1:end])
    command = sys.argv[end + 1:]
    if not command or command[0] not in LOADS or not LOADS[command[0]][0].search(" ".join(command)):
        parser.error("behind -- pgbench with -T or sysbench with --time=N is expected")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    profile({int(pid): name for name, _, pid in (system.rpartition("=") for system in args.systems)}, command)


if __name__ == "__main__":
    main()
