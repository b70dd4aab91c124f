"""Simulations step by step: the bits of runs, inputs against closed forms, saved states, events, refusals, threads."""
import _thread
import pickle
import threading

import numpy as np
import pytest

import seam

PUSHED = {
    "seam": 1,
    "name": "pushed",
    "bodies": {"a": {"mass": 2, "inertia": 1}, "b": {"mass": 1, "inertia": 1, "at": [1, 0]}},
    "forces": {
        "k": {"type": "spring_damper", "bodies": ["a", "b"], "at": [[0, 0], [1, 0]], "stiffness": 50, "damping": 0.1},
        "push": {"type": "force", "body": "a", "at": [0, 0], "x": "u"},
        "turn": {"type": "torque", "body": "b", "torque": 0.5},
    },
    "fmu": {"inputs": {"u": {"start": 2, "unit": "N"}}},
    "measures": {"centre": "(2*a.x + b.x)/3"},
    "simulate": {"end": 1, "rtol": 1e-10, "atol": 1e-12},
    "cosim": {"subsystems": {"left": ["a"], "right": ["b"]}, "macro_step": 0.01, "scheme": "ff-k2"},
}


# ---- The bits of runs ----


@pytest.mark.parametrize("name", ["four_bar_fixed", "cart_pole_sampled", "hard_bouncing_ball", "hydraulic_crane"])
def test_the_whole_has_the_bits_of_a_run(name):
    model = seam.Model(name)
    run = model.run(end=0.5, output_step=0.01)
    with model.simulation(end=0.5) as s:
        for row, t in enumerate(run["time"]):
            s.advance_to(t)
            assert s.time == t
            assert np.array_equal(s.read(*run.columns), run.trajectory.values[row])


@pytest.mark.parametrize("integrator", ["radau", "cvode", "ida", "rk4", "symplectic_euler"])
def test_so_has_every_integrator(integrator):
    model, step = seam.Model("double_pendulum"), "auto" if integrator in ("radau", "cvode", "ida") else 1e-3
    options = {"integrator": integrator, **({} if step == "auto" else {"step": step})}
    run = model.run(end=0.2, output_step=0.01, **options)
    with model.simulation(end=0.2, **options) as s:
        for t, y in zip(run["time"], run["link2.y"]):
            s.advance_to(t)
            assert s["link2.y"] == y


@pytest.mark.parametrize(
    "name, scheme",
    [("four_bar_bushing", "ff-k1"), ("double_pendulum", "ff-index2-k2"), ("four_bar_bushing", "ff-colloc-s3"), ("quarter_car_road", None)],
)
def test_the_cut_has_the_bits_of_a_run(name, scheme):
    model = seam.Model(name)
    run = model.cosim(scheme, end=0.3)
    with model.simulation(scheme, cut=True) as s:
        for row, t in enumerate(run.couplings["time"][1:]):
            s.advance_to(t)
        assert np.array_equal(s.read(*run.trajectory.columns), run.trajectory.values[-1])


def test_signals_can_be_read():
    model = seam.Model("quarter_car_signals_1")
    run = model.cosim(end=0.1)
    with model.simulation(cut=True) as s:
        s.advance_to(0.1)
        for name in run.signals.columns:
            assert s[name] == run.signals[name][-1]


# ---- Inputs ----


def parabola(values, dt):
    """Positions of the centre, 3 kg, under forces that are held."""
    x, v, found = 1 / 3, 0.0, []
    for value in values:
        x, v = x + v * dt + value * dt * dt / 6, v + value * dt / 3
        found.append(x)
    return found


@pytest.mark.parametrize("scheme, bound", [(None, 1e-10), ("ff-k2", 1e-9), ("ff-colloc-s3", 1e-9)])
def test_inputs_are_held(scheme, bound):
    values = [3 * np.sin(2 * i) for i in range(40)]
    with seam.Model(PUSHED).simulation(scheme) as s:
        for value, x in zip(values, parabola(values, 0.03)):
            s.inputs["u"] = value
            assert s.inputs["u"] == value
            s.advance(0.03)
            assert s["centre"] == pytest.approx(x, abs=bound)
        verdict = s.verdict()
        assert verdict.word == "not checked" and verdict.error.why
        assert abs(verdict.energy.made) < 1e-4 * verdict.energy.moved


def test_inputs_act_at_once():
    with seam.Model(PUSHED).simulation() as s:
        s.advance(0.1)
        before = s["a.ax"]
        s.inputs["u"] = 8
        assert s["a.ax"] - before == pytest.approx(3)
        assert dict(s.inputs) == {"u": 8}


def test_what_is_set_before_the_first_step_is_the_start():
    model = seam.Model(PUSHED)
    run = model.run(end=0.1, overrides={"fmu.inputs.u": 5})
    for given in (None, {"u": 5}):
        with model.simulation(inputs=given, end=0.1) as s:
            assert s["a.ax"] == (1 if given is None else 2.5)
            s.inputs["u"] = 5
            s.advance_to(0.1)
            assert s["a.x"] == run["a.x"][-1]


def test_values_of_the_file_become_inputs():
    model = seam.Model(PUSHED)
    for name in ("turn.torque", "forces.turn.torque"):
        with model.simulation(inputs=[name]) as s:
            assert s.inputs[name] == 0.5
            s.advance(1)
            s.inputs[name] = -0.5
            s.advance(2)
            assert s["b.omega"] == pytest.approx(-0.5, abs=1e-9)
    with model.simulation() as s:  # without a word before
        s.inputs["turn.torque"] = 2
        s.advance(1)
        assert s["b.omega"] == pytest.approx(2, abs=1e-9)
        assert set(s.inputs) == {"u", "turn.torque"}


def test_inputs_of_equations():
    equations = {"f": {"inputs": {"w": "a.x"}, "outputs": {"force": "10*w"}}}
    model = seam.Model({**PUSHED, "equations": equations}, {"forces.push.x": "f.force"})
    with model.simulation(inputs={"f.w": 1}) as s:
        assert s.read("f.w", "f.force").tolist() == [1, 10] and s["a.ax"] == pytest.approx(5)
        s.advance(0.01)
        s.inputs["f.w"] = 2
        assert s["f.w"] == 2 and s["f.force"] == 20


def test_a_loop_closed_in_python_is_that_of_the_file():
    """A sampled controller with the same period: it reads at a sample, and holds up to the next."""
    law = "30*(0.2 - a.x) - 4*a.vx"
    sampled = {"sample": 0.01, "states": {"f": 0}, "updates": {"f": law}}
    of_file = {**PUSHED, "equations": {"c": sampled}, "forces": {**PUSHED["forces"], "push": {**PUSHED["forces"]["push"], "x": "c.f"}}}
    run = seam.Model(of_file).run(end=1, output_step=0.01)
    with seam.Model(PUSHED).simulation() as s:
        for row, t in enumerate(run["time"][1:]):
            x, vx = s.read("a.x", "a.vx")
            s.inputs["u"] = 30 * (0.2 - x) - 4 * vx
            s.advance_to(t)
            assert s["a.x"] == pytest.approx(run["a.x"][row + 1], abs=1e-9)


# ---- Saved states ----


@pytest.mark.parametrize("cut", [False, True])
def test_saved_states_go_on_to_the_bit(cut):
    model = seam.Model(PUSHED, {"events": {"far": "centre > 0.34"}})

    def go_on(s):
        for i in range(30):
            s.inputs["u"] = 5 * np.cos(i)
            s.advance(0.013)
        return [*s.read("a.x", "b.vx", "energy.total", "a.ax"), s.time, *s.events]

    with model.simulation(cut=cut) as s, model.simulation(cut=cut) as other:
        s.inputs["u"] = 1
        s.advance(0.02)
        s.inputs["u"] = 7
        saved = s.save()
        first = go_on(s)
        assert s.events
        s.restore(saved)
        assert s.inputs["u"] == 7 and not s.events
        assert go_on(s) == first
        other.restore(pickle.loads(pickle.dumps(saved)))
        assert go_on(other) == first
        assert other.verdict() == s.verdict()


def test_a_restored_state_has_its_inputs_and_no_others():
    model = seam.Model(PUSHED)
    with model.simulation() as s, model.simulation(inputs={"turn.torque": 1}) as other:
        other.advance(0.1)
        other.restore(s.save())
        assert dict(other.inputs) == {"u": 2}
        with pytest.raises(seam.Error, match="no input 'turn.torque'"):
            other.inputs["turn.torque"] = 3


def test_states_of_others_are_refused():
    with seam.Model(PUSHED).simulation() as s, seam.Model("cart_pole").simulation() as other:
        s.advance(0.1)
        x = s["a.x"]
        other.advance(0.1)
        with pytest.raises(seam.Error):
            s.restore(other.save())
        with pytest.raises(TypeError, match="save"):
            s.restore(b"")
        saved = s.save()
        with pytest.raises(seam.Error, match="damaged"):
            s.restore(saved._replace(motion=saved.motion[:-1] + bytes([saved.motion[-1] ^ 1])))
        assert s["a.x"] == x
        s.advance(0.1)


# ---- Events ----


@pytest.mark.parametrize("cut", [False, True])
def test_events(cut):
    stops = {"far": {"when": "centre - 0.5", "stop": True}, "mid": "centre > 0.4"}
    with seam.Model({**PUSHED, "events": stops}).simulation(cut=cut) as s:
        assert s.advance_to(1) == s.time < 1
        assert s.ended.name == "far" and s.ended.time == s.time == pytest.approx(np.sqrt(0.5), abs=1e-6)
        assert s["centre"] == pytest.approx(0.5, abs=1e-8)
        assert [event.name for event in s.events] == ["mid", "far"]
        assert s.advance_to(1) == 1
        assert s.ended is None


@pytest.mark.parametrize("stops", [False, True])
def test_events_of_a_macro_step_that_kinks_and_samples_divide(stops):
    """Samples every 25 ms and a kink at 0.333 s, beside macro steps of 10 ms."""
    sampled = {"sample": 0.025, "states": {"i": 0}, "updates": {"i": "i + 0.1"}, "outputs": {"f": "i"}}
    push = {**PUSHED["forces"]["push"], "x": "c.f + max(0, t - 0.333)"}
    events = {"mid": "centre > 0.4", "far": {"when": "centre - 0.5", "stop": stops}}
    model = seam.Model({**PUSHED, "equations": {"c": sampled}, "forces": {**PUSHED["forces"], "push": push}, "events": events})
    run = model.cosim(end=1)
    with model.simulation(cut=True) as s:
        s.advance_to(1)
        assert [(event.name, event.time) for event in s.events] == list(zip(run.events["event"], run.events["time"]))
        assert len(s.events) == 2 and s.time == (run.time[-1] if stops else 1)
        assert s["a.x"] == run["a.x"][-1]


# ---- Refusals ----


def test_refusals():
    with seam.Model(PUSHED).simulation() as s:
        for name, value in (("u", np.nan), ("u", np.inf), ("w", 1), ("trn.torque", 1)):
            with pytest.raises(seam.Error, match=name):
                s.inputs[name] = value
        with pytest.raises(TypeError, match="number"):
            s.inputs["u"] = "fast"
        with pytest.raises(seam.Error, match="did you mean"):
            s["a.vz"]
        s.advance(0.1)
        for t in (0.05, np.nan, np.inf):
            with pytest.raises(seam.Error, match="cannot step to t"):
                s.advance_to(t)
        with pytest.raises(seam.Error, match="turn.torque"):
            s.inputs["turn.torque"] = 1  # too late
    with pytest.raises(seam.Error, match="closed"):
        s.advance(0.1)
    with pytest.raises(seam.Error, match="no section 'cosim'"):
        seam.Model({key: PUSHED[key] for key in PUSHED if key != "cosim"}).simulation(cut=True)
    with pytest.raises(seam.Error, match="'k.stiffness' cannot be an input"):
        seam.Model(PUSHED).simulation(inputs={"k.stiffness": 1})
    with pytest.raises(seam.Error, match="no number"):
        seam.Model(PUSHED).simulation(inputs=["push.x"])


def test_a_step_that_fails_says_so_and_can_be_taken_back():
    model = seam.Model({**PUSHED, "forces": {"push": {**PUSHED["forces"]["push"], "x": "sqrt(u)"}}})
    with model.simulation() as s:
        s.advance(0.1)
        saved = s.save()
        s.inputs["u"] = -1
        with pytest.raises(seam.Error, match="push"):
            s.advance(0.1)
        with pytest.raises(seam.Error, match="restore"):
            s.advance(0.1)
        s.restore(saved)
        s.advance(0.1)
        assert s["a.x"] == pytest.approx(np.sqrt(2) / 2 * 0.04 / 2, abs=1e-9)


def test_a_simulation_whose_energy_is_wrong_warns():
    model = seam.Model("double_pendulum")
    with pytest.warns(seam.WrongResult, match="wrong: .* J of energy"):
        with model.simulation(integrator="euler", step=0.02) as s:
            start = s["energy.total"] + s["energy.dissipated"]
            s.advance(3)
            verdict = s.verdict()
            assert verdict.word == "wrong" and abs(verdict.energy.made) > verdict.energy.bound * verdict.energy.moved
            assert abs(verdict.energy.made) >= 0.99 * abs(s["energy.total"] + s["energy.dissipated"] - start)


def test_a_stepped_simulation_that_grows_is_unstable():
    with pytest.raises(seam.Failure, match="unstable"):
        with seam.Model("double_pendulum").simulation("ff-weighted-k2", macro_step=1e-2) as s:
            s.advance(2)


def test_an_interrupt_stops_a_long_step_that_can_go_on():
    with seam.Model("double_pendulum").simulation(integrator="euler", step=1e-6) as s:
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            s.advance(1000)
        timer.join()
        t = s.time
        assert 0 < t < 1000
        s.advance(1e-5)
        assert s.time > t


# ---- Threads ----


def test_simulations_in_threads_have_the_same_bits():
    model, found = seam.Model(PUSHED), {}

    def work(number):
        with model.simulation(cut=number % 2 == 1) as s:
            for i in range(200):
                s.inputs["u"] = np.sin(i)
                s.advance(0.003)
            found[number] = s["a.x"]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len({found[i] for i in range(0, 8, 2)}) == len({found[i] for i in range(1, 8, 2)}) == 1


def test_one_simulation_in_two_threads_is_refused():
    with seam.Model("double_pendulum").simulation(integrator="euler", step=1e-6) as s:
        thread = threading.Thread(target=lambda: s.advance(1))
        thread.start()
        refused = False
        while thread.is_alive() and not refused:
            try:
                s.read("link1.y")
            except RuntimeError as raised:
                refused = "another thread" in str(raised)
        thread.join()
        assert refused
