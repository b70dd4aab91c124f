"""Models from files, texts, dictionaries and the catalogue; refusals with their place."""
import copy
import pathlib
import pickle
import threading

import numpy as np
import pytest

import seam

DISC = {
    "seam": 1,
    "name": "disc",
    "gravity": [0, -9.81],
    "parameters": {"m": 2},
    "bodies": {"disc": {"mass": "m", "inertia": 0.5, "at": [0, 1]}},
    "simulate": {"end": 1},
}
TEXT = """seam: 1
name: disc
gravity: [0, -9.81]
parameters: {m: 2}
bodies:
  disc: {mass: m, inertia: 0.5, at: [0, 1]}
simulate: {end: 1}
"""


def test_a_file_a_text_and_a_dictionary_are_one_model(tmp_path):
    path = tmp_path / "disc.yaml"
    path.write_text(TEXT)
    models = [seam.Model(path), seam.Model(str(path)), seam.Model(TEXT), seam.Model(DISC)]
    for model in models:
        assert (model.name, model.bodies, model.joints, model.forces) == ("disc", ["disc"], [], [])
        assert model.parameters == {"m": 2}
        assert model.effective == models[0].effective


def test_every_model_of_the_catalogue_is_read():
    assert "four_bar_bushing" in seam.catalogue()
    for name in seam.catalogue():
        assert seam.Model(name).effective["seam"] in (1, 2)
    assert seam.catalogue_text("double_pendulum").startswith("#")


def test_overrides_reach_the_model_to_the_bit():
    for value in (1 / 3, np.float64(0.1) + 0.2, np.float32(1.5), 7, "sqrt(2)"):
        model = seam.Model(TEXT, {"parameters.m": value})
        assert model.parameters["m"] == (2**0.5 if isinstance(value, str) else float(value))
    assert seam.Model(TEXT, {"gravity": np.array([0, -1.625])}).effective["gravity"] == [0, -1.625]
    model = seam.Model(TEXT, {"parameters.m": 3})
    assert model.varied({"simulate.end": 2}).parameters["m"] == 3
    assert model.varied({"parameters.m": 4}).parameters["m"] == 4
    assert model.parameters["m"] == 3


def test_a_dictionary_is_not_changed():
    kept = copy.deepcopy(DISC)
    seam.Model(DISC, {"parameters.m": 4})
    assert kept == DISC


def test_a_refusal_has_place_and_caret():
    with pytest.raises(seam.Error) as caught:
        seam.Model("seam: 1\nname: a\nbodies: {a: {mas: 1}}\n", name="a.yaml")
    error = caught.value
    assert (error.path, error.line, error.column) == ("a.yaml", 3, 14)
    assert (error.exit_status, error.status) == (2, "the input is wrong")
    assert str(error) == (
        "a.yaml:3:14: error: unknown key 'mas' in body 'a'\n"
        "bodies: {a: {mas: 1}}\n"
        "             ^\n"
        "did you mean 'mass'?"
    )


def test_a_file_that_is_missing_says_so(tmp_path):
    with pytest.raises(seam.Error, match="four_bar_bushin' is neither a file nor a model of the catalogue; did you mean 'four_bar_bushing'"):
        seam.Model("four_bar_bushin")
    with pytest.raises(seam.Error, match="none.yaml"):
        seam.Model(tmp_path / "none.yaml")
    with pytest.raises(seam.Error):
        seam.catalogue_text("none")


def test_what_c_would_cut_short_is_refused():
    for refused in (
        lambda: seam.Model("double_pendulum\0x"),
        lambda: seam.Model(TEXT, {"parameters.m": "5\0junk"}),
        lambda: seam.Model(TEXT, name="a\0b"),
        lambda: seam.catalogue_text("double_pendulum\0x"),
        lambda: seam.Model("double_pendulum").cosim("ff-k1\0-implicit"),
        lambda: seam.Model("double_pendulum").run(end=0.1, columns="t\0x"),
    ):
        with pytest.raises(seam.Error, match="has the character NUL in it; remove it"):
            refused()
    with pytest.raises(seam.Error, match="control character"):
        seam.Model("seam: 1\n\0")


def test_types_that_are_wrong_are_named():
    for source in (5, None, b"x", ["seam"]):
        with pytest.raises(TypeError, match=f"a text or a dictionary, not {type(source).__name__}"):
            seam.Model(source)
    with pytest.raises(TypeError, match="overrides must be a dictionary, as {'parameters.k': 1e4}, not list"):
        seam.Model(TEXT, ["parameters.m=3"])
    with pytest.raises(TypeError, match="the name of a model must be a text, not int"):
        seam.catalogue_text(5)
    with pytest.raises(TypeError, match="the scheme must be a text, not int"):
        seam.Model("double_pendulum").cosim(3)


def test_a_file_without_an_end_is_refused():
    with pytest.raises(seam.Error, match="50 MB"):
        seam.Model(pathlib.Path("/dev/zero"))


def test_a_model_that_was_read_does_not_follow_its_file(tmp_path):
    path = tmp_path / "disc.yaml"
    path.write_text(TEXT)
    model = seam.Model(path)
    path.write_text("broken")
    assert model.varied({"parameters.m": 5}).parameters["m"] == 5


def test_tables_of_a_file_are_found_beside_it(tmp_path):
    (tmp_path / "torque.csv").write_text("0,0\n1,2\n")
    path = tmp_path / "wheel.yaml"
    path.write_text(
        "seam: 1\nname: wheel\ntables: {push: {file: torque.csv, interpolation: linear}}\n"
        "bodies: {disc: {mass: 1, inertia: 1, at: [0, 0]}}\n"
        "forces: {motor: {type: torque, body: disc, torque: push(t)}}\n"
    )
    assert seam.Model(path).forces == ["motor"]


def test_models_are_read_and_used_in_threads():
    found = []

    def work(k):
        model = seam.Model("double_pendulum", {"simulate.end": 1 + k})
        found.append((k, model.effective["simulate"]["end"], tuple(model.modes().frequency)))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(k for k, _, _ in found) == list(range(8))
    assert all(end == 1 + k for k, end, _ in found)
    assert len({frequency for _, _, frequency in found}) == 1


def test_models_and_results_go_to_other_processes():
    model = pickle.loads(pickle.dumps(seam.Model(TEXT, {"parameters.m": 3})))
    assert model.parameters == {"m": 3}
    results = model.run(output_step=0.25)
    again = pickle.loads(pickle.dumps(results))
    assert np.array_equal(again["disc.y"], results["disc.y"]) and again.summary == results.summary


def test_names_of_schemes():
    assert "ff-k1" in seam.schemes()
    assert set(seam.schemes()) == set(seam.schemes(joints=True)) | set(seam.schemes(joints=False))
