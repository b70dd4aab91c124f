/* `joints:` the table of their types. */
#include <math.h>

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

static seam_status read_centres(reader *r, yaml_node *value, element *to) {
  to->joint.has_centres = true;
  return elements_read_two_places(r, value, to);
}

/* Positive on the left of the axis, negative on its right. */
static seam_status read_pinion_radius(reader *r, yaml_node *value, element *to) {
  const seam_status status = reader_number(r, value, ANY_NUMBER, &to->joint.radii[0]);
  if (status != SEAM_OK || to->joint.radii[0] != 0)
    return status;
  return reader_fail(r, value, "write the radius of the pinion's pitch circle, m", "'radius' in %s must not be zero",
                     r->subject);
}

static seam_status read_radii(reader *r, yaml_node *value, element *to) {
  return reader_vector(r, value, POSITIVE, 2, to->joint.radii);
}

static seam_status read_crossed(reader *r, yaml_node *value, element *to) {
  bool is_crossed = false;
  const seam_status status = elements_read_flag(r, value, &is_crossed);
  if (is_crossed)
    to->joint.radii[0] = -to->joint.radii[0];
  return status;
}

/* Wheels turn against each other; `internal`, which is read later, makes them turn together. */
static seam_status read_teeth(reader *r, yaml_node *value, element *to) {
  double teeth[2];
  const seam_status status = reader_vector(r, value, POSITIVE, 2, teeth);
  for (int i = 0; i < 2 && status == SEAM_OK; i++)
    if (teeth[i] != floor(teeth[i]))
      return reader_fail(r, i == 0 ? value->first : value->last, "give 'ratio' for what has no teeth",
                         "'teeth' in %s must be whole, but %.6g is not", r->subject, teeth[i]);
  if (status == SEAM_OK)
    to->joint.ratio = -teeth[0] / teeth[1];
  return status;
}

static seam_status read_internal(reader *r, yaml_node *value, element *to) {
  bool is_internal = false;
  const seam_status status = elements_read_flag(r, value, &is_internal);
  if (is_internal)
    to->joint.ratio = -to->joint.ratio;
  return status;
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

/* Either a ratio or numbers of teeth. */
static seam_status check_gear(reader *r, const element *read) {
  const yaml_node *ratio = yaml_get(read->node, "ratio");
  const yaml_node *teeth = yaml_get(read->node, "teeth");
  const yaml_node *internal = yaml_get(read->node, "internal");
  if (ratio == NULL && teeth == NULL)
    return reader_fail(r, reader_place(read->node), NULL, "%s needs 'ratio' or 'teeth'", r->subject);
  if (ratio != NULL && teeth != NULL)
    return reader_fail(r, teeth->key, "keep one of the two", "%s has 'ratio' and 'teeth'", r->subject);
  if (internal != NULL && teeth == NULL)
    return reader_fail(r, internal->key, "a positive ratio is that of wheels that turn together",
                       "'internal' in %s goes with 'teeth'", r->subject);
  if (teeth != NULL && read->joint.ratio == 1)
    return reader_fail(r, teeth, "a ring has more teeth than the wheel in it",
                       "'teeth' in %s must differ, for one wheel is inside the other", r->subject);
  return SEAM_OK;
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
    {"gear",
     MBS_GEAR,
     2,
     2,
     true,
     {{"at", false, read_centres},
      {"ratio", false, read_ratio},
      {"teeth", false, read_teeth},
      {"internal", false, read_internal}},
     check_gear},
    {"rack",
     MBS_RACK,
     2,
     2,
     true,
     {{"at", true, elements_read_place}, {"axis", true, read_axis}, {"radius", true, read_pinion_radius}},
     NULL},
    {"belt",
     MBS_BELT,
     2,
     2,
     true,
     {{"at", true, elements_read_two_places}, {"radii", true, read_radii}, {"crossed", false, read_crossed}},
     NULL},
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
