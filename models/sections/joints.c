/* `joints:` the table of their types. */
#include "models/sections/elements.h"

static seam_status read_axis(reader *r, yaml_node *value, element *to) {
  return elements_read_direction(r, value, to->joint.axis);
}

static seam_status read_angle(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, ANY_NUMBER, &to->joint.angle);
}

static seam_status read_length(reader *r, yaml_node *value, element *to) {
  return reader_number(r, value, POSITIVE, &to->joint.length);
}

static seam_status read_ratio(reader *r, yaml_node *value, element *to) {
  const seam_status status = reader_number(r, value, ANY_NUMBER, &to->joint.ratio);
  if (status != SEAM_OK || to->joint.ratio != 0)
    return status;
  return reader_fail(r, value, "fix the second body instead", "'ratio' in %s must not be zero", r->subject);
}

static seam_status read_of(reader *r, yaml_node *value, element *to) {
#define NAME(code, name) name,
  static const char *const names[] = {MBS_MOTION_TABLE(NAME)};
#undef NAME
  size_t chosen = 0;
  const seam_status status = reader_keyword(r, value, names, MBS_MOTIONS, &chosen);
  to->joint.of = (mbs_motion_of)chosen;
  return status;
}

static seam_status read_law(reader *r, yaml_node *value, element *to) {
  static const char *const time_alone[] = {"t"};
  return reader_law(r, value, time_alone, 1, &to->joint.law);
}

/* A motion is of one body or of two, and only that of a distance has places. */
static seam_status check_motion(reader *r, const element *read) {
  const size_t n = read->joint.of >= MBS_OF_X ? 1 : 2;
  const yaml_node *at = yaml_get(read->node, "at");
  if (read->n_bodies != n)
    return reader_fail(r, yaml_get(read->node, "of"), n == 2 ? "'ground' counts as a body" : NULL,
                       "this motion needs %zu bod%s, but %s lists %zu", n, n == 1 ? "y" : "ies", r->subject,
                       read->n_bodies);
  if (n == 1 && read->bodies[0] == MBS_GROUND)
    return reader_fail(r, reader_place(read->node), "name a body", "%s acts on the ground, which does not move",
                       r->subject);
  if (at != NULL && read->joint.of != MBS_OF_DISTANCE)
    return reader_fail(r, at->key, "remove it", "'at' in %s has no effect: only a motion of a distance has places",
                       r->subject);
  if (at == NULL && read->joint.of == MBS_OF_DISTANCE)
    return reader_fail(r, yaml_get(read->node, "of"), "add at: [P, Q]",
                       "%s needs 'at', for it is a motion of a distance", r->subject);
  return SEAM_OK;
}

/* Columns: name, kind, fewest and most bodies, whether it joins two, keys, check. */
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
    {"distance",
     MBS_DISTANCE,
     2,
     2,
     true,
     {{"at", true, elements_read_two_places}, {"length", false, read_length}},
     NULL},
    {"slot", MBS_SLOT, 2, 2, true, {{"at", true, elements_read_place}, {"axis", true, read_axis}}, NULL},
    {"gear", MBS_GEAR, 2, 2, true, {{"ratio", true, read_ratio}}, NULL},
    {"motion",
     MBS_MOTION,
     1,
     2,
     true,
     {{"of", true, read_of}, {"at", false, elements_read_two_places}, {"law", true, read_law}},
     check_motion},
};

static void prepare(element *new_one, const char *name, int kind) {
  new_one->joint = mbs_default_joint_def();
  new_one->joint.name = name;
  new_one->joint.kind = (mbs_joint_kind)kind;
  new_one->at = new_one->joint.at;
}

static seam_status add(mbs_builder *builder, element *complete, const char *const *bodies, seam_error *error) {
  for (size_t i = 0; i < 2; i++)
    complete->joint.bodies[i] = i < complete->n_bodies ? bodies[i] : "ground";
  return mbs_add_joint(builder, &complete->joint, error);
}

static void discard(element *incomplete) {
  const seam_law *law = &incomplete->joint.law;
  if (law->destroy != NULL)
    law->destroy(law->data);
}

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
