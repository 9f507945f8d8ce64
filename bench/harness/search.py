"""The part search: in process against SQLite and PostgreSQL, and the worst cases."""
import json
import os

from . import wrk
from .process import Client, Failed, run, wait_for

GOAL = ("≥", 10)
KINDS = "page", "page and count"
RANKED = ("≤", 2)


def measure(bench):
    command = [bench.tool, "search", "--accounts", str(bench.accounts), "--each", "20" if bench.quick else "100",
               "--rounds", str(bench.rounds), "--dir", bench.folder("search"), "--postgres", bench.postgres]
    result = json.loads(run(command))
    bench.report.raw["search"] = result
    bench.report.note(f"{bench.accounts} accounts; {result['agreed']} searches, whose answers are the same bytes everywhere")
    for engine in "sqlite", "postgres":
        if engine in result["problems"]:
            bench.report.missing(f"searches, {engine}", result["problems"][engine], GOAL)
            continue
        rows(bench, result, engine)
    plain = result["all"]["vitrine"]
    for way in "relevance", "facets", "everything":
        for q in "p50", "p99":
            ours = result["all"][f"vitrine {way}"][q]
            goal = RANKED if (way, q) == ("relevance", "p50") else None
            bench.report.ratio(f"all searches, {q}: {way}, against our own plain search", ours, plain[q], goal, "s", ours / plain[q])
    for worst in result["worst"]:
        for q in "p50", "p99":
            bench.report.figure(f"worst, in process: {worst['name']}, {q}", worst[q], "s")
    worst_over_http(bench, result["worst"])


def rows(bench, result, engine):
    ours = result["all"]["vitrine"]
    for kind in KINDS:
        theirs = result["all"][f"{engine} {kind}"]
        for q in "p50", "p99":
            bench.report.ratio(f"all searches, {q}, {engine}: {kind}", ours[q], theirs[q], GOAL, "s", theirs[q] / ours[q])
    for way in "relevance", "everything":
        for q in "p50", "p99":
            ranked, theirs = result["all"][f"vitrine {way}"][q], result["all"][f"{engine} relevance"][q]
            bench.report.ratio(f"all searches, {q}, {engine}: {way} against by relevance", ranked, theirs, GOAL, "s", theirs / ranked)
    for of in result["classes"]:
        ours, theirs = of["times"]["vitrine"], of["times"][f"{engine} {KINDS[1]}"]
        bench.report.ratio(f"  {of['name']} (finds {of['matches']}), p50, {engine}", ours["p50"], theirs["p50"], None, "s",
                           theirs["p50"] / ours["p50"])


def worst_over_http(bench, worst):
    """One connection, no cache: the latency of such a search."""
    lacking = wrk.missing()
    if lacking:
        bench.report.missing("worst searches over HTTP", lacking)
        return
    folder = os.path.join(bench.folder("large"), "large")
    run([bench.tool, "large", folder, str(bench.accounts)])
    process, base = bench.serve("--catalog", folder, "--cache-bytes", "0")
    client = Client(base)
    path = "/api/open/twitter/users?limit=20"
    wait_for(lambda: client.get(path)[0] == 200, process, 900, "serves", 0.05)
    for of in worst:
        paths = [f"{path.split('?')[0]}?{raw}" for raw in of["values"]]
        for each in paths:
            if client.get(each)[0] != 200:
                raise Failed(f"{each}: {client.get(each)[0]}")
        file = os.path.join(bench.folder("paths"), "paths")
        with open(file, "w") as f:
            f.write("".join(p + "\n" for p in paths))
        result = wrk.load(base, bench.seconds, None, file, threads=1, connections=1)
        for q in "p50", "p99":
            bench.report.figure(f"worst, over HTTP: {of['name']}, {q}", result[q], "s", result)
    client.close()
    bench.processes.end(process)
