/* Copies measures into a part that has all elements they name; finds numbers of quantities in a part. */
#include <stdlib.h>
#include <string.h>

#include "mbs/output/readout.h"
#include "mbs/subsystem/subsystem.h"

/* ---- Numbers ---- */

/* Returns the index of a number of the whole in a list of the part; -1: missing. */
static int find(const int *of_whole, int n, size_t number) {
  for (int i = 0; i < n; i++)
    if (of_whole[i] == (int)number)
      return i;
  return -1;
}

/* Returns the number of a body in the part, from 1 on, 0 for the ground; -1: missing. */
static int find_body(const mbs_subsystem *part, int body) {
  return find(part->body_of, part->model->n_bodies + 1, (size_t)body);
}

/* A viscous element is several elements of one name, one for each body; the part must have all of them. */
static int find_force(const mbs_subsystem *part, const mbs_model *whole, size_t force) {
  const int own = find(part->force_of, part->n_own_forces, force);
  const char *name = whole->forces[force].name;
  for (size_t i = force + 1; own >= 0 && i < mbs_n_forces(whole) && whole->forces[i].name == name; i++)
    if (find(part->force_of, part->n_own_forces, i) < 0)
      return -1;
  return own;
}

static bool is_all(const mbs_subsystem *part, const mbs_model *whole) {
  return part->model->n_bodies == whole->n_bodies && part->n_own == whole->n_joints &&
         part->n_own_forces == whole->n_forces;
}

/* Only a part with all elements has energies of the whole. */
static int find_element(const mbs_subsystem *part, const mbs_model *whole, mbs_quantity quantity) {
  const int time = 0;
  switch (quantity.owner) {
  case MBS_WHOLE:
    return quantity.element == (size_t)time || is_all(part, whole) ? (int)quantity.element : -1;
  case MBS_BODIES:
    return find_body(part, (int)quantity.element + 1) - 1;
  case MBS_JOINTS:
    return find(part->joint_of, part->n_own, quantity.element);
  case MBS_FORCES:
    return find_force(part, whole, quantity.element);
  case MBS_VARIABLES:
    return find(part->variable_of, part->n_variables, quantity.element);
  default:
    return find(part->measure_of, part->model->n_measures, quantity.element);
  }
}

/* Returns the port that receives a quantity; -1: none. */
static int find_port(const mbs_subsystem *part, mbs_quantity quantity) {
  for (int p = 0; p < part->model->n_ports; p++) {
    const mbs_quantity *of = &part->ports[p].quantity;
    if (part->ports[p].is_quantity && of->owner == quantity.owner && of->element == quantity.element &&
        of->number == quantity.number)
      return p;
  }
  return -1;
}

bool mbs_subsystem_quantity(const mbs_subsystem *part, const mbs_model *whole, mbs_quantity quantity,
                            mbs_quantity *own) {
  const int port = find_port(part, quantity);
  if (port >= 0) {
    *own = (mbs_quantity){MBS_INPUTS, (size_t)port, 0};
    return true;
  }
  const int element = find_element(part, whole, quantity);
  *own = (mbs_quantity){quantity.owner, (size_t)element, quantity.number};
  return element >= 0;
}

/* ---- Measures ---- */

static bool has_all(const mbs_subsystem *part, const mbs_model *whole, const mbs_named_measure *measure) {
  mbs_quantity own;
  bool has = find_body(part, measure->axes) >= 0;
  for (int i = 0; i < measure->n_bodies && has; i++)
    has = find_body(part, measure->body[i]) >= 0;
  for (int i = 0; measure->inputs != NULL && i < measure->inputs->n && has; i++)
    has = mbs_subsystem_quantity(part, whole, measure->inputs->quantities[i], &own);
  return has && (!measure->type->has_joint || find(part->joint_of, part->n_own, (size_t)measure->joint) >= 0);
}

static seam_status copy_inputs(const mbs_subsystem *part, const mbs_model *whole, const mbs_named_measure *measure,
                               mbs_named_measure *copy, seam_error *error) {
  const size_t n = (size_t)measure->inputs->n;
  mbs_quantity *own = calloc(n + 1, sizeof *own);
  seam_status status = SEAM_NO_MEMORY;
  for (size_t i = 0; i < n && own != NULL; i++)
    (void)mbs_subsystem_quantity(part, whole, measure->inputs->quantities[i], &own[i]);
  if (own != NULL)
    status = mbs_readout_create(part->model, own, n, &copy->inputs, error);
  copy->unit = strdup(measure->unit);
  free(own);
  return copy->unit != NULL ? status : SEAM_NO_MEMORY;
}

/* Copies a measure; the copy owns its memory on failure too. */
static seam_status copy_measure(mbs_subsystem *part, const mbs_model *whole, int number, seam_error *error) {
  mbs_model *model = part->model;
  const mbs_named_measure *measure = &whole->measures[number];
  mbs_named_measure *copy = &model->measures[model->n_measures];
  *copy = (mbs_named_measure){.type = measure->type,
                              .name = measure->name,
                              .body = malloc(((size_t)measure->n_bodies + 1) * sizeof *copy->body),
                              .n_bodies = measure->n_bodies,
                              .marker = {measure->marker[0], measure->marker[1]},
                              .axes = find_body(part, measure->axes),
                              .function = measure->function,
                              .first = model->n_measured};
  copy->function.destroy = NULL;
  part->measure_of[model->n_measures++] = number;
  model->n_measured += (int)mbs_n_quantities(model, MBS_MEASURES, (size_t)model->n_measures - 1);
  if (copy->body == NULL)
    return SEAM_NO_MEMORY;
  for (int i = 0; i < measure->n_bodies; i++)
    copy->body[i] = find_body(part, measure->body[i]);
  if (measure->type->has_joint)
    copy->joint = find(part->joint_of, part->n_own, (size_t)measure->joint);
  if (measure->inputs == NULL)
    return SEAM_OK;
  if (measure->inputs->n > model->max_inputs)
    model->max_inputs = measure->inputs->n;
  return copy_inputs(part, whole, measure, copy, error);
}

seam_status mbs_subsystem_take_measures(mbs_subsystem *part, const mbs_model *whole, seam_error *error) {
  for (int i = 0; i < whole->n_measures; i++)
    if (has_all(part, whole, &whole->measures[i]) && copy_measure(part, whole, i, error) != SEAM_OK)
      return seam_fail(error, SEAM_NO_MEMORY, "no memory for the measures of a subsystem");
  return SEAM_OK;
}
