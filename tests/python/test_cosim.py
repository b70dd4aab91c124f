"""Co-simulated runs against the files of the command."""
import io
import re
import warnings
import zipfile

import numpy as np
import pytest
from test_runs import assert_is_run

import seam
from seam.scheme_names import possible

RUNS = [
    ("four_bar_bushing", None, {}),
    ("four_bar_bushing", "ff-d-k2", {"macro_step": 2e-3}),
    ("four_bar_bushing", "ff-colloc-s3", {}),
    ("double_pendulum", "ff-index2-k2", {}),
    ("coupled_pendula", None, {}),
    ("quarter_car_signals_1", None, {}),
    ("quarter_car_road", None, {}),
    ("two_mass_mbcorr", None, {}),
    ("cart_pole", None, {}),
    ("excavator", None, {}),
    ("two_mass_soft_contact", None, {}),
]


@pytest.mark.parametrize("name, scheme, options", RUNS, ids=[f"{name}-{scheme}" for name, scheme, _ in RUNS])
def test_a_run_is_that_of_the_command(command, name, scheme, options):
    more = [part for key, value in options.items() for part in ("--" + key.replace("_", "-"), value)]
    more += [] if scheme is None else ["--scheme", scheme]
    command("run", name, "--cosim", "--end", 0.3, *more, "-o", "out")
    assert_is_run(seam.Model(name).cosim(scheme, end=0.3, **options), command)


def _without(path, expression, inside):
    """The archive without what matches in its file, whose name ends so; archives in it likewise."""
    made = io.BytesIO()
    with zipfile.ZipFile(path) as read, zipfile.ZipFile(made, "w") as write:
        for name in read.namelist():
            data = read.read(name)
            if name.endswith(".fmu"):
                data = _without(io.BytesIO(data), expression, inside)
            write.writestr(name, re.sub(expression, b"", data) if name.endswith(inside) else data)
    return made.getvalue()


def test_a_system_of_fmus_is_that_of_the_command(command):
    command("export", "four_bar_bushing", "--ssp", "-o", "f.ssp")
    path = command.folder / "f.ssp"
    command("run", path, "--end", 0.1, "-o", "out")
    assert_is_run(seam.Model(path).cosim(end=0.1), command)

    path.write_bytes(_without(path, rb' (macroStep|stepSize)="[^"]*"', (".ssd", "modelDescription.xml")))
    command("run", path, "--end", 0.01, "-o", "out", status=3)  # a single macro step, and wrong
    with pytest.warns(seam.WrongResult, match="smaller macro step"):
        results = seam.Model(str(path)).cosim(end=0.01)
    assert_is_run(results, command)
    assert results.summary["cosim"]["macro_step_note"].startswith("assumed, not checked")
    assert "macro_step_note" not in seam.Model(path).cosim(end=0.01, macro_step=1e-3).summary["cosim"]


SIDES = """
seam: 1
gravity: [0, -9.81]
points: {A: [0, 0], B: [0.6, -0.8]}
bodies: {a: {rod: [A, B], mass: 1}}
joints: {A: {type: revolute, bodies: [ground, a], at: A}}
start: {a.omega: 2}
forces: {push: {type: force, body: a, at: B, x: 0, y: 0}}
simulate: {end: 1, output_step: 0.01}
cosim:
  macro_step: 1e-3
  subsystems:
    left: [a]
    unit: {states: {x: 0.6, v: 1.6}, rates: {x: v, v: f/5}, inputs: [f], outputs: {px: x, pv: v, pa: f/5}}
  couplings:
    M:
      sides:
        - {marker: left.push, along: [x]}
        - {subsystem: unit, force: f, position: px, velocity: pv, acceleration: pa}
"""


@pytest.mark.parametrize("how, kind", [
    ("stiffness: 1e3\n      damping: 10\n  scheme: ff-k1\n", "constitutive"),
    ("rigid: true\n  scheme: ff-index1-k1\n", "constraint"),
])
def test_a_coupling_with_sides_is_that_of_the_command(command, how, kind):
    path = command.folder / "sides.yaml"
    path.write_text(SIDES + "      " + how)
    command("run", path, "--cosim", "-o", "out")
    results = seam.Model(path).cosim()
    assert_is_run(results, command)
    found = results.summary["cosim"]["couplings"]["M"]
    assert found["kind"] == kind and found["subsystems"] == ["left", "unit"]
    assert found["residual_power"]["largest"] == abs(results.couplings["M.residual_power"]).max() > 0


def test_a_run_ends_at_an_event(command):
    path = command.folder / "swing.yaml"
    path.write_text(
        seam.catalogue_text("double_pendulum")
        + "events:\n  falls: {when: energy.kinetic - 1, stop: true}\n  moves: {when: energy.kinetic - 0.5}\n"
    )
    command("run", path, "--cosim", "--end", 5, "-o", "out")
    results = seam.Model(path).cosim(end=5)
    assert_is_run(results, command)
    assert results.summary["ended"]["event"] == "falls"
    command("run", path, "--end", 5, "-o", "out2")
    assert seam.Model(path).run(end=5).summary["ended"]["event"] == "falls"


def test_a_run_that_is_unstable_says_when(command):
    options = ("--scheme", "ff-weighted-k2", "--macro-step", 1e-2, "--end", 2)
    command("run", "double_pendulum", "--cosim", *options, "-o", "out", status=1)
    with pytest.raises(seam.Failure, match="unstable") as caught:
        seam.Model("double_pendulum").cosim("ff-weighted-k2", macro_step=1e-2, end=2)
    assert_is_run(caught.value.results, command)
    assert caught.value.results.verdict.status == "the co-simulation became unstable"


def test_the_error_of_a_cut_run_is_its_distance_from_the_whole_one():
    model = seam.Model("double_pendulum")
    whole = model.run(end=2, output_step=0.01, check="never")
    for scheme, macro_step, words in (("ff-index2-k2", 1e-3, ("accurate",)), ("fd-weighted-k0", 1e-2, ("rough", "wrong"))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", seam.WrongResult)
            cut = model.cosim(scheme, macro_step=macro_step, end=2, output_step=0.01)
        error = cut.verdict.error
        assert cut.verdict.word in words and error.by == "undivided run" and error.until == pytest.approx(2)
        if error.quantity.endswith(".phi"):
            assert error.value == pytest.approx(np.abs(cut[error.quantity] - whole[error.quantity]).max(), rel=0.05, abs=1e-9)


def test_a_cut_run_without_a_whole_is_compared_with_smaller_macro_steps(command):
    class Gain(seam.Subsystem):
        inputs, outputs, n_state = ["x"], ["f"], 0

        def advance(self, t, h, u):
            return -40 * u.end

    path = command.folder / "gain.yaml"
    path.write_text(
        "seam: 1\nname: gain\nbodies: {a: {mass: 1, inertia: 1, at: [1, 0]}}\n"
        "forces: {f: {type: force, body: a, at: [0, 0], x: 0}}\nsimulate: {end: 1, output_step: 0.01}\n"
        "cosim:\n  subsystems: {body: [a]}\n  macro_step: 1e-3\n"
        "  signals: [{from: body.a.x, to: gain.x}, {from: gain.f, to: body.f.fx}]\n"
    )
    results = seam.Model(path, subsystems={"gain": Gain}).cosim()
    error = results.verdict.error
    assert error.by == "smaller macro step"
    truth = np.cos(np.sqrt(40) * results["time"])
    true = np.abs(results["a.x"] - truth).max() / 2  # of the travel from -1 m to 1 m
    assert true / 2 < error.of_travel < 3 * true


@pytest.mark.parametrize("name, scheme, options, has_notes", [
    ("quarter_car_signals_1", None, {}, True),
    ("cart_pole", None, {"macro_step": 1.6e-2}, True),
    ("four_bar_bushing", "ff-colloc-s3", {"macro_step": 7e-3}, True),  # rows between macro points
    ("four_bar_bushing", "ff-k1", {"macro_step": 1e-3}, False),
])
def test_notes_are_those_of_the_command(command, caplog, name, scheme, options, has_notes):
    more = [] if scheme is None else ["--scheme", scheme]
    more += ["--macro-step", options["macro_step"]] if options else []
    command("run", name, "--cosim", "--end", 0.3, *more, "-o", "out")
    expected = [line[len("note: ") :] for line in command.said.splitlines() if line.startswith("note: ")]
    seam.Model(name).cosim(scheme, end=0.3, **options)
    assert bool(expected) == has_notes
    assert [record.getMessage() for record in caplog.records] == expected


def test_threads_change_no_bit():
    model = seam.Model("four_bar_bushing")
    one, two = (model.cosim(end=0.3, threads=n) for n in (1, 2))
    assert (one.trajectory.values == two.trajectory.values).all()
    assert (one.couplings.values == two.couplings.values).all()


def test_input_that_is_wrong_is_refused():
    with pytest.raises(seam.Error, match="no section 'cosim'"):
        seam.Model("seam: 1\nname: a\nbodies: {a: {mass: 1, inertia: 1}}\nsimulate: {end: 1}\n").cosim()
    with pytest.raises(seam.Error, match="ff-k9"):
        seam.Model("four_bar_bushing").cosim("ff-k9")
    with pytest.raises(seam.Error, match="macro_step"):
        seam.Model("four_bar_bushing").cosim(macro_step=-1)


def test_progress_ends_a_run():
    with pytest.raises(KeyboardInterrupt):
        seam.Model("four_bar_bushing").cosim(end=100, progress=lambda t: True)


def test_a_temporary_model_lives_as_long_as_its_run(command):
    command("export", "hard_bouncing_ball", "-o", "ball.fmu")
    (command.folder / "solo.yaml").write_text(
        "seam: 1\ncosim: {subsystems: {w: {fmu: ball.fmu}}, macro_step: 1e-2}\nsimulate: {end: 0.1}\n"
    )
    assert len(seam.Model(command.folder / "solo.yaml").cosim().signals) == 11


def test_all_schemes_of_an_fmu_that_cannot_go_back_are_explicit(command):
    mass = "seam: 1\nbodies: {%s: {mass: 1, inertia: 1, at: [0, 0]}}\nforces: {p: {type: force, body: %s, at: [0, 0], x: %s}}\n"
    (command.folder / "block.yaml").write_text(mass % ("b", "b", "f") + "fmu: {inputs: {f: {start: 0}}, outputs: [b.x, b.vx]}\n")
    command("export", "block.yaml", "-o", "whole.fmu")
    with zipfile.ZipFile(command.folder / "whole.fmu") as whole, zipfile.ZipFile(command.folder / "bare.fmu", "w") as bare:
        for name in whole.namelist():
            text = whole.read(name)
            bare.writestr(name, re.sub(rb'(canGetAndSetFMU[sS]tate|canSerializeFMU[sS]tate)="true"', rb'\1="false"', text))
    (command.folder / "m.yaml").write_text(
        mass % ("a", "a", 0) + "simulate: {end: 0.1}\ncosim:\n  macro_step: 1e-3\n  scheme: ff-k1-explicit\n"
        "  subsystems: {left: [a], unit: {fmu: bare.fmu}}\n"
        "  couplings: {M: {sides: [{marker: left.p}, {subsystem: unit, force: f, position: b.x, velocity: b.vx}], stiffness: 9}}\n"
    )
    model = seam.Model(command.folder / "m.yaml")
    listed = re.findall(r"^  (\S+-explicit) ", command("schemes", "m.yaml"), re.MULTILINE)
    assert listed and possible(model, "all", None) == listed
