#!/usr/bin/env python3
"""Fills the tables of keys in docs/model-file.md from the schema that `seam schema` prints.

A table stands between the comments <!-- keys: NAME ... --> and <!-- /keys -->. NAME is a definition of the schema, `file` is the top
level; the table of several names has the keys of all. Every definition must have its table.

usage: keys.py SEAM [--check]      (in the root of the tree; --check: fails where the page is another)
"""
import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path("docs/model-file.md")
MARKED = re.compile(r"<!-- keys: ([\w ]+) -->\n.*?<!-- /keys -->", re.S)
HEADING_OR_MARK = re.compile(r"^#+ (?P<heading>.+)$|^<!-- keys: (?P<names>[\w ]+) -->$", re.M)

# Words for definitions without keys, which the text of the page explains.
VALUES = {
    "number": "number",
    "law": "[law](#numbers-and-laws)",
    "positive": "number > 0",
    "not_negative": "number ≥ 0",
    "point": "[point](#places)",
    "place": "[place](#places)",
    "two_places": "[2 places](#places)",
    "own_frames": "[place](#places)",
    "outline": "[outline](#outlines)",
    "range": "[ranges](#repeats)",
    "coefficients": "number or list of numbers",
    "along": "`x`, `y`, `phi` or a list of them",
    "signals_of_side": "name or list of names",
}


def is_map(schema):
    return "properties" in schema


def plural(value):
    """Puts the first noun of a value into the plural."""
    return re.sub(r"^(number|name)\b|^\[([\w ]+)\]", lambda noun: f"{noun[1]}s" if noun[1] else f"[{noun[2]}s]", value)


def as_sentence(text):
    """Begins with a capital, except words of the file and equations."""
    return text if re.match(r"[\w-]+: |\w'? =", text) else text[:1].upper() + text[1:]


def as_code(text):
    """Marks quoted keys, and lists, as code."""
    text = re.sub(r"(?<!\w)'([^']+)'(?!\w)", r"`\1`", text)
    return re.sub(r"(?<![`\w])(\[[^\[\]]*\]|\{\})(?!`)", r"`\1`", text)


def as_unit(text):
    return re.sub(r"(?<=[a-zA-Z])[23]", lambda power: "²³"[int(power[0]) - 2], text)


def parts(description):
    """Returns meaning, default and unit of a key from "meaning; default: ... [unit]"."""
    unit = re.search(r" \[(?![\d., ]+\])([^\]]+)\]$", description)
    text = description[: unit.start()] if unit else description
    clause = re.search(r"(^|; )(?=default: |required )", text)
    meaning = text[: clause.start()] if clause else text
    default = text[clause.end() :].replace("default: ", "") if clause else ""
    return as_code(meaning), as_code(default), as_unit(unit[1]) if unit else ""


class Tables:
    def __init__(self, schema, page):
        self.definitions = schema["definitions"]
        self.maps = {"file": schema} | {name: of for name, of in self.definitions.items() if is_map(of)}
        self.anchors = self.find_anchors(page)

    @staticmethod
    def find_anchors(page):
        """Returns the anchor of the heading above the table of each definition."""
        anchors, anchor = {}, ""
        text = re.sub(r"^```.*?^```", lambda code: "\n" * code[0].count("\n"), page, flags=re.M | re.S)
        for found in HEADING_OR_MARK.finditer(text):
            if found["heading"]:
                anchor = re.sub(r"[^\w -]", "", found["heading"].lower()).replace(" ", "-")
            else:
                anchors |= {name: anchor for name in found["names"].split()}
        return anchors

    def missing(self):
        return sorted(set(self.maps) - set(self.anchors)), sorted(set(self.anchors) - set(self.maps))

    def refer(self, name):
        return f"[{name.replace('_', ' ')}](#{self.anchors[name]})" if name in self.maps else VALUES[name]

    def value(self, of):
        """Returns the values that a key may have, in words."""
        if "$ref" in of:
            return self.refer(of["$ref"].rsplit("/", 1)[1])
        if "const" in of:
            return f"`{of['const']}`"
        if "enum" in of:
            words = of["enum"]
            return "`true` or `false`" if True in words else ", ".join(f"`{word}`" for word in words)
        if "anyOf" in of:
            forms = [self.value(form) for form in of["anyOf"] if not self.is_expression(form, of["anyOf"])]
            return " or ".join(dict.fromkeys(form for form in forms if form))
        return self.plain(of)

    def plain(self, of):
        kinds = of["type"] if isinstance(of["type"], list) else [of["type"]]
        if "array" in kinds:
            least, most = of.get("minItems", 0), of.get("maxItems")
            n = f"{least} " if least == most else f"{least} or more " if least > 1 else "list of "
            inner = self.value(of["items"])
            if "items" in of["items"]:
                return n + "lists of " + inner.removeprefix("list of ")
            return n + (inner if least == most == 1 else plural(inner))
        if "object" in kinds:
            return "NAME: " + re.sub(r"NAME: ([^|]+)$", r"{NAME: \1}", self.value(of["additionalProperties"]))
        if "integer" in kinds:
            low, high = of["minimum"], of["maximum"]
            return f"{low}" if low == high else f"whole number, {low} to {high}"
        if "number" in kinds and "string" not in kinds:
            return "number > 0" if "exclusiveMinimum" in of else f"number ≥ {of['minimum']}"
        return {"null": "", "string": "name"}.get(kinds[0], "text") if len(kinds) == 1 else "text"

    @staticmethod
    def is_expression(form, beside):
        """Returns true for the text form that every number may have."""
        return form == {"type": "string"} and any(other.get("type") in ("number", "integer") for other in beside)

    def row(self, key, of, is_required):
        meaning, default, unit = parts(of.get("description", ""))
        return f"| `{key}` | {self.value(of)} | {unit} | {'required' if is_required else default} | {as_sentence(meaning)} |"

    def keys(self, names):
        """Returns the table of keys, without an element's type and its one or two bodies: these stand above the tables."""
        rows = {}
        for name in names:
            schema = self.maps[name]
            for key, of in schema["properties"].items():
                is_element = name.startswith(("joint_", "force_"))
                is_of_all = key == "type" or (is_element and key == "bodies" and of.get("maxItems", 0) in (1, 2))
                if not is_of_all and key not in rows:
                    rows[key] = self.row(key, of, key in schema.get("required", []))
        return ["| key | value | unit | default | meaning |", "| --- | --- | --- | --- | --- |", *rows.values()]

    def types(self, name):
        rows = ["| type | what it is |", "| --- | --- |"]
        for kind in self.maps[name]["properties"]["type"]["enum"]:
            of = f"{name}_{kind}"
            rows.append(f"| [`{kind}`](#{self.anchors[of]}) | {as_sentence(self.definitions[of]['description'])} |")
        return rows

    def table(self, mark):
        names = mark[1].split()
        lines = self.types(names[0]) if "allOf" in self.maps[names[0]] else self.keys(names)
        if names[0].startswith(("joint_", "force_")):
            lines = [f"{as_sentence(self.definitions[names[0]]['description'])}.", "", *lines]
        return "\n".join([f"<!-- keys: {mark[1]} -->", *lines, "<!-- /keys -->"])


def main(seam, *options):
    schema = json.loads(subprocess.run([seam, "schema"], check=True, capture_output=True, text=True).stdout)
    page = PAGE.read_text(encoding="utf-8")
    tables = Tables(schema, page)
    without, unknown = tables.missing()
    for name in without:
        print(f"{PAGE} has no table of '{name}': add <!-- keys: {name} --> and <!-- /keys --> below a heading", file=sys.stderr)
    for name in unknown:
        print(f"{PAGE}: the schema has no '{name}'", file=sys.stderr)
    if without or unknown:
        return 1
    text = MARKED.sub(tables.table, page)
    if "--check" not in options:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if page == text:
        return 0
    print(f"{PAGE} is not what the reader's tables say: run tools/keys.py {seam}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
