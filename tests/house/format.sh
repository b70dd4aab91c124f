#!/bin/sh
# Fails when a source file is not formatted as .clang-format says; `clang-format-14 -i FILE` fixes it.
# usage: format.sh CLANG_FORMAT (in the root of the tree)
set -eu
find . -path './build*' -prune -o -name '*.[ch]' -exec "$1" --dry-run -Werror {} +
