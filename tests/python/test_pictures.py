"""Pictures of models and runs: those of the command, to the byte; what notebooks show."""
import base64
import re
import xml.etree.ElementTree

import pytest

import seam


def moving(svg):
    return len(re.findall("<animateTransform", svg))


def is_svg(text):
    return xml.etree.ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"


def test_a_model_is_drawn_as_the_command_draws_it(command):
    for name in ("four_bar_bushing", "excavator", "double_pendulum"):
        command("draw", name, "-o", "picture.svg")
        assert seam.Model(name).draw().svg == (command.folder / "picture.svg").read_text()


def test_a_run_moves_as_the_command_draws_it(command):
    command("run", "four_bar_bushing", "--end", 2, "-o", "out")
    command("animate", "out", "--whole", "-o", "moving.svg")
    run = seam.Model("four_bar_bushing").run(end=2)
    picture = run.animate(cuts=False)
    assert picture.svg == (command.folder / "moving.svg").read_text()
    assert is_svg(picture.svg) and moving(picture.svg) > 3
    picture.save(command.folder / "again.svg")
    assert (command.folder / "again.svg").read_text() == picture.svg


def test_a_ghost_is_drawn_beside_as_the_command_draws_it(command):
    command("run", "double_pendulum", "--end", 2, "-o", "out")
    command("run", "double_pendulum", "--end", 2, "--cosim", "-o", "cut")
    command("animate", "cut", "--ghost", "out", "--speed", 0.5, "-o", "moving.svg")
    model = seam.Model("double_pendulum")
    found = model.cosim(end=2).animate(model.run(end=2), speed=0.5).svg
    expected = (command.folder / "moving.svg").read_text()
    plain = [re.sub(r">[^<>]*H = [^<>]*<", "><", re.sub(r">ff-[^<>]*<", "><", svg)) for svg in (found, expected)]
    assert plain[0] == plain[1]  # but for the macro step in the name


def test_notebooks_show_results():
    model = seam.Model("double_pendulum")
    for run in (model.run(end=2), model.cosim(end=2)):
        shown = run._repr_html_()
        assert "<b>accurate</b>" in shown and "energy balance" in shown
        data = re.search('src="data:image/svg[+]xml;base64,([^"]*)"', shown).group(1)
        assert moving(base64.b64decode(data).decode()) > 1
    assert "<img" in model.draw()._repr_html_()
    assert "<img" not in model.run(end=1, columns="link1.omega")._repr_html_()  # no poses


def test_what_cannot_move_is_refused():
    model = seam.Model("double_pendulum")
    run = model.run(end=1)
    with pytest.raises(seam.Error, match="x, y, phi"):
        model.run(end=1, columns="link1.omega").animate()
    with pytest.raises(seam.Error, match="another mechanism"):
        run.animate(seam.Model("four_bar_bushing").run(end=1))
    for speed in (0, -1, float("inf")):
        with pytest.raises(seam.Error, match="speed"):
            run.animate(speed=speed)


def test_pictures_are_files_of_their_kind(tmp_path):
    picture = seam.Model("double_pendulum").draw()
    with pytest.raises(seam.Error, match="'x.png' does not end with .svg; give a name that does"):
        picture.save(tmp_path / "x.png")
    assert not (tmp_path / "x.png").exists()
    with pytest.raises(seam.Error, match="positive and finite, not nan"):
        seam.Model("double_pendulum").run(end=2).animate(speed=float("nan"))


def test_an_element_on_two_bodies_is_listed_once():
    bodies = {"a": {"mass": 1, "inertia": 1, "at": [0, 0]}, "b": {"mass": 1, "inertia": 1, "at": [1, 0]}}
    model = seam.Model({"seam": 1, "bodies": bodies, "forces": {"oil": {"type": "viscous", "bodies": ["a", "b"], "damping": [0, 0, 1]}}})
    assert model.forces == ["oil"]
