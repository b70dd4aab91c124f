/* Texts in comma-separated values ([RFC4180] 2): a field with a comma, a quote or a line break stands between quotes,
 * and quotes in it are doubled. */
#ifndef APP_RESULTS_CSV_TEXT_H
#define APP_RESULTS_CSV_TEXT_H

#include <stdio.h>

void csv_put_text(FILE *file, const char *text);

/* Returns the line break that ends the line at `at`, where line breaks in quotes do not count; NULL: there is none
 * before `end`. */
const char *csv_end_of_line(const char *at, const char *end);

/* Returns the number of fields of the line that begins at `at`, a terminated text. */
size_t csv_count_fields(const char *at);

/* Unquotes and terminates the field at *at in place, and returns it. *at moves to the next field of the line; NULL:
 * there is none. */
char *csv_take_field(char **at);

#endif
