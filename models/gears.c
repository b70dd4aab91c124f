/* Bodies that fixed and prismatic joints hold at one angle are a group. A wheel has an axle where a revolute joint
 * joins its group to another one; an axle on the group of the ground is at rest or only translates. */
#include "models/gears.h"

static size_t group_of(const size_t *parent, size_t body) {
  while (parent[body] != body)
    body = parent[body];
  return body;
}

/* Bodies of a joint, the ground as number n_bodies. */
static void bodies_of(const mbs_model *model, size_t joint, size_t bodies[2]) {
  mbs_joint_bodies(model, joint, bodies);
  for (int i = 0; i < 2; i++)
    if (bodies[i] == MBS_GROUND)
      bodies[i] = mbs_n_bodies(model);
}

static void find_groups(const mbs_model *model, size_t *parent) {
  for (size_t b = 0; b <= mbs_n_bodies(model); b++)
    parent[b] = b;
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    const mbs_joint_kind kind = mbs_joint_kind_of(model, j);
    size_t bodies[2];
    bodies_of(model, j, bodies);
    if (kind == MBS_FIXED || kind == MBS_PRISMATIC)
      parent[group_of(parent, bodies[0])] = group_of(parent, bodies[1]);
  }
}

/* The body that can rotate and on which a wheel turns; SEAM_NONE: it has an axle that does not, or none at all. */
static size_t rotating_carrier(const mbs_model *model, const size_t *parent, size_t wheel) {
  const size_t ground = group_of(parent, mbs_n_bodies(model));
  const size_t own = group_of(parent, wheel);
  size_t carrier = SEAM_NONE;
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    size_t bodies[2];
    bodies_of(model, j, bodies);
    const size_t groups[2] = {group_of(parent, bodies[0]), group_of(parent, bodies[1])};
    if (mbs_joint_kind_of(model, j) != MBS_REVOLUTE || groups[0] == groups[1] || (groups[0] != own && groups[1] != own))
      continue;
    const int other = groups[0] == own;
    if (groups[other] == ground)
      return SEAM_NONE;
    carrier = bodies[other];
  }
  return own == ground ? SEAM_NONE : carrier;
}

seam_status gears_check(reader *r) {
  const mbs_model *model = r->result->mechanism;
  size_t *parent = arena_take(&r->memory, (mbs_n_bodies(model) + 1) * sizeof *parent);
  if (parent == NULL)
    return reader_no_memory(r);
  find_groups(model, parent);
  for (size_t j = 0; j < mbs_n_joints(model); j++) {
    size_t wheels[2];
    bodies_of(model, j, wheels);
    for (int i = 0; i < 2 && mbs_joint_kind_of(model, j) == MBS_GEAR; i++) {
      const size_t carrier = rotating_carrier(model, parent, wheels[i]);
      if (carrier != SEAM_NONE)
        return reader_fail(r, yaml_get(yaml_get(r->root, "joints"), mbs_joint_name(model, j))->key,
                           "give both wheels axles on the ground, or on a body that cannot rotate",
                           "wheel '%s' of gear '%s' turns on '%s', which can rotate itself; a gear is a ratio of "
                           "angles against the ground",
                           mbs_body_name(model, wheels[i]), mbs_joint_name(model, j), mbs_body_name(model, carrier));
    }
  }
  return SEAM_OK;
}
