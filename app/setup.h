/* Reads and assembles the model of a command line. */
#ifndef APP_SETUP_H
#define APP_SETUP_H

#include <seam/mbs.h>
#include <seam/models.h>
#include <seam/runs.h>

#include "app/options.h"
#include "app/start_from.h"

typedef struct app_setup {
  seam_model_file *file;
  const mbs_model *model; /* part of `file` */
  mbs_workspace *workspace;
  mbs_state *state;
  const char *from;       /* results to start from, by --from or the file's `start:`; NULL: none */
  bool restarts;          /* time counts from 0, not from the time of the results */
  app_start_rows of_rows; /* rows of the results that gave the state */
  mbs_assembly report;
  seam_start_changes changes; /* changes of the state by assembly */
  size_t *redundant;          /* (report.n_redundant) scalar constraints that depend on others */
  bool borrows_file;
} app_setup;

/* Reads the model of the first operand, with the overrides of the options. The operand names a file, "-" (standard
 * input) or, if there is no such file, a model of the catalogue. Whatever the result, free *made with setup_free(). */
seam_status setup_read(const app_options *parsed, app_setup *made, seam_error *error);

/* If --from is given, its results replace those of the file's `start:`. A note says so. */
void setup_take_from(app_setup *made, const app_options *parsed);

/* Sets `model` to the monolithic model, with the user equations and signals of the co-simulation. SEAM_BAD_INPUT: there
 * is none or, with `needs_bodies`, it has no bodies. */
seam_status setup_take_whole(app_setup *made, bool needs_bodies, seam_error *error);
/* Assembles in *made the monolithic model that belongs to the file of `open`; free *made before `open`. If the file
 * names a reference, this is the model of the reference: all bodies of the file must be in it and start alike. A note
 * names bodies that only the reference has. */
seam_status setup_whole_of(const app_options *parsed, const app_setup *open, app_setup *made, seam_error *error);

/* Starts the equations of subsystems from the states in the results of --from. Without --from or without such equations
 * does nothing. SEAM_BAD_INPUT: the results lack a state, or an equation is sampled. */
seam_status setup_begin_equations(const app_setup *setup, bool quiet, seam_error *error);

/* The first reads the text of a model, which is named as for setup_read(); it is terminated and to be freed. The second
 * makes a model from a text. */
seam_status setup_read_text(const char *name, char **text, seam_error *error);
seam_status setup_parse(const char *name, const char *text, size_t length, const char *const *overrides,
                        size_t n_overrides, app_setup *made, seam_error *error);

/* Sets a new state to the one in the results `from`, which need not be consistent. Without `from` the state stays as it
 * is. `rows` may be NULL. Errors as of start_from_read(). */
seam_status setup_begin(const app_setup *setup, mbs_state *state, app_start_rows *rows, seam_error *error);

/* Creates the workspace and the state that the model or `from` defines. SEAM_NO_MEMORY; errors of start_from_read(). */
seam_status setup_open(app_setup *made, seam_error *error);

/* Calls setup_open() and makes the state consistent. If assembly fails, `report` and `redundant` are filled up to the
 * step that failed. */
seam_status setup_assemble(app_setup *made, seam_error *error);

/* Returns the file's co-simulation; NULL: it has no section 'cosim', as *error explains. */
const cosim_builder *setup_cosim(const app_setup *setup, seam_error *error);
/* Creates the co-simulation of a builder by cosim_create(). Messages also name the place in the file. */
seam_status setup_cut(const app_setup *setup, const cosim_builder *builder, cosim_simulation **created,
                      seam_error *error);

/* Prints notes on the start: that assembly changed it, that it is from results of another model, or between two
 * rows. */
void setup_note_start(const app_setup *setup);

void setup_free(app_setup *made);

/* Returns true if the file's co-simulation has signals or user equations. */
bool setup_has_signals(const app_setup *setup);

/* Return SEAM_BAD_INPUT: the first for a model without an end time, the second for more than 1e9 rows, the third for a
 * model without bodies. */
seam_status setup_check_end(const app_setup *setup, seam_error *error);
seam_status setup_check_rows(const app_setup *setup, seam_error *error);
seam_status setup_check_bodies(const app_setup *setup, seam_error *error);

/* Returns true if there is such a file, folder or model of the catalogue. */
bool setup_exists(const char *name);
/* Fails with SEAM_NO_FILE: the name is neither `what`, as in "a file", nor a model of the catalogue. */
seam_status setup_no_such(const char *name, const char *what, seam_error *error);
/* Returns the name of the catalogue nearest to a misspelt one, or NULL. */
const char *setup_nearest_name(const char *name);

#endif
