#include "cosim/parts/sampled_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/sample.h"

typedef struct sampled_part {
  cosim_part base;
  cosim_sampled_def def;
  double *x;    /* (n_states), followed by */
  double *y;    /* (n_outputs) held, and */
  double *next; /* the time of the next sample; these are the state */
  double *new;  /* (n_states) scratch */
} sampled_part;

static size_t n_of(int count) { return (size_t)count; }

static void get_outputs(cosim_part *base, double *outputs) {
  const sampled_part *self = (const sampled_part *)base;
  memcpy(outputs, self->y, n_of(base->n_outputs) * sizeof *outputs);
}

static void evaluate_outputs(cosim_part *base, double t, const cosim_signal *inputs, double *outputs) {
  (void)t;
  (void)inputs;
  get_outputs(base, outputs);
}

static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  (void)error;
  get_outputs(base, outputs);
  if (step->n_seeds > 0)
    memset(derivatives, 0, n_of(step->n_seeds) * n_of(base->n_outputs) * sizeof *derivatives);
  return SEAM_OK;
}

static double next_sample(const cosim_part *base) { return *((const sampled_part *)base)->next; }

static seam_status sample(cosim_part *base, double t, const double *inputs, seam_error *error) {
  sampled_part *self = (sampled_part *)base;
  const cosim_sampled_def *def = &self->def;
  def->outputs(def->context, t, self->x, inputs, self->y);
  def->updates(def->context, t, self->x, inputs, self->new);
  for (int i = 0; i < def->n_states; i++)
    if (!isfinite(self->new[i]))
      return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: the next value of state '%s' is not finite", t,
                       def->states[i]);
  memcpy(self->x, self->new, n_of(def->n_states) * sizeof *self->x);
  *self->next = sample_after(def->period, t);
  return SEAM_OK;
}

static void save(const cosim_part *base, double *state) {
  memcpy(state, ((const sampled_part *)base)->x, base->n_state * sizeof *state);
}

static void restore(cosim_part *base, const double *state) {
  memcpy(((sampled_part *)base)->x, state, base->n_state * sizeof *state);
}

static void destroy(cosim_part *base) {
  free(((sampled_part *)base)->x);
  free(base);
}

seam_status cosim_sampled_part_create(const cosim_sampled_def *def, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {.advance = advance,
                                     .get_outputs = get_outputs,
                                     .save = save,
                                     .restore = restore,
                                     .destroy = destroy,
                                     .evaluate_outputs = evaluate_outputs,
                                     .next_sample = next_sample,
                                     .sample = sample};
  ARGUMENTS(error, def, part);
  if (def->n_states < 0 || def->n_inputs < 0 || def->n_outputs < 0 || !(def->period > 0) || def->outputs == NULL ||
      def->updates == NULL || (def->n_states > 0 && def->start == NULL) ||
      (def->updates_along == NULL) != (def->outputs_along == NULL))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "cosim_sampled_part_create(): %d states, %d inputs, %d outputs, period %g s: numbers are not negative, "
        "the period is positive, both functions are there, their derivatives go together",
        def->n_states, def->n_inputs, def->n_outputs, def->period);
  const size_t n_state = n_of(def->n_states) + n_of(def->n_outputs) + 1;
  sampled_part *self = calloc(1, sizeof *self);
  double *memory = calloc(n_state + n_of(def->n_states), sizeof *memory);
  if (self == NULL || memory == NULL) {
    free(self);
    free(memory);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a subsystem of %d states", def->n_states);
  }
  self->base = (cosim_part){.ops = &ops,
                            .name = def->name,
                            .n_inputs = def->n_inputs,
                            .n_outputs = def->n_outputs,
                            .n_state = n_state,
                            .gives_derivatives = true};
  self->def = *def;
  self->x = memory;
  self->y = self->x + def->n_states;
  self->next = self->y + def->n_outputs;
  self->new = self->next + 1;
  memcpy(self->x, def->start, n_of(def->n_states) * sizeof *self->x);
  *self->next = -INFINITY;
  *part = &self->base;
  return SEAM_OK;
}

const cosim_sampled_def *cosim_sampled_part_def(const cosim_part *part) {
  return part->ops->destroy == destroy ? &((const sampled_part *)part)->def : NULL;
}
