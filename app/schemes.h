/* The coupling schemes of a command line, and the co-simulations of a model under them. */
#ifndef APP_SCHEMES_H
#define APP_SCHEMES_H

#include <seam/cosim.h>

#include "app/setup.h"

typedef struct app_schemes {
  char **names; /* (n) */
  size_t n;
  int width;          /* width of a column of names, characters */
  bool are_the_files; /* one entry stands for the schemes of the file */
  bool are_all;
  bool are_listed; /* they are printed, not run */
} app_schemes;

/* Splits a list of names at commas outside of brackets, without duplicates. SEAM_BAD_INPUT: an empty name. */
seam_status schemes_split(const char *list, app_schemes *made, seam_error *error);

/* Adds all schemes for cut joints (at_constraint) or for cut force elements, each with one corrector iteration (k1). */
seam_status schemes_add_all(bool at_constraint, app_schemes *made, seam_error *error);

/* Reads the schemes of an assembled model. `list`: names; "all", for all that fit its couplings; NULL, for the schemes
 * of the file. A scheme that cannot start is refused (SEAM_BAD_INPUT); of "all" it is left out, with a note on stderr
 * unless `quiet`. Whatever the result, free *made with schemes_free(). */
seam_status schemes_read(const char *list, const app_setup *setup, bool quiet, app_schemes *made, seam_error *error);
/* Reads all schemes that fit the couplings of their own kind (force elements or joints). The file's scheme for the
 * other kind need not fit. Errors are those of schemes_read(). */
seam_status schemes_that_fit(const app_setup *setup, app_schemes *made, seam_error *error);
/* If the status is SEAM_BAD_INPUT, puts the name of an option before the message. Returns the status. */
seam_status schemes_refer(const char *option, seam_status status, seam_error *error);

void schemes_free(app_schemes *made);

/* If the file controls its macro steps, prints a note on stderr that this is not used, unless `quiet`. */
void schemes_note_control(const app_setup *setup, bool quiet);
bool schemes_may_choose_steps(const app_setup *setup); /* the file leaves macro steps to collocation */
bool schemes_cut_both(const app_setup *setup);         /* force elements and joints are cut */

/* Returns the scheme of the file; "file": its couplings may have several; "exchange": only signals couple its
 * subsystems. */
const char *schemes_name_of_file(const app_setup *setup);

/* Returns a directory's name for a scheme, allocated (NULL: memory is exhausted): ff-weighted(a=1,b=2)-k1 becomes
 * ff-weighted-a1-b2-k1. Different schemes have different names. */
char *schemes_folder(const char *scheme);

/* Creates a builder of the file's co-simulation with scheme i and macro steps of one length. With `may_control`, a
 * collocation scheme keeps the step control if the file leaves the macro step to collocation. The caller destroys
 * *created, whatever the result. */
seam_status schemes_use(const app_schemes *schemes, size_t i, const app_setup *setup, bool may_control,
                        cosim_builder **created, seam_error *error);

#endif
