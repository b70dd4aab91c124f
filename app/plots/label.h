/* Text in pictures: symbols of quantities, units, parameters of runs. */
#ifndef APP_PLOTS_LABEL_H
#define APP_PLOTS_LABEL_H

#include <stdio.h>

#include <seam/status.h>

#include "app/results/run_results.h"

enum { LABEL_SIZE = 512 };

/* Text in gnuplot's enhanced mode. Text beyond LABEL_SIZE - 1 bytes is cut off. */
typedef struct label {
  char text[LABEL_SIZE];
} label;

/* label_add() appends plain text, and escapes characters that gnuplot would interpret; label_add_enhanced() appends
 * text in gnuplot's enhanced mode. */
void label_add(label *to, const char *text);
void label_add_enhanced(label *to, const char *text);

/* Appends plain text formatted by printf(). */
SEAM_PRINTF(2, 3) void label_print(label *to, const char *format, ...);

/* Appends the symbol of a quantity: for "fx" of a body "rod" an italic F with the subscript "x, rod". element "": the
 * subscript lacks it. A quantity without a symbol is written in words, as "created energy of M". */
void label_add_symbol(label *to, const char *element, const char *quantity);

/* Appends " / unit"; appends nothing if the unit is "". */
void label_add_unit(label *to, const char *unit);

/* Returns the kind of quantities with this unit, as "length"; "value": the unit is not known. */
const char *label_kind(const char *unit);

/* Appends a number with four digits and the minus sign of labels of axes (U+2212). */
void label_add_number(label *to, double number);

/* Append parameters, as "k = 200, L = 1", as many as fit into a line. label_add_parameters() takes those of a model;
 * json may be NULL. label_add_common() takes those that n runs have in common. label_add_differing() takes those in
 * which run `of` differs from any of the n runs, in parentheses with its run_results_mark(). */
void label_add_parameters(label *to, const char *json);
void label_add_common(label *to, const run_results *runs, size_t n);
void label_add_differing(label *to, const run_results *of, const run_results *runs, size_t n);

/* Returns the approximate number of visible characters. */
size_t label_width(const label *of);

/* Writes text to the script as a string in single quotes, in which gnuplot executes nothing. */
void label_quote(FILE *script, const char *text);

#endif
