/* JSON text (RFC 8259) as a tree. */
#ifndef BASE_JSON_TREE_H
#define BASE_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { JSON_DEEPEST = 64 }; /* largest number of nested levels */

/* JSON_WORD: true, false or null. */
typedef enum json_kind { JSON_WORD, JSON_NUMBER, JSON_STRING, JSON_LIST, JSON_OBJECT } json_kind;

typedef struct json_node json_node;
struct json_node {
  json_kind kind;
  const char *key;   /* key of an element of an object; else NULL */
  const char *text;  /* the string, or "true", "false" or "null", terminated; NULL: a value of another kind */
  double number;     /* NaN except for numbers */
  const char *begin; /* (length) the value in the parsed text */
  size_t length;
  json_node *first; /* first element; `next` links the others */
  json_node *next;
};

typedef struct json_failure {
  const char *what; /* short description of the error; NULL: memory is exhausted */
  size_t line;
} json_failure;

/* Parses a terminated text, which must outlive the tree; nodes are in `memory`. False: *failure says why. */
bool json_parse(const char *text, arena *memory, const json_node **root, json_failure *failure);

/* Returns the element of `object` with the key; NULL: it has no such element, is NULL, or is not a JSON object. */
const json_node *json_get(const json_node *object, const char *key);
/* Returns the string of `object` with the key; NULL: there is no such string. */
const char *json_text(const json_node *object, const char *key);
/* Returns the number of `object` with the key; NaN: there is no such number. */
double json_value(const json_node *object, const char *key);

#endif
