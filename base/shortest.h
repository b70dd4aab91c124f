/* Numbers as text: the fewest decimal digits that read back as the same double, whatever the locale. */
#ifndef BASE_SHORTEST_H
#define BASE_SHORTEST_H

#include <stdio.h>

enum { SHORTEST_ROOM = 48 }; /* bytes that shortest_write() may touch; its text has 24 at most */

/* Writes the text without a terminating zero and returns its end. Of all texts with the fewest digits it is the nearest
 * one. Its form is that of "%.17g": 0.0001 to 99999999999999999 without an exponent (no point in whole numbers), else
 * with one of at least two digits (1e-05, 1.5e+17); "nan", "inf", "-inf". */
char *shortest_write(char *at, double number);

/* n numbers, a comma behind each; nothing in place of what is not a number. */
char *shortest_write_fields(char *at, const double *numbers, size_t n);

/* One number into a file. */
void shortest_print(FILE *file, double number);

#endif
