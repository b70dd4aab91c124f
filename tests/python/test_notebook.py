"""examples/notebook.ipynb: its cells run and show their pictures; in the long tests a page is made of it by nbconvert."""
import ast
import json
import os
import pathlib
import shutil
import subprocess

import pytest

NOTEBOOK = pathlib.Path(__file__).parents[2] / "examples" / "notebook.ipynb"


def cells():
    return ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]


def shown(source, names):
    """What a cell leaves, as a notebook shows it."""
    *before, last = ast.parse(source).body
    exec(compile(ast.Module(before, []), "cell", "exec"), names)
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module([last], []), "cell", "exec"), names)
        return ""
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)


def test_cells_run_and_show_pictures():
    names = {}
    pages = [shown(source, names) for source in cells()]
    assert sum("data:image/svg+xml" in page for page in pages) == 4
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
