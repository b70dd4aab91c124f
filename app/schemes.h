/* The coupling schemes of a command line, and the co-simulations of a model under them. */
#ifndef APP_SCHEMES_H
#define APP_SCHEMES_H

#include <seam/cosim.h>

#include "app/setup.h"

typedef struct app_schemes {
  char **names; /* (n) */
  size_t n;
  int width;          /* of a column of them, letters */
  bool are_the_files; /* one entry, which stands for the schemes of the file */
  bool are_all;
  bool are_listed; /* and not run */
} app_schemes;

/* Splits a list: names separated by commas outside of brackets, each taken once. SEAM_BAD_INPUT: an empty name. */
seam_status schemes_split(const char *list, app_schemes *made, seam_error *error);

/* All schemes with one corrector, for one kind of cuts; may follow another call. */
seam_status schemes_add_all(bool at_constraint, app_schemes *made, seam_error *error);

/* The schemes of a model by `list`: names, "all" that fit its couplings, or the schemes of the file (NULL). Names that
 * are impossible are SEAM_BAD_INPUT, as are signals and user equations; with "all" they are omitted, with a note on
 * stderr unless `quiet`. The model is assembled. Whatever the
 * result, free *made with schemes_free(). */
seam_status schemes_read(const char *list, const app_setup *setup, bool quiet, app_schemes *made, seam_error *error);
/* All that fit the couplings of their kind, also where the file's scheme does not fit those of the other kind; as
 * schemes_read(). */
seam_status schemes_that_fit(const app_setup *setup, app_schemes *made, seam_error *error);
/* Puts the option that gave a scheme before the refusal of the scheme; other statuses pass. */
seam_status schemes_refer(const char *option, seam_status status, seam_error *error);

/* Returns true if force elements and joints are cut. */
bool schemes_cut_both(const app_setup *setup);

void schemes_free(app_schemes *made);

/* Says on stderr, unless `quiet`, that a control of macro steps in the file is not used. */
void schemes_note_control(const app_setup *setup, bool quiet);

/* Returns true if the file leaves macro steps to collocation. */
bool schemes_may_choose_steps(const app_setup *setup);

/* The file's only scheme; "file" where it has several, "exchange" where signals alone couple. */
const char *schemes_name_of_file(const app_setup *setup);

/* A name of a scheme as that of a directory, to be freed; NULL when memory is exhausted: ff-weighted(a=1,b=2)-k1 is
 * ff-weighted-a1-b2-k1. Different schemes have different ones. */
char *schemes_folder(const char *scheme);

/* A builder of the file's co-simulation under scheme i, with macro steps of equal length; or, of collocation schemes
 * that may choose them, under the file's control. */
seam_status schemes_use(const app_schemes *schemes, size_t i, const app_setup *setup, cosim_builder **created,
                        seam_error *error);
seam_status schemes_use_with_control(const app_schemes *schemes, size_t i, const app_setup *setup,
                                     cosim_builder **created, seam_error *error);

#endif
