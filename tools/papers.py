#!/usr/bin/env python3
"""Writes the tables of docs/papers.md from the results of `seam reproduce --all`.

usage: papers.py SEAM [RESULTS]     (in the root of the tree; RESULTS: results/reproduce)

Between <!-- papers --> and <!-- /papers --> is a row for each description: the claim and the result.
"""
import csv
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path("docs/papers.md")
MARK = re.compile(r"<!-- papers -->\n.*?<!-- /papers -->", re.S)
PAPERS = {"li": "[Li]", "ecco": "[Sadjina]", "energy": "[Rodriguez]", "mbcorr": "[Haid]", "balance": "[Moshagen]"}


def entries(seam):
    """Yields (source, name, title, claim) of each description."""
    lines = subprocess.run([seam, "reproduce"], check=True, capture_output=True, text=True).stdout.splitlines()
    for head, claim in zip(lines[::2], lines[1::2]):
        source, name, title = head.split(None, 2)
        yield source, name, title.replace(" (quick)", ""), claim.strip()


def sum_up(path):
    """Returns the result in words, and the reasons of differences."""
    rows = list(csv.DictReader(path.open()))
    words = []
    printed = [r for r in rows if r["kind"] == "printed"]
    claims = [r for r in rows if r["kind"] in ("above", "below")]
    others = [r for r in rows if r["kind"] == "independent"]
    if printed:
        digits = sum(float(r["units"]) <= 0.5 + 1e-9 and r["holds"] == "1" for r in printed)
        words.append(f"{digits} of {len(printed)} printed numbers to the last digit")
        near = sum(r["holds"] == "1" for r in printed) - digits
        if near:
            words.append(f"{near} within a unit of it or in their band")
    if claims:
        words.append(f"{sum(r['holds'] == '1' for r in claims)} of {len(claims)} comparisons hold")
    if others:
        words.append(f"{sum(r['holds'] == '1' for r in others)} of {len(others)} numbers of others")
    why = sorted({r["differs"] for r in rows if r["differs"]})
    return "; ".join(words) + ("" if not why else ". Differs: " + "; ".join(why)) if words else "drawn"


def table(seam, results):
    out = []
    before = None
    for source, name, title, claim in entries(seam):
        path = results / source / name / "values.csv"
        if source != before:
            out.append(f"\n### {PAPERS[source]}\n\n| `{source}` | figure | claim | found |\n| --- | --- | --- | --- |")
        before = source
        found = sum_up(path) if path.exists() else "not run"
        out.append(f"| `{name}` | {title} | {claim} | {found} |".replace("|V|", "V"))
    return "\n".join(out)


def main():
    seam = sys.argv[1]
    results = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "results/reproduce")
    text = PAGE.read_text()
    PAGE.write_text(MARK.sub(lambda _: f"<!-- papers -->\n{table(seam, results)}\n<!-- /papers -->", text))


main()
