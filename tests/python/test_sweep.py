"""Sweeps against the files of the command."""
import numpy as np
import pytest
from conftest import assert_same

import seam

SWEEPS = [
    ("four_bar_bushing", {"parameters.c": "1e2:1e4:3:log", "parameters.d": [5, 10.5]}, ["bar1.omega.max", "bar1.x.last"], {}),
    ("double_pendulum", {"simulate.integrator": ["erk", "radau"]}, ["energy.kinetic.mean"], {}),
    ("four_bar_bushing", {"parameters.c": "normal(1000, 100)"}, ["bar1.omega.rms"], {"sample": "lhs", "count": 4, "seed": 7}),
    ("four_bar_bushing", {"parameters.c": np.array([5e2, 1 / 3 * 1e4])}, ["M.fx.integral", "bar1.omega.min"], {"scheme": "ff-k1"}),
]


@pytest.mark.parametrize("name, vary, measure, options", SWEEPS)
def test_a_sweep_is_that_of_the_command(command, name, vary, measure, options):
    texts = {key: values if isinstance(values, str) else "[" + ", ".join(map(str, values)) + "]" for key, values in vary.items()}
    more = [part for key, text in texts.items() for part in ("--vary", f"{key}={text}")]
    more += [part for figure in measure for part in ("--measure", figure)]
    more += [part for key, value in options.items() for part in (f"--{key}", value)]
    more += ["--cosim"] if "scheme" in options else []
    command("sweep", name, *more, "--end", 0.5, "-o", "out")
    found = seam.sweep(seam.Model(name), vary, measure, end=0.5, **options)
    expected = command.table("sweep.csv")
    assert list(found.runs.columns) == list(expected)
    assert_same(found, expected)
    assert not found.messages
    assert len(found) == len(expected["run"])


def test_threads_change_no_bit_and_runs_are_those_of_run():
    model, vary = seam.Model("double_pendulum"), {"gravity": [[0, -1.6], [0, -9.81], [0, -24.8]]}
    one, three = (seam.sweep(model, vary, ["energy.kinetic.last"], end=1, threads=n) for n in (1, 3))
    assert np.array_equal(one["energy.kinetic.last"], three["energy.kinetic.last"])
    for i, gravity in enumerate(vary["gravity"]):
        assert model.run(end=1, overrides={"gravity": gravity})["energy.kinetic"][-1] == one["energy.kinetic.last"][i]


def test_runs_that_fail_or_are_wrong_are_results(command):
    path = command.folder / "pull.yaml"
    path.write_text(
        "seam: 1\nname: pull\nparameters: {c: 1}\nbodies: {a: {mass: 1, inertia: 1}}\n"
        "forces: {f: {type: force, body: a, at: [0, 0], x: 'sqrt(c - t)'}}\nsimulate: {end: 2}\n"
    )
    command("sweep", path, "--vary", "parameters.c=[1, 3]", "--measure", "a.x.max", "-o", "out", status=1)
    found = seam.sweep(seam.Model(path), {"parameters.c": [1, 3]}, ["a.x.max"])
    assert_same(found, command.table("sweep.csv"))
    assert list(found["status"]) == [1, 0] and list(found.messages) == [1]
    with pytest.warns(seam.WrongResult, match="2 of 2 runs are wrong; the first is run 1: wrong: "):
        overrides = {"simulate.integrator": "euler"}
        found = seam.sweep(
            seam.Model("double_pendulum"), {"simulate.step": [0.02, 0.01]}, ["energy.total.max"], end=2, overrides=overrides
        )
    coarse = ("--set", "simulate.integrator=euler", "--vary", "simulate.step=[0.02, 0.01]", "--measure", "energy.total.max")
    command("sweep", "double_pendulum", *coarse, "--end", 2, "-o", "coarse", status=3)
    for accept in ("--accept-wrong", "--accept-suspect"):
        command("sweep", "double_pendulum", *coarse, "--end", 2, accept, "-o", accept.lstrip("-"))
    assert list(found["status"]) == [3, 3] and np.isfinite(found["energy.total.max"]).all()


def test_what_is_wrong_is_refused_before_anything_runs():
    model, ran = seam.Model("four_bar_bushing"), []
    with pytest.raises(seam.Error, match="run 2 of 2: "):
        seam.sweep(model, {"parameters.c": [1, -1]}, ["bar1.x.max"], progress=lambda *done: ran.append(done))
    assert not ran
    with pytest.raises(seam.Error, match="write NAME.min"):
        seam.sweep(model, {"parameters.c": [1]}, ["bar1.x"])
    with pytest.raises(seam.Error, match="nothing is measured"):
        seam.sweep(model, {"parameters.c": [1]})
    with pytest.raises(seam.Error, match="nothing varies"):
        seam.sweep(model, {}, ["bar1.x.max"])
    with pytest.raises(seam.Error, match="sample must be grid"):
        seam.sweep(model, {"parameters.c": [1]}, ["bar1.x.max"], sample="all")
    with pytest.raises(seam.Error, match="measured twice"):
        seam.sweep(model, {"parameters.c": [1]}, ["bar1.x.max", "bar1.x.max"])
    for key, value in (("count", 2.5), ("seed", -1), ("threads", -1), ("threads", "2")):
        with pytest.raises(seam.Error, match=f"{key} must be a whole number, at least 0, but is {value!r}"):
            seam.sweep(model, {"parameters.c": [1, 2]}, ["bar1.x.max"], sample="lhs", **{"count": 2, key: value})


def test_one_figure_needs_no_list():
    model = seam.Model("double_pendulum", {"simulate.end": 0.1})
    found = seam.sweep(model, {"simulate.rtol": [1e-8, 1e-6]}, "link1.phi.last")
    assert np.isfinite(found["link1.phi.last"]).all()


def test_progress_counts_runs_and_ends_a_sweep():
    model, seen = seam.Model("double_pendulum"), []
    seam.sweep(model, {"simulate.rtol": "1e-8:1e-6:4:log"}, ["energy.total.max"], end=0.5,
               progress=lambda done, of: seen.append((done, of)))  # fmt: skip
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    with pytest.raises(KeyboardInterrupt):
        seam.sweep(model, {"simulate.rtol": "1e-8:1e-6:4:log"}, ["energy.total.max"], end=500, progress=lambda *done: True)
