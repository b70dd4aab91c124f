"""The installed package of Python uses the library that was installed with it. Status 77, skipped, without NumPy.

usage: imported.py PREFIX
"""
import sys

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: install.python (python3-numpy)")
    sys.exit(77)

import seam

with open("/proc/self/maps") as maps:
    libraries = {line.split(maxsplit=5)[-1].strip() for line in maps if "libseam.so" in line}
assert libraries and all(path.startswith(sys.argv[1]) for path in libraries), libraries
assert seam.__file__.startswith(sys.argv[1]), seam.__file__
assert len(seam.Model("double_pendulum").run(end=0.1, output_step=0.05)) == 3
