/* Reads and assembles the model that a command line names. */
#ifndef APP_SETUP_H
#define APP_SETUP_H

#include <seam/mbs.h>
#include <seam/models.h>
#include <seam/runs.h>

#include "app/options.h"
#include "app/start_from.h"

typedef struct app_setup {
  seam_model_file *file;
  const mbs_model *model; /* model of `file`, or the monolithic model (setup_use_monolithic()) */
  mbs_workspace *workspace;
  mbs_state *state;
  const char *from;          /* results to start from, of --from or `start:` in the file; NULL: none */
  bool restarts;             /* the run begins at t = 0, not at the time of the results */
  app_start_rows start_rows; /* rows from which the state was read */
  mbs_assembly report;
  seam_start_changes changes; /* changes by assembly */
  size_t *redundant;          /* (report.n_redundant) indices of constraints that depend on others */
  bool shares_file;
} app_setup;

/* Reads the model of the first operand, with overrides. The operand is a file, "-" (standard input) or, where no such
 * file exists, a name of the catalogue. Call setup_free() even after a failure. */
seam_status setup_read(const app_options *parsed, app_setup *setup, seam_error *error);

/* The results of --from replace those that `start:` of the file names, with a note. */
void setup_apply_from(app_setup *setup, const app_options *parsed);

/* Takes the monolithic model, with the user equations and signals of the co-simulation. SEAM_BAD_INPUT: there is none
 * or, if needs_bodies, it has no bodies. */
seam_status setup_use_monolithic(app_setup *setup, bool needs_bodies, seam_error *error);
/* Assembles the monolithic model in *setup. It comes from the reference that the file of `cut` names or, without one,
 * from this file; `cut` must outlive *setup. A reference must have all bodies of the file, with the same start; a note
 * names bodies that only the reference has. */
seam_status setup_create_monolithic(const app_options *parsed, const app_setup *cut, app_setup *setup,
                                    seam_error *error);

/* Takes the states of subsystems' equations from the results of --from, if both are there. SEAM_BAD_INPUT: the results
 * lack a state, or an equation is sampled. */
seam_status setup_begin_equations(const app_setup *setup, bool quiet, seam_error *error);

/* setup_read_text() reads the text of a model, named as for setup_read(); the caller frees it. setup_parse() makes a
 * model from a text. */
seam_status setup_read_text(const char *name, char **text, seam_error *error);
seam_status setup_parse(const char *name, const char *text, size_t length, const char *const *overrides,
                        size_t n_overrides, app_setup *setup, seam_error *error);

/* Sets *state from the results setup->from, if any. The state need not be consistent. `rows` may be NULL. Errors of
 * start_from_read(). */
seam_status setup_read_start(const app_setup *setup, mbs_state *state, app_start_rows *rows, seam_error *error);

/* Creates the workspace, and the state of the model or of `from`. SEAM_NO_MEMORY; errors of start_from_read(). */
seam_status setup_open(app_setup *setup, seam_error *error);

/* Calls setup_open() and makes the state consistent. After a failure `report` has what was found until then. */
seam_status setup_assemble(app_setup *setup, seam_error *error);

/* Returns the co-simulation of the file. NULL: it has no section 'cosim', see *error. */
const cosim_builder *setup_cosim(const app_setup *setup, seam_error *error);
/* Calls cosim_create(). Messages contain the position in the file. */
seam_status setup_cut(const app_setup *setup, const cosim_builder *builder, cosim_simulation **created,
                      seam_error *error);

/* Prints one line: `heading`, then the inputs of user equations that no signal sets. with_fmus: inputs of FMUs too.
 * Prints nothing if all inputs are set. */
void setup_print_open_inputs(const seam_model_file *file, bool with_fmus, const char *heading, FILE *to);

/* Prints notes on the start: assembly changed it; the results of --from are of another model or another time; the state
 * lies between two of their rows. */
void setup_print_start_notes(const app_setup *setup);

void setup_free(app_setup *setup);

/* Returns true if the co-simulation of the file has signals or user equations. */
bool setup_has_signals(const app_setup *setup);

/* Return SEAM_BAD_INPUT for a model without an end time, with more than 1e9 rows, or without bodies. */
seam_status setup_check_end(const app_setup *setup, seam_error *error);
seam_status setup_check_rows(const app_setup *setup, seam_error *error);
seam_status setup_check_bodies(const app_setup *setup, seam_error *error);

/* Returns true for a file, a folder or a model of the catalogue. */
bool setup_exists(const char *name);
/* Returns SEAM_NO_FILE: the name is neither `what`, as "a file", nor a model of the catalogue. */
seam_status setup_fail_unknown(const char *name, const char *what, seam_error *error);
/* Returns the most similar name in the catalogue; NULL: none is similar. */
const char *setup_nearest_name(const char *name);

#endif
