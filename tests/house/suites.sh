#!/bin/sh
# Fails when a suite does not have its file's name, by which CTest chooses it, or when no list of suites has the file:
# its tests would never run.
# usage: suites.sh (in the root of the tree)
set -eu
status=0
for path in $(grep -rl --include='*.c' '^Test(' tests); do
  name=$(basename "$path" .c)
  folder=${path#tests/}
  folder=${folder%%/*}
  stem=${path#tests/"$folder"/}
  stem=${stem%.c}
  if grep -E '^(Test|TestSuite)\(' "$path" | grep -vE "^(Test|TestSuite)\($name,"; then
    echo "$path: its suite is called $name"
    status=1
  fi
  if ! sed 's/#.*//' "tests/$folder/CMakeLists.txt" | grep -qE "(^|[ (/])$name([ )]|\$)"; then
    echo "$path: tests/$folder/CMakeLists.txt does not name $stem"
    status=1
  fi
done
exit $status
