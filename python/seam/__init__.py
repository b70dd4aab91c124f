"""Seam: planar multibody dynamics with co-simulation.

>>> import seam
>>> model = seam.Model("double_pendulum")
>>> model.modes().frequency  # doctest: +SKIP
"""
from ._library import version
from .errors import Error, Failure, SuspectResult
from .model import Model, catalogue, catalogue_text
from .operating import Equilibrium, Modes
from .results import Column, Results, Table
from .schemes import names as schemes
from .stability import StabilityMap, StabilityPoint, stability_map, stability_point

__version__ = version()
__all__ = [
    "Column",
    "Equilibrium",
    "Error",
    "Failure",
    "Model",
    "Modes",
    "Results",
    "StabilityMap",
    "StabilityPoint",
    "SuspectResult",
    "Table",
    "catalogue",
    "catalogue_text",
    "schemes",
    "stability_map",
    "stability_point",
    "version",
]
