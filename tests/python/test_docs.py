"""The Python of README.md and docs/python.md: every block runs, on the first model of the README and what the pages say of it."""
import os
import pathlib
import re
import shutil

import numpy as np
import pytest

import seam

ROOT = pathlib.Path(__file__).parents[2]
MIXED = """
seam: 1
name: plant
bodies: {cart: {mass: 2, inertia: 1, at: [0, 0]}}
forces: {f: {type: force, body: cart, at: [0, 0], x: -12*cart.vx}}
simulate: {end: 1, output_step: 0.01}
cosim:
  subsystems: {plant: [cart]}
  signals: [{from: plant.cart.x, to: servo.x}, {from: servo.f, to: plant.f.fx}]
  macro_step: 0.01
"""


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)


def block(page, language, beginning):
    """The block with this beginning, the only one."""
    (found,) = [text for text in blocks(page, language) if text.startswith(beginning)]
    return found


@pytest.fixture
def swing(tmp_path, monkeypatch):
    """The README's model in the file that its blocks read, cut as there."""
    monkeypatch.chdir(tmp_path)
    text = block("README.md", "yaml", "seam: 2\nname: swing") + block("README.md", "yaml", "cosim:")
    (tmp_path / "swing.yaml").write_text(text)
    return text


def with_torque(text, torque):
    """The model with a torque on its rod."""
    return text.replace("\nforces:\n", f"\nforces:\n  servo:\n    type: torque\n    body: rod\n    torque: {torque}\n")


def run(text, **names):
    exec(compile(text, "docs", "exec"), names)
    return names


def test_the_readme(swing):
    names = run(block("README.md", "python", "import seam"))
    assert np.abs(names["cut"]["disc.y"] - names["whole"]["disc.y"]).max() < 0.02


def test_the_tutorial(tmp_path, monkeypatch):
    """Its script prints what the page shows (tools/screens.py leaves that out where its Python has no NumPy)."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import screens

    shutil.copytree(ROOT / "examples/tutorial", tmp_path, dirs_exist_ok=True)
    shown = block("docs/tutorial/6-vary.md", "", "$ python3 study.py")
    printed = screens.Reader(os.environ["SEAM_COMMAND"], None, tmp_path).screen(shown)
    assert screens.comparable(printed) == screens.comparable(shown)


def test_the_first_block(swing):
    names = run(block("docs/python.md", "python", "import seam"))
    assert len(names["r"]["bar1.y"]) == 501


def test_step_by_step(swing):
    text = block("docs/python.md", "python", "with model.simulation()")
    names = run(text, model=seam.Model(with_torque(swing, 0)))
    assert names["s"].time == pytest.approx(5)


def test_laws(swing, tmp_path):
    (tmp_path / "swing.yaml").write_text(with_torque(swing, "grip(rod.phi, rod.omega)"))

    def gradient(x, v):
        return -9 * x**2 - 0.4 * v * x, -0.2 * x**2

    names = run(block("docs/python.md", "python", "def grip"), seam=seam, gradient=gradient)
    by_differences = seam.Model("swing.yaml", functions={"grip": names["grip"]}).modes(at="initial")
    assert names["model"].modes(at="initial").s == pytest.approx(by_differences.s, abs=1e-6)


def test_subsystems(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plant.yaml").write_text(MIXED)
    names = run(block("docs/python.md", "python", "class Servo"), seam=seam)
    ends = [seam.Model("plant.yaml", subsystems={"servo": part}).cosim()["cart.x"][-1] for part in (names["Servo"], names["Box"])]
    assert ends[0] == pytest.approx(ends[1]) and ends[0] > 0.01


def test_no_block_is_left_out():
    assert len(blocks("docs/python.md", "python")) == 4
