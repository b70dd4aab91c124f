"""examples/notebook.ipynb: its cells run and show what is stored; in the long tests a page is made of it by nbconvert."""
import ast
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

NOTEBOOK = pathlib.Path(__file__).parents[2] / "examples" / "notebook.ipynb"
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")
ROUNDING = r"\d\.?\d*e-(?:0[7-9]|1\d)"  # below 1e-6


def cells():
    return [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]


def shown(source, names):
    """What a cell leaves, as a notebook shows it."""
    *before, last = ast.parse(source).body
    exec(compile(ast.Module(before, []), "cell", "exec"), names)
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module([last], []), "cell", "exec"), names)
        return ""
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    if value is None:
        return ""
    return value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)


def stored(cell):
    """What it printed, and what it left, when the notebook was last renewed."""
    printed = "".join("".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")
    left = [output["data"] for output in cell["outputs"] if output["output_type"] == "execute_result"]
    return printed, "".join("".join(data.get("text/html", data["text/plain"])) for data in left)


def readable(page):
    """A page and its pictures as SVG. The sign of an error at the level of rounding is chance, and so is its place."""
    pictures = [base64.b64decode(data).decode() for data in re.findall('base64,([^"]+)', page)]
    page = re.sub('base64,[^"]+', "", page)
    page = re.sub(rf"[\w.]+ is {ROUNDING} .*?;|energy: {ROUNDING} J (made|lost)", "rounding", page)
    return [page, *pictures]


def assert_same(page, other):
    """The same words and shapes; numbers agree to 2 %, or are rounding, or within a pixel in pictures."""
    smallest = 1e-6
    for text, stored_text in zip(readable(page), readable(other)):
        assert NUMBER.sub("#", text) == NUMBER.sub("#", stored_text)
        for a, b in zip(map(float, NUMBER.findall(text)), map(float, NUMBER.findall(stored_text))):
            assert abs(a - b) <= max(0.02 * abs(b), smallest), (a, b)
        smallest = 1.0


def test_cells_run_and_show_what_is_stored(capsys):
    names, pictures = {}, 0
    for cell in cells():
        page = shown("".join(cell["source"]), names)
        printed, left = stored(cell)
        assert_same(capsys.readouterr().out, printed)
        assert_same(page, left)
        pictures += "data:image/svg+xml" in page
    assert pictures == 6
    assert names["whole"].verdict.word == names["cut"].verdict.word == names["run"].verdict.word == "accurate"
    assert names["verdict"].word == "not checked" and abs(names["lean"]) < 1e-3
    assert abs(names["run"]["cart.x"][-1] - 0.3) < 0.02


@pytest.mark.skipif(not os.environ.get("SEAM_LONG"), reason="a long test: SEAM_LONG=1")
def test_nbconvert_makes_a_page_of_it(tmp_path):
    program = shutil.which("jupyter-nbconvert")
    if program is None:
        pytest.skip("there is no jupyter-nbconvert; install jupyter-nbconvert and python3-ipykernel")
    command = [program, "--to", "html", "--execute", "--output-dir", str(tmp_path), str(NOTEBOOK)]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert made.returncode == 0, made.stdout
    page = (tmp_path / "notebook.html").read_text()
    assert page.count('<img alt="a mechanism" src="data:image/svg+xml') == 4 and "<b>accurate</b>" in page
