#include "app/model_changes.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SHOWN = 3, LONGEST_PATH = 120, LONGEST_VALUE = 24 };

/* Compared sections. A changed parameter also changes other sections, which are listed first. */
static const char *const sections[] = {"gravity",   "bodies", "joints", "forces",
                                       "equations", "tables", "points", "parameters"};

typedef struct listing {
  char *text;
  size_t size, used;
  size_t n;
} listing;

static void show_value(const json_node *node, char text[LONGEST_VALUE + 1]) {
  if (node->kind == JSON_OBJECT)
    snprintf(text, LONGEST_VALUE + 1, "%s", "other entries");
  else
    snprintf(text, LONGEST_VALUE + 1, "%.*s", node->length < LONGEST_VALUE ? (int)node->length : LONGEST_VALUE,
             node->begin);
}

static void add(listing *to, const char *path, const json_node *before, const json_node *now) {
  char old[LONGEST_VALUE + 1] = "";
  char present[LONGEST_VALUE + 1] = "";
  if (to->n++ >= MAX_SHOWN || to->used >= to->size)
    return;
  if (before != NULL)
    show_value(before, old);
  if (now != NULL)
    show_value(now, present);
  const char *comma = to->used > 0 ? ", " : "";
  char *end = to->text + to->used;
  const size_t room = to->size - to->used;
  const int n = before == NULL || now == NULL
                    ? snprintf(end, room, "%s%s (%s)", comma, path, now == NULL ? "no longer there" : "new")
                    : snprintf(end, room, "%s%s (%s, was %s)", comma, path, present, old);
  to->used += (size_t)n;
}

static bool are_same(const json_node *before, const json_node *now) {
  if (before == NULL || now == NULL || before->kind != now->kind)
    return before == now;
  if (before->kind == JSON_NUMBER)
    return before->number == now->number;
  return before->length == now->length && memcmp(before->begin, now->begin, now->length) == 0;
}

/* Compares objects by their entries, lists of lists or objects by their elements, and other values as a whole. The
 * recursion is as deep as the nesting of the text. */
// NOLINTNEXTLINE(misc-no-recursion)
static void compare(listing *to, const char *path, const json_node *before, const json_node *now) {
  const bool is_alike = before != NULL && now != NULL && before->kind == now->kind;
  if (is_alike && now->kind == JSON_OBJECT) {
    char child[LONGEST_PATH];
    for (const json_node *at = now->first; at != NULL; at = at->next) {
      snprintf(child, sizeof child, "%.80s.%.38s", path, at->key);
      compare(to, child, json_get(before, at->key), at);
    }
    for (const json_node *at = before->first; at != NULL; at = at->next)
      if (json_get(now, at->key) == NULL) {
        snprintf(child, sizeof child, "%.80s.%.38s", path, at->key);
        compare(to, child, at, NULL);
      }
  } else if (is_alike && now->kind == JSON_LIST && before->n == now->n && before->first != NULL &&
             before->first->first != NULL) {
    const json_node *old = before->first;
    for (const json_node *at = now->first; at != NULL; at = at->next, old = old->next)
      compare(to, path, old, at);
  } else if (!are_same(before, now))
    add(to, path, before, now);
}

bool model_changes_list(const json_node *before, const char *now, char *text, size_t size) {
  arena memory = {0};
  json_failure failure = {0};
  const json_node *root = NULL;
  listing to = {text, size, 0, 0};
  text[0] = '\0';
  if (before == NULL || now == NULL)
    return true;
  const bool is_read = json_parse(now, &memory, &root, &failure);
  for (size_t i = 0; is_read && i < sizeof sections / sizeof *sections; i++)
    compare(&to, sections[i], json_get(before, sections[i]), json_get(root, sections[i]));
  arena_release(&memory);
  if (to.n > MAX_SHOWN && to.used < size)
    snprintf(text + to.used, size - to.used, ", and %zu more", to.n - MAX_SHOWN);
  return is_read;
}
