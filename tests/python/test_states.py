"""Start, equilibria and modes against the files of the command."""
import warnings

import numpy as np
import pytest
from conftest import assert_same

import seam


def test_a_start_is_assembled():
    start = seam.Model("double_pendulum").start()
    assert start["time"] == 0
    assert start["energy.kinetic"] >= 0


@pytest.mark.parametrize("name", ["four_bar_bushing", "quarter_car", "cam_follower"])
def test_an_equilibrium_is_that_of_the_command(command, name):
    command("static", name, "-o", "out")
    found = seam.Model(name).static()
    expected = command.table("static.csv")
    assert list(found.values) == list(expected)
    assert_same(found.values, {key: column[0] for key, column in expected.items()})
    assert found.growth == 0 and found.acceleration < 1e-6


def test_a_search_that_fails_says_why(command):
    command("static", "hydraulic_crane", status=1)
    with pytest.raises(seam.Failure, match="forces still drive body 'link1'") as caught:
        seam.Model("hydraulic_crane").static()
    assert caught.value.exit_status == 1


def test_an_equilibrium_that_is_not_stable_is_suspect(command):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = seam.Model("double_pendulum").static()
    assert found.degrees_of_freedom == 2
    assert found.is_decided


@pytest.mark.parametrize("at", [None, "initial", 0.25])
@pytest.mark.parametrize("name", ["four_bar_bushing", "quarter_car", "cart_pole"])
def test_modes_are_those_of_the_command(command, name, at):
    command("modes", name, "-o", "out", *(() if at is None else ("--at", at)))
    found = seam.Model(name).modes(at=at)
    expected = command.table("modes.csv")
    assert_same(
        {
            "frequency": found.frequency,
            "damping_ratio": found.damping_ratio,
            "real": found.s.real,
            "imaginary": found.s.imag,
            "neutral": found.neutral,
        },
        expected,
        ["frequency", "damping_ratio", "real", "imaginary", "neutral"],
    )
    for key, amplitudes in {**found.shapes, **found.states, **found.measures}.items():
        assert_same({key: amplitudes.real, f"{key}.imaginary": amplitudes.imag}, expected, [key, f"{key}.imaginary"])
    assert len(expected) == 6 + 2 * len({**found.shapes, **found.states, **found.measures})


def test_a_state_that_is_unknown_is_refused():
    with pytest.raises(seam.Error, match="'there' is not a state; give 'initial', 'equilibrium' or a time"):
        seam.Model("quarter_car").modes(at="there")


def test_arrays_of_modes_have_one_length():
    found = seam.Model("four_bar_bushing").modes()
    assert len(found) == len(found.s) == len(found.neutral) == 4
    assert np.allclose(np.abs(found.s.imag) / (2 * np.pi), found.frequency)
