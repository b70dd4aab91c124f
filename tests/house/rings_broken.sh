#!/bin/sh
# rings.py must find a ring of three files, one of whose references stands in a table, and none once that is gone or the
# build does not make one of the objects any more.
# usage: rings_broken.sh RINGS_PY C_COMPILER
set -eu
rings=$(realpath "$1")
compiler=$2
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
mkdir "$build/some.dir"

compile() { # NAME TEXT
  echo "$2" >"$build/$1.c"
  "$compiler" -c "$build/$1.c" -o "$build/some.dir/$1.c.o"
}

list() { # NAME ...
  for name; do
    printf '{"directory": "%s", "command": "cc -o some.dir/%s.c.o -c %s.c", "file": "%s.c"}\n' "$build" "$name" "$name" "$name"
  done | paste -sd , | sed 's/.*/[&]/' >"$build/compile_commands.json"
}

expect() { # STATUS MOST LINE
  status=0
  said=$("$rings" "$build" --most "$2") || status=$?
  if [ "$status" != "$1" ] || [ "$said" != "$3" ]; then
    echo "with --most $2 rings.py ended with status $status: $said"
    exit 1
  fi
}

compile first 'int second(void); int first(void) { return second(); }'
compile second 'int (*third(void))(void); int second(void) { return third() != 0; }'
compile third 'int first(void); static int (*const table[])(void) = {first}; int (*third(void))(void) { return table[0]; }'
compile above 'int first(void); int above(void) { return first(); }'
list first second third above
expect 1 2 '3 files: first.c, second.c, third.c'
expect 0 3 '3 files: first.c, second.c, third.c'
list first second above
expect 0 0 ''
list first second third above
compile third 'int (*third(void))(void) { return 0; }'
expect 0 0 ''
