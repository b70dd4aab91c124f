/* Numbers in text, whatever the locale of the caller. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

/* The decimal number [+-]DIGITS[.DIGITS][e[+-]DIGITS] at the beginning of `text`, and in *end where it ends: `text`
 * where there is none, or where memory is exhausted. */
double seam_number(const char *text, const char **end);

#endif
