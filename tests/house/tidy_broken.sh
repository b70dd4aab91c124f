#!/bin/sh
# Fails when clang-tidy overlooks a mistake in a test as tidy.sh calls it: a wrong message, with SEAM_LONG a leak behind an
# assertion.
# usage: tidy_broken.sh TIDY_SH CLANG_TIDY
set -eu
here=$(realpath "$(dirname "$1")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/suites" "$folder/build"
cat > "$folder/.clang-tidy" <<'END'
Checks: '-*,misc-misplaced-const,clang-analyzer-*,clang-diagnostic-*'
WarningsAsErrors: '*'
END
cat > "$folder/suites/broken.c" <<'END'
#include <criterion/criterion.h>
#include <stdlib.h>

Test(broken, leaks) {
  int *p = malloc(sizeof *p);
  cr_assert_not_null(p, "%s", 1);
}
END
cat > "$folder/build/compile_commands.json" <<END
[
{
  "directory": "$folder",
  "arguments": ["cc", "-I", "$here/../support/include", "-c", "suites/broken.c"],
  "file": "$folder/suites/broken.c"
}
]
END
for mistake in clang-diagnostic-format: unix.Malloc:1; do
  if found=$(SEAM_LONG=${mistake#*:} "$here/tidy.sh" "$2" "$folder/build" 2>&1); then
    echo "clang-tidy finds nothing in a broken test"
    exit 1
  fi
  echo "$found" | grep -q "${mistake%:*}" || { echo "clang-tidy overlooks ${mistake%:*}: $found"; exit 1; }
done
