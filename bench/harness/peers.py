"""The list of all chains by TVL, against PocketBase and json-server."""
import json
import os

from . import wrk
from .process import Client, Failed, free_port, wait_for
from .report import median, paired, turns

PAGE = 1000  # the maximum of PocketBase
UNKNOWN = -1.0  # an unknown TVL, for servers that cannot sort it last
GOAL = ("≥", 200)


def measure(bench, base, path):
    client = Client(base)
    chains = json.loads(client.get(path)[2])["chains"]
    by_apps = json.loads(client.get("/api/open/chains?sort=platforms&sortDir=desc")[2])["chains"]
    places = {"apps": {c["slug"]: i for i, c in enumerate(by_apps)}, "slug": {s: i for i, s in enumerate(sorted(c["slug"] for c in chains))}}
    file = os.path.join(bench.folder("peers"), "chains.json")
    rows = [{**{k: v for k, v in c.items() if k != "_id"}, "key": c["_id"], "llama_tvl": c.get("llama_tvl", UNKNOWN),
             "tie": places["slug" if "llama_tvl" in c else "apps"][c["slug"]]} for c in chains]
    with open(file, "w") as f:
        json.dump({"chains": sorted(rows, key=lambda row: row["slug"])}, f, ensure_ascii=False)
    pages = -(-len(chains) // PAGE)
    want = [plain(row) for row in rows]
    compare(bench, base + path, f"{len(chains)} chains, PocketBase", "pocketbase", lambda: pocketbase(bench, file), want,
            [f"/api/collections/chains/records?sort=-llama_tvl,tie&perPage={PAGE}&page={i + 1}&skipTotal=1" for i in range(pages)],
            lambda body: body["items"])
    compare(bench, base + path, f"{len(chains)} chains, json-server", "json-server", lambda: json_server(bench, file), want,
            ["/chains?_sort=llama_tvl,tie&_order=desc,asc"], lambda body: body)


def plain(row):
    """Returns the compared values of a chain, with missing ones in one form."""
    return (row["key"], row["slug"], row["name"], row.get("logo") or "", row["chain_id"], tuple(row.get("categorySlugs") or ()), row["llama_tvl"])


def pocketbase(bench, file):
    binary = os.path.join(bench.peers, "pocketbase")
    if not os.path.exists(binary):
        return None
    folder, port = bench.folder("pocketbase"), free_port()
    return bench.processes.start([binary, os.path.join(folder, "data"), f"127.0.0.1:{port}", file], folder), port


def json_server(bench, file):
    binary = os.path.join(bench.peers, "json-server", "node_modules", ".bin", "json-server")
    if not os.path.exists(binary):
        return None
    port = free_port()
    command = [binary, "--quiet", "--read-only", "--host", "127.0.0.1", "--port", str(port), file]
    return bench.processes.start(command, bench.folder("json-server"), {"NODE_ENV": "production"}), port


def compare(bench, ours, what, name, start, want, paths, rows):
    """Compares lists per second. A paginated list counts once, with all pages."""
    started = start()
    if not started:
        bench.report.missing(what, f"{name} is not installed: run bench/install", GOAL)
        return
    process, port = started
    base = f"http://127.0.0.1:{port}"
    client = Client(base)
    wait_for(lambda: client.get(paths[0])[0] == 200, process, 180, "answers", 0.1)
    got = [plain(row) for path in paths for row in rows(json.loads(client.get(path)[2]))]
    if got != want:
        differs = next((i for i, pair in enumerate(zip(got, want)) if pair[0] != pair[1]), min(len(got), len(want)))
        raise Failed(f"{name} has {len(got)} chains, want {len(want)}; number {differs} is "
                     f"{got[differs:differs + 1]}, want {want[differs:differs + 1]}")
    listed = os.path.join(bench.folder("paths"), "paths")
    with open(listed, "w") as f:
        f.write("".join(path + "\n" for path in paths))
    for coding in "gzip", "identity":
        ask = {"Accept-Encoding": coding}
        sent = "compressed" if client.get(paths[0], **ask)[1].get("Content-Encoding") else "identity"
        rates, runs = in_turn(bench, ours, base, name, listed, len(paths), ask)
        bench.report.ratio(f"{what}; {coding} asked, it sends {sent}", median(rates["vitrine"]), median(rates[name]), GOAL, "/s",
                           paired(rates["vitrine"], rates[name]), runs)
    client.close()
    bench.processes.end(process)


def in_turn(bench, ours, base, name, listed, pages, ask):
    rates, runs = {"vitrine": [], name: []}, {"vitrine": [], name: []}
    seconds = max(5, bench.seconds)  # so that the slow one sends enough responses
    for order in turns(["vitrine", name], bench.rounds):
        for contestant in order:
            if contestant == "vitrine":
                result = wrk.load(ours, bench.seconds, ask)
                rates["vitrine"].append(result["rate"])
            else:
                result = wrk.load(base, seconds, ask, listed)
                rates[name].append(result["rate"] / pages)
            runs[contestant].append(result)
    return rates, runs
