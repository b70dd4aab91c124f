#include "analysis/linearised/sampled_linear.h"

#include <stdlib.h>
#include <string.h>

#include "base/sample.h"
#include "cosim/parts/signal.h"

typedef struct sampled_linear {
  cosim_part base;
  cosim_part *linear;
  analysis_sampled_state *samples; /* (n) */
  int n;
  double *rows;         /* (n x (n_state + n_inputs)) linear combinations that give the next values */
  double *x;            /* (n_state) scratch */
  double *end;          /* (n_inputs) inputs at the end of the last step */
  double *next;         /* (n) scratch: next values of the samples */
  double *before;       /* (n) values that sampled states had at the end of the last step, before they were sampled */
  double t, H;          /* s, begin and length of the last step */
  cosim_signal *inputs; /* (n_inputs) scratch: constant signals */
} sampled_linear;

/* Takes all samples that are due at the end of the last step, from the states x and the inputs `end`. */
static void take_samples(sampled_linear *self) {
  const size_t n_state = self->linear->n_state;
  const double *row = self->rows;
  for (int k = 0; k < self->n; k++) {
    self->next[k] = 0;
    for (size_t j = 0; j < n_state; j++)
      self->next[k] += *row++ * self->x[j];
    for (int u = 0; u < self->base.n_inputs; u++)
      self->next[k] += *row++ * self->end[u];
  }
  for (int k = 0; k < self->n; k++)
    if (sample_is_due(self->samples[k].period, self->t, self->t + self->H))
      self->x[self->samples[k].state] = self->next[k];
  self->linear->ops->restore(self->linear, self->x);
}

/* Advances, then takes the samples that are due. Writes the outputs and derivatives from just before the samples. */
static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  sampled_linear *self = (sampled_linear *)base;
  const seam_status status = self->linear->ops->advance(self->linear, step, outputs, derivatives, error);
  for (int u = 0; u < base->n_inputs; u++)
    self->end[u] = cosim_signal_end(&step->inputs[u]);
  if (status == SEAM_OK) {
    self->t = step->t;
    self->H = step->H;
    self->linear->ops->save(self->linear, self->x);
    for (int k = 0; k < self->n; k++)
      self->before[k] = self->x[self->samples[k].state];
    take_samples(self);
  }
  return status;
}

static void get_outputs(cosim_part *base, double *outputs) {
  sampled_linear *self = (sampled_linear *)base;
  for (int u = 0; u < base->n_inputs; u++)
    self->inputs[u] = (cosim_signal){.n_pieces = 1, .c = {{self->end[u]}}};
  self->linear->ops->evaluate_outputs(self->linear, 0, self->inputs, outputs);
}

static void evaluate_outputs(cosim_part *base, double t, const cosim_signal *inputs, double *outputs) {
  sampled_linear *self = (sampled_linear *)base;
  for (int u = 0; u < base->n_inputs; u++)
    self->end[u] = cosim_signal_end(&inputs[u]);
  self->linear->ops->evaluate_outputs(self->linear, t, inputs, outputs);
}

static void save(const cosim_part *base, double *state) {
  const cosim_part *linear = ((const sampled_linear *)base)->linear;
  linear->ops->save(linear, state);
}

static void restore(cosim_part *base, const double *state) {
  sampled_linear *self = (sampled_linear *)base;
  self->linear->ops->restore(self->linear, state);
  memset(self->end, 0, (size_t)base->n_inputs * sizeof *self->end);
}

static void destroy(cosim_part *base) {
  sampled_linear *self = (sampled_linear *)base;
  cosim_part_destroy(self->linear);
  free(self->samples);
  free(self->rows);
  free(self->inputs);
  free(self);
}

seam_status analysis_sampled_linear_create(cosim_part *linear, const analysis_sampled_state *samples, int n,
                                           const double *rows, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {.advance = advance,
                                     .get_outputs = get_outputs,
                                     .save = save,
                                     .restore = restore,
                                     .destroy = destroy,
                                     .evaluate_outputs = evaluate_outputs};
  const size_t n_in = (size_t)linear->n_inputs;
  const size_t width = linear->n_state + n_in;
  sampled_linear *self = calloc(1, sizeof *self);
  if (self == NULL) {
    cosim_part_destroy(linear);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the samples of a subsystem");
  }
  *self = (sampled_linear){.base = *linear,
                           .linear = linear,
                           .samples = calloc((size_t)n + 1, sizeof *self->samples),
                           .n = n,
                           .rows = calloc((size_t)n * (width + 2) + width + 1, sizeof *self->rows),
                           .inputs = calloc(n_in + 1, sizeof *self->inputs)};
  self->base.ops = &ops;
  if (self->samples == NULL || self->rows == NULL || self->inputs == NULL) {
    destroy(&self->base);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the samples of a subsystem");
  }
  self->x = self->rows + (size_t)n * width;
  self->end = self->x + linear->n_state;
  self->next = self->end + n_in;
  self->before = self->next + n;
  memcpy(self->samples, samples, (size_t)n * sizeof *samples);
  memcpy(self->rows, rows, (size_t)n * width * sizeof *rows);
  *part = &self->base;
  return SEAM_OK;
}

void analysis_sampled_linear_undo_samples(cosim_part *base) {
  sampled_linear *self = (sampled_linear *)base;
  if (base->ops->destroy != destroy)
    return;
  self->linear->ops->save(self->linear, self->x);
  for (int k = 0; k < self->n; k++)
    self->x[self->samples[k].state] = self->before[k];
  self->linear->ops->restore(self->linear, self->x);
}

void analysis_sampled_linear_sample(cosim_part *base) {
  sampled_linear *self = (sampled_linear *)base;
  if (base->ops->destroy != destroy)
    return;
  self->linear->ops->save(self->linear, self->x);
  take_samples(self);
}
