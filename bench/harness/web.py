"""The part http: requests per second, against a bare handler, nginx, and two
servers for the same purpose."""
import gzip
import json
import os
import re
import shutil

from . import nginx, peers, wrk
from .process import Address, Client, Failed, said, wait_for
from .report import median, paired, turns

API = "/api/open/"
SMALL, MEDIUM, ALL = API + "chains?limit=11", API + "chains?limit=1000", API + "chains"

# The targets: a name, the path, the encoding, whether the request has the entity tag, and the
# goals against the bare handler and nginx.
CASES = [
    ("small", SMALL, "identity", False, 0.95, 0.8),
    ("304", SMALL, "identity", True, 0.95, 0.8),
    ("chains?limit=1000, gzip", MEDIUM, "gzip", False, 0.95, 0.7),
    ("all chains, gzip", ALL, "gzip", False, 0.95, None),
    ("all chains, identity", ALL, "identity", False, 0.95, None),
]


def measure(bench):
    lacking = wrk.missing()
    if lacking:
        bench.report.missing("everything over HTTP", lacking)
        return
    _, base = serving(bench, ["--catalog", os.path.join(bench.root, "catalog")])
    against_static(bench, base)
    searches(bench, base)
    peers.measure(bench, base, ALL)


def serving(bench, flags):
    """Starts Vitrine, and returns it with its address when it responds."""
    process, base = bench.serve(*flags)
    client = Client(base)
    wait_for(lambda: client.get(SMALL)[0] == 200, process, 900, "serves", 0.01)
    return process, base


def against_static(bench, base):
    contestants = {"vitrine": base, "bare": bare(bench, base)}
    answers = {(path, coding): settled(base, path, coding) for path in (SMALL, MEDIUM, ALL) for coding in ("identity", "gzip")}
    if shutil.which("nginx"):
        contestants["nginx"] = nginx.start(bench, answers)
    else:
        bench.report.missing("everything against nginx", "nginx is not installed: run bench/install")
    for case, path, coding, conditional, to_bare, to_nginx in CASES:
        headers = {name: agreed(url, answers, path, coding, conditional) for name, url in contestants.items()}
        size = 0 if conditional else len(answers[path, coding][1])
        rates, runs = rounds(bench, {name: (url + path, headers[name]) for name, url in contestants.items()})
        what = f"{case} ({size / 1000:.1f} kB)" if size else case
        bench.report.ratio(f"{what}, bare net/http", median(rates["vitrine"]), median(rates["bare"]), ("≥", to_bare), "/s",
                           paired(rates["vitrine"], rates["bare"]), runs)
        if "nginx" in rates:
            bench.report.ratio(f"{what}, nginx", median(rates["vitrine"]), median(rates["nginx"]), to_nginx and ("≥", to_nginx),
                               "/s", paired(rates["vitrine"], rates["nginx"]), runs)
    for name in "bare", "nginx":
        if name in contestants:
            contestants[name].close()


def bare(bench, base):
    process = bench.processes.start([bench.tool, "bare", "127.0.0.1:0", base, SMALL, MEDIUM, ALL], bench.folder("bare"))
    found = wait_for(lambda: re.search(r"http://[\d.:]+\n", said(process)), process, 30, "listens")
    return Address(found.group().strip(), lambda: bench.processes.end(process))


def settled(base, path, coding):
    """Returns headers and body when all prepared bodies are ready."""
    client = Client(base)
    last = None
    for _ in range(50):
        status, headers, body = client.get(path, Accept_Encoding=coding)
        if status != 200:
            raise Failed(f"{path} as {coding}: {status}")
        if body == last and headers.get("Content-Encoding", "identity") == ("gzip" if coding == "gzip" else "identity"):
            return headers, body
        last = body
    raise Failed(f"{path} does not come as {coding}, or never the same twice")


def agreed(base, answers, path, coding, conditional):
    """Checks that a contestant sends the same bytes; returns the request headers."""
    ask = {"Accept-Encoding": coding}
    client = Client(base)
    _, want = answers[path, coding]
    status, headers, body = client.get(path, **ask)
    if status != 200 or body != want:
        raise Failed(f"{base}{path} as {coding}: {status} and {len(body)} bytes, not the {len(want)} that Vitrine answers")
    if coding == "gzip" and gzip.decompress(body) != answers[path, "identity"][1]:
        raise Failed(f"{base}{path}: the gzip form is of something else")
    if conditional:
        ask["If-None-Match"] = headers["ETag"]
        status, _, body = client.get(path, **ask)
        if status != 304 or body:
            raise Failed(f"{base}{path} with its entity tag: {status}, want 304")
    client.close()
    return ask


def rounds(bench, targets, seconds=None, **options):
    """Loads all targets in turn; returns their rates by round, and all details."""
    for url, headers in targets.values():
        wrk.load(url, 1, headers, **options)
    rates, runs = {name: [] for name in targets}, {name: [] for name in targets}
    for order in turns(list(targets), bench.turns):
        for name in order:
            url, headers = targets[name]
            result = wrk.load(url, seconds or bench.seconds, headers, **options)
            rates[name].append(result["rate"])
            runs[name].append(result)
    return rates, runs


def searches(bench, base):
    """Distinct searches, each of which needs a new body, against a small cached
    one. The server of the searches has a cache of only 64 KiB."""
    _, without = serving(bench, ["--catalog", os.path.join(bench.root, "catalog"), "--cache-bytes", "64KiB"])
    client = Client(base)
    names = [chain["name"] for chain in json.loads(client.get(ALL)[2])["chains"]]
    queries = distinct(names)
    limited = [f"{API}chains?q={q}&limit=11" for q in queries]
    for path in limited[:: max(1, len(limited) // 50)]:
        if Client(without).get(path)[2] != client.get(path)[2]:
            raise Failed(f"{path} is another with a small cache")
    files = {"small": write_lines(bench, [SMALL]), "search": write_lines(bench, limited)}
    rates, runs = {"small": [], "search": []}, {"small": [], "search": []}
    for order in turns(list(files), bench.turns):
        for name in order:
            result = wrk.load(without if name == "search" else base, bench.seconds, {"Accept-Encoding": "identity"}, files[name])
            rates[name].append(result["rate"])
            runs[name].append(result)
    bench.report.ratio(f"{len(queries)} distinct searches, uncached; rival: small answer", median(rates["search"]),
                       median(rates["small"]), ("≥", 0.4), "/s", paired(rates["search"], rates["small"]), runs)


def distinct(names):
    """Returns distinct words of three and more letters, and their prefixes."""
    found = {}
    for name in names:
        for word in re.findall(r"[a-z]{3,}", name.lower()):
            for length in range(3, min(len(word), 9) + 1):
                found[word[:length]] = None
                found[word[-length:]] = None
    return list(found)


def write_lines(bench, lines):
    path = os.path.join(bench.folder("paths"), "paths")
    with open(path, "w") as f:
        f.write("".join(line + "\n" for line in lines))
    return path
