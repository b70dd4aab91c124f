/* Texts that are not models: refused in bounded time, without a crash. Times are printed, none is asserted. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "models/yaml.h"
#include "tests/support/model_reader.h"

typedef struct text {
  char *start;
  size_t length;
} text;

/* `part` again and again up to a length, between two other texts. */
static text fill(const char *before, const char *part, size_t length, const char *after) {
  text t = {malloc(length + strlen(before) + strlen(part) + strlen(after) + 1), 0};
  cr_assert_not_null(t.start);
  t.length = (size_t)sprintf(t.start, "%s", before);
  while (t.length < length)
    for (const char *c = part; *c; c++)
      t.start[t.length++] = *c;
  t.length += (size_t)sprintf(t.start + t.length, "%s", after);
  return t;
}

static void expect_message(text t, const char *words) {
  seam_model_file *file = NULL;
  seam_error error = {0};
  const double start = cpu_time();
  cr_expect_eq(seam_model_file_parse("t", t.start, t.length, NULL, 0, &file, &error), SEAM_BAD_INPUT);
  printf("%-50s %.3f s for %zu bytes\n", words, cpu_time() - start, t.length);
  cr_expect_not_null(strstr(error.message, words), "'%s' is not in: %s", words, error.message);
  free(t.start);
}

enum { ALMOST = 49000000 };

/* Kinds of long texts whose reading passes the same count as another kind: with SEAM_LONG only. */
static void expect_long(const char *before, const char *part, const char *after, const char *words) {
  if (getenv("SEAM_LONG") != NULL)
    expect_message(fill(before, part, ALMOST, after), words);
}

/* ---- Size -------------------------------------------------------------------------------------------------------- */

Test(limits, hundred_megabytes) { expect_message(fill("", "x\n", 100000000, ""), "larger than 50 MB"); }
Test(limits, long_line) { expect_message(fill("a: ", "x", ALMOST, ""), "a line is longer than 100000 bytes"); }

Test(limits, million_keys) {
  text t = {malloc(ALMOST), 0};
  for (int i = 0; i < 1000000; i++)
    t.length += (size_t)sprintf(t.start + t.length, "%x:\n", i);
  expect_message(t, "the file needs 'seam'");
}

Test(limits, million_keys_in_brackets) {
  text t = {malloc(ALMOST), 0};
  t.length += (size_t)sprintf(t.start, "{");
  for (int i = 0; i < 1000000; i++)
    t.length += (size_t)sprintf(t.start + t.length, "%x:,%s", i, i % 1000 ? "" : "\n");
  t.length += (size_t)sprintf(t.start + t.length, "}");
  expect_message(t, "the file needs 'seam'");
}

Test(limits, many_anchors) { expect_message(fill("", "&a\n", ALMOST, ""), "more than 5000000"); }
Test(limits, many_tags) { expect_long("", "! \n", "", "more than 5000000"); }
Test(limits, many_aliases) { expect_long("", "*a\n", "", "more than 5000000"); }
Test(limits, many_brackets) { expect_message(fill("", "[{\n", ALMOST, ""), "more than 5000000"); }
Test(limits, many_empty_lists) { expect_long("", "[]\n", "", "more than 5000000"); }
Test(limits, many_pairs) { expect_long("[\n", "a: b,\n", "]", "more than 5000000"); }
Test(limits, many_documents) { expect_long("", "---\n", "", "second document"); }
Test(limits, many_comments) { expect_message(fill("", "#\n", ALMOST, ""), "the file is empty"); }
Test(limits, many_quoted_lines) { expect_long("a: \"", "x\n ", "\"", "the file needs 'seam'"); }
Test(limits, long_block_of_text) { expect_message(fill("a: |\n", " x\n", ALMOST, ""), "the file needs 'seam'"); }

/* ---- Depth ------------------------------------------------------------------------------------------------------- */

Test(limits, lists_in_lists) { expect_message(fill("seam: ", "[", 50000, ""), "more than 64 levels"); }
Test(limits, maps_in_maps) { expect_message(fill("seam: ", "{a: ", 50000, ""), "more than 64 levels"); }
Test(limits, dashes) { expect_message(fill("", "- ", 50000, ""), "more than 64 levels"); }

Test(limits, sixty_four_levels_are_allowed) {
  char seed[129] = {0};
  memset(seed, '[', 64);
  memset(seed + 64, ']', 64);
  source from = {.name = "t", .text = seed, .length = strlen(seed)};
  arena memory = {0};
  yaml_node *root = NULL;
  cr_expect_eq(yaml_parse(&from, &memory, &root, NULL), SEAM_OK);
  arena_release(&memory);
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

Test(limits, long_chain_of_parameters) {
  text t = {malloc(ALMOST), 0};
  t.length = (size_t)sprintf(t.start, "seam: 1\nparameters:\n");
  for (int i = 0; i < 200000; i++)
    t.length += (size_t)sprintf(t.start + t.length, " p%d: p%d\n", i, i + 1);
  t.length += (size_t)sprintf(t.start + t.length, " p200000: 1\n");
  expect_message(t, "the file has no bodies");
}

Test(limits, misspelt_name_among_many) {
  text t = {malloc(ALMOST), 0};
  t.length = (size_t)sprintf(t.start, "seam: 1\nparameters:\n");
  for (int i = 0; i < 200000; i++)
    t.length += (size_t)sprintf(t.start + t.length, " p%d: 1\n", i);
  t.length += (size_t)sprintf(t.start + t.length, " q: pp99999\n");
  expect_message(t, "did you mean 'p99999'?");
}

/* ---- Characters -------------------------------------------------------------------------------------------------- */

static text copy(const char *bytes, size_t length) {
  text t = {malloc(length), length};
  memcpy(t.start, bytes, length);
  return t;
}

#define BYTES(literal) copy(literal, sizeof literal - 1)

Test(limits, byte_that_begins_nothing) { expect_message(BYTES("seam: \xFF"), "t:1:7: error: byte 0xFF is not valid"); }
Test(limits, character_cut_short) { expect_message(BYTES("a: \xC3"), "t:1:4: error: byte 0xC3 is not valid"); }
Test(limits, overlong_character) { expect_message(BYTES("a: \xC0\x80"), "byte 0xC0 is not valid"); }
Test(limits, surrogate) { expect_message(BYTES("a: \xED\xA0\x80"), "byte 0xED is not valid"); }
Test(limits, nul) { expect_message(BYTES("a: \0b"), "t:1:4: error: control character 0x00"); }
Test(limits, nul_by_escape) { expect_message(BYTES("a: \"\\0\""), "the text holds a NUL character"); }

Test(limits, columns_count_characters) {
  expect_message(BYTES("\xC3\xA4\xC3\xB6: [\n \xC3\xA4, *x]"), "t:2:5: error: an alias");
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static void expect_no_file(const char *path, const char *words) {
  seam_model_file *file = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_model_file_read(path, NULL, 0, &file, &error), SEAM_NO_FILE);
  cr_expect_not_null(strstr(error.message, words), "'%s' is not in: %s", words, error.message);
}

Test(limits, missing_file) { expect_no_file("/no/such.yaml", "/no/such.yaml: error: cannot open the file: No such"); }
Test(limits, directory) { expect_no_file("/tmp", "/tmp: error: this is a directory"); }

Test(limits, endless_file) {
  seam_model_file *file = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_model_file_read("/dev/zero", NULL, 0, &file, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message,
                   "/dev/zero: error: the file is larger than 50 MB\ngenerate what is alike with 'repeat:'");
}

Test(limits, error_may_be_null) {
  seam_model_file *file = NULL;
  cr_expect_eq(seam_model_file_parse("t", "x", 1, NULL, 0, &file, NULL), SEAM_BAD_INPUT);
  cr_expect_null(file);
}
