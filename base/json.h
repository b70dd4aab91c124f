/* JSON (RFC 8259): a writer of indented text, and a reader. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"

/* ---- Writer: commas, quotes and indentation follow from the calls ---- */

typedef struct json_writer {
  FILE *file; /* owned by the caller; failures set its error flag */
  int depth;
  bool follows; /* a comma is needed before the next element */
} json_writer;

/* `key` is NULL inside an array and at the top. */
void json_open(json_writer *json, const char *key, char bracket);       /* '{' or '[' */
void json_close(json_writer *json, char bracket);                       /* '}' or ']' */
void json_string(json_writer *json, const char *key, const char *text); /* bytes that are not UTF-8 become U+FFFD */
void json_number(json_writer *json, const char *key, double number);    /* null when not finite */
void json_count(json_writer *json, const char *key, size_t number);
void json_raw(json_writer *json, const char *key, const char *text); /* text that is already JSON */

/* Writes a string in quotes; bytes that are not UTF-8 become U+FFFD. */
void json_quote(FILE *file, const char *text);
/* Writes a number as shortest_print() does; null when not finite. */
void json_write_number(FILE *file, double number);

/* ---- Reader ---- */

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
  size_t n;           /* number of elements */
  json_node **sorted; /* (n) elements of an object by their keys, equal ones in their order */
};

typedef struct json_failure {
  const char *what; /* short description of the error; NULL: memory is exhausted */
  size_t line;
} json_failure;

/* Parses a terminated text, which must outlive the tree; nodes are in `memory`. False: *failure says why. */
bool json_parse(const char *text, arena *memory, const json_node **root, json_failure *failure);

/* Returns the first element of `object` with the key; NULL: it has none, is NULL, or is not a JSON object. */
const json_node *json_get(const json_node *object, const char *key);
/* Returns the first element; NULL: there is none, or `list` is NULL. */
const json_node *json_first(const json_node *list);
/* Returns the string of `object` with the key; NULL: there is no such string. */
const char *json_text(const json_node *object, const char *key);
/* Returns the number of `object` with the key; NaN: there is no such number. */
double json_value(const json_node *object, const char *key);

#endif
