/* From the command line to an assembled mechanism. */
#ifndef APP_SETUP_H
#define APP_SETUP_H

#include <seam/mbs.h>
#include <seam/models.h>
#include <seam/runs.h>

#include "app/options.h"
#include "app/start_from.h"

typedef struct app_setup {
  seam_model_file *file;
  const mbs_model *model; /* in `file` */
  mbs_workspace *workspace;
  mbs_state *state;
  const char *from;       /* results, of --from or the file's `start:`; NULL: none */
  bool restarts;          /* its time counts from 0 */
  app_start_rows of_rows; /* that it took */
  mbs_assembly report;
  seam_start_changes changes; /* by assembly */
  size_t *redundant;          /* (report.n_redundant) scalar constraints that depend on others */
  bool borrows_file;
} app_setup;

/* Reads the model that the first operand names: a file or, where there is none, a model of the catalogue; the options'
 * overrides apply. Whatever the result, free *made with setup_free(). */
seam_status setup_read(const app_options *parsed, app_setup *made, seam_error *error);

/* Takes the start that --from gives, before the file's `start:`, and prints a note. */
void setup_take_from(app_setup *made, const app_options *parsed);

/* Makes `model` the one that is integrated as a whole, with the user equations and signals of the co-simulation.
 * SEAM_BAD_INPUT: why there is none, or that it has no bodies, where these are needed. */
seam_status setup_take_whole(app_setup *made, bool needs_bodies, seam_error *error);
/* Another set-up, assembled, with the whole of a file that is open: free it before the other one. Where the file names
 * a reference it is that one's, which begins alike (setup_reference.c); bodies that it has beside are said. */
seam_status setup_whole_of(const app_options *parsed, const app_setup *open, app_setup *made, seam_error *error);
seam_status setup_reference_of(const app_options *parsed, const app_setup *open, app_setup *made, seam_error *error);

/* The text of such a model, terminated, to be freed; and a model from it, by the same rules. */
seam_status setup_read_text(const char *name, char **text, seam_error *error);
seam_status setup_parse(const char *name, const char *text, size_t length, const char *const *overrides,
                        size_t n_overrides, app_setup *made, seam_error *error);

/* A new state of the model becomes the one of the results that it starts from, where there are some, which need not be
 * consistent; NULL: their rows are not asked for. As start_from_read(). */
seam_status setup_begin(const app_setup *setup, mbs_state *state, app_start_rows *rows, seam_error *error);

/* Workspace, and the state as the model or the results of `from` define it. SEAM_NO_MEMORY, and as start_from_read().
 */
seam_status setup_open(app_setup *made, seam_error *error);

/* Opens, and makes the state consistent. `report` and `redundant` are filled up to the step at which assembly
 * failed. */
seam_status setup_assemble(app_setup *made, seam_error *error);

/* The co-simulation of a builder that comes from the file: cosim_create(), with places in the file in its refusals. */
seam_status setup_cut(const app_setup *setup, const cosim_builder *builder, cosim_simulation **created,
                      seam_error *error);

/* Says on stderr what assembly changed, and how a state between rows came about. */
void setup_note_start(const app_setup *setup);

void setup_free(app_setup *made);

/* Returns true if the file's co-simulation has signals or user equations. */
bool setup_has_signals(const app_setup *setup);

/* Refuses a model without an end of its simulation, and one that would have more than 1e9 rows until then. */
seam_status setup_check_end(const app_setup *setup, seam_error *error);
seam_status setup_check_rows(const app_setup *setup, seam_error *error);

/* Refuses a model without bodies, which has only equations or FMUs. */
seam_status setup_check_bodies(const app_setup *setup, seam_error *error);

/* Returns true if there is such a file, folder or model of the catalogue. */
bool setup_exists(const char *name);
/* SEAM_NO_FILE: the name is neither `what`, as in "a file", nor a model of the catalogue. */
seam_status setup_no_such(const char *name, const char *what, seam_error *error);

/* The name of the catalogue nearest to a misspelt one, or NULL. */
const char *setup_nearest_name(const char *name);

#endif
