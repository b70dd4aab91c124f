#!/usr/bin/env python3
"""Fails when the site of the documentation has a link that leads nowhere, loads anything from elsewhere, or lacks a function
or class of the interfaces.

usage: site.py SOURCE SITE
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """What a page links to, loads, and offers to links."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.anchors = [], [], {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name == "src" or (name == "href" and tag == "link"):
                self.loaded.append(value)
            elif name == "href":
                self.links.append(value)


def faults(source, site):
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        for target in page.links + page.loaded:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.loaded:
                    yield f"{path}: loads {target}"
                continue
            there = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not there.is_file():
                yield f"{path}: there is no {target}"
            elif there in pages and urllib.parse.unquote(parts.fragment) not in pages[there].anchors:
                yield f"{path}: {target} leads to no place of that page"
    anchors = set().union(*(page.anchors for page in pages.values()))
    for header in sorted((source / "include/seam").glob("*.h")):
        for name in re.findall(r"^SEAM_PUBLIC [^;(]*?(\w+)\(", header.read_text(), re.MULTILINE):
            if f"c.{name}" not in anchors:
                yield f"{header.name}: {name}() has no place"
    for name in re.findall(r'^    "(\w+)",', (source / "python/seam/__init__.py").read_text(), re.MULTILINE):
        if not any(anchor.startswith("seam.") and anchor.endswith(f".{name}") for anchor in anchors):
            yield f"seam.{name} has no place"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    found = list(faults(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
