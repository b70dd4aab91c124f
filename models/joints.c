/* `joints:` the table of their types. */
#include "models/elements.h"

static seam_status read_axis(reader *r, yaml_node *value, element *to) {
  return elements_read_direction(r, value, to->joint.axis);
}

static seam_status read_angle(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, ANY_NUMBER, &to->joint.angle);
}

/* Columns: name, kind, fewest and most bodies, whether it joins two, keys. */
static const element_type types[] = {
    {"revolute", MBS_REVOLUTE, 2, 2, true, {{"at", true, elements_read_place}}, NULL},
    {"prismatic",
     MBS_PRISMATIC,
     2,
     2,
     true,
     {{"at", true, elements_read_place}, {"axis", true, read_axis}, {"angle", false, read_angle}},
     NULL},
    {"fixed", MBS_FIXED, 2, 2, true, {{"at", true, elements_read_place}, {"angle", false, read_angle}}, NULL},
    {.name = "distance", .kind = ELEMENT_NOT_AVAILABLE},
    {.name = "slot", .kind = ELEMENT_NOT_AVAILABLE},
    {.name = "gear", .kind = ELEMENT_NOT_AVAILABLE},
    {.name = "motion", .kind = ELEMENT_NOT_AVAILABLE},
};

static void prepare(element *new_one, const char *name, int kind) {
  new_one->joint = mbs_default_joint_def();
  new_one->joint.name = name;
  new_one->joint.kind = (mbs_joint_kind)kind;
  new_one->at = new_one->joint.at;
}

static seam_status add(mbs_builder *builder, element *complete, const char *const *bodies, seam_error *error) {
  for (size_t i = 0; i < 2; i++)
    complete->joint.bodies[i] = bodies[i];
  return mbs_add_joint(builder, &complete->joint, error);
}

static void discard(element *incomplete) { (void)incomplete; }

seam_status joints_read(reader *r) {
  static const element_family family = {.section = "joints",
                                        .noun = "joint",
                                        .kind = ENTRY_JOINT,
                                        .types = types,
                                        .n_types = sizeof types / sizeof *types,
                                        .prepare = prepare,
                                        .add = add,
                                        .discard = discard};
  return elements_read(r, &family);
}
