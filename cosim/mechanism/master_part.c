#include "cosim/mechanism/master_part.h"

#include <stdlib.h>
#include <string.h>

typedef struct master_part {
  cosim_part base;
  cosim_master *master;
  cosim_part_signal *inputs, *outputs;
  seam_error restored; /* error of the last restore */
} master_part;

static void write_outputs(const master_part *self, double *outputs) {
  for (int i = 0; i < self->base.n_outputs; i++)
    outputs[i] = self->master->parts->member[self->outputs[i].part].outputs[self->outputs[i].number];
}

void cosim_master_part_set_inputs(cosim_part *base, const cosim_signal *inputs) {
  const master_part *self = (const master_part *)base;
  for (int i = 0; i < base->n_inputs; i++)
    self->master->parts->member[self->inputs[i].part].inputs[self->inputs[i].number] = inputs[i];
}

seam_status cosim_master_part_restored(const cosim_part *base, seam_error *error) {
  const seam_error *cause = &((const master_part *)base)->restored;
  return cause->status == SEAM_OK ? SEAM_OK : seam_fail(error, cause->status, "%s", cause->message);
}

/* Takes a step of the master, which uses the same inputs when it repeats the step internally. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the type is that of cosim_part_ops */
static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  const master_part *self = (const master_part *)base;
  (void)derivatives;
  seam_status status = cosim_master_part_restored(base, error);
  if (status != SEAM_OK)
    return status;
  cosim_master_part_set_inputs(base, step->inputs);
  status = cosim_master_step(self->master, step->H, error);
  write_outputs(self, outputs);
  return status;
}

static void get_outputs(cosim_part *base, double *outputs) {
  const master_part *self = (const master_part *)base;
  cosim_parts_get_outputs(self->master->parts);
  write_outputs(self, outputs);
}

static void save(const cosim_part *base, double *state) {
  cosim_master_save_image(((const master_part *)base)->master, state);
}

static void restore(cosim_part *base, const double *state) {
  master_part *self = (master_part *)base;
  self->restored = (seam_error){0};
  cosim_master_restore_image(self->master, state, &self->restored);
}

static void destroy(cosim_part *base) {
  master_part *self = (master_part *)base;
  cosim_master_destroy(self->master);
  free(self->inputs);
  free(self);
}

cosim_master *cosim_master_part_master(const cosim_part *base) { return ((const master_part *)base)->master; }

seam_status cosim_master_part_create(const cosim_master_part_def *def, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {
      .advance = advance, .get_outputs = get_outputs, .save = save, .restore = restore, .destroy = destroy};
  const size_t n_inputs = (size_t)def->n_inputs;
  const size_t n_outputs = (size_t)def->n_outputs;
  master_part *self = calloc(1, sizeof *self);
  cosim_part_signal *signals = calloc(n_inputs + n_outputs + 1, sizeof *signals);
  if (self == NULL || signals == NULL) {
    free(self);
    free(signals);
    cosim_master_destroy(def->master);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the subsystems under the master");
  }
  *self = (master_part){.base = {.ops = &ops,
                                 .name = def->name,
                                 .n_inputs = def->n_inputs,
                                 .n_outputs = def->n_outputs,
                                 .is_mechanical = true,
                                 .n_state = cosim_master_image_size(def->master)},
                        .master = def->master,
                        .inputs = signals,
                        .outputs = signals + n_inputs};
  def->master->has_inputs = def->n_inputs > 0;
  memcpy(self->inputs, def->inputs, n_inputs * sizeof *signals);
  memcpy(self->outputs, def->outputs, n_outputs * sizeof *signals);
  *part = &self->base;
  return SEAM_OK;
}
