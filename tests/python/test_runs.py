"""Monolithic runs against the files of the command."""
import os
import signal
import threading
import warnings

import numpy as np
import pytest
from conftest import assert_same

import seam

UNLIKE = ("arguments", "overrides", "statistics", "columns")


def plain(summary):
    """What must be equal: all but the command line and clocks."""
    kept = {key: value for key, value in summary.items() if key not in UNLIKE}
    kept["statistics"] = {key: value for key, value in summary["statistics"].items() if not key.endswith("_s")}
    kept["columns"] = {key: value for key, value in summary["columns"].items() if key != "events"}
    return kept


def assert_is_run(results, command):
    """Tables and summary are those of the command, to the bit."""
    for name in ("trajectory", "couplings", "signals", "events"):
        table = getattr(results, name)
        assert (table is not None) == (command.folder / "out" / f"{name}.csv").exists(), name
        if table is not None:
            expected = command.table(f"{name}.csv")
            assert_same(table, expected)
            assert len(table) == len(next(iter(expected.values())))
            assert set(table.columns) | set(table.labels) == set(expected)
    found, expected = plain(results.summary), plain(command.summary())
    for key in expected:
        assert found[key] == expected[key], key
    assert list(found) == list(expected)


RUNS = [
    ("four_bar_bushing", {}),
    ("double_pendulum", {"integrator": "ida"}),
    ("quarter_car", {"integrator": "rk4", "step": 1e-3}),
    ("slider_crank_friction", {}),
    ("hydraulic_crane", {}),
    ("hard_bouncing_ball", {}),
    ("bouncing_ball", {}),
    ("motor_slider_crank", {}),
    ("cart_pole_sampled", {}),
    ("woodpecker", {}),
    ("brake", {"columns": "all"}),
]


@pytest.mark.parametrize("name, options", RUNS, ids=[name for name, _ in RUNS])
def test_a_run_is_that_of_the_command(command, name, options):
    more = [part for key, value in options.items() for part in (f"--{key}", value)]
    command("run", name, "--end", 1, *more, "-o", "out")
    assert_is_run(seam.Model(name).run(end=1, **options), command)


def test_statistics_of_measures_are_those_of_the_command(command):
    path = command.folder / "swing.yaml"
    path.write_text(
        "seam: 1\nname: swing\ngravity: [0, -9.81]\n"
        "bodies: {rod: {mass: 1, inertia: 0.1, at: [0.5, 0]}}\n"
        "joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0]}}\n"
        "measures: {tip: {point: [0.5, 0], body: rod, over_run: [min, max, mean, rms, integral]}}\n"
        "simulate: {end: 3, output_step: 0.5}\n"
    )
    command("run", path, "-o", "out")
    results = seam.Model(path).run()
    assert_is_run(results, command)
    assert results.summary["measures"]["tip.y"]["min"]["uncertainty"] is not None


def test_a_run_that_fails_has_time_and_results(command):
    path = command.folder / "pull.yaml"
    path.write_text(
        "seam: 1\nname: pull\nbodies: {a: {mass: 1, inertia: 1}}\n"
        "forces: {f: {type: force, body: a, at: [0, 0], x: 'sqrt(1 - t)'}}\nsimulate: {end: 2}\n"
    )
    command("run", path, "-o", "out", status=1)
    with pytest.raises(seam.Failure) as caught:
        seam.Model(path).run()
    failure = caught.value
    assert_is_run(failure.results, command)
    assert failure.time == failure.results["time"][-1]
    assert failure.results.verdict.status == failure.status != "done" and failure.results.verdict.word == ""
    assert failure.exit_status == 1


def oscillator(**simulate):
    """A mass on a spring, x = cos(2 pi t)."""
    return seam.Model(
        {
            "seam": 1,
            "name": "oscillator",
            "bodies": {"a": {"mass": 1, "inertia": 1, "at": [1, 0]}},
            "forces": {"k": {"type": "force", "body": "a", "at": [0, 0], "x": f"-{(2 * np.pi) ** 2!r}*a.x"}},
            "simulate": {"end": 2, "output_step": 0.01, **simulate},
        }
    )


def true_errors(results):
    """The largest ones over the travel, of place and velocity."""
    angle = 2 * np.pi * results["time"]
    place = np.abs(results["a.x"] - np.cos(angle)).max()
    velocity = np.abs(results["a.vx"] + 2 * np.pi * np.sin(angle)).max()
    return {"a.place": place / 2, "a.velocity": velocity / (4 * np.pi)}


def test_an_accurate_run_says_so():
    results = oscillator().run()
    verdict = results.verdict
    assert (verdict.word, verdict.status, verdict.error.by) == ("accurate", "done", "other integrator")
    assert max(true_errors(results).values()) <= 1e-6 and verdict.error.of_travel <= 1e-6 and verdict.error.until == pytest.approx(2)
    assert str(verdict).startswith("accurate: ") and results.message == ""


@pytest.mark.parametrize("step, word", [(0.02, "rough"), (0.04, "wrong")])
def test_the_error_is_that_of_the_closed_form(step, word):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = oscillator(integrator="rk2", step=step, output_step=step).run()
    error = results.verdict.error
    assert results.verdict.word == word
    assert any(issubclass(entry.category, seam.WrongResult) for entry in caught) == (word == "wrong")
    true = true_errors(results)
    assert error.quantity == max(true, key=true.get) and error.unit == {"a.place": "m", "a.velocity": "m/s"}[error.quantity]
    assert error.of_travel == pytest.approx(true[error.quantity], rel=1e-3)


def test_a_run_is_checked_as_asked_for():
    unchecked = oscillator().run(check="never")
    assert unchecked.verdict.word == "not checked" and unchecked.verdict.error.why
    assert unchecked.verdict.energy.moved > 0
    assert oscillator().run(check="always").verdict.word == "accurate"
    with pytest.raises(seam.Error, match="check must be auto, always or never, but is 'often'"):
        oscillator().run(check="often")


def test_the_old_name_of_the_warning_is_understood():
    assert seam.SuspectResult is seam.WrongResult


def test_a_run_that_is_wrong_warns(command):
    options = {"integrator": "euler", "step": 0.02}
    command("run", "double_pendulum", "--end", 2, "--integrator", "euler", "--step", 0.02, "-o", "out", status=3)
    with pytest.warns(seam.WrongResult, match="wrong: "):
        results = seam.Model("double_pendulum").run(end=2, **options)
    assert results.verdict.word == "wrong" and results.message
    assert_is_run(results, command)


def test_columns_are_views_with_units():
    results = seam.Model("double_pendulum").run(end=1)
    names = list(results.columns)
    assert names[0] == "time" and results.columns["energy.total"].unit == "J"
    column = results[names[1]]
    assert column.base is not None and np.shares_memory(column, results.trajectory.values)
    with pytest.raises(ValueError):
        column[0] = 1
    with pytest.raises(KeyError, match="did you mean 'energy.total'"):
        results["energy.totl"]
    assert "energy.total" in results and len(results) == len(results.time)


def test_results_outlive_model_and_run():
    column = seam.Model("double_pendulum").run(end=1)["energy.total"]
    again = seam.Model("double_pendulum").run(end=1)["energy.total"]
    assert np.array_equal(column, again)


def test_tables_of_pandas_and_xarray():
    pandas = pytest.importorskip("pandas")
    xarray = pytest.importorskip("xarray")
    results = seam.Model("bouncing_ball").run(end=1)
    frame, dataset = results.to_pandas(), results.to_xarray()
    assert isinstance(frame, pandas.DataFrame) and isinstance(dataset, xarray.Dataset)
    for name in list(results.columns)[1:]:
        assert np.array_equal(frame[name].to_numpy(), results[name])
        assert np.array_equal(dataset[name].to_numpy(), results[name])
        assert dataset[name].attrs["units"] == frame.attrs["units"][name] == results.columns[name].unit
    assert frame.index.name == "time" and dataset["time"].attrs["units"] == "s"
    if results.events is not None:
        assert list(results.events.to_pandas()["event"]) == list(results.events["event"])


def test_runs_in_threads_are_equal_to_the_bit():
    model = seam.Model("four_bar_bushing")
    alone = model.run(end=1).trajectory.values
    found = [None] * 4

    def work(k):
        found[k] = model.run(end=1).trajectory.values

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(found))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(alone, values) for values in found)


def test_progress_sees_times_and_ends_a_run():
    model, times = seam.Model("double_pendulum"), []
    model.run(end=2, progress=lambda t: times.append(t))
    assert times and times == sorted(times)
    with pytest.raises(KeyboardInterrupt):
        model.run(end=100, progress=lambda t: True)
    with pytest.raises(ZeroDivisionError):
        model.run(end=100, progress=lambda t: 1 / 0)


def test_progress_ends_a_check_and_leaves_the_results():
    model, seen = seam.Model("double_pendulum", {"simulate.end": 20}), []

    def ask(t):
        seen.append(t)
        return t == 20  # the run is done, and is checked

    results = model.run(progress=ask)
    assert results.time[-1] == 20 and results.verdict.word in ("not checked", "accurate")
    assert results.verdict.word == "accurate" or "interrupted" in results.verdict.error.why


@pytest.mark.parametrize("run, end", [("run", 1e8), ("cosim", 1e5)])
def test_control_c_ends_a_run(run, end):
    model = seam.Model("double_pendulum", {"simulate.output_step": end, "cosim.macro_step": 1e-3})
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        getattr(model, run)(end=end)


def test_input_that_is_wrong_is_refused():
    model = seam.Model("double_pendulum")
    with pytest.raises(seam.Error, match="simulate.end"):
        model.run(end=-1)
    with pytest.raises(seam.Error, match="did you mean"):
        model.run(end=1, integrator="erq")
    with pytest.raises(seam.Error, match="nothing.x"):
        model.run(end=1, columns="nothing.x")
    with pytest.raises(seam.Error, match="no end time"):
        seam.Model("seam: 1\nname: a\nbodies: {a: {mass: 1, inertia: 1}}\n").run()
    with pytest.raises(seam.Error, match="which only the command 'seam' reads"):
        seam.Model("double_pendulum", {"start": "{from: 'results/a@1'}"}).run(end=1)


def test_a_model_is_not_changed_by_its_runs():
    model = seam.Model("double_pendulum")
    before = dict(model.effective["simulate"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(model.run(end=1, output_step=0.25)) == 5
    assert model.effective["simulate"] == before
