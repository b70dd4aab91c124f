#!/usr/bin/env python3
"""Writes docs/keys.md, the reference of all keys of the model file, from the schema that `seam schema` prints.

usage: keys.py SEAM [--check]      (in the root of the tree; --check: fails where the page is another)
"""
import json
import pathlib
import subprocess
import sys

PAGE = pathlib.Path("docs/keys.md")
HEAD = """# All keys of the model file

`tools/keys.py` makes this page from `seam schema`, which is made from the tables by which Seam reads a file: no key is missing, and none
is too much. [model-file.md](model-file.md) says with examples what they mean together. Keys in bold are required. What stands in
brackets is the unit.

"""


def is_map(schema):
    return "properties" in schema


class Page:
    def __init__(self, schema):
        self.schema = schema
        self.definitions = schema["definitions"]
        self.lines = []

    def refer(self, name):
        return f"[{name}](#{name})" if is_map(self.definitions[name]) else f"[{name}](#values)"

    def value(self, of):
        """What may stand behind a key, in words."""
        if "$ref" in of:
            return self.refer(of["$ref"].rsplit("/", 1)[1])
        if "const" in of:
            return f"`{of['const']}`"
        if "enum" in of:
            words = of["enum"]
            return "`true` or `false`" if True in words else ", ".join(f"`{word}`" for word in words)
        if "anyOf" in of:
            forms = [form for form in of["anyOf"] if not self.is_expression(form, of["anyOf"])]
            return " or ".join(self.value(form) for form in forms)
        kinds = of["type"] if isinstance(of["type"], list) else [of["type"]]
        if "array" in kinds:
            least, most = of.get("minItems", 0), of.get("maxItems")
            n = f"{least} " if least == most else f"{least} or more " if least > 1 else ""
            return f"list of {n}{self.value(of['items'])}"
        if "object" in kinds:
            return f"names: {self.value(of['additionalProperties'])}"
        if "integer" in kinds:
            low, high = of["minimum"], of["maximum"]
            return f"{low}" if low == high else f"whole number, {low} to {high}"
        if "number" in kinds and "string" not in kinds:
            return "number above 0" if "exclusiveMinimum" in of else "number, not negative"
        return {"null": "nothing", "string": "name"}.get(kinds[0], "text") if len(kinds) == 1 else "text"

    @staticmethod
    def is_expression(form, beside):
        """The text that every number may be."""
        return form == {"type": "string"} and any(other.get("type") in ("number", "integer") for other in beside)

    def table(self, schema):
        required = schema.get("required", [])
        self.lines += ["| key | value | meaning |", "| --- | --- | --- |"]
        for key, of in schema["properties"].items():
            name = f"**`{key}`**" if key in required else f"`{key}`"
            self.lines.append(f"| {name} | {self.value(of)} | {of.get('description', '')} |")
        self.lines.append("")

    def elements(self, name, definition):
        """A table of types: each is a definition of its own."""
        self.lines += ["Its `type` is one of", ""]
        for kind in definition["properties"]["type"]["enum"]:
            of = f"{name}_{kind}"
            self.lines.append(f"- [{kind}](#{of}): {self.definitions[of]['description']}")
        self.lines.append("")

    def make(self):
        self.lines += ["## The file", ""]
        self.table(self.schema)
        self.lines += ["## Values", "", "| value | is |", "| --- | --- |"]
        for name, definition in self.definitions.items():
            if not is_map(definition):
                self.lines.append(f"| `{name}` | {definition['description']} |")
        self.lines.append("")
        for name, definition in self.definitions.items():
            if not is_map(definition):
                continue
            self.lines += [f"## {name}", "", definition["description"][0].upper() + definition["description"][1:] + ".", ""]
            if "allOf" in definition:
                self.elements(name, definition)
            else:
                self.table(definition)
        return HEAD + "\n".join(self.lines).rstrip("\n") + "\n"


def main(seam, *options):
    schema = json.loads(subprocess.run([seam, "schema"], check=True, capture_output=True, text=True).stdout)
    text = Page(schema).make()
    if "--check" not in options:
        PAGE.write_text(text)
        return 0
    if PAGE.read_text() == text:
        return 0
    print(f"{PAGE} is not what the reader's tables say: run tools/keys.py {seam}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
