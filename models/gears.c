/* Groups are bodies that fixed and prismatic joints hold at one angle. A revolute joint between two groups is an axle
 * of both; an axle on the ground's group is at rest or only translates. */
#include "models/gears.h"

#include <math.h>

typedef struct body_group {
  size_t parent;  /* another body of the group; the root is its own parent */
  size_t carrier; /* body on which a root's group turns, or SEAM_NONE */
  bool at_rest;   /* a root's group has an axle on the ground's group */
} body_group;

/* Returns the root of a body's group; halves paths (Tarjan and van Leeuwen 1984). */
static size_t group_of(body_group *groups, size_t body) {
  while (groups[body].parent != body) {
    groups[body].parent = groups[groups[body].parent].parent;
    body = groups[body].parent;
  }
  return body;
}

/* Gives the bodies of a joint; the ground is number n_bodies. */
static void bodies_of(const mbs_model *model, const mbs_joint_info *joint, size_t bodies[2]) {
  for (int i = 0; i < 2; i++)
    bodies[i] = joint->bodies[i] == MBS_GROUND ? mbs_n_bodies(model) : joint->bodies[i];
}

static void find_groups(const mbs_model *model, body_group *groups) {
  for (size_t b = 0; b <= mbs_n_bodies(model); b++)
    groups[b] = (body_group){.parent = b, .carrier = SEAM_NONE};
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info joint = mbs_joint_of(model, j);
    size_t bodies[2];
    bodies_of(model, &joint, bodies);
    if (joint.kind == MBS_FIXED || joint.kind == MBS_PRISMATIC)
      groups[group_of(groups, bodies[0])].parent = group_of(groups, bodies[1]);
  }
}

static void find_axles(const mbs_model *model, body_group *groups) {
  const size_t ground = group_of(groups, mbs_n_bodies(model));
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info joint = mbs_joint_of(model, j);
    size_t bodies[2];
    bodies_of(model, &joint, bodies);
    const size_t of[2] = {group_of(groups, bodies[0]), group_of(groups, bodies[1])};
    if (joint.kind != MBS_REVOLUTE || of[0] == of[1])
      continue;
    for (int i = 0; i < 2; i++) {
      groups[of[i]].at_rest |= of[1 - i] == ground;
      groups[of[i]].carrier = bodies[1 - i];
    }
  }
  groups[ground].at_rest = true;
}

/* Returns the body that carries a wheel and can rotate; SEAM_NONE: an axle on the ground's group, or no axle. */
static size_t rotating_carrier(body_group *groups, size_t wheel) {
  const body_group *own = &groups[group_of(groups, wheel)];
  return own->at_rest ? SEAM_NONE : own->carrier;
}

seam_status gears_check(reader *r) {
  const mbs_model *model = r->result->mechanism;
  body_group *groups = arena_take(&r->memory, (mbs_n_bodies(model) + 1) * sizeof *groups);
  if (groups == NULL)
    return reader_no_memory(r);
  find_groups(model, groups);
  find_axles(model, groups);
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_info gear = mbs_joint_of(model, j);
    size_t wheels[2];
    bodies_of(model, &gear, wheels);
    const bool is_absolute = gear.kind == MBS_GEAR && isnan(gear.markers[0][0]);
    for (int i = 0; i < 2 && is_absolute; i++) {
      const size_t carrier = rotating_carrier(groups, wheels[i]);
      if (carrier != SEAM_NONE)
        return reader_fail(r, yaml_get(yaml_get(r->root, "joints"), gear.name)->key,
                           "give 'at: [P, Q]', the centres of its two wheels, from whose line the angles then count",
                           "wheel '%s' of gear '%s' turns on '%s', which can rotate itself; a gear without 'at' is a "
                           "ratio of angles against the ground",
                           mbs_body_of(model, wheels[i]).name, gear.name, mbs_body_of(model, carrier).name);
    }
  }
  return SEAM_OK;
}
