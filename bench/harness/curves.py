"""The part curves: costs by the number of accounts."""
import json

from .process import run
from .report import median

SIZES = 1_000, 10_000, 100_000, 1_000_000
FROM = 10_000  # where the goal begins
GOAL = ("≤", 8)


def measure(bench):
    sizes = SIZES[:3] if bench.quick else SIZES
    points = {n: [] for n in sizes}
    for _ in range(bench.rounds):
        for n in sizes:
            if n < SIZES[-1] or not points[n]:  # the largest only once: it takes minutes
                points[n].append(json.loads(run([bench.tool, "curve", str(n), "500"])))
    bench.report.raw["curves"] = points
    first = points[FROM]
    for n in sizes:
        p50, p99 = (median([p["search"][q] for p in points[n]]) for q in ("p50", "p99"))
        base = median([p["search"]["p50"] for p in first])
        found = points[n][0]["matches"]
        goal = GOAL if n == SIZES[-1] else None
        bench.report.ratio(f"{n} accounts: search p50 (finds {found}); rival: {FROM}", p50, base, goal, "s")
        bench.report.figure(f"{n} accounts: search p99", p99, "s")
        bench.report.figure(f"{n} accounts: compile", median([p["compileSeconds"] for p in points[n]]), "s")
        bench.report.figure(f"{n} accounts: heap of the snapshot", median([p["snapshotHeap"] for p in points[n]]), "B")
        bench.report.figure(f"{n} accounts: heap of the catalogue itself", median([p["sourceHeap"] for p in points[n]]), "B")
