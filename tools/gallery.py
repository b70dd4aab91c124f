#!/usr/bin/env python3
"""Writes docs/gallery.md: drawing, model and result of every model of the catalogue. The result shows the columns that the
model's own text names after "Look at".

usage: gallery.py SEAM [--check]     (in the root of the tree; --check: fails where the page or a drawing is another)
"""
import csv
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PAGE = pathlib.Path("docs/gallery.md")
PICTURES = pathlib.Path("docs/gallery")
MOST_COLUMNS = 3
ROUNDING = 1e-6
HEAD = """# Gallery

Every model of the catalogue, with its mechanism and the main results of its run. Mechanisms run undivided; models of user equations
alone are co-simulated. `seam models NAME` prints the file, with `--explain` what it shows; `seam report NAME` shows it in motion.

"""


def printed(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def moving_columns(table):
    """Returns the names of the numeric columns that change by more than round-off, without the first one, the time."""
    with open(table, newline="") as file:
        rows = [row for row in csv.reader(line for line in file if not line.startswith("#"))]
    names = []
    for name, *column in list(zip(*rows))[1:]:
        try:
            values = [float(value) for value in column]
        except ValueError:
            continue
        if max(values) - min(values) > ROUNDING * max(map(abs, values)):
            names.append(name)
    return names


class Model:
    def __init__(self, seam, name, summary):
        self.seam, self.name, self.summary = seam, name, summary
        self.text = printed(seam, "models", name, "--explain").split("\nparameters", 1)[0]
        self.mechanism = PICTURES / f"{name}.svg"
        self.result = PICTURES / f"{name}_run.svg"

    def paragraph(self, begin):
        found = re.search(rf"^{begin}: (.*?)(\n\n|\Z)", self.text, re.M | re.S)
        return " ".join(found.group(1).split()) if found else ""

    def run(self, folder):
        """Runs the model, also with the verdict "wrong". Returns the folder of the results."""
        results = f"{folder}/{self.name}"
        how = ["--columns", "all"] if self.drawing() else ["--cosim"]
        run = subprocess.run([self.seam, "run", self.name, *how, "-o", results], capture_output=True, text=True)
        if run.returncode not in (0, 3):
            raise SystemExit(f"{self.name}: {run.stderr}")
        return results

    def columns(self, results):
        """Returns the columns named in the text that change, in its order; else the first that changes."""
        moving = [name for table in sorted(pathlib.Path(results).glob("*.csv")) for name in moving_columns(table)]
        named = [word for word in re.findall(r"[A-Za-z_]\w*(?:\.\w+)*", self.paragraph("Look at")) if word in moving]
        return list(dict.fromkeys(named))[:MOST_COLUMNS] or moving[:1]

    def plot(self, folder):
        results = self.run(folder)
        picture = f"{folder}/{self.name}.svg"
        printed(self.seam, "plot", results, *self.columns(results), "-o", picture)
        shutil.copyfile(picture, self.result)

    def drawing(self):
        """Returns the drawing of the mechanism; "" for a model of equations alone."""
        drawn = subprocess.run([self.seam, "draw", self.name, "--whole"], capture_output=True, text=True)
        return drawn.stdout if drawn.returncode == 0 else ""

    def look_at(self):
        """Returns the first sentence of "Look at"; `seam models NAME --explain` has the rest."""
        return re.split(r"(?<=\.)\s+(?=[A-Z`])", self.paragraph("Look at"))[0]

    def section(self):
        lines = [f"## {self.name}", "", self.summary, ""]
        if self.mechanism.exists():
            lines += [f"![{self.name}](gallery/{self.mechanism.name})", ""]
        lines += [f"![{self.name}, results](gallery/{self.result.name})", "", f"Look at: {self.look_at()}", ""]
        return "\n".join(lines)


def catalogue(seam):
    return [Model(seam, *line.split(None, 1)) for line in printed(seam, "models").splitlines()]


def page(models):
    return HEAD + "\n".join(model.section() for model in models)


def write(models):
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            drawing = model.drawing()
            if drawing:
                model.mechanism.write_text(drawing)
            model.plot(folder)
    PAGE.write_text(page(models))


def check(models):
    stale = [str(PAGE)] if PAGE.read_text() != page(models) else []
    for model in models:
        if (model.mechanism.read_text() if model.mechanism.exists() else "") != model.drawing():
            stale.append(str(model.mechanism))
        if not model.result.exists():
            stale.append(str(model.result))
    if stale:
        raise SystemExit(f"{', '.join(stale)}: not what the catalogue gives now; run tools/gallery.py {models[0].seam}")


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[1:] not in ([], ["--check"]):
        raise SystemExit(__doc__)
    models = catalogue(arguments[0])
    (check if arguments[1:] else write)(models)


if __name__ == "__main__":
    main(sys.argv[1:])
