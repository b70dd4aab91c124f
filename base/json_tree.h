/* JSON text (RFC 8259) as a tree. */
#ifndef BASE_JSON_TREE_H
#define BASE_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { JSON_DEEPEST = 64 }; /* levels of nesting */

typedef enum json_kind { JSON_WORD, JSON_NUMBER, JSON_STRING, JSON_LIST, JSON_OBJECT } json_kind; /* word: true, null */

typedef struct json_node json_node;
struct json_node {
  json_kind kind;
  const char *key;   /* in an object; else NULL */
  const char *text;  /* of a string or word, terminated; else NULL */
  double number;     /* NaN for all but numbers */
  const char *begin; /* its text, as it stands in what was read */
  size_t length;
  json_node *first; /* of its elements, linked by `next` */
  json_node *next;
};

typedef struct json_failure {
  const char *what; /* in a few words; NULL: memory is exhausted */
  size_t line;
} json_failure;

/* Parses `text`, which must be terminated and outlive the tree; nodes are taken from `memory`. false: *failure says
 * why. */
bool json_parse(const char *text, arena *memory, const json_node **root, json_failure *failure);

/* The element of that key; NULL where there is none, or no object. */
const json_node *json_get(const json_node *object, const char *key);
/* Text of a string below an object; NULL where there is none. */
const char *json_text(const json_node *object, const char *key);
/* NaN where there is none. */
double json_value(const json_node *object, const char *key);

#endif
