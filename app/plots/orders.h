/* Results of a convergence study: errors of each scheme as functions of the macro step, their orders and their
 * picture. */
#ifndef APP_PLOTS_ORDERS_H
#define APP_PLOTS_ORDERS_H

#include <seam/analysis.h>

#include "app/options.h"
#include "app/plots/label.h"
#include "app/schemes.h"

typedef struct app_error_kind {
  const char *column; /* name in converge.csv and orders.csv */
  const char *title;
} app_error_kind;

typedef struct app_orders {
  label heading, details; /* heading of the picture: model and parameters */
  const app_schemes *schemes;
  app_macro_steps steps;
  const app_error_kind *kinds; /* (n_kinds) */
  size_t n_kinds;
  double *errors;            /* (n_schemes x n_kinds x n_steps) not finite: the run failed, or its error is too large */
  double *floors;            /* (n_kinds x n_steps) an error up to the floor does not count */
  const char *floor_meaning; /* meaning of the floor, in words */
  bool floor_is_constant;    /* the floor is the same for all macro steps, and is drawn as a line */
} app_orders;

/* Allocates errors and floors, all zero, for the schemes, steps and kinds of the study. Call orders_free() even after a
 * failure. */
seam_status orders_allocate(app_orders *study, seam_error *error);
void orders_free(app_orders *study);

/* orders_errors() returns the errors (n_steps) of a scheme and kind, orders_floors() the floors (n_steps) of a kind. */
double *orders_errors(const app_orders *study, size_t scheme, size_t kind);
double *orders_floors(const app_orders *study, size_t kind);

/* Prints a line with the orders of each scheme, and then the macro steps that do not count for these orders. */
void orders_print(const app_orders *study);

/* Writes DIRECTORY/orders.csv with two rows for each scheme and kind of error: `scheme`, `error` (the kind),
 * `macro_steps` ("all", or "fine": the smallest three), `count` (number of errors), `order`, `interval` (half width of
 * the confidence interval of the order). Unknown numbers are empty. SEAM_NO_FILE. */
seam_status orders_write(const app_orders *study, const char *directory, seam_error *error);

/* Writes DIRECTORY/converge.gp, from which gnuplot draws converge.png, .svg and .pdf. The picture has a panel for each
 * kind of error, with logarithmic axes. A panel has a curve for each scheme: the error over the macro step. The legend
 * has the orders; triangles show slopes of integer orders. Errors of plot_draw(). */
seam_status orders_plot(const app_orders *study, const char *directory, seam_error *error);

#endif
