/* Text in pictures: symbols of quantities, units, names. */
#ifndef APP_PLOTS_LABEL_H
#define APP_PLOTS_LABEL_H

#include <stdio.h>

#include <seam/status.h>

enum { LABEL_SIZE = 512 };

/* A text in gnuplot's enhanced mode. Text that is too long is cut off. */
typedef struct label {
  char text[LABEL_SIZE];
} label;

/* The first appends plain text, in which it masks characters that gnuplot would interpret; the second appends text in
 * gnuplot's enhanced mode. */
void label_add(label *to, const char *text);
void label_add_enhanced(label *to, const char *text);

/* Appends plain text, formatted as by printf(). */
SEAM_PRINTF(2, 3) void label_print(label *to, const char *format, ...);

/* Appends the symbol of a quantity of results, such as "fx" of a body: an italic letter, with its direction and the
 * element as index (`element` "": none). A quantity without a symbol is written in words: "created energy of M". */
void label_add_symbol(label *to, const char *element, const char *quantity);

/* Appends " / unit"; appends nothing if the unit is "". */
void label_add_unit(label *to, const char *unit);

/* Appends a number with four digits, with the minus sign (U+2212) that axes have. */
void label_add_number(label *to, double number);

/* Returns the number of visible characters, roughly. */
size_t label_width(const label *of);

/* Writes a text to the script as a string in single quotes, in which gnuplot executes nothing. */
void label_quote(FILE *script, const char *text);

#endif
