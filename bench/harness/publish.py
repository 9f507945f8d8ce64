"""The part publish: from a file to the served catalogue, and one changed record."""
import json
import os
import time

from .process import Client, forget_peak, memory, run, wait_for
from .report import median, paired

PATH = "/api/open/twitter/users?limit=1"
LIMIT = 900  # seconds, for each step


def measure(bench):
    first, changed = (os.path.join(bench.folder("large"), name) for name in ("first", "changed"))
    source = json.loads(run([bench.tool, "large", first, str(bench.accounts)]))["bytes"]
    run([bench.tool, "large", changed, str(bench.accounts), "1"])
    bench.report.note(f"{bench.accounts} accounts in five languages and the bundled chains: {source / 1e6:.0f} MB of NDJSON")
    full = everything(bench, first)
    one_record(bench, first, changed, source, full)


def everything(bench, first):
    """Returns the median time until a server with an empty store and a directory
    responds, in seconds, and compares it with a decoder alone."""
    served, decoded, rest = [], [], 0
    for _ in range(3):
        start = time.monotonic()
        process, base = bench.serve("--catalog", first, "--last-good", "off")
        revision(process, base)
        served.append(time.monotonic() - start)
        if len(served) == 3:
            rest = at_rest(process, bench)
        bench.processes.end(process)
        decoded.append(json.loads(run([bench.tool, "decode", first]))["seconds"])
    details = {"served": served, "decoded": decoded}
    bench.report.ratio("file to served, new store; rival: encoding/json decodes it", median(served), median(decoded), ("≤", 8), "s",
                       paired(served, decoded), details)
    bench.report.figure("  RSS at rest of the process that published", rest, "B")
    return median(served)


def one_record(bench, first, changed, source, full):
    """Imports a change and its reversal into the store of a running server."""
    folder = bench.folder("store")
    store = "sqlite:" + os.path.join(folder, "store.db")
    seconds = imported(bench, store, first, folder)
    bench.report.figure("import into a new store", seconds, "s")
    start = time.monotonic()
    process, base = bench.serve("--store", store, "--last-good", "off")
    now = revision(process, base)
    bench.report.figure("start from a filled store until it answers", time.monotonic() - start, "s")
    rest = at_rest(process, bench)
    bench.report.ratio("RSS at rest; rival: bytes of the source", rest, source, ("≤", 3), "B")

    imports, arrivals, peaks, both = [], [], [], []
    for directory in (changed, first, changed, first, changed)[: bench.rounds]:
        forget_peak(process)
        begin = time.monotonic()
        imports.append(imported(bench, store, directory, folder))
        end = time.monotonic()
        now = revision(process, base, after=now)
        arrivals.append(time.monotonic() - end)
        both.append(time.monotonic() - begin)
        time.sleep(3)  # the last good file is written after the swap
        peaks.append(memory(process, "VmHWM"))
    details = {"imports": imports, "arrivals": arrivals, "peaks": peaks}
    bench.report.ratio("one changed record, end of import to served; rival: file to served", median(arrivals), full, ("≤", 0.15), "s", details=details)
    bench.report.ratio("  with its import", median(both), full, None, "s")
    bench.report.ratio("peak RSS while it is swapped; rival: bytes of the source", max(peaks), source, None, "B")
    bench.report.ratio("  rival: RSS at rest", max(peaks), rest, None, "B")
    bench.report.ratio("RSS at rest after the swaps; rival: bytes of the source", at_rest(process, bench), source, ("≤", 3), "B")
    bench.processes.end(process)


def imported(bench, store, directory, folder):
    start = time.monotonic()
    run([bench.vitrine, "import", directory, "--store", store], cwd=folder)
    return time.monotonic() - start


def revision(process, base, after=0):
    """Waits until a later revision is served, and returns its number."""
    client = Client(base)

    def newer():
        status, headers, _ = client.get(PATH)
        number = int(headers.get("Catalog-Revision", 0)) if status == 200 else 0
        return number > after and number
    number = wait_for(newer, process, LIMIT, f"serves a revision after {after}")
    client.close()
    return number


def at_rest(process, bench):
    """Returns the RSS of an idle process. Go collects garbage at least every two
    minutes and returns memory slowly, so this waits longer, unless --quick."""
    time.sleep(10 if bench.quick else 180)
    return memory(process)
