/* Coupling schemes of a command line, and co-simulations with them. */
#ifndef APP_SCHEMES_H
#define APP_SCHEMES_H

#include <seam/cosim.h>

#include "app/setup.h"

typedef struct app_schemes {
  char **names; /* (n) */
  size_t n;
  int width;        /* characters, width of a column of names */
  bool from_file;   /* the only name means the schemes of the file */
  bool is_all;      /* the list is "all" */
  bool for_listing; /* the schemes are printed and not run */
} app_schemes;

/* Returns the value of --schemes or, without it, of --scheme; NULL: neither is given. */
static inline const char *schemes_given(const app_options *parsed) {
  const char *list = options_value(parsed, "--schemes");
  return list != NULL ? list : options_value(parsed, "--scheme");
}

/* Splits a list at commas outside brackets, without duplicates. SEAM_BAD_INPUT: an empty name. */
seam_status schemes_split(const char *list, app_schemes *result, seam_error *error);

/* Adds all schemes for cut joints (at_constraint) or force elements, with one corrector iteration (k1). */
seam_status schemes_add_all(bool at_constraint, app_schemes *result, seam_error *error);

/* Reads the schemes in `list` for an assembled model. A list "all" means all schemes that fit its couplings, NULL the
 * schemes of the file. SEAM_BAD_INPUT: the co-simulation cannot start with a scheme. In "all" such a scheme becomes
 * explicit or, if it still cannot start, is removed. Unless `quiet`, notes to stderr name the removed schemes and count
 * the explicit ones. Call schemes_free() even after a failure. */
seam_status schemes_read(const char *list, const app_setup *setup, bool quiet, app_schemes *result, seam_error *error);
/* Reads all schemes that fit the couplings. Those for force elements need not fit the scheme in the file for joints,
 * nor the reverse. Errors of schemes_read(). */
seam_status schemes_list_fitting(const app_setup *setup, app_schemes *result, seam_error *error);
/* Puts an option before the message of SEAM_BAD_INPUT; returns the status. */
seam_status schemes_prefix_option(const char *option, seam_status status, seam_error *error);

void schemes_free(app_schemes *result);

/* Prints a note to stderr, unless `quiet`, that a control of macro steps in the file is not used. */
void schemes_note_control(const app_setup *setup, bool quiet);
bool schemes_may_choose_steps(const app_setup *setup); /* collocation schemes may choose the macro step */
bool schemes_cut_both_kinds(const app_setup *setup);   /* both force elements and joints are cut */

/* Returns the scheme of the file, or "file" if it may have several, or "exchange" if subsystems only exchange signals.
 */
const char *schemes_name_of_file(const app_setup *setup);

/* Returns the folder name of a scheme, allocated (NULL: no memory): ff-weighted(a=1,b=2)-k1 gives ff-weighted-a1-b2-k1.
 * Different schemes have different names. */
char *schemes_folder(const char *scheme);

/* Creates the builder of the file with scheme i and equal macro steps. may_control: collocation may choose its steps if
 * the file allows it. The caller destroys *created, even after a failure. */
seam_status schemes_use(const app_schemes *schemes, size_t i, const app_setup *setup, bool may_control,
                        cosim_builder **created, seam_error *error);

#endif
