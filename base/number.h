/* Numbers in text, independent of the caller's locale. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

/* Returns the decimal number [+-]DIGITS[.DIGITS][e[+-]DIGITS] at the beginning of `text`; *end: end of the number. If
 * there is no number, or if memory is exhausted, returns 0 and sets *end to `text`. */
double seam_number(const char *text, const char **end);

#endif
