/* From names to parts:
 *
 *   bodies -> subsystems -> cuts (joints, then force elements, between two of them) -> schemes -> ports -> parts */
#include "cosim/partition.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/model.h"
#include "mbs/redundancy.h"

static const size_t nowhere = SIZE_MAX;

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory to cut the mechanism");
}

/* ---- Bodies ---- */

static seam_status take_body(cosim_partition *self, const cosim_options *options, size_t subsystem, const char *name,
                             seam_error *error) {
  const char *of = options->subsystems[subsystem].name;
  const size_t body = mbs_find_body(self->model, name);
  if (body == MBS_GROUND)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "subsystem '%s': there is no body '%s': list bodies of the model; the ground belongs to all", of,
                     name);
  if (self->subsystem_of[body] != nowhere)
    return seam_fail(error, SEAM_BAD_INPUT, "body '%s' is in subsystem '%s' and in subsystem '%s': list each body once",
                     name, options->subsystems[self->subsystem_of[body]].name, of);
  self->subsystem_of[body] = subsystem;
  return SEAM_OK;
}

static seam_status take_bodies(cosim_partition *self, const cosim_options *options, seam_error *error) {
  for (size_t b = 0; b < mbs_n_bodies(self->model); b++)
    self->subsystem_of[b] = nowhere;
  for (size_t s = 0; s < options->n_subsystems; s++) {
    const cosim_subsystem *subsystem = &options->subsystems[s];
    if (subsystem->n_bodies == 0)
      return seam_fail(error, SEAM_BAD_INPUT, "subsystem '%s' has no bodies: give it some or leave it out",
                       subsystem->name);
    for (size_t i = 0; i < subsystem->n_bodies; i++) {
      const seam_status status = take_body(self, options, s, subsystem->bodies[i], error);
      if (status != SEAM_OK)
        return status;
    }
  }
  for (size_t b = 0; b < mbs_n_bodies(self->model); b++)
    if (self->subsystem_of[b] == nowhere)
      return seam_fail(error, SEAM_BAD_INPUT, "body '%s' is in no subsystem: every body belongs to exactly one",
                       mbs_body_name(self->model, b));
  return SEAM_OK;
}

/* ---- Cuts ---- */

static const char *name_of(const cosim_partition *self, const cosim_joint_cut *cut) {
  return cut->is_joint ? mbs_joint_name(self->model, cut->element) : mbs_force_name(self->model, cut->element);
}

static void try_cut(cosim_partition *self, bool is_joint, size_t element) {
  cosim_joint_cut cut = {.is_joint = is_joint, .element = element};
  if (is_joint)
    mbs_joint_bodies(self->model, element, cut.body);
  else
    mbs_force_bodies(self->model, element, cut.body);
  for (int side = 0; side < 2; side++) {
    if (cut.body[side] == MBS_GROUND)
      return;
    cut.subsystem[side] = self->subsystem_of[cut.body[side]];
  }
  if (cut.subsystem[0] != cut.subsystem[1])
    self->cuts[self->n_cuts++] = cut;
}

static seam_status find_cuts(cosim_partition *self, seam_error *error) {
  for (size_t j = 0; j < mbs_n_joints(self->model); j++)
    try_cut(self, true, j);
  for (size_t i = 0; i < mbs_n_forces(self->model); i++)
    try_cut(self, false, i);
  if (self->n_cuts == 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "no joint, bushing or spring joins two subsystems: there is nothing to couple; put bodies that "
                     "one of them joins into different subsystems");
  return SEAM_OK;
}

/* ---- Schemes ---- */

static cosim_joint_cut *find_cut(cosim_partition *self, const char *name) {
  for (cosim_joint_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++)
    if (strcmp(name_of(self, cut), name) == 0)
      return cut;
  return NULL;
}

static seam_status choose_schemes(cosim_partition *self, const cosim_options *options, seam_error *error) {
  for (cosim_joint_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++)
    cut->scheme = cut->is_joint ? options->constraint_scheme : options->constitutive_scheme;
  for (size_t i = 0; i < options->n_choices; i++) {
    cosim_joint_cut *cut = find_cut(self, options->choices[i].element);
    if (cut == NULL)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "'%s' is no coupling: schemes are given to joints and force elements between two subsystems, "
                       "such as '%s'",
                       options->choices[i].element, name_of(self, self->cuts));
    cut->scheme = options->choices[i].scheme;
  }
  for (const cosim_joint_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++)
    if (cut->scheme == NULL)
      return seam_fail(error, SEAM_BAD_INPUT, "coupling '%s' has no scheme: give cosim.scheme one for %s couplings",
                       name_of(self, cut), cut->is_joint ? "constraint" : "constitutive");
  return SEAM_OK;
}

static seam_status make_couplings(cosim_partition *self, seam_error *error) {
  for (size_t k = 0; k < self->n_cuts; k++) {
    cosim_joint_cut *cut = &self->cuts[k];
    seam_error cause = {0};
    self->couplings[k] = (cosim_cut){.name = name_of(self, cut), .element = &cut->law.base};
    seam_status status = cosim_mechanism_element_of(self->model, cut->is_joint, cut->element, &cut->law, &cause);
    if (status == SEAM_OK)
      status = cosim_scheme_parse(cut->scheme, cut->is_joint, &self->couplings[k].scheme, &cause);
    if (status == SEAM_OK)
      status = cosim_cut_check_law(self->couplings[k].element, &self->couplings[k].scheme, &cause);
    if (status != SEAM_OK)
      return seam_fail(error, status, "coupling '%s': %s", name_of(self, cut), cause.message);
  }
  return SEAM_OK;
}

/* ---- Parts ---- */

static cosim_drive drive_of(const cosim_scheme *scheme, int side) {
  if (cosim_scheme_drives(scheme, side, COSIM_ACCELERATION))
    return COSIM_BY_ACCELERATION;
  return cosim_scheme_drives(scheme, side, COSIM_POSITION) ? COSIM_BY_MOTION : COSIM_BY_FORCE;
}

/* Ports of a subsystem, in the order of the cuts; whether its parts' integrals are wanted, accelerations prescribed,
 * and accelerations not even wanted. */
typedef struct ports {
  cosim_port *port;
  int n;
  bool integrals, accelerations, no_accelerations;
} ports;

static void list_ports(cosim_partition *self, size_t subsystem, ports *list) {
  list->n = 0;
  list->integrals = list->accelerations = false;
  list->no_accelerations = true;
  for (size_t k = 0; k < self->n_cuts; k++)
    for (int side = 0; side < 2; side++) {
      cosim_joint_cut *cut = &self->cuts[k];
      const cosim_scheme *scheme = &self->couplings[k].scheme;
      if (cut->subsystem[side] != subsystem)
        continue;
      const cosim_drive drive = drive_of(scheme, side);
      cut->port[side] = list->n;
      list->port[list->n++] = (cosim_port){cut->is_joint, cut->element, side, drive};
      list->integrals = list->integrals || scheme->method == COSIM_I;
      list->accelerations = list->accelerations || drive == COSIM_BY_ACCELERATION;
      list->no_accelerations = list->no_accelerations && !cut->is_joint && scheme->method != COSIM_D;
    }
}

static seam_status make_part(cosim_partition *self, const cosim_options *options, size_t subsystem, bool *bodies,
                             ports *list, seam_error *error) {
  seam_error cause = {0};
  list_ports(self, subsystem, list);
  for (size_t b = 0; b < mbs_n_bodies(self->model); b++)
    bodies[b] = self->subsystem_of[b] == subsystem;
  const cosim_multibody_def def = {.name = options->subsystems[subsystem].name,
                                   .model = self->model,
                                   .bodies = bodies,
                                   .ports = list->port,
                                   .n_ports = list->n,
                                   .integrals = list->integrals,
                                   .no_accelerations = list->no_accelerations,
                                   .integrator = options->integrator};
  const seam_status status = cosim_multibody_part_create(&def, &self->parts[subsystem], &cause);
  if (status == SEAM_OK)
    return SEAM_OK;
  return seam_fail(error, status, "subsystem '%s': %s%s", def.name, cause.message,
                   status == SEAM_BAD_INPUT && list->accelerations
                       ? " (ff-index2-k1, ff-index1-k1, ff-projection-k1, ff-baumgarte-k1, ff-weighted-k1)"
                       : "");
}

static seam_status make_parts(cosim_partition *self, const cosim_options *options, seam_error *error) {
  bool *bodies = calloc(mbs_n_bodies(self->model) + 1, sizeof *bodies);
  ports list = {.port = calloc(2 * self->n_cuts, sizeof *list.port)};
  seam_status status = SEAM_OK;
  if (bodies == NULL || list.port == NULL) {
    no_memory(error);
    status = SEAM_NO_MEMORY;
  }
  for (size_t s = 0; s < self->n_subsystems && status == SEAM_OK; s++)
    status = make_part(self, options, s, bodies, &list, error);
  free(bodies);
  free(list.port);
  if (status != SEAM_OK)
    return status;
  for (size_t k = 0; k < self->n_cuts; k++)
    for (int side = 0; side < 2; side++) {
      const cosim_joint_cut *cut = &self->cuts[k];
      self->couplings[k].side[side] = cosim_multibody_side(self->parts[cut->subsystem[side]], cut->port[side]);
      self->couplings[k].side[side].part = (int)cut->subsystem[side];
    }
  return SEAM_OK;
}

/* ---- Redundancy ---- */

/* Constraints of cut joints that others imply leave the forces there undetermined. Combinations of constraints that are
 * zero, which the workspace holds after an evaluation, tell which: subsystems may have redundant joints of their own.
 */
static seam_status blame_redundant(const cosim_partition *self, const mbs_workspace *ws, seam_error *error) {
  const double some = 1e-6;
  const mbs_model *model = self->model;
  for (const cosim_joint_cut *cut = self->cuts; cut < self->cuts + self->n_cuts; cut++) {
    if (!cut->is_joint)
      continue;
    const mbs_joint *joint = &model->joints[cut->element];
    for (int k = 0; k < model->n_redundant; k++)
      for (int row = joint->row; row < joint->row + joint->type->n_rows; row++) {
        const double part = ws->null_space[(size_t)k * (size_t)model->n_rows + (size_t)row];
        if (part > some || part < -some)
          return seam_fail(error, SEAM_BAD_INPUT,
                           "coupling '%s': other joints imply its constraint %s, so that nothing determines the force "
                           "there, whatever the scheme: put both of its bodies into one subsystem, or free a joint",
                           joint->name, joint->type->residual[row - joint->row]);
      }
  }
  return SEAM_OK;
}

static seam_status check_redundancy(const cosim_partition *self, seam_error *error) {
  if (self->model->n_redundant == 0)
    return SEAM_OK;
  mbs_workspace *ws = mbs_workspace_create(self->model, error);
  mbs_state *state = mbs_state_create(self->model);
  seam_status status = SEAM_OK;
  if (ws == NULL || state == NULL)
    status = no_memory(error);
  /* One that cannot be assembled cannot be started either. */
  else if (mbs_assemble(ws, state, NULL, NULL, NULL) == SEAM_OK && mbs_evaluate(ws, state, NULL) == SEAM_OK)
    status = blame_redundant(self, ws, error);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  return status;
}

/* ---- The whole ---- */

static bool allocate(cosim_partition *self) {
  const size_t n_elements = mbs_n_joints(self->model) + mbs_n_forces(self->model) + 1;
  self->subsystem_of = calloc(mbs_n_bodies(self->model) + 1, sizeof *self->subsystem_of);
  self->cuts = calloc(n_elements, sizeof *self->cuts);
  self->couplings = calloc(n_elements, sizeof *self->couplings);
  self->parts = calloc(self->n_subsystems + 1, sizeof *self->parts);
  return self->subsystem_of != NULL && self->cuts != NULL && self->couplings != NULL && self->parts != NULL;
}

seam_status cosim_partition_make(const mbs_model *model, const cosim_options *options, cosim_partition *made,
                                 seam_error *error) {
  *made = (cosim_partition){.model = model, .n_subsystems = options->n_subsystems};
  if (!allocate(made))
    return no_memory(error);
  seam_status status = take_bodies(made, options, error);
  if (status == SEAM_OK)
    status = find_cuts(made, error);
  if (status == SEAM_OK)
    status = choose_schemes(made, options, error);
  if (status == SEAM_OK)
    status = make_couplings(made, error);
  if (status == SEAM_OK)
    status = check_redundancy(made, error);
  return status == SEAM_OK ? make_parts(made, options, error) : status;
}

void cosim_partition_free(cosim_partition *self) {
  for (size_t s = 0; s < self->n_subsystems && self->parts != NULL; s++)
    cosim_part_destroy(self->parts[s]);
  free(self->subsystem_of);
  free(self->cuts);
  free(self->couplings);
  free(self->parts);
}
