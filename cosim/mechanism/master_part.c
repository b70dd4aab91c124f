#include "cosim/mechanism/master_part.h"

#include <stdlib.h>
#include <string.h>

#include "cosim/master/master_internal.h"

typedef struct composite {
  cosim_part base;
  cosim_master *master;
  cosim_terminal *inputs, *outputs;
  seam_error restored; /* what the last restore failed of */
} composite;

static void write_outputs(const composite *self, double *outputs) {
  for (int i = 0; i < self->base.n_outputs; i++)
    outputs[i] = self->master->parts->member[self->outputs[i].part].outputs[self->outputs[i].number];
}

/* The master leaves these inputs alone when it repeats the step. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the type is that of cosim_part_ops */
static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  const composite *self = (const composite *)base;
  (void)derivatives;
  if (self->restored.status != SEAM_OK)
    return seam_fail(error, self->restored.status, "%s", self->restored.message);
  for (int i = 0; i < base->n_inputs; i++)
    self->master->parts->member[self->inputs[i].part].inputs[self->inputs[i].number] = step->inputs[i];
  const seam_status status = cosim_master_step(self->master, step->H, error);
  write_outputs(self, outputs);
  return status;
}

static void get_outputs(cosim_part *base, double *outputs) {
  const composite *self = (const composite *)base;
  cosim_parts_get_outputs(self->master->parts);
  write_outputs(self, outputs);
}

static void save(const cosim_part *base, double *state) {
  cosim_master_save_image(((const composite *)base)->master, state);
}

static void restore(cosim_part *base, const double *state) {
  composite *self = (composite *)base;
  self->restored = (seam_error){0};
  cosim_master_restore_image(self->master, state, &self->restored);
}

static void destroy(cosim_part *base) {
  composite *self = (composite *)base;
  cosim_master_destroy(self->master);
  free(self->inputs);
  free(self);
}

cosim_master *cosim_composite_master(const cosim_part *base) { return ((const composite *)base)->master; }

seam_status cosim_composite_part_create(const cosim_composite_def *def, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {
      .advance = advance, .get_outputs = get_outputs, .save = save, .restore = restore, .destroy = destroy};
  const size_t n_inputs = (size_t)def->n_inputs;
  const size_t n_outputs = (size_t)def->n_outputs;
  composite *self = calloc(1, sizeof *self);
  cosim_terminal *terminals = calloc(n_inputs + n_outputs + 1, sizeof *terminals);
  if (self == NULL || terminals == NULL) {
    free(self);
    free(terminals);
    cosim_master_destroy(def->master);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the subsystems under the master");
  }
  *self = (composite){.base = {.ops = &ops,
                               .name = def->name,
                               .n_inputs = def->n_inputs,
                               .n_outputs = def->n_outputs,
                               .n_state = cosim_master_image_size(def->master)},
                      .master = def->master,
                      .inputs = terminals,
                      .outputs = terminals + n_inputs};
  memcpy(self->inputs, def->inputs, n_inputs * sizeof *terminals);
  memcpy(self->outputs, def->outputs, n_outputs * sizeof *terminals);
  *part = &self->base;
  return SEAM_OK;
}
