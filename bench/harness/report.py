"""The table and the raw figures."""
import json
import os
import statistics


class Report:
    """Rows are printed immediately; raw has all measurements."""

    def __init__(self):
        self.raw = {"rows": []}

    def part(self, name):
        self.current = name
        print(f"\n{name:66s}{'Vitrine':>12s}{'rival':>12s}{'ratio':>8s}  {'of rounds':13s}goal", flush=True)

    def ratio(self, what, ours, theirs, goal=None, unit="", value=None, details=None):
        """Adds a row: two medians, their ratio, and a comparison with the goal, a
        pair like ("≥", 0.8). value is another ratio, or the ratios of rounds,
        whose median, minimum and maximum the row has."""
        rounds = value if isinstance(value, list) else []
        value = statistics.median(rounds) if rounds else ours / theirs if value is None else value
        met = None if goal is None else (value >= goal[1] if goal[0] == "≥" else value <= goal[1])
        extent = f"{short(min(rounds))} to {short(max(rounds))}" if rounds else ""
        self.line(what, show(ours, unit), show(theirs, unit), f"{value:.3g}", f"{extent:13s}{said(goal, met)}")
        self.keep(what=what, ours=ours, theirs=theirs, unit=unit, ratio=value, rounds=rounds, goal=goal, met=met, details=details)

    def figure(self, what, ours, unit="", details=None):
        """Adds a row without a contestant."""
        self.line(what, show(ours, unit), "", "", "")
        self.keep(what=what, ours=ours, unit=unit, details=details)

    def missing(self, what, reason, goal=None):
        """Adds a row with the reason why a measurement is missing."""
        print(f"  {what:64s}N/A: {reason}", flush=True)
        self.keep(what=what, missing=reason, goal=goal)

    def note(self, text):
        print(f"  ({text})", flush=True)

    def line(self, what, ours, theirs, ratio, goal):
        print(f"  {what:64s}{ours:>12s}{theirs:>12s}{ratio:>8s}  {goal}".rstrip(), flush=True)

    def keep(self, **row):
        self.raw["rows"].append({"part": self.current, **row})

    def write(self, path):
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(path, "w") as f:
            json.dump(self.raw, f, indent=1, ensure_ascii=False)
            f.write("\n")


def short(value):
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def said(goal, met):
    if goal is None:
        return ""
    return f"{goal[0]} {goal[1]:g}: {'met' if met else 'MISSED'}"


def show(value, unit):
    """Formats a figure with three significant digits. Units: s, B, and others unchanged."""
    if unit == "s":
        for factor, name in (1, "s"), (1e3, "ms"), (1e6, "µs"):
            if value * factor >= 1 or name == "µs":
                return f"{value * factor:.3g} {name}"
    if unit == "B":
        return f"{value / 1e6:.4g} MB"
    return f"{value:,.0f} {unit}".rstrip() if value >= 100 else f"{value:.3g} {unit}".rstrip()


def paired(ours, theirs):
    """Returns the ratios by round. In a round, both had about the same conditions."""
    return [a / b for a, b in zip(ours, theirs)]


def median(values):
    return statistics.median(values)


def turns(names, rounds):
    """Yields the order of the contestants in each round: each is first in turn."""
    for i in range(rounds):
        at = i % len(names)
        yield names[at:] + names[:at]
