/* The coupling schemes of a command line, and co-simulations of a model with these schemes. */
#ifndef APP_SCHEMES_H
#define APP_SCHEMES_H

#include <seam/cosim.h>

#include "app/setup.h"

typedef struct app_schemes {
  char **names; /* (n) */
  size_t n;
  int width;        /* characters, width of a column of names */
  bool from_file;   /* the only name stands for the schemes of the file */
  bool is_all;      /* the list is "all" */
  bool for_listing; /* the schemes are printed and not run */
} app_schemes;

/* Splits a list of names at commas that are not in brackets, and removes duplicates. SEAM_BAD_INPUT: an empty name. */
seam_status schemes_split(const char *list, app_schemes *result, seam_error *error);

/* Adds all schemes for cut joints (at_constraint) or for cut force elements, each with one corrector iteration (k1). */
seam_status schemes_add_all(bool at_constraint, app_schemes *result, seam_error *error);

/* Reads the schemes for an assembled model. list: names; "all": those that fit the couplings of the model; NULL: the
 * schemes of the file. SEAM_BAD_INPUT: the co-simulation cannot start with a scheme; but from "all" such schemes are
 * removed, with a note to stderr unless `quiet`. Call schemes_free() even after a failure. */
seam_status schemes_read(const char *list, const app_setup *setup, bool quiet, app_schemes *result, seam_error *error);
/* Reads all schemes that fit the couplings of the model. A scheme for force elements need not fit the scheme that the
 * file gives for joints, nor the reverse. Errors of schemes_read(). */
seam_status schemes_list_fitting(const app_setup *setup, app_schemes *result, seam_error *error);
/* If the status is SEAM_BAD_INPUT, puts the name of an option before the message in *error. Returns the status. */
seam_status schemes_prefix_option(const char *option, seam_status status, seam_error *error);

void schemes_free(app_schemes *result);

/* If the file has a control of macro steps and `quiet` is false, prints a note to stderr: the control is not used. */
void schemes_note_control(const app_setup *setup, bool quiet);
bool schemes_may_choose_steps(const app_setup *setup); /* true: collocation schemes may choose the macro step */
bool schemes_cut_both_kinds(const app_setup *setup);   /* true: both force elements and joints are cut */

/* Returns the scheme of the file; "file": couplings may have several schemes; "exchange": subsystems exchange signals
 * only. */
const char *schemes_name_of_file(const app_setup *setup);

/* Returns the name of a folder for a scheme, allocated (NULL: no memory): ff-weighted(a=1,b=2)-k1 gives
 * ff-weighted-a1-b2-k1. Different schemes have different names. */
char *schemes_folder(const char *scheme);

/* Creates a builder of the co-simulation of the file with scheme i and with equal macro steps. may_control: a
 * collocation scheme may choose its macro steps if the file allows this. The caller destroys *created, even after a
 * failure. */
seam_status schemes_use(const app_schemes *schemes, size_t i, const app_setup *setup, bool may_control,
                        cosim_builder **created, seam_error *error);

#endif
