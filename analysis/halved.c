/* Repeats a run with each macro step divided into shorter ones (analysis/halved.h). */
#include "analysis/halved.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/thresholds.h"
#include "base/interrupt.h"
#include "base/then.h"
#include "cosim/mechanism/definition.h"
#include "cosim/steps/simulation.h"

typedef struct repetition {
  const halved_def *def;
  cosim_simulation *simulation;
  mbs_workspace *workspace;
  mbs_state *at;
  track *rows;
  track_jumps *jumps;
  double *jump_values[2];
  size_t n_events; /* number of FMU events so far */
} repetition;

static seam_status create_shorter(const halved_def *def, size_t parts, cosim_simulation **created,
                                  halved_limits *limits, seam_error *error) {
  const double divisor = (double)parts;
  const double tighter = pow(analysis_tighter_halved, log2(divisor));
  cosim_builder *copy = NULL;
  seam_status status = cosim_builder_copy(def->builder, &copy, error);
  if (status == SEAM_OK)
    cosim_refine(copy, divisor, tighter);
  THEN(status, cosim_set_step_control(copy, NULL, error));
  THEN(status, cosim_create(copy, created, error));
  const char *name = "";
  const size_t n = status == SEAM_OK ? cosim_refine_parts(*created, divisor, tighter, &name) : 0;
  limits->unrefined[0] = '\0';
  if (n == 1)
    snprintf(limits->unrefined, sizeof limits->unrefined, "steps inside '%.80s' are not checked", name);
  else if (n > 1)
    snprintf(limits->unrefined, sizeof limits->unrefined,
             "steps inside '%.80s' and %zu other subsystem%s are not checked", name, n - 1, n > 2 ? "s" : "");
  limits->passes_kinks = status == SEAM_OK && !(*created)->ends_at_kinks &&
                         cosim_kink_or_jump_after(*created, def->points[0]) < def->points[def->n_points - 1];
  cosim_builder_destroy(copy);
  return status;
}

/* Adds the rows for times of the checked run up to the macro point t. Times that differ by less than `near` (s) count
 * as equal. */
static void read_rows(repetition *self, double t, double near) {
  track_follow(self->rows, self->def->rows, t - near, t + near, self->def->list, self->workspace, self->simulation,
               self->at);
}

/* Adds a jump if the state has jumped at the present time, or if an FMU has had an event since the last call. Signals
 * before a jump are unknown (NaN). */
static seam_status read_jump(repetition *self, seam_error *error) {
  const mbs_state *right = cosim_state(self->simulation);
  const mbs_state *before = cosim_state_before_jump(self->simulation);
  const mbs_state *left = before != NULL ? before : right;
  const size_t n_before = self->n_events;
  self->n_events = cosim_statistics_of(self->simulation).part_events;
  if (left == right && self->n_events == n_before)
    return SEAM_OK;
  compared_list_read(self->def->list, self->workspace, left, true, NULL, self->jump_values[0]);
  compared_list_read(self->def->list, self->workspace, right, true, self->simulation, self->jump_values[1]);
  return track_jumps_add(self->jumps, right->t, self->jump_values[0], self->jump_values[1], error);
}

/* Advances to `end` with macro steps of at most H. A macro step ends early at a kink of a function of time or at a
 * sample. */
static seam_status step(repetition *self, double H, double end, seam_error *error) {
  seam_status status = SEAM_OK;
  bool has_reached = false;
  while (status == SEAM_OK && !has_reached) {
    const double remaining = end - cosim_state(self->simulation)->t;
    status = cosim_advance_smooth(self->simulation, H, remaining, error);
    has_reached = status != SEAM_OK || cosim_has_reached(self->simulation, H, end);
    if (status == SEAM_OK)
      read_rows(self, has_reached ? end : cosim_state(self->simulation)->t, analysis_slack_of_step * H);
    THEN(status, read_jump(self, error));
  }
  return status;
}

/* Returns the first time within H/4 of `end` at which a function of time has a kink or jump, or `end` if there is none.
 * This avoids a short step between `end` and the kink; schemes that use past values need steps of similar length. */
static double move_to_kink(repetition *self, double end, double H) {
  const double kink = cosim_kink_or_jump_after(self->simulation, end - analysis_near_kink * H);
  return kink < end + analysis_near_kink * H ? kink : end;
}

static seam_status take_macro_steps(repetition *self, size_t parts, seam_error *error) {
  const halved_def *def = self->def;
  const bool is_controlled = cosim_builder_definition(def->builder)->step_control != NULL;
  const double usual = cosim_builder_definition(def->builder)->options.macro_step;
  seam_status status = cosim_start(self->simulation, def->start, error);
  if (status == SEAM_OK)
    read_rows(self, def->points[0], 0);
  for (size_t i = 1; i < def->n_points && status == SEAM_OK; i++) {
    const double H = def->points[i] - def->points[i - 1];
    for (size_t k = 1; k <= parts && status == SEAM_OK; k++) {
      const double point = k < parts ? def->points[i - 1] + H * ((double)k / (double)parts) : def->points[i];
      const bool is_last = k == parts && i + 1 == def->n_points;
      const double end =
          is_last || !self->simulation->ends_at_kinks ? point : move_to_kink(self, point, H / (double)parts);
      status = step(self, (is_controlled ? H : usual) / (double)parts, end, error);
      if (status == SEAM_OK && interrupt_is_requested(def->interrupt, end))
        status = seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s", end);
    }
  }
  return status;
}

seam_status halved_run(const halved_def *def, size_t parts, track *rows, track_jumps *jumps, halved_limits *limits,
                       seam_error *error) {
  const size_t of_row = (rows->n_values + 1) * sizeof(double);
  repetition self = {.def = def, .rows = rows, .jumps = jumps, .jump_values = {malloc(of_row), malloc(of_row)}};
  seam_status status = self.jump_values[0] != NULL && self.jump_values[1] != NULL
                           ? SEAM_OK
                           : seam_fail(error, SEAM_NO_MEMORY, "no memory to repeat a run");
  rows->n = 0;
  jumps->n = 0;
  jumps->n_values = rows->n_values;
  THEN(status, mbs_workspace_create(def->list->model, &self.workspace, error));
  THEN(status, mbs_state_create(def->list->model, &self.at, error));
  THEN(status, create_shorter(def, parts, &self.simulation, limits, error));
  THEN(status, take_macro_steps(&self, parts, error));
  cosim_destroy(self.simulation);
  mbs_state_destroy(self.at);
  mbs_workspace_destroy(self.workspace);
  free(self.jump_values[0]);
  free(self.jump_values[1]);
  return status;
}
