/* Rejects gears without centres if the axle of a wheel is on a body that can rotate. A group is a set of bodies whose
 * relative angles are constant because of fixed and prismatic joints. A revolute joint between two groups is an axle of
 * both. If the ground belongs to one of them, the axle of the other is at rest, or only translates. */
#include <math.h>

#include "models/reader.h"

typedef struct body_group {
  size_t parent;  /* another body of the same group; a body that is its own parent is the group's root */
  size_t carrier; /* in a root: body on the other side of the group's last axle; SEAM_NONE: no axle */
  bool at_rest;   /* in a root: the group contains the ground, or has an axle on the ground's group */
} body_group;

/* Returns the root of a body's group. Also halves the chain of parents, so that later searches are short (Tarjan and
 * van Leeuwen 1984). */
static size_t group_of(body_group *groups, size_t body) {
  while (groups[body].parent != body) {
    groups[body].parent = groups[groups[body].parent].parent;
    body = groups[body].parent;
  }
  return body;
}

/* Writes the indices of a joint's bodies; the ground has the index n_bodies. */
static void bodies_of(const mbs_model *model, const mbs_joint_info *joint, size_t bodies[2]) {
  for (int i = 0; i < 2; i++)
    bodies[i] = joint->bodies[i] == MBS_GROUND ? mbs_n_bodies(model) : joint->bodies[i];
}

seam_status gears_check(reader *r) {
  const mbs_model *model = r->result->mechanism;
  const size_t n_bodies = mbs_n_bodies(model);
  size_t bodies[2];
  body_group *groups = arena_allocate(&r->memory, (n_bodies + 1) * sizeof *groups);
  if (groups == NULL)
    return reader_no_memory(r);
  for (size_t b = 0; b <= n_bodies; b++)
    groups[b] = (body_group){.parent = b, .carrier = SEAM_NONE};
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info joint = mbs_joint_of(model, j);
    bodies_of(model, &joint, bodies);
    if (joint.kind == MBS_FIXED || joint.kind == MBS_PRISMATIC)
      groups[group_of(groups, bodies[0])].parent = group_of(groups, bodies[1]);
  }
  const size_t ground = group_of(groups, n_bodies);
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info axle = mbs_joint_of(model, j);
    bodies_of(model, &axle, bodies);
    const size_t of[2] = {group_of(groups, bodies[0]), group_of(groups, bodies[1])};
    for (int i = 0; i < 2 && axle.kind == MBS_REVOLUTE && of[0] != of[1]; i++) {
      groups[of[i]].at_rest |= of[1 - i] == ground;
      groups[of[i]].carrier = bodies[1 - i];
    }
  }
  groups[ground].at_rest = true;
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info gear = mbs_joint_of(model, j);
    bodies_of(model, &gear, bodies);
    const bool is_absolute = gear.kind == MBS_GEAR && isnan(gear.markers[0][0]);
    for (int i = 0; i < 2 && is_absolute; i++) {
      const body_group *wheel = &groups[group_of(groups, bodies[i])];
      if (!wheel->at_rest && wheel->carrier != SEAM_NONE)
        return reader_fail(
            r, yaml_get(yaml_get(r->root, "joints"), gear.name)->key,
            "add at: [P, Q], the centres of the two wheels: angles are then measured from the line through the centres",
            "wheel '%s' of gear '%s' has its axle on '%s', which can rotate, but a gear without 'at' needs axles that "
            "do not rotate",
            mbs_body_of(model, bodies[i]).name, gear.name, mbs_body_of(model, wheel->carrier).name);
    }
  }
  return SEAM_OK;
}
