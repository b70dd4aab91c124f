/* Comma-separated values ([RFC4180] 2): quotes enclose a field with a comma, a quote or a line break; quotes in it are
 * doubled. */
#ifndef APP_RESULTS_CSV_TEXT_H
#define APP_RESULTS_CSV_TEXT_H

#include <stdio.h>

void csv_write_text(FILE *file, const char *text);

/* Returns the line break, not in quotes, that ends the line at `at`; NULL: there is none before `end`. */
const char *csv_end_of_line(const char *at, const char *end);

/* Returns the number of fields of the line at `at`. The text must have a terminating zero. */
size_t csv_count_fields(const char *at);

/* Returns the field at *at, without its quotes and terminated in place. *at becomes the next field of the line; NULL:
 * there is none. */
char *csv_next_field(char **at);

#endif
