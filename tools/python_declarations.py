#!/usr/bin/env python3
"""Writes _declarations.py of the Python package: what <seam/*.h> declare, in the form that cffi reads without a compiler,
and the VERSION of that.

usage: python_declarations.py COMPILER INCLUDE OUTPUT
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import cffi


def preprocess(compiler, include):
    """Returns the declarations of all public headers as one text; cffi has the types of the C library."""
    headers = sorted((include / "seam").glob("*.h"))
    source = "".join(f"#include <seam/{header.name}>\n" for header in headers)
    with tempfile.TemporaryDirectory() as empty:
        for name in ("stdbool.h", "stddef.h", "stdint.h"):
            pathlib.Path(empty, name).touch()
        command = [compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", "-I", empty, "-I", str(include), "-x", "c", "-"]
        return subprocess.run(command, input=source, text=True, stdout=subprocess.PIPE, check=True).stdout


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    compiler, include, output = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    ffi = cffi.FFI()
    ffi.cdef(preprocess(compiler, include))
    ffi.set_source("seam._declarations", None)
    ffi.emit_python_code(output)
    part = dict(re.findall(r"#define SEAM_VERSION_(\w+) (\d+)", (include / "seam/status.h").read_text()))
    with open(output, "a") as file:
        file.write(f'VERSION = "{part["MAJOR"]}.{part["MINOR"]}"  # another library has other structures\n')


if __name__ == "__main__":
    main()
