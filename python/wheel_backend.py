"""Builds the wheel of the package `seam` (PEP 517): its Python files, and libseam, which holds the catalogue. CMake
builds the library as it does elsewhere; a wheel is an archive of it with three texts (PEP 427).

    python3 -m pip install .                                                  builds in build/wheel
    python3 -m pip wheel . --config-settings build=build/release              takes a build that is there

The same sources, compiler and libraries give the same bytes.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = dict(re.findall(r"#define SEAM_VERSION_(\w+) (\d+)", (ROOT / "include/seam/status.h").read_text()))
VERSION = "{MAJOR}.{MINOR}.{PATCH}".format(**PARTS)
INFO = f"seam-{VERSION}.dist-info"
TAG = "py3-none-" + re.sub(r"[^\w]", "_", sysconfig.get_platform())
CFFI = "cffi>=1.15"
OPTIONS = ["CMAKE_BUILD_TYPE=Release"]
OPTIONS += [f"SEAM_{part}=OFF" for part in ("COMMAND", "TESTS", "BENCH", "INSTALL", "WITH_MPI")]

METADATA = f"""Metadata-Version: 2.1
Name: seam
Version: {VERSION}
Summary: Planar multibody dynamics with co-simulation
License: BSD-3-Clause; libseam contains libraries under BSD-3-Clause, LGPL-2.1-or-later and MIT
Requires-Python: >=3.9
Requires-Dist: {CFFI}
Requires-Dist: numpy>=1.20
Provides-Extra: tables
Requires-Dist: pandas; extra == 'tables'
Requires-Dist: xarray; extra == 'tables'
"""
WHEEL = f"""Wheel-Version: 1.0
Generator: Seam
Root-Is-Purelib: false
Tag: {TAG}
"""


def _environment():
    """pip hides what is installed from the build, by PYTHONPATH: the declarations of the package need cffi, from there
    or, where nothing installed has it, from pip."""
    plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONNOUSERSITE")}
    for python in (sys.executable, "python3", "/usr/bin/python3"):
        try:
            if subprocess.run([python, "-c", "import cffi"], env=plain, stderr=subprocess.DEVNULL).returncode == 0:
                return plain, python
        except OSError:
            pass
    return dict(os.environ), None


def get_requires_for_build_wheel(config_settings=None):
    return [] if _environment()[1] else [CFFI]


def _run(command, environment):
    try:
        status = subprocess.run(command, env=environment).returncode
    except FileNotFoundError:
        sys.exit("seam: the wheel is not built: there is no cmake; tools/dependencies.sh installs what Seam is built with")
    if status != 0:
        sys.exit(f"seam: the wheel is not built: '{' '.join(command)}' failed; its messages are above")


def _build(settings):
    """The folder in which the library and the declarations are built."""
    environment, python = _environment()
    build = ROOT / settings.get("build", "build/wheel")
    if "build" not in settings:
        options = [f"-D{option}" for option in (*OPTIONS, f"SEAM_PYTHON_WITH_CFFI={python or sys.executable}")]
        _run(["cmake", "-S", str(ROOT), "-B", str(build), *options], environment)
    parallel = ["--parallel", str(os.cpu_count())]
    _run(["cmake", "--build", str(build), *parallel, "--target", "seam", "seam_python"], environment)
    return build


def _contents(build):
    """Names in the archive with their bytes."""
    package = [*sorted((ROOT / "python/seam").glob("*.py")), ROOT / "python/seam/py.typed"]
    for path in [*package, build / "python/seam/_declarations.py"]:
        yield f"seam/{path.name}", path.read_bytes()
    yield "seam/libseam.so.{MAJOR}.{MINOR}".format(**PARTS), (build / f"libseam.so.{VERSION}").read_bytes()
    for path in (ROOT / "LICENSE", ROOT / "debian/copyright"):
        yield f"{INFO}/licenses/{path.name}", path.read_bytes()
    yield f"{INFO}/METADATA", METADATA.encode()
    yield f"{INFO}/WHEEL", WHEEL.encode()


def _record(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = dict(_contents(_build(config_settings or {})))
    record = "".join(_record(name, data) for name, data in files.items()) + f"{INFO}/RECORD,,\n"
    wheel = f"seam-{VERSION}-{TAG}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**files, f"{INFO}/RECORD": record.encode()}.items():
            entry = zipfile.ZipInfo(name)  # of 1980-01-01, so that bytes do not depend on the time
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return wheel
