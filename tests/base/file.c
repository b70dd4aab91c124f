/* Files are read whole, and what cannot be read says why without waiting. */
#include "base/file.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void write_bytes(const char *path, const char *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  cr_assert_not_null(file);
  cr_assert_eq(fwrite(bytes, 1, n, file), n);
  fclose(file);
}

static void expect_cause(const char *path, size_t limit, int cause) {
  size_t size = 0;
  char *bytes = file_read(path, limit, &size);
  const int found = errno;
  cr_expect_null(bytes);
  cr_expect_eq(found, cause, "%s: %s", path, strerror(found));
  free(bytes);
}

Test(file, bytes_are_those_written_and_a_zero) {
  static const char bytes[] = "a\0b\n\xff";
  write_bytes("file.bytes", bytes, 5);
  size_t size = 0;
  char *read = file_read("file.bytes", 5, &size);
  cr_assert_not_null(read);
  cr_expect_eq(size, 5);
  cr_expect_arr_eq(read, "a\0b\n\xff", 6);
  free(read);
  write_bytes("file.empty", "", 0);
  read = file_read("file.empty", SIZE_MAX - 1, &size);
  cr_assert_not_null(read);
  cr_expect_eq(size, 0);
  cr_expect_str_empty(read);
  free(read);
}

Test(file, causes_are_said) {
  write_bytes("file.long", "123456", 6);
  expect_cause("file.long", 5, EFBIG);
  expect_cause("no.such.file", 5, ENOENT);
  expect_cause(".", 5, EISDIR);
  remove("file.pipe");
  cr_assert_eq(mkfifo("file.pipe", 0600), 0);
  expect_cause("file.pipe", 5, ESPIPE); /* without a writer */
  cr_expect_str_eq(file_cause(ESPIPE), "it is a pipe");
  cr_expect_str_eq(file_cause(ENOENT), strerror(ENOENT));
}
