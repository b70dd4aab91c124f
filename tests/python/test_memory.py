"""Runs leave no memory behind. SEAM_LONG: a million steps, and more models."""
import gc
import os
import warnings

import pytest

import seam

LONG = bool(os.environ.get("SEAM_LONG"))


def resident():
    """MB of this process."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def growth(work, warm, times):
    """MB by which the process grows over so many calls, after some that fill caches."""
    for _ in range(warm):
        work()
    before = resident()
    for _ in range(times):
        work()
    return resident() - before


def test_models_runs_and_failures_leave_nothing():
    model = seam.Model("four_bar_bushing")

    def work():
        seam.Model("four_bar_bushing", {"parameters.c": 1234}).run(end=0.01)
        model.cosim(end=0.003)
        model.modes()
        with pytest.raises(seam.Error):
            seam.Model("four_bar_bushing", {"parameter": 1})

    assert growth(work, 30, 2000 if LONG else 150) < 1


def test_studies_leave_nothing():
    model = seam.Model("double_pendulum", {"simulate.end": 0.02, "cosim.macro_step": 1e-3})

    def work():
        model.compare(["ff-index2-k2"])
        seam.sweep(model, {"simulate.rtol": [1e-6, 1e-7]}, ["energy.total.max"], threads=2)

    assert growth(work, 10, 300 if LONG else 20) < 1


def test_steps_leave_nothing():
    model = seam.Model("double_pendulum")
    steps = 1_000_000 if LONG else 20_000

    def work():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            options = {"integrator": "euler", "step": 1e-6, "output_step": steps * 1e-6}
            assert model.run(end=steps * 1e-6, **options).summary["statistics"]["steps"] >= steps

    assert growth(work, 1, 1) < 1


def test_steps_from_python_leave_nothing():
    """Driven, read, and saved now and then."""
    model = seam.Model("cart_pole")
    steps = 1_000_000 if LONG else 100_000
    with model.simulation(inputs={"push.x": 0}) as s, model.simulation(inputs={"push.x": 0}) as other:
        s.advance(1e-3)

        def work():
            for i in range(steps):
                if i % 10 == 0:
                    s.inputs["push.x"] = (i % 7) - 3
                s.advance(1e-3)
                s["cart.x"]
                if i % 1000 == 0:
                    other.restore(s.save())

        assert growth(work, 1, 1) < 1


def test_simulations_leave_nothing():
    model = seam.Model("four_bar_bushing")

    def work():
        for cut in (False, True):
            with model.simulation(cut=cut, threads=1) as s:
                s.advance(0.002)
                s.restore(s.save())

    assert growth(work, 30, 2000 if LONG else 150) < 1


class Follower(seam.Subsystem):
    inputs, outputs, n_state = ["x"], ["f"], 1

    def advance(self, t, h, u):
        self.state += h * u.end
        return -self.state


class Filter(seam.Equations):
    inputs, outputs, states = ["x"], ["f"], {"y": 0}

    def rates(self, t, x, u):
        return u - x

    def values(self, t, x, u):
        return -x


def test_what_is_written_in_python_leaves_nothing():
    file = {
        "seam": 1,
        "bodies": {"a": {"mass": 2, "inertia": 1, "at": [1, 0]}},
        "forces": {"f": {"type": "force", "body": "a", "at": [1, 0], "x": "-spring(a.x)"}},
        "simulate": {"end": 0.02, "output_step": 0.01},  # rows between macro points would be noted: pytest keeps all notes
        "cosim": {
            "subsystems": {"plant": ["a"]},
            "signals": [{"from": "plant.a.x", "to": "servo.x"}, {"from": "servo.f", "to": "plant.f.fx"}],
            "macro_step": 0.01,
        },
    }

    def work():
        for servo in (Follower, Filter):
            model = seam.Model(file, functions={"spring": lambda x: 10 * x}, subsystems={"servo": servo})
            model.cosim(threads=1)
            with model.simulation(cut=True, threads=1) as s:
                s.advance(0.01)
                s.restore(s.save())

    assert growth(work, 30, 2000 if LONG else 200) < 1
