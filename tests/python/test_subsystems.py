"""Laws and subsystems written in Python: against the same in the file, with derivatives and without; exceptions, states."""
import pickle
import re
import threading

import numpy as np
import pytest

import seam

MASS = {
    "seam": 1,
    "name": "mass",
    "bodies": {"a": {"mass": 2, "inertia": 1, "at": [0.7, 0], "velocity": [0.4, 0]}},
    "forces": {"f": {"type": "force", "body": "a", "at": [0.7, 0], "x": "pull(a.x, a.vx)"}},
    "simulate": {"end": 1, "rtol": 1e-10, "atol": 1e-12},
}
LAW = "-3*a.x^3 - 0.2*a.vx*a.x^2"


def pull(x, v):
    return -3 * x**3 - 0.2 * v * x**2


def pull_gradient(x, v):
    return -9 * x**2 - 0.4 * v * x, -0.2 * x**2


def pull_second(x, v):
    return -18 * x - 0.4 * v, -0.4 * x, 0


KINDS = [pull, seam.Function(pull, pull_gradient), seam.Function(pull, pull_gradient, pull_second)]


# ---- Laws ----


@pytest.mark.parametrize("law", KINDS)
@pytest.mark.parametrize("integrator, bound", [("erk", 1e-12), ("radau", 1e-8), ("ida", 1e-8)])
def test_laws_are_those_of_the_file(law, integrator, bound):
    model = seam.Model(MASS, functions={"pull": law})
    expected = seam.Model(MASS, {"forces.f.x": LAW}, functions={"pull": law}).run(integrator=integrator)
    assert model.run(integrator=integrator)["a.x"] == pytest.approx(expected["a.x"], abs=bound)


@pytest.mark.parametrize("law, bound", zip(KINDS, (1e-8, 1e-12, 1e-12)))
def test_modes_see_the_derivatives_of_laws(law, bound):
    overrides = {"bodies.a.velocity": [0, 0], "forces.f.x": "pull(a.x, a.vx) - pull(0.7, 0)"}
    found = seam.Model(MASS, overrides, functions={"pull": law}).modes().s
    spring = -pull_gradient(0.7, 0)[0] / 2
    damper = -pull_gradient(0.7, 0)[1] / 2
    s = -damper / 2 + 1j * np.sqrt(spring - damper**2 / 4)
    assert np.abs(found - s).min() < bound


def hertz(d):
    return 1e10 * max(d, 0) ** 1.5


@pytest.mark.parametrize("law", [hertz, seam.Function(hertz, lambda d: 1.5e10 * max(d, 0) ** 0.5)])
@pytest.mark.parametrize("weight", [1e-4, 1e2, 1e8])
def test_derivatives_of_laws_fit_the_distances_over_which_they_vary(law, weight):
    """A mass of 1 kg that its weight presses in by 4.6e-10 m to 0.05 m."""
    depth = (weight / 1e10) ** (2 / 3)
    text = f"""
seam: 2
gravity: [0, -{weight}]
bodies: {{a: {{mass: 1, inertia: 1, at: [0, -{depth}]}}}}
joints: {{g: {{type: prismatic, bodies: [ground, a], at: [0, 0], axis: [0, 1]}}}}
forces: {{c: {{type: force, body: a, at: [0, -{depth}], y: hertz(-a.y)}}}}
"""
    frequency = np.sqrt(1.5e10 * np.sqrt(depth)) / (2 * np.pi)
    assert seam.Model(text, functions={"hertz": law}).modes(at="initial").frequency == pytest.approx([frequency], rel=1e-9)


@pytest.mark.parametrize("depth", [5e-10, 5e-9])
def test_right_derivatives_beside_a_corner_are_not_refused(depth):
    law = seam.Function(lambda d: 1e8 * max(d, 0.0), lambda d: 1e8 * (d > 0))
    for x, slope in ((depth, 1e8), (-depth, 0.0)):
        law.check("contact", [x], [slope])


def test_laws_of_one_argument_in_equations_measures_and_events():
    square = seam.Function(lambda x: x * x, lambda x: 2 * x, lambda x: 2)
    overrides = {"forces.f.x": "-c.y", "equations": {"c": {"states": {"y": 0}, "rates": {"y": "square(a.x) - y"}}},
                 "measures": {"m": "square(a.vx)"}, "events": {"low": "square(a.x) - 0.5"}}
    written = {key: value for key, value in overrides.items()}
    written.update(equations={"c": {"states": {"y": 0}, "rates": {"y": "a.x^2 - y"}}}, measures={"m": "a.vx^2"}, events={"low": "a.x^2 - 0.5"})
    functions = {"square": square, "pull": pull}
    a, b = (seam.Model(MASS, changes, functions=functions).run() for changes in (overrides, written))
    for name in ("a.x", "m", "c.y"):
        assert a[name] == pytest.approx(b[name], abs=1e-12)
    assert a.events["time"] == pytest.approx(b.events["time"], abs=1e-9) and len(a.events) > 0


def test_derivatives_of_another_function_are_refused():
    wrong = seam.Function(pull, lambda x, v: (-8 * x**2, -0.2 * x**2))
    with pytest.raises(seam.Error, match="'pull' at .*argument 1 is .* differences give"):
        seam.Model(MASS, functions={"pull": wrong}).modes(at="initial")
    with pytest.raises(seam.Error, match="argument 1"):
        seam.Model(MASS, functions={"pull": wrong}).run(integrator="radau")

    class Wrong(WithJacobians):
        def jacobians(self, t, x, u):
            return [[0, 1], [-15, 0]], [[0], [0.25]], [[1, 0], [0, 1], [-15, 0]], [[0], [0], [0.5]]

    with pytest.raises(seam.Error, match="'right' .* row 2, column 1 of rates by u is 0.25, but its differences give 0.5"):
        seam.Model(coupled("ff-k2"), subsystems={"right": Wrong}).cosim()

    class Narrow(WithJacobians):
        """Right, beside a term that varies over 1e-8 m."""

        def rates(self, t, x, u):
            return x[1], (u[0] - 30 * x[0]) / 2 - np.tanh(x[0] / 1e-8) / 1e6

        def jacobians(self, t, x, u):
            steep = -15 - (1 - np.tanh(x[0] / 1e-8) ** 2) / 1e6 / 1e-8
            return [[0, 1], [steep, 0]], [[0], [0.5]], [[1, 0], [0, 1], [-15, 0]], [[0], [0], [0.5]]

    seam.Model(coupled("ff-k2"), subsystems={"right": Narrow}).cosim(end=0.1)


def test_models_with_functions_are_varied_swept_and_pickled():
    model = seam.Model({**MASS, "parameters": {"k": 1}}, {"forces.f.x": "k*pull(a.x, a.vx)"}, functions={"pull": pull})
    sweep = seam.sweep(model, {"parameters.k": [1, 2, 3]}, ["a.x.min"], threads=2)
    assert sweep["a.x.min"][1] == model.run(overrides={"parameters.k": 2})["a.x"].min()
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.run()["a.x"], model.run()["a.x"])


class Wrong(Exception):
    pass


def test_what_a_law_raises_comes_out():
    def far(x, v):
        if x > 0.75:
            raise Wrong("too far")
        return 0.0

    model = seam.Model(MASS, functions={"pull": far})
    with pytest.raises(Wrong, match="too far") as caught:
        model.run()
    until = caught.value.results
    assert until.time[-1] == caught.value.time and len(until) > 5
    assert until["a.x"] == pytest.approx(0.7 + 0.4 * until.time, abs=1e-12) and 0.74 < until["a.x"][-1] <= 0.75
    with pytest.raises(Wrong):
        with model.simulation() as s:
            s.advance(1)
    with pytest.raises(Wrong):
        seam.Model(MASS, {"forces.f.x": "pull(1, 2)"}, functions={"pull": far})  # when it is read
    assert len(seam.Model(MASS, functions={"pull": pull}).run()) > 1  # and nothing is left of it
    with pytest.raises(Wrong):
        gradient = seam.Function(pull, lambda x, v: far(x, v) or pull_gradient(x, v))
        seam.Model(MASS, functions={"pull": gradient}).run(integrator="ida", end=4)


def test_a_law_that_is_not_a_number_fails_with_its_time():
    with pytest.raises(seam.Failure, match="force 'f'"):
        seam.Model(MASS, functions={"pull": lambda x, v: float("nan") if x > 0.75 else 0.0}).run()


def test_exceptions_in_threads_are_each_threads_own():
    def raises(value):
        def law(x, v):
            if x > 0.75:
                raise Wrong(value)
            return 0.0

        return law

    found = {}

    def work(i):
        try:
            seam.Model(MASS, functions={"pull": raises(i)}).run()
        except Wrong as wrong:
            found[i] = wrong.args[0]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {i: i for i in range(6)}


def test_laws_that_are_refused():
    with pytest.raises(TypeError, match="one or two"):
        seam.Model(MASS, functions={"pull": lambda x, y, z: 0})
    with pytest.raises(TypeError, match="function is needed"):
        seam.Model(MASS, functions={"pull": 3})
    with pytest.raises(seam.Error, match="already exists"):
        seam.Model(MASS, functions={"sin": pull})
    with pytest.raises(seam.Error, match="second argument"):
        seam.Model(MASS, {"forces.f.x": "pull(a.x)"}, functions={"pull": pull})


# ---- Subsystems by signals ----

CONTROLLED = {
    "seam": 1,
    "name": "controlled",
    "bodies": {"a": {"mass": 2, "inertia": 1, "at": [0, 0]}},
    "forces": {"f": {"type": "force", "body": "a", "at": [0, 0], "x": 0}},
    "simulate": {"end": 1, "rtol": 1e-10, "atol": 1e-12, "output_step": 0.01},
    "cosim": {
        "subsystems": {"plant": ["a"]},
        "signals": [
            {"from": "plant.a.x", "to": "servo.x", "order": 1},
            {"from": "servo.f", "to": "plant.f.fx", "order": 1},
        ],
        "macro_step": 0.01,
        "rtol": 1e-10,
        "atol": 1e-12,
    },
}
IN_FILE = {"inputs": ["x"], "states": {"i": 0}, "rates": {"i": "0.3 - x"}, "outputs": {"f": "40*i + 8*(0.3 - x) "}}


class Servo(seam.Equations):
    inputs, outputs, states = ["x"], ["f"], {"i": 0}
    rtol, atol = 1e-10, 1e-12

    def rates(self, t, x, u):
        return 0.3 - u

    def values(self, t, x, u):
        return 40 * x + 8 * (0.3 - u)


class ServoBox(seam.Subsystem):
    """The same by the midpoint rule, which is exact for inputs that are straight."""

    inputs, outputs, n_state = ["x"], ["f"], 1

    def first(self):
        return [8 * 0.3]

    def advance(self, t, h, u):
        self.state += h * (0.3 - u(t + h / 2))
        return 40 * self.state + 8 * (0.3 - u.end)


def in_file(**changes):
    cosim = {**CONTROLLED["cosim"], "subsystems": {**CONTROLLED["cosim"]["subsystems"], "servo": {**IN_FILE, **changes}}}
    return seam.Model({**CONTROLLED, "cosim": cosim})


@pytest.mark.parametrize("servo, bound", [(Servo, 1e-13), (ServoBox, 1e-9)])
def test_subsystems_are_those_of_the_file(servo, bound):
    expected = in_file(rtol=1e-10, atol=1e-12).cosim()
    found = seam.Model(CONTROLLED, subsystems={"servo": servo}).cosim()
    assert found["a.x"] == pytest.approx(expected["a.x"], abs=bound)
    assert found["servo.f"] == pytest.approx(expected["servo.f"], abs=100 * bound)
    assert found.verdict.word == "accurate"


def test_sampled_subsystems_are_those_of_the_file():
    sampled = {"inputs": ["x"], "sample": 0.02, "states": {"i": 0}, "updates": {"i": "i + 0.02*(0.3 - x)"}, "outputs": IN_FILE["outputs"]}

    class Controller(seam.Sampled):
        inputs, outputs, states, period = ["x"], ["f"], {"i": 0}, 0.02

        def updates(self, t, x, u):
            return x + 0.02 * (0.3 - u)

        def values(self, t, x, u):
            return 40 * x + 8 * (0.3 - u)

    signals = [{key: entry[key] for key in ("from", "to")} for entry in CONTROLLED["cosim"]["signals"]]
    cosim = {**CONTROLLED["cosim"], "signals": signals}
    of_file = {**cosim, "subsystems": {"plant": ["a"], "servo": sampled}}
    expected = seam.Model({**CONTROLLED, "cosim": of_file}).cosim()
    found = seam.Model({**CONTROLLED, "cosim": cosim}, subsystems={"servo": Controller}).cosim()
    assert np.array_equal(found["a.x"], expected["a.x"])


@pytest.mark.parametrize("servo", [Servo, ServoBox])
def test_simulations_with_subsystems_go_on_from_saved_states(servo):
    model = seam.Model(CONTROLLED, subsystems={"servo": servo})
    with model.simulation(cut=True) as s, model.simulation(cut=True) as other:
        s.advance(0.3)
        saved = s.save()
        s.advance(0.3)
        expected = [s["a.x"], s["servo.f"]]
        s.restore(saved)
        s.advance(0.3)
        assert [s["a.x"], s["servo.f"]] == expected
        other.restore(saved)
        other.advance(0.3)
        assert [other["a.x"], other["servo.f"]] == expected


def test_a_state_may_be_set_to_integers():
    """A ramp that later is cut off at 0, for which `max` gives an integer. Before that it is none."""

    class Cut(ServoBox):
        def advance(self, t, h, u):
            self.state = np.array([max(self.state[0] + (0.3 * h if t < 0.7 else -1), 0)])
            return 40 * self.state

    with seam.Model(CONTROLLED, subsystems={"servo": Cut}).simulation(cut=True) as s:
        s.advance(0.5)
        saved, expected = s.save(), []
        for _ in range(2):
            s.advance(0.1)
            expected.append(s["servo.f"])
            s.advance(0.4)
            s.restore(saved)
        assert expected[0] == expected[1] != 0


def test_arrays_of_equations_may_be_kept_and_changed():
    kept = []

    class Keeps(Servo):
        def rates(self, t, x, u):
            kept.append((t, x, u, x.copy(), u.copy()))
            return super().rates(t, x, u)

    class Changes(Servo):
        def rates(self, t, x, u):
            u -= 0.3
            return -u

        def values(self, t, x, u):
            x *= 40
            u -= 0.3
            return x - 8 * u

    found = [seam.Model(CONTROLLED, subsystems={"servo": kind}).cosim()["a.x"] for kind in (Keeps, Changes)]
    assert found[1] == pytest.approx(found[0], abs=1e-13)
    assert len(kept) > 100 and all((x, u) == (was, under) for _, x, u, was, under in kept)


def test_the_whole_is_refused():
    model = seam.Model(CONTROLLED, subsystems={"servo": Servo})
    for act in (model.run, model.static, model.modes, model.compare, model.stability, model.simulation, model.start):
        with pytest.raises(seam.Error, match="'servo' is written in Python"):
            act()
    with pytest.raises(seam.Error, match="'servo' is written in Python"):
        model.converge(macro_steps=(1e-3, 1e-2, 2))


# ---- Subsystems by couplings, under schemes that repeat macro steps ----


def coupled(scheme, **more):
    of_right = {"subsystem": "right", "force": ["f"], "position": ["x"], "velocity": ["v"], "acceleration": ["a"]}
    sides = [{"marker": "left.m", "along": ["x"]}, of_right]
    return {
        "seam": 1,
        "name": "coupled",
        "bodies": {"a": {"mass": 1, "inertia": 1, "at": [0, 0], "velocity": [1, 0]}},
        "forces": {"m": {"type": "force", "body": "a", "at": [0, 0], "x": 0}},
        "simulate": {"end": 1, "output_step": 0.01, "rtol": 1e-10, "atol": 1e-12},
        "cosim": {
            "subsystems": {"left": ["a"], **more},
            "couplings": {"k": {"sides": sides, "stiffness": 50, "damping": 0.2, "scheme": scheme}},
            "macro_step": 0.01,
            "rtol": 1e-10,
            "atol": 1e-12,
        },
    }


OSCILLATOR = {"inputs": ["f"], "states": {"x": 0, "v": 0}, "rates": {"x": "v", "v": "(f - 30*x)/2"}, "outputs": {"x": "x", "v": "v", "a": "(f - 30*x)/2"}}


class Oscillator(seam.Equations):
    inputs, outputs, states = ["f"], ["x", "v", "a"], {"x": 0, "v": 0}
    rtol, atol = 1e-10, 1e-12

    def rates(self, t, x, u):
        return x[1], (u[0] - 30 * x[0]) / 2

    def values(self, t, x, u):
        return *x, (u[0] - 30 * x[0]) / 2


class WithJacobians(Oscillator):
    def jacobians(self, t, x, u):
        return [[0, 1], [-15, 0]], [[0], [0.5]], [[1, 0], [0, 1], [-15, 0]], [[0], [0], [0.5]]


class Box(seam.Subsystem):
    inputs, outputs, n_state = ["f"], ["x", "v", "a"], 2

    def advance(self, t, h, u):
        x, v = self.state
        w, n = np.sqrt(15), 8
        for i in range(n):  # exact under a force that is held
            f = u(t + (i + 0.5) * h / n)[0] / 30
            c, s = np.cos(w * h / n), np.sin(w * h / n)
            x, v = f + (x - f) * c + v / w * s, v * c - (x - f) * w * s
        self.state[:] = x, v
        return x, v, (u.end[0] - 30 * x) / 2


class OwnImages(Box):
    """Keeps its state elsewhere."""

    def first(self):
        self.kept = [0.0, 0.0]
        return 0, 0, 0

    def save(self):
        return self.kept

    def restore(self, state):
        self.kept = list(state)

    def advance(self, t, h, u):
        self.state[:] = self.kept
        found = super().advance(t, h, u)
        self.kept = list(found[:2])
        return found


@pytest.mark.parametrize("scheme", ["ff-k1-explicit", "ff-k2", "ff-d-k2", "ff-colloc-s3"])
@pytest.mark.parametrize("right, bound", [(Oscillator, 1e-8), (WithJacobians, 1e-8), (Box, 3e-5), (OwnImages, 3e-5)])
def test_couplings_repeat_steps_of_subsystems(scheme, right, bound):
    expected = seam.Model(coupled(scheme, right={**OSCILLATOR, "rtol": 1e-10, "atol": 1e-12})).cosim()
    found = seam.Model(coupled(scheme), subsystems={"right": right}).cosim()
    assert found["a.x"] == pytest.approx(expected["a.x"], abs=bound)
    assert found["right.x"] == pytest.approx(expected["right.x"], abs=bound)


def test_what_cannot_go_back_is_for_explicit_schemes():
    class Forgetful(Box):
        n_state = None

        def first(self):
            self.state = np.zeros(2)
            return 0, 0, 0

    assert seam.Model(coupled("ff-k1-explicit"), subsystems={"right": Forgetful}).cosim().verdict.status == "done"
    with pytest.raises(seam.Error, match="right"):
        seam.Model(coupled("ff-k2"), subsystems={"right": Forgetful}).cosim()


# ---- Exceptions ----


@pytest.mark.parametrize("kind", [Servo, ServoBox])
def test_what_a_subsystem_raises_comes_out(kind):
    class Raises(kind):
        def rates(self, t, x, u):
            if t > 0.5:
                raise Wrong("late")
            return super().rates(t, x, u)

        def advance(self, t, h, u):
            if t > 0.5:
                raise Wrong("late")
            return super().advance(t, h, u)

    model = seam.Model(CONTROLLED, subsystems={"servo": Raises})
    with pytest.raises(Wrong, match="late") as caught:
        model.cosim()
    assert caught.traceback[-1].name in ("rates", "advance")  # of the subsystem
    until = caught.value.results
    assert until.time[-1] == caught.value.time == pytest.approx(0.5, abs=0.011) and until.verdict.status != "done"
    with pytest.raises(Wrong):
        with model.simulation(cut=True) as s:
            s.advance(0.4)
            saved = s.save()
            s.advance(0.4)
    assert s.time <= 0.52
    whole = seam.Model(CONTROLLED, subsystems={"servo": kind}).cosim()
    assert whole.verdict.word == "accurate" and (until["a.x"] == whole["a.x"][: len(until)]).all()


def test_what_a_subsystem_raises_while_the_run_goes_on_comes_out():
    class Raises(OwnImages):
        def advance(self, t, h, u):
            self.t = t
            return super().advance(t, h, u)

        def restore(self, state):
            super().restore(state)
            if self.t > 0.985:  # in the last macro step
                raise Wrong("\udc80" + 600 * "\u00fc")

    with pytest.raises(Wrong) as caught:
        seam.Model(coupled("ff-k2"), subsystems={"right": Raises}).cosim()
    assert caught.value.results.verdict.message.startswith("?\u00fc") and len(caught.value.results) > 95


@pytest.mark.parametrize("kind", [Servo, ServoBox])
def test_what_a_subsystem_raises_in_the_check_is_in_the_verdict(kind):
    def raises(found):
        seen = []

        def late(t):
            seen.append(t)
            if t > 0.5 and max(seen) > 0.98 and min(seen[seen.index(max(seen)) :]) < 0.1:  # the second run has begun
                raise found

        class Raises(kind):
            def rates(self, t, x, u):
                late(t)
                return super().rates(t, x, u)

            def advance(self, t, h, u):
                late(t)
                return super().advance(t, h, u)

        return seam.Model(CONTROLLED, subsystems={"servo": Raises})

    results = raises(Wrong("too\nlate " + 200 * "\u00fc")).cosim()
    assert results.verdict.word == "not checked" and len(results) > 90
    assert re.match(r"the second run: test_subsystems.py:\d+, in late: Wrong: too late ü{100,}$", results.verdict.error.why)
    assert results.verdict.error.why[:100] in results.verdict.text
    with pytest.raises(KeyboardInterrupt) as caught:
        raises(KeyboardInterrupt()).cosim()
    assert caught.value.results.time[-1] == 1
    assert seam.Model(CONTROLLED, subsystems={"servo": kind}).cosim().verdict.word == "accurate"


def test_inputs_may_be_kept_beyond_the_step():
    kept = []

    class Keeps(ServoBox):
        def advance(self, t, h, u):
            kept.append((u, u.begin, u(t + h / 2), u.end, t + h / 2))
            return super().advance(t, h, u)

    seam.Model(CONTROLLED, subsystems={"servo": Keeps}).cosim()
    seam.Model(CONTROLLED, subsystems={"servo": ServoBox}).cosim()
    assert len({float(begin[0]) for _, begin, _, _, _ in kept}) > 10
    for u, begin, middle, end, t in kept:
        assert (u.begin, u(t), u.end) == (begin, middle, end)


def test_numbers_that_are_none_fail_with_time_and_name():
    class Lost(ServoBox):
        def advance(self, t, h, u):
            return super().advance(t, h, u) if t < 0.5 else [np.nan]

    class LostRates(Servo):
        def rates(self, t, x, u):
            return super().rates(t, x, u) if t < 0.5 else [np.nan]

    with pytest.raises(seam.Failure, match=r"t = 0.5.*servo\.f"):
        seam.Model(CONTROLLED, subsystems={"servo": Lost}).cosim()
    with pytest.raises(seam.Failure, match="'i' is not finite"):
        seam.Model(CONTROLLED, subsystems={"servo": LostRates}).cosim()


def test_subsystems_that_are_refused():
    class Short(ServoBox):
        def advance(self, t, h, u):
            return []

    with pytest.raises(ValueError, match="0 numbers in place of 1"):
        seam.Model(CONTROLLED, subsystems={"servo": Short}).cosim()
    with pytest.raises(TypeError, match="class, or a function"):
        seam.Model(CONTROLLED, subsystems={"servo": 3})
    with pytest.raises(TypeError, match="must be seam.Equations"):
        seam.Model(CONTROLLED, subsystems={"servo": dict})
    with pytest.raises(seam.Error, match="method"):
        seam.Model(CONTROLLED, subsystems={"servo": type("Odd", (Servo,), {"method": "heun"})})
