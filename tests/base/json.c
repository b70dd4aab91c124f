/* JSON text as a tree, and what is refused. */
#include "base/json.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Test(json, a_tree) {
  static const char text[] =
      "{\"a\": [1, -2.5e3, true, null], \"b\": {\"c\": \"d\\n\\u00e9\\ud83d\\ude00\"}, \"e\": []}";
  arena memory = {0};
  const json_node *root = NULL;
  json_failure failure = {0};
  cr_assert(json_parse(text, &memory, &root, &failure));
  const json_node *list = json_get(root, "a");
  cr_assert_eq(list->kind, JSON_LIST);
  cr_expect_eq(list->first->number, 1);
  cr_expect_eq(list->first->next->number, -2500);
  cr_expect_str_eq(list->first->next->next->text, "true");
  cr_expect_eq(list->first->next->next->next->kind, JSON_WORD);
  cr_expect_null(list->first->next->next->next->next);
  cr_expect_str_eq(json_text(json_get(root, "b"), "c"), "d\n\xc3\xa9\xf0\x9f\x98\x80");
  cr_expect_eq(strncmp(json_get(root, "b")->begin, "{\"c\"", 4), 0);
  cr_expect_eq(json_get(root, "b")->begin[json_get(root, "b")->length - 1], '}');
  cr_expect_null(json_get(root, "e")->first);
  cr_expect_null(json_get(root, "f"));
  cr_expect(isnan(json_value(root, "a")));
  arena_release(&memory);
}

/* Ends the outermost object, and reads it back. */
static const json_node *close_and_parse(json_writer *json, char **text, arena *memory) {
  const json_node *root = NULL;
  json_failure failure = {0};
  json_close(json, '}');
  fclose(json->file);
  cr_assert(json_parse(*text, memory, &root, &failure));
  return root;
}

/* The time that a search takes does not grow with the number of keys. Of equal keys the first counts. */
Test(json, many_keys, .timeout = 120) {
  enum { N = 300000 };
  char *text = NULL;
  size_t size = 0;
  json_writer json = {.file = open_memstream(&text, &size)};
  json_open(&json, NULL, '{');
  for (int i = 0; i < 2 * N; i++) {
    char key[16];
    snprintf(key, sizeof key, "k%d", i * 7 % N);
    json_number(&json, key, i);
  }
  arena memory = {0};
  const json_node *root = close_and_parse(&json, &text, &memory);
  cr_expect_eq(root->n, 2 * N);
  for (int i = 0; i < N; i++) {
    char key[16];
    snprintf(key, sizeof key, "k%d", i * 7 % N);
    cr_assert_eq(json_value(root, key), i);
  }
  cr_expect_null(json_get(root, "k"));
  cr_expect_null(json_get(root, "z"));
  arena_release(&memory);
  free(text);
}

Test(json, what_cannot_stand_in_a_text_is_escaped) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  json_quote(file, "");
  json_quote(file, "\"a\\\tb\x01\xc3\xa9\xff\xe2\x82z");
  fclose(file);
  cr_expect_str_eq(text, "\"\"\"\\\"a\\\\\\u0009b\\u0001\xc3\xa9\\ufffd\\ufffd\\ufffdz\"");
  free(text);
}

/* What base/json.h writes is read back. */
Test(json, what_was_written_is_read_back) {
  char *text = NULL;
  size_t size = 0;
  json_writer json = {.file = open_memstream(&text, &size)};
  json_open(&json, NULL, '{');
  json_string(&json, "a\"\\\x01", "\t\"quoted\" \xc3\xa9");
  json_number(&json, "n", 0.1);
  json_number(&json, "nan", NAN);
  arena memory = {0};
  const json_node *root = close_and_parse(&json, &text, &memory);
  cr_expect_str_eq(json_text(root, "a\"\\\x01"), "\t\"quoted\" \xc3\xa9");
  cr_expect_eq(json_value(root, "n"), 0.1);
  cr_expect(isnan(json_value(root, "nan")));
  arena_release(&memory);
  free(text);
}

Test(json, refused_texts_name_the_line) {
  static const struct {
    const char *text, *what;
    size_t line;
  } cases[] = {
      {"", "a value is missing", 1},
      {"{\"a\": 1,\n \"b\"", "':' is missing", 2},
      {"{\"a\": 1,\n}", "a key is missing", 2},
      {"[1 2]", "',' or the closing bracket is missing", 1},
      {"\n\n[1] x", "there is more text after its end", 3},
      {"\"a", "a text has no closing quote", 1},
      {"\"a\\", "a text has no closing quote", 1},
      {"\"\\x\"", "an unknown escape in a text", 1},
      {"\"\\u12\"", "an unknown escape in a text", 1},
      {"[-]", "a number is missing", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena memory = {0};
    const json_node *root = NULL;
    json_failure failure = {0};
    cr_assert_not(json_parse(cases[i].text, &memory, &root, &failure), "%s", cases[i].text);
    cr_expect_str_eq(failure.what, cases[i].what);
    cr_expect_eq(failure.line, cases[i].line, "%s", cases[i].text);
    arena_release(&memory);
  }
}

Test(json, deep_nesting_is_refused) {
  char text[4096];
  memset(text, '[', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  arena memory = {0};
  const json_node *root = NULL;
  json_failure failure = {0};
  cr_expect_not(json_parse(text, &memory, &root, &failure));
  cr_expect_str_eq(failure.what, "it is nested too deeply");
  arena_release(&memory);
}
