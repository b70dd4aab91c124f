"""Seam: planar multibody dynamics with co-simulation.

>>> import seam
>>> model = seam.Model("double_pendulum")
>>> model.modes().frequency  # doctest: +SKIP
"""
import sys as _sys

try:
    import cffi as _cffi  # noqa: F401
    import numpy as _numpy  # noqa: F401
except ImportError as _missing:
    raise ImportError(
        f"the Python package seam needs {_missing.name}, which {_sys.executable} does not have: install it there "
        f"({_sys.executable} -m pip install numpy cffi), or use another Python, such as Debian's /usr/bin/python3 with "
        "python3-numpy and python3-cffi"
    ) from None

from ._library import version
from .errors import Error, Failure, SuspectResult, WrongResult
from .functions import Function
from .model import Model, catalogue, catalogue_text
from .operating import Equilibrium, Modes
from .pictures import Picture
from .results import Column, Results, Table
from .scheme_names import names as schemes
from .stability import StabilityMap, StabilityPoint, stability_map, stability_point
from .stepping import Event, Saved, Simulation
from .studies import Comparison, Convergence, MechanismStability, Records, SchemeStability, Trial
from .subsystems import Equations, Held, Sampled, Subsystem
from .sweeps import Sweep, sweep
from .verdict import Constraints, Deviation, Energy, Verdict

__version__ = version()
__all__ = [
    "Column",
    "Comparison",
    "Constraints",
    "Convergence",
    "Deviation",
    "Energy",
    "Equilibrium",
    "Equations",
    "Error",
    "Event",
    "Failure",
    "Function",
    "Held",
    "MechanismStability",
    "Model",
    "Modes",
    "Picture",
    "Records",
    "Results",
    "Sampled",
    "Saved",
    "SchemeStability",
    "Simulation",
    "StabilityMap",
    "StabilityPoint",
    "Subsystem",
    "SuspectResult",
    "Sweep",
    "Table",
    "Trial",
    "Verdict",
    "WrongResult",
    "catalogue",
    "catalogue_text",
    "schemes",
    "stability_map",
    "stability_point",
    "sweep",
    "version",
]
