"""A description of the machine, without which figures are meaningless."""
import os
import platform
import re
import subprocess
import time


def describe():
    """Returns a few facts. None of them names the machine."""
    with open("/proc/cpuinfo") as f:
        cpu = re.search(r"model name\s*: (.*)", f.read())
    with open("/proc/meminfo") as f:
        memory = int(re.search(r"MemTotal:\s+(\d+)", f.read()).group(1)) * 1024
    return {
        "date": time.strftime("%Y-%m-%d"), "cores": len(os.sched_getaffinity(0)), "cpu": cpu.group(1) if cpu else "unknown",
        "memory": memory, "kernel": platform.release(), "load": os.getloadavg()[0],
        "versions": {name: version(*command) for name, command in {
            "go": ["go", "version"], "nginx": ["nginx", "-v"], "wrk": ["wrk", "-v"], "postgresql": ["psql", "--version"],
            "node": ["node", "--version"]}.items()},
    }


def version(*command):
    """Returns the first line of the output of a command, None if it is missing."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        return None
    return done.stdout.splitlines()[0][:80] if done.stdout else ""


def sentence(d):
    return (f"{d['date']}: {d['cores']} cores, {d['cpu']}, {d['memory'] / 1e9:.0f} GB, Linux {d['kernel']}, "
            f"{(d['versions']['go'] or 'no Go').removeprefix('go version ')}, load at start {d['load']:.1f}")
