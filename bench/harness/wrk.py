"""Load by wrk."""
import json
import os
import shutil

from .process import Failed, run

HERE = os.path.dirname(os.path.abspath(__file__))
CONNECTIONS = 64
THREADS = 2


def missing():
    """Returns the reason why wrk cannot run, None if it can."""
    return None if shutil.which("wrk") else "wrk is not installed: run bench/install"


def load(url, seconds, headers=None, paths=None, threads=THREADS, connections=CONNECTIONS):
    """Requests url, or the paths of a file below it, as fast as possible. Returns
    requests per second and latencies in seconds. Any error response fails the
    run, because rejecting is cheap."""
    script = os.path.join(HERE, "load.lua")
    command = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "60s", "-s", script]
    for name, value in (headers or {}).items():
        command += ["-H", f"{name}: {value}"]
    output = run(command + [url] + (["--", paths] if paths else []), timeout=seconds + 180)
    for line in output.splitlines():
        if line.startswith("JSON "):
            result = json.loads(line[5:])
            break
    else:
        raise Failed(f"wrk said nothing of {url}: {output}")
    wrong = {k: result[k] for k in ("connect", "read", "write", "status", "timeout") if result[k]}
    if wrong or not result["requests"]:
        raise Failed(f"{url}: {wrong or 'no answer'} in {result['requests']} requests")
    return {"rate": result["requests"] * 1e6 / result["micros"], "requests": result["requests"],
            "p50": result["p50"] / 1e6, "p99": result["p99"] / 1e6, "max": result["max"] / 1e6}
