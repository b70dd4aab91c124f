"""What suites share: the command, and its files as columns."""
import csv
import json
import os
import subprocess

import numpy as np
import pytest


class Command:
    """Runs `seam` in a folder and reads what it wrote."""

    def __init__(self, folder):
        self.folder = folder
        self.said = ""  # standard error of the last call

    def __call__(self, *arguments, status=0):
        """Standard output; the results are in the folder `out`."""
        made = subprocess.run(
            [os.environ["SEAM_COMMAND"], *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert made.returncode == status, made.stderr
        self.said = made.stderr
        return made.stdout

    def table(self, name):
        """Columns of a file by name: numbers, empty fields as NaN; texts where a field is not a number."""
        with open(self.folder / "out" / name, newline="") as file:
            head, *rows = csv.reader(file)
        return {key: _column([row[i] for row in rows]) for i, key in enumerate(head)}

    def summary(self):
        return json.loads((self.folder / "out" / "summary.json").read_text())


def _column(fields):
    try:
        return np.array([float(field) if field else np.nan for field in fields])
    except ValueError:
        return np.array(fields)


@pytest.fixture
def command(tmp_path):
    return Command(tmp_path)


def same(found, expected):
    """Equal to the bit; NaN equals NaN."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.dtype.kind in "US":
        is_empty = expected.dtype.kind == "f" and np.isnan(expected).all()  # texts that are all empty
        return list(found) == ([""] * len(expected) if is_empty else list(expected))
    return np.array_equal(found.astype(float), expected.astype(float), equal_nan=True)


def assert_same(found, expected, names=None):
    """All columns of a file of the command are in what Python found, to the bit."""
    for name in expected if names is None else names:
        assert same(found[name], expected[name]), f"{name}: {found[name]} is not {expected[name]}"
