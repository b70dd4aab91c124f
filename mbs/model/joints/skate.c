/* Skate: a knife edge, or a wheel that rolls without slipping sideways, seen from above. Its direction e rotates with
 * the body, n = e⊥. With the velocity v of the centre of mass and the arm a, its marker has the velocity u = v + ω a⊥:
 *
 *   n · u = 0        J = (n, n · a⊥)        J̇ = (-ω e, 0)        H = ∂J/∂q: (0, 0, -e_x), (0, 0, -e_y), 0
 *
 * This constraint on velocities is not the rate of any g ([Bloch], chapter 1): H is not symmetric. λ is the force on
 * the body against n; it does no work. */
#include "mbs/model/joint.h"

#include <string.h>

static seam_status check(const mbs_joint_def *def, seam_error *error) {
  if (strcmp(def->bodies[1], "ground") != 0)
    return seam_fail(error, SEAM_BAD_INPUT, "skate '%s' constrains one body: give the ground as the second body",
                     def->name);
  return SEAM_OK;
}

static void find_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  const mbs_frame *body = pair->frame[0];
  const mbs_vector e = mbs_rotate(body, joint->axis);
  *s = (mbs_relative_coordinate){.J = {-e.y, e.x, mbs_dot(joint->axis, pair->marker[0])},
                                 .Jdot = {-body->omega * e.x, -body->omega * e.y, 0}};
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  const mbs_frame *body = pair->frame[0];
  const mbs_vector e = mbs_rotate(body, joint->axis);
  memset(c, 0, sizeof *c);
  c->H[0][2] = -e.x;
  c->H[1][2] = -e.y;
  c->T[2] = -body->omega * mbs_cross(e, (mbs_vector){body->vx, body->vy}); /* vᵀ H v = -ω e · v */
}

const mbs_joint_type mbs_joint_skate = {
    .n_rows = 1,
    .residual = {"g_n"},
    .is_nonholonomic = true,
    .has_markers = true,
    .has_axis = true,
    .rest_row = -1,
    .check = check,
    .find_coordinates = find_coordinates,
    .curvature = curvature,
};
