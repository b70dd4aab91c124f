#!/usr/bin/env python3
"""Finds rings of source files: files that refer to each other's symbols, directly or by way of others.

usage: tools/rings.py [BUILD] [--most N]
  BUILD     a build folder, with the objects (default: build/release)
  --most N  end with status 1 when a ring has more than N files

References are those of the linker between objects, tables of functions among them.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys


def objects_of(build):
    """Returns the paths of the build's objects in its folder, without those of removed files."""
    commands = json.loads((build / "compile_commands.json").read_text())
    return {pathlib.Path(c["directory"], re.search(r" -o (\S+\.c\.o) ", c["command"])[1]).relative_to(build.resolve())
            for c in commands if c["file"].endswith(".c")}


def read_symbols(objects):
    """Returns the object that defines each symbol, and the symbols that each object refers to."""
    defines, refers = {}, {}
    text = subprocess.run(["nm", "-A", "-g", *objects], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        name, rest = line.split(":", 1)
        *_, kind, symbol = rest.split()
        if kind == "U":
            refers.setdefault(name, set()).add(symbol)
        else:
            defines.setdefault(symbol, name)
    return defines, refers


def find_rings(edges):
    """Returns the strongly connected components of several nodes, by Tarjan's algorithm without recursion."""
    index, low, stack, on_stack, rings = {}, {}, [], set(), []
    for root in edges:
        if root in index:
            continue
        work = [(root, iter(edges[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, children = work[-1]
            for child in children:
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    on_stack.add(child)
                    work.append((child, iter(edges[child])))
                    break
                if child in on_stack:
                    low[node] = min(low[node], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    ring = []
                    while not ring or ring[-1] != node:
                        ring.append(stack.pop())
                        on_stack.discard(ring[-1])
                    if len(ring) > 1:
                        rings.append(sorted(ring))
    return sorted(rings, key=len, reverse=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", nargs="?", default="build/release")
    parser.add_argument("--most", type=int)
    arguments = parser.parse_args()
    build = pathlib.Path(arguments.build)
    objects = [p for p in objects_of(build) if not {"tests", "bench"} & set(p.parts) and (build / p).exists()]
    if not objects:
        sys.exit(f"{build}: there are no objects: build first")
    sources = {str(build / p): str(p).split(".dir/", 1)[1][: -len(".o")] for p in objects}
    defines, refers = read_symbols(sorted(sources))
    edges = collections.defaultdict(set)
    for name in sources:
        edges[name] = {defines[s] for s in refers.get(name, ()) if s in defines and defines[s] != name}
    rings = find_rings(edges)
    for ring in rings:
        print(f"{len(ring)} files: {', '.join(sources[name] for name in ring)}")
    return arguments.most is not None and any(len(ring) > arguments.most for ring in rings)


if __name__ == "__main__":
    sys.exit(main())
