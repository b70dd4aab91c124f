/* What the suites of the linear test models share: the models coupled by a scheme, their maps, and rows of data. */
#ifndef TESTS_SUPPORT_TEXTBOOK_FIXTURE_H
#define TESTS_SUPPORT_TEXTBOOK_FIXTURE_H

#include <stdio.h>

#include "analysis/textbook/test_model.h"

enum { LARGEST_STATE = 20 };

/* ---- Models ---- */

analysis_test_model *couple_test_model(const seam_test_model *parameters, bool rigid, const char *scheme);

/* Order of the propagation matrix of a macro step of 1, which goes to Phi column by column. */
size_t propagation_matrix(const seam_test_model *parameters, bool rigid, const char *scheme,
                          double Phi[LARGEST_STATE * LARGEST_STATE]);

double radius(const seam_test_model *parameters, bool rigid, const char *scheme);

/* Of all schemes that are listed, but for collocation, maps and radii with -update are those of the usual semi-implicit
 * iteration. */
void expect_maps_of_updates(const seam_test_model *parameters, bool rigid);

/* Three steps, of which all but the first predict through inner nodes, follow the map. */
void expect_map_of_steps(const seam_test_model *parameters, bool rigid, const char *scheme);

/* Rows of scheme, alpha, lambda-r, lambda-i, radius in tests/data: the radii are found again, within a tolerance
 * that may depend on the expected one. */
void expect_radii(const char *name, int n_rows, bool rigid,
                  double (*tolerance)(const seam_test_model *parameters, double expected));

/* ---- Data ---- */

enum { row_length = 8192, MAX_WORDS = 512 };

/* A line of a file in tests/data, word by word: the first names a scheme, with ';' for ',' in the file. */
typedef struct data_row {
  char line[row_length];
  char *word[MAX_WORDS];
  int n_words;
} data_row;

/* Behind its head. */
FILE *data_open(const char *name);
bool data_next(FILE *file, data_row *row);
double data_number(const data_row *row, int word);

#endif
