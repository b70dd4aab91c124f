/* Writer of indented JSON; commas, quotes and indentation follow from the calls. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
/* Writes a number as base/shortest.h does; null when not finite. */
void json_write_number(FILE *file, double number);

#endif
