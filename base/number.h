/* Numbers in text, independent of the caller's locale. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

/* Returns the decimal number [+-]DIGITS[.DIGITS][e[+-]DIGITS] at the beginning of `text`; *end: its end, or `text` if
 * there is none or memory is exhausted. */
double seam_number(const char *text, const char **end);

#endif
