/* Text of others in HTML: nothing of it becomes markup or a script. */
#ifndef APP_REPORT_MARKUP_H
#define APP_REPORT_MARKUP_H

#include <stdio.h>

/* Text between tags or in an attribute. Control characters and bytes that are not UTF-8 become U+FFFD. */
void markup_text(FILE *file, const char *text);
/* Some bytes of it. */
void markup_bytes(FILE *file, const char *text, size_t length);

/* JSON inside <script>: "<", which begins what ends a script, becomes \u003c; in JSON it stands in strings alone. */
void markup_json(FILE *file, const char *json, size_t length);

/* With three digits; "not finite" where it is not. */
void markup_number(FILE *file, double number);

/* A word of a command line, quoted for POSIX shells where it needs that. */
void markup_argument(FILE *file, const char *argument);

/* The template's text with what the slots write in place of @{NAME}. */
typedef struct markup_slot {
  const char *name;
  void (*write)(FILE *file, const void *context);
} markup_slot;
void markup_fill(FILE *file, const char *template, const markup_slot *slots, size_t n_slots, const void *context);

#endif
