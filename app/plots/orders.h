/* Results of a convergence study: errors over macro steps for each scheme, their orders and their picture. */
#ifndef APP_PLOTS_ORDERS_H
#define APP_PLOTS_ORDERS_H

#include <seam/analysis.h>

#include "app/macro_steps.h"
#include "app/plots/label.h"
#include "app/schemes.h"

typedef struct app_error_kind {
  const char *column; /* name in files */
  const char *title;
} app_error_kind;

typedef struct app_orders {
  label heading, details; /* heading of the picture: model and parameters */
  const app_schemes *schemes;
  app_macro_steps steps;
  const app_error_kind *kinds; /* (n_kinds) */
  size_t n_kinds;
  double *errors; /* (n_schemes x n_kinds x n_steps) errors; not finite if a run failed or its error is too large */
  double *floors; /* (n_kinds x n_steps) errors up to these do not count */
  const char *floor_is; /* meaning of the floor, in words */
  bool floor_is_level;  /* the floor is the same for all macro steps; it is drawn */
} app_orders;

/* Allocates zeroed errors for the schemes, steps and kinds of the study. Whatever the result, free the study with
 * orders_free(). */
seam_status orders_allocate(app_orders *study, seam_error *error);
void orders_free(app_orders *study);

/* Return arrays (n_steps): the first the errors of a scheme and kind, the second the floors of a kind. */
double *orders_errors(const app_orders *study, size_t scheme, size_t kind);
double *orders_floors(const app_orders *study, size_t kind);

/* Prints a line with the orders of each scheme, then the macro steps whose errors do not count for these orders. */
void orders_print(const app_orders *study);

/* Writes DIRECTORY/orders.csv, two rows for each scheme and kind of error: `scheme`, `error` (its kind), `macro_steps`
 * ("all", or "fine": the smallest three), `count` of errors, `order`, `interval`; missing numbers are empty.
 * SEAM_NO_FILE. */
seam_status orders_write(const app_orders *study, const char *directory, seam_error *error);

/* Writes DIRECTORY/converge.gp and lets gnuplot draw converge.png, .svg and .pdf: a panel for each kind of error, with
 * logarithmic axes. In it each scheme has a curve of the error over the macro step. The legend has the orders;
 * triangles show the slopes of whole orders. Without gnuplot a message is printed and the result is SEAM_OK.
 * SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status orders_plot(const app_orders *study, const char *directory, seam_error *error);

#endif
