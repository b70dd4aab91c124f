/* Doubles as decimal text and back, independent of the locale. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdio.h>

/* Returns the decimal number [+-]DIGITS[.DIGITS][e[+-]DIGITS] at the beginning of `text`; *end: its end. If there is no
 * number, or if memory is exhausted, returns 0 and sets *end to `text`. */
double seam_number(const char *text, const char **end);

enum { SHORTEST_ROOM = 48 }; /* bytes that shortest_write() may overwrite; its text has at most 24 */

/* Writes the fewest digits that read back as the same double, without a terminating zero; returns their end. If several
 * texts have the fewest digits, writes the nearest one. The form is that of "%.17g". 0.0001 to 99999999999999999 have
 * no exponent, and integers among them no point. Other numbers have an exponent of at least two digits (1e-05,
 * 1.5e+17). Also "nan", "inf", "-inf". */
char *shortest_write(char *at, double number);

/* Writes n numbers, each followed by a comma; NaN is empty. */
char *shortest_write_fields(char *at, const double *numbers, size_t n);

/* Writes one number to a file. */
void shortest_print(FILE *file, double number);

#endif
