"""The part start: starting with the bundled catalogue, also with little memory."""
import os
import time

from . import wrk
from .process import Client, Failed, memory, wait_for
from .report import median

PATH = "/api/open/chains?limit=1"
ALL = "/api/open/chains"
LIMIT = 128 << 20


def measure(bench):
    first, again, rest, asked = [], [], [], []
    for _ in range(bench.rounds):
        folder = bench.folder("demonstration")
        for times in first, again:
            start = time.monotonic()
            process, base = bench.serve(cwd=folder)
            answers(process, base)
            times.append(time.monotonic() - start)
            if times is first:
                bench.processes.end(process)
        time.sleep(2)
        rest.append(memory(process))
        for coding in "gzip", "identity":
            Client(base).get(ALL, Accept_Encoding=coding)
        asked.append(memory(process))
        bench.processes.end(process)
    bench.report.figure("cold start: new store, bundled catalogue, first answer", median(first), "s", first)
    bench.report.figure("start with the store filled", median(again), "s", again)
    bench.report.figure("RSS two seconds later", median(rest), "B", rest)
    bench.report.figure("RSS after all chains were asked for", median(asked), "B", asked)
    little_memory(bench)


def answers(process, base):
    client = Client(base)
    wait_for(lambda: client.get(PATH)[0] == 200, process, 60, "answers")
    client.close()


def little_memory(bench):
    """Runs with a memory limit under load: responses and memory."""
    group = Group.make(LIMIT)
    how = group.how if group else "GOMEMLIMIT only: no control group can be made here"
    env = {} if group else {"GOMEMLIMIT": str(LIMIT)}
    folder = bench.folder("limited")
    try:
        process, base = bench.processes.vitrine(bench.vitrine, [], folder, env, group.enter if group else None)
        answers(process, base)
        if not wrk.missing():
            wrk.load(base + ALL, bench.seconds, {"Accept-Encoding": "gzip"})
            wrk.load(base + ALL, bench.seconds, {"Accept-Encoding": "identity"})
        answers(process, base)
        if process.poll() is not None:
            raise Failed("the server ended under its limit of memory")
        bench.report.figure(f"most RSS under a limit of {LIMIT >> 20} MiB, 64 connections ({how})", memory(process, "VmHWM"), "B")
        if group:
            bench.report.figure("  times that it was killed for it", group.kills(), "")
        bench.processes.end(process)
    finally:
        if group:
            group.remove()


class Group:
    """A separate control group, version 2 or 1."""

    def __init__(self, path, version):
        self.path, self.how = path, f"cgroup v{version}"

    @staticmethod
    def make(limit):
        """Returns a group with this limit in bytes, None if that is not possible."""
        for parent, file, version in ("/sys/fs/cgroup", "memory.max", 2), ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", 1):
            path = os.path.join(parent, f"vitrine-bench-{os.getpid()}")
            try:
                os.mkdir(path)
            except OSError:
                continue
            try:
                with open(os.path.join(path, file), "r+") as f:
                    f.write(str(limit))
                return Group(path, version)
            except OSError:
                os.rmdir(path)
        return None

    def enter(self):
        """Moves the calling process into the group."""
        with open(os.path.join(self.path, "cgroup.procs"), "w") as f:
            f.write(str(os.getpid()))

    def kills(self):
        for name in "memory.events", "memory.oom_control":
            file = os.path.join(self.path, name)
            if os.path.exists(file):
                with open(file) as f:
                    return sum(int(line.split()[1]) for line in f if line.startswith("oom_kill "))
        return 0

    def remove(self):
        for _ in range(50):
            try:
                os.rmdir(self.path)
                return
            except OSError:
                time.sleep(0.1)
