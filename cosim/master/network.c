/* Parts of one's own under the master: elements are linear, all else is the master's. */
#include <stdlib.h>
#include <string.h>

#include "cosim/master/master.h"

struct cosim_network {
  cosim_linear_element *springs; /* (n_joints) */
  cosim_element *rigid;          /* (n_joints) */
  cosim_cut *cuts;
  int n_joints;
  cosim_master *master;
};

static seam_status take_joint(cosim_network *self, int number, const cosim_joint_def *def, int n_parts,
                              seam_error *error) {
  cosim_cut *cut = &self->cuts[number];
  if (def->n_dims < 1 || def->n_dims > COSIM_MAX_DIMS)
    return seam_fail(error, SEAM_BAD_INPUT, "joint '%s': it joins %d coordinates: take 1 to %d", def->name, def->n_dims,
                     COSIM_MAX_DIMS);
  for (int side = 0; side < 2; side++)
    if (def->side[side].part < 0 || def->side[side].part >= n_parts)
      return seam_fail(error, SEAM_BAD_INPUT, "joint '%s': there is no part %d", def->name, def->side[side].part);
  self->springs[number] = cosim_linear_element_of(def->n_dims, def->stiffness, def->damping);
  self->rigid[number] = cosim_joined_element_of(def->n_dims);
  *cut = (cosim_cut){.name = def->name,
                     .side = {def->side[0], def->side[1]},
                     .element = def->is_rigid ? &self->rigid[number] : &self->springs[number].base};
  return cosim_scheme_for(def->scheme, def->is_rigid, &cut->scheme, error);
}

static seam_status take_joints(cosim_network *self, const cosim_joint_def *joints, int n_parts, seam_error *error) {
  const size_t n = (size_t)self->n_joints + 1;
  self->springs = calloc(n, sizeof *self->springs);
  self->rigid = calloc(n, sizeof *self->rigid);
  self->cuts = calloc(n, sizeof *self->cuts);
  if (!self->springs || !self->rigid || !self->cuts)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %d joints", self->n_joints);
  for (int k = 0; k < self->n_joints; k++) {
    const seam_status status = take_joint(self, k, &joints[k], n_parts, error);
    if (status != SEAM_OK)
      return status;
  }
  return SEAM_OK;
}

static void destroy_parts(cosim_part **parts, int n_parts) {
  for (int p = 0; p < n_parts; p++)
    cosim_part_destroy(parts[p]);
}

seam_status cosim_network_create(cosim_part **parts, int n_parts, const cosim_joint_def *joints, int n_joints,
                                 bool gauss_seidel, cosim_network **created, seam_error *error) {
  cosim_network *self = calloc(1, sizeof *self);
  if (self == NULL) {
    destroy_parts(parts, n_parts);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %d joints", n_joints);
  }
  cosim_master_options options = cosim_default_master_options();
  options.gauss_seidel = gauss_seidel;
  self->n_joints = n_joints;
  seam_status status = take_joints(self, joints, n_parts, error);
  if (status != SEAM_OK)
    destroy_parts(parts, n_parts);
  else
    status = cosim_master_create(parts, n_parts, self->cuts, n_joints, &options, &self->master, error);
  if (status != SEAM_OK) {
    cosim_network_destroy(self);
    return status;
  }
  *created = self;
  return SEAM_OK;
}

void cosim_network_destroy(cosim_network *self) {
  if (self == NULL)
    return;
  cosim_master_destroy(self->master);
  free(self->springs);
  free(self->rigid);
  free(self->cuts);
  free(self);
}

void cosim_network_start(cosim_network *self, double t, const double *multipliers) {
  cosim_master_begin(self->master, t, NULL, 0);
  for (int k = 0; k < self->n_joints && multipliers != NULL; k++)
    cosim_master_set_wrench(self->master, k, multipliers + COSIM_MAX_DIMS * k);
}

seam_status cosim_network_advance(cosim_network *self, double H, seam_error *error) {
  return cosim_master_step(self->master, H, error);
}

void cosim_network_wrench(const cosim_network *self, int joint, double lambda[3]) {
  double W[COSIM_MAX_FORCES];
  cosim_master_wrench(self->master, joint, W);
  memcpy(lambda, W, COSIM_MAX_DIMS * sizeof *lambda);
}
