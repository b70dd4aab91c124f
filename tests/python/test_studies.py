"""Comparisons, convergence and stability against the files of the command."""
import warnings
import xml.etree.ElementTree as xml

import numpy as np
import pytest
from conftest import assert_same, same

import seam

CLOCKS = ("cpu_s", "cpu_monolithic_s")


def without_clocks(table):
    return [name for name in table if name not in CLOCKS]


@pytest.mark.parametrize(
    "name, schemes, end",
    [("four_bar_bushing", ["ff-k0", "ff-k1", "ff-colloc-s3"], 0.5), ("double_pendulum", ["ff-index2-k2", "ff-baumgarte(mu=5)-k1"], 0.5)],
)
def test_a_comparison_is_that_of_the_command(command, name, schemes, end):
    command("compare", name, "--schemes", ",".join(schemes), "--end", end, "-o", "out")
    found = seam.Model(name).compare(schemes, end=end)
    runs, errors = command.table("compare.csv"), command.table("errors.csv")
    assert_same(found.runs, runs, without_clocks(runs))
    assert_same(found.errors, errors)
    assert found.message == "" and found.agreement < 1e-6 and found.until == pytest.approx(end)
    assert set(found.runs["verdict"]) == {"accurate"} and (found.runs["error"] <= 0.01).all()
    assert found.runs[0]["scheme"] == schemes[0]
    page = found._repr_html_()  # a table in notebooks
    assert page.count("<tr>") == 1 + len(schemes) and all(f"<td>{scheme}</td>" in page for scheme in schemes)


def read_chart(picture):
    """Points of each line by its name, as its axes say them: positions of ticks are powers of ten."""
    root = xml.fromstring(picture.svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    texts = [(text.text, float(text.get("x")), float(text.get("y")), text.get("text-anchor")) for text in root.iter("text")]
    bottom = max(y for _, _, y, anchor in texts if anchor == "end") + 12
    ticks = [[(np.log10(float(label)), x) for label, x, y, anchor in texts if anchor == "middle" and abs(y - bottom) < 1],
             [(np.log10(float(label)), y - 4) for label, _, y, anchor in texts if anchor == "end"]]  # fmt: skip
    (x0, x1), (y0, y1) = [np.polyfit(*np.transpose(axis)[::-1], 1) for axis in ticks]
    names = [label for label, _, _, anchor in texts if anchor == "start"]
    groups = [[(float(c.get("cx")), float(c.get("cy"))) for c in group.iter("circle")][:-1] for group in root.iter("g")]
    return {name: [(10 ** (x0 * x + x1), 10 ** (y0 * y + y1)) for x, y in group] for name, group in zip(names, groups)}


def test_studies_show_pictures_of_their_numbers():
    model = seam.Model("four_bar_bushing", {"simulate.end": 0.5})
    compared = model.compare(["ff-k0", "ff-k1"])
    converged = model.converge(["ff-k0", "ff-k1"], macro_steps=(4e-3, 1e-3, 3))
    stable = model.stability(["ff-k1"], at="initial")
    for row in compared.runs:
        assert read_chart(compared.picture())[row["scheme"]] == [pytest.approx((row["cpu_s"], row["error"]), rel=0.02)]
    lines = read_chart(converged.picture())
    for row in converged.runs:
        assert any(point == pytest.approx((row["macro_step"], row["error_position"]), rel=0.02) for point in lines[row["scheme"]])
    assert len(read_chart(stable.picture())["ff-k1"]) == ((stable["ff-k1"].verdict == "stable") & (stable["ff-k1"].error > 0)).sum()
    for study in compared, converged, stable:
        assert study._repr_html_().count("<img") == 1 and "ff-k1</td>" in study._repr_html_()


def test_nothing_to_draw_is_an_empty_picture():
    from seam.charts import chart

    assert read_chart(chart({"a < b": ([1, np.nan], [0, 1])}, "x", "y")) == {"a < b": []}


def test_the_schemes_of_the_file_and_all(command):
    model = seam.Model("double_pendulum", {"simulate.end": 0.05, "cosim.macro_step": 1e-3})
    command("compare", "double_pendulum", "--schemes", "all", "--end", 0.05, "--macro-step", 1e-3, "-o", "out")
    assert list(model.compare("all").runs["scheme"]) == list(command.table("compare.csv")["scheme"])
    command("compare", "double_pendulum", "--end", 0.05, "--macro-step", 1e-3, "-o", "out")
    runs = command.table("compare.csv")
    assert_same(model.compare().runs, runs, without_clocks(runs))


def test_a_scheme_that_is_impossible_is_refused():
    with pytest.raises(seam.Error, match="ff-index2-k1"):
        seam.Model("four_bar_bushing").compare(["ff-index2-k1"])
    with pytest.raises(seam.Error, match="no section 'cosim'"):
        seam.Model("seam: 1\nname: a\nbodies: {a: {mass: 1, inertia: 1}}\nsimulate: {end: 1}\n").compare()


def test_convergence_is_that_of_the_command(command):
    command("converge", "four_bar_bushing", "--schemes", "ff-k0,ff-k1", "--macro-steps", "4e-3:1e-3:3", "--end", 0.5, "-o", "out")
    found = seam.Model("four_bar_bushing").converge(["ff-k0", "ff-k1"], macro_steps=(4e-3, 1e-3, 3), end=0.5)
    runs = command.table("converge.csv")
    assert_same(found.runs, runs, without_clocks(runs))
    assert_same(found.orders, command.table("orders.csv"))
    assert abs(found.orders["order"][4] - 2) < 0.05


def test_macro_steps_that_are_wrong_are_refused():
    model = seam.Model("four_bar_bushing", {"simulate.end": 0.5})
    with pytest.raises(seam.Error, match="longer than the run of 0.5 s"):
        model.converge(macro_steps=(1, 1e-3, 3))
    for steps in ((0, 1e-3, 3), (1e-3, 1e-2), (1e-3, 1e-2, -1), (1e-3, 1e-2, 2.5), ("a", 1e-2, 2)):
        for study in (model.converge, model.stability):
            with pytest.raises(seam.Error, match="two positive times and a number from 2 on"):
                study(macro_steps=steps)
    with pytest.raises(seam.Error, match="no scheme is named"):
        model.compare([])


@pytest.mark.parametrize("name, schemes", [("four_bar_bushing", ["ff-k0", "ff-k1"]), ("cart_pole", None)])
def test_stability_is_that_of_the_command(command, name, schemes):
    more = () if schemes is None else ("--schemes", ",".join(schemes))
    command("stability", "model", name, *more, "--macro-steps", "1e-4:1e-2:9", "-o", "out")
    found = seam.Model(name).stability(schemes, macro_steps=(1e-4, 1e-2, 9))
    expected = command.table("stability.csv")
    rows = list(found.schemes.values())
    assert same(np.tile(found.macro_steps, len(rows)), expected["macro_step"])
    assert same(np.concatenate([row.rho for row in rows]), expected["rho"])
    assert [row.scheme for row in rows] == list(dict.fromkeys(expected["scheme"]))
    assert same(np.concatenate([row.verdict for row in rows]), expected["verdict"])
    errors = np.concatenate([row.error for row in rows])
    assert same([float(f"{error:.9g}") for error in errors], expected["error"])


def test_a_macro_step_is_recommended_and_tried():
    model = seam.Model("four_bar_bushing", {"simulate.end": 1})
    found = model.stability(["ff-k0", "ff-k1"])
    assert (found.recommended, found.advice) == ("ff-k1", "")
    best = found[found.recommended]
    assert best.least_error <= 1e-3 and best.intervals[0].stop > best.macro_step
    trial = model.try_macro_step("ff-k1", best.macro_step)
    assert trial.error <= 1e-3 and trial.macro_step <= best.macro_step


def test_a_point_and_a_map_are_those_of_the_command(command):
    model, scheme = "constitutive", "ff-k1"
    more = ("--x", "lambda-r=-2:0:5", "--y", "lambda-i=0:10:4", "--set", "alpha-m21=2")
    command("stability", "map", "--model", model, "--scheme", scheme, *more, "-o", "out")
    axes = {"x": ("lambda_r", -2, 0, 5), "y": ("lambda_i", 0, 10, 4)}
    found = seam.stability_map(model, scheme, **axes, values={"alpha_m21": 2}, threads=1)
    expected = command.table("map.csv")
    assert same(found.rho.ravel(), expected["rho"])
    assert same(found.verdict.ravel(), expected["verdict"])
    assert (found.x_name, found.y_name) == ("lambda_r", "lambda_i")
    assert same(found.x, np.linspace(-2, 0, 5))
    point = seam.stability_point(model, scheme, lambda_r=-2, lambda_i=10, alpha_m21=2)
    assert (point.rho, point.verdict) == (found.rho[-1, 0], found.verdict[-1, 0])


def test_a_map_that_is_wrong_is_refused_and_one_is_stopped():
    with pytest.raises(seam.Error):
        seam.stability_map("constitutive", "ff-k1", values={"lambda_q": 1})
    with pytest.raises(seam.Error):
        seam.stability_map("constitutive", "none")
    with pytest.raises(KeyboardInterrupt):
        seam.stability_map("constitutive", "ff-k1", progress=lambda done: True)
    with pytest.raises(ZeroDivisionError):
        seam.stability_map("constitutive", "ff-k1", progress=lambda done: 1 / 0)


def test_progress_sees_times_and_stops_a_study():
    times = []
    model = seam.Model("double_pendulum", {"simulate.end": 3})
    model.compare(["ff-index2-k2"], macro_step=1e-3, progress=lambda t: times.append(t))
    assert times and all(0 <= t <= 3 for t in times)
    with pytest.raises(KeyboardInterrupt):
        model.compare(["ff-index2-k2"], macro_step=1e-4, progress=lambda t: True)
    with pytest.raises(ZeroDivisionError):
        model.compare(["ff-index2-k2"], macro_step=1e-4, progress=lambda t: 1 / 0)


def test_a_reference_that_is_not_confirmed_warns():
    overrides = {"simulate.rtol": 1e-2, "simulate.atol": 1e-2}
    model = seam.Model("double_pendulum", {**overrides, "simulate.end": 30})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = model.compare(["ff-index2-k2"], macro_step=1e-2)
    assert bool(found.message) == any(issubclass(entry.category, seam.WrongResult) for entry in caught)
