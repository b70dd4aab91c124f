/* `forces:` */
#include "models/sections/forces.h"

static const element_type *const types[] = {
    &forces_viscous,
    &forces_spring_damper,
    &forces_torsion,
    &forces_bushing,
    &forces_force,
    &forces_torque,
    &forces_hydraulic_cylinder,
    &forces_beam,
    &forces_drag,
    &forces_actuator,
    &forces_rotary_actuator,
    &forces_belt,
    &forces_contact,
    &forces_stop,
    &forces_rope,
    &forces_cable,
};

static void prepare(element *new_one, const char *name, int kind) {
  new_one->force = mbs_default_force_def();
  new_one->force.name = name;
  new_one->force.kind = (mbs_force_kind)kind;
  new_one->at = new_one->force.at;
  /* Without `at` a force acts on the centre of mass. */
  for (size_t i = 0; i < 2; i++)
    new_one->at[i] = (mbs_marker_def){MBS_BODY, {0, 0}};
}

static seam_status add(mbs_builder *builder, element *complete, const char *const *bodies, seam_error *error) {
  mbs_force_def *def = &complete->force;
  def->bodies = bodies;
  def->n_bodies = complete->n_bodies;
  return mbs_add_force(builder, def, error);
}

static void discard(element *incomplete) {
  seam_law *const laws[] = {&incomplete->force.law, &incomplete->force.law_y};
  for (size_t i = 0; i < 2; i++)
    if (laws[i]->destroy != NULL)
      laws[i]->destroy(laws[i]->data);
}

const element_family forces_family = {.section = "forces",
                                      .noun = "force",
                                      .kind = ENTRY_FORCE,
                                      .types = types,
                                      .n_types = FORM_COUNT_OF(types),
                                      .other = &joints_family,
                                      .prepare = prepare,
                                      .add = add,
                                      .discard = discard};

static const form form_force = {
    .kind = FORM_ELEMENTS, .name = "force", .meaning = "a force element", .family = &forces_family};
const form form_forces = {.kind = FORM_NAMED, .of = &form_force};

seam_status forces_read(reader *r) { return elements_read(r, &forces_family); }
