#!/usr/bin/env python3
"""The schema against the reader. Every file that tests read fits it; none with an unknown key does, whether a test has it
or whether the key is put there: into every kind of map of all these files.

usage: schema.py SEAM REFUSALS FOLDER   (suites that read models have left their texts in FOLDER, see SEAM_KEEP_MODELS)
Status 77 (skipped) where python3-jsonschema or python3-yaml is missing.
"""
import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

try:
    import yaml
    from jsonschema import Draft7Validator
except ImportError:
    print("skipped: models.schema (python3-jsonschema python3-yaml)")
    sys.exit(77)

# Keys that a file itself gives, which a schema cannot know: bodies of a place, states of rates and updates.
GIVEN_BY_THE_FILE = re.compile(r"in 'at' of |in 'rates' |in 'updates' |in equations '")
ADDED = "added_key"


def parsed(text):
    """The model as the schema sees it; None where YAML 1.1 reads something else than Seam does."""
    try:
        return yaml.load(text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError):
        return None


class Check:
    def __init__(self, seam, refusals, folder):
        self.seam, self.refusals, self.folder = seam, refusals, folder
        self.schema = json.loads(self.say("schema"))
        Draft7Validator.check_schema(self.schema)
        self.validator = Draft7Validator(self.schema)
        self.known = set()
        self.seen = set()
        self.changed = {}  # file: name of the change, model
        self.faults = []
        self.n = {"catalogue": 0, "read": 0, "unknown_key": 0, "added": 0}
        self.find_known(self.schema)

    def say(self, *arguments):
        return subprocess.run([self.seam, *arguments], check=True, capture_output=True, text=True).stdout

    def find_known(self, node):
        if isinstance(node, dict):
            self.known.update(node.get("properties", {}))
        for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else []:
            self.find_known(child)

    def misfit(self, model):
        for error in self.validator.iter_errors(json.loads(json.dumps(model, default=str))):  # keys are texts there
            return f"{'.'.join(map(str, error.absolute_path))}: {error.message[:300]}"
        return None

    def accept(self, what, model):
        self.n[what.split("-")[0]] += 1
        fault = self.misfit(model)
        if fault is not None:
            self.faults.append(f"{what}: the reader takes it, the schema does not: {fault}")
            return
        self.add_keys(what, model)

    def refuse(self, what, model, message):
        if GIVEN_BY_THE_FILE.search(message):
            return
        self.n[what.split("-")[0]] += 1
        if self.misfit(model) is None:
            self.faults.append(f"{what}: the reader does not take it, the schema does: {message}")

    def maps(self, node, path, kind):
        """All maps below a node, with the kind of place each of them is at: names of the file are stars."""
        if isinstance(node, dict):
            yield path, kind + (str(node.get("type")), )
            for key, child in node.items():
                yield from self.maps(child, path + [key], kind + (key if key in self.known else "*", ))
        elif isinstance(node, list):
            for i, child in enumerate(node):
                yield from self.maps(child, path + [i], kind + ("[]", ))

    def add_keys(self, what, model):
        for path, kind in self.maps(model, [], ()):
            if kind not in self.seen:
                self.seen.add(kind)
                self.add_key(what, model, path)

    def add_key(self, what, model, path):
        changed = copy.deepcopy(model)
        place = changed
        for step in path:
            place = place[step]
        place[ADDED] = 1
        file = self.folder / f"{len(self.changed)}.added"
        try:
            file.write_text(json.dumps(changed))
        except TypeError:
            return  # a date, say
        self.changed[file] = f"added-{what}:{'.'.join(map(str, path))}", changed

    def refuse_changed(self):
        read = subprocess.run([self.refusals, *self.changed], check=True, capture_output=True, text=True)
        for (what, model), message in zip(self.changed.values(), read.stdout.splitlines(), strict=True):
            if f"unknown key '{ADDED}'" in message:
                self.refuse(what, model, message)


def main(seam, refusals, folder):
    check = Check(seam, refusals, folder)
    for line in check.say("models").splitlines():
        name = line.split()[0]
        text = check.say("models", name)
        check.accept("catalogue-" + name, parsed(text))
        if not text.startswith("# yaml-language-server: $schema="):
            check.faults.append(f"{name}: the first line names no schema, which an editor looks for")
    for path in sorted(folder.glob("*-*")):
        text, _, message = path.read_text(errors="replace").partition("\0")
        model = parsed(text)
        if model is None:
            continue
        if path.name.startswith("read"):
            check.accept(path.name, model)
        else:
            check.refuse(path.name, model, message)
    check.refuse_changed()

    print(", ".join(f"{kind}: {number}" for kind, number in check.n.items()))
    least = {"catalogue": 30, "read": 100, "unknown_key": 8, "added": 50}
    check.faults += [f"only {check.n[kind]} of '{kind}'" for kind in least if check.n[kind] < least[kind]]
    for fault in check.faults:
        print(fault)
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])))
