/* Elements of a mechanism as functions of their markers' motions: they say what the engine says, with exact changes. */
#include "cosim/mechanism/cut_element.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mbs/model/workspace.h"
#include "mbs/stages/stages.h"
#include "tests/support/differences.h"
#include "tests/support/random.h"
#include "tests/support/subsystem_fixture.h"

enum { n_seeds = 60 };

typedef struct sample {
  mechanism *m;
  size_t number;
  cosim_mechanism_element e;
  cosim_motion motion[2];
} sample;

/* Calls `expect` with all joints or force elements between two bodies of random mechanisms; asks that all kinds came,
 * but for those in `without`. */
static void at_elements(bool is_joint, void (*expect)(sample *s), unsigned kinds_wanted) {
  unsigned seen = 0;
  for (int seed = 1; seed <= n_seeds; seed++) {
    mechanism m = random_mechanism((uint64_t)seed);
    cr_assert_eq(mbs_evaluate(m.ws, m.state, NULL), SEAM_OK);
    const size_t n = is_joint ? mbs_n_joints(m.model) : mbs_n_forces(m.model);
    for (size_t i = 0; i < n; i++) {
      sample s = {.m = &m, .number = i};
      const mbs_joint_info joint = mbs_joint_of(m.model, is_joint ? i : SEAM_NONE);
      const mbs_force_info force = mbs_force_of(m.model, is_joint ? SEAM_NONE : i);
      const size_t *bodies = is_joint ? joint.bodies : force.bodies;
      if (bodies[0] == MBS_GROUND || bodies[1] == MBS_GROUND)
        continue;
      if (cosim_mechanism_element_of(m.model, is_joint, i, &s.e, NULL) != SEAM_OK)
        continue;
      for (int side = 0; side < 2; side++)
        s.motion[side] = marker_motion(m.model, m.state, is_joint, i, side);
      seen |= 1u << (is_joint ? (unsigned)joint.kind : (unsigned)force.kind);
      expect(&s);
    }
    mechanism_free(&m);
  }
  cr_assert_eq(seen & kinds_wanted, kinds_wanted, "kinds %x were seen", seen);
}

/* Of random mechanisms; racks and belts are cut in the suite of collocation. */
static const unsigned all_joints = ((1u << MBS_JOINT_KINDS) - 1) & ~(1u << MBS_RACK | 1u << MBS_BELT | 1u << MBS_CURVE |
                                                                     1u << MBS_ROLLING | 1u << MBS_SKATE);
static const unsigned all_forces = 1u << MBS_SPRING_DAMPER | 1u << MBS_TORSION | 1u << MBS_BUSHING;

/* ---- Wrenches ---- */

/* Generalised forces on a body, as a wrench about a place with the arm from its centre of mass. */
static void expect_side(const sample *s, const double Q[3], int body, mbs_vector marker, const double wrench[3]) {
  const mbs_frame frame = mbs_frame_at(s->m->state->q + 3 * (body - 1), s->m->state->v + 3 * (body - 1));
  const mbs_vector arm = mbs_rotate(&frame, marker);
  const double about[3] = {Q[0], Q[1], Q[2] - mbs_cross(arm, (mbs_vector){Q[0], Q[1]})};
  expect_close(wrench, about, 3, 1e-11, "wrench");
}

static void expect_sides(const sample *s, const double Q[6], const int body[2], const mbs_vector marker[2],
                         const double W[4]) {
  const double far = s->e.base.n_forces == 4 ? W[3] : W[2];
  expect_side(s, Q, body[0], marker[0], W);
  expect_side(s, Q + 3, body[1], marker[1], (double[3]){-W[0], -W[1], -far});
}

static void expect_wrench(sample *s) {
  const mbs_force *force = &s->m->model->forces[s->number];
  double W[4];
  double Q[6];
  mbs_power power = {0};
  mbs_stage_kinematics(s->m->ws, s->m->state->q, s->m->state->v);
  const mbs_pair pair = mbs_force_pair(force, s->m->ws->frames);
  force->type->load(force, &pair, 0, NULL, Q, &power);
  s->e.base.ops->wrench(&s->e.base, s->motion, W);
  expect_sides(s, Q, force->body, force->marker, W);
}

Test(cut_element, the_wrench_is_that_of_the_engine_on_both_sides) { at_elements(false, expect_wrench, all_forces); }

static void expect_reaction(sample *s) {
  const mbs_joint *joint = &s->m->model->joints[s->number];
  double W[4];
  double Q[6] = {0};
  mbs_relative_coordinate coordinate[mbs_max_rows];
  mbs_stage_kinematics(s->m->ws, s->m->state->q, s->m->state->v);
  const mbs_pair pair = mbs_joint_pair(joint, s->m->ws->frames);
  joint->type->find_coordinates(joint, &pair, coordinate);
  for (int k = 0; k < joint->type->n_rows; k++)
    for (int i = 0; i < 6; i++)
      Q[i] -= coordinate[k].J[i] * s->m->state->lambda[joint->row + k];
  element_wrench(s->m->model, s->m->state, true, s->number, W);
  expect_sides(s, Q, joint->body, joint->marker, W);
}

/* What a joint transmits says what its multipliers are. */
static void expect_multipliers(sample *s) {
  const mbs_joint *joint = &s->m->model->joints[s->number];
  const double *exact = s->m->state->lambda + joint->row;
  double W[4];
  double lambda[COSIM_MAX_DIMS];
  double size = 1;
  element_wrench(s->m->model, s->m->state, true, s->number, W);
  cosim_mechanism_multipliers(&s->e, s->motion, W, lambda);
  for (int k = 0; k < joint->type->n_rows; k++)
    size = fmax(size, fabs(exact[k]));
  for (int k = 0; k < joint->type->n_rows; k++)
    cr_expect_float_eq(lambda[k], exact[k], 1e-11 * size, "%s: %g, not %g", joint->name, lambda[k], exact[k]);
}

Test(cut_element, wrenches_give_the_multipliers_back) { at_elements(true, expect_multipliers, all_joints); }

Test(cut_element, multipliers_spread_to_the_reactions_on_both_sides) { at_elements(true, expect_reaction, all_joints); }

/* Coordinates and components that are left out do nothing. */
static void expect_all_that_matters(sample *s) {
  cosim_gradient Wx;
  cosim_gradient Wv;
  bool matters[3] = {false};
  s->e.base.ops->wrench_gradients(&s->e.base, s->motion, Wx, Wv);
  for (int k = 0; k < s->e.base.n_dims; k++)
    matters[s->e.base.dim[k]] = true;
  for (int row = 0; row < 4; row++)
    for (int j = 0; j < 6; j++)
      if (!matters[j % 3])
        cr_expect(Wx[row][j] == 0 && Wv[row][j] == 0);
}

Test(cut_element, what_is_left_out_does_not_matter) { at_elements(false, expect_all_that_matters, all_forces); }

/* ---- Derivatives ---- */

static void unpack(const double *x, int n_each, cosim_motion m[2]) {
  for (int side = 0; side < 2; side++) {
    memcpy(m[side].x, x + 3 * side, sizeof m->x);
    memcpy(m[side].v, x + 6 + 3 * side, sizeof m->v);
    if (n_each == 9)
      memcpy(m[side].a, x + 12 + 3 * side, sizeof m->a);
  }
}

static void pack(const cosim_motion m[2], double x[18]) {
  for (int side = 0; side < 2; side++) {
    memcpy(x + 3 * side, m[side].x, sizeof m->x);
    memcpy(x + 6 + 3 * side, m[side].v, sizeof m->v);
    memcpy(x + 12 + 3 * side, m[side].a, sizeof m->a);
  }
}

static void wrench_of(const void *context, const double *x, double *W) {
  const sample *s = context;
  cosim_motion m[2] = {{.x = {0}}};
  unpack(x, 6, m);
  s->e.base.ops->wrench(&s->e.base, m, W);
}

static void expect_gradients(sample *s) {
  cosim_gradient Wx;
  cosim_gradient Wv;
  double x[18];
  double J[4 * 12];
  pack(s->motion, x);
  differentiate(wrench_of, s, x, 12, 4, J);
  s->e.base.ops->wrench_gradients(&s->e.base, s->motion, Wx, Wv);
  for (int row = 0; row < 4; row++) {
    expect_close(Wx[row], J + 12 * row, 6, 1e-8, "∂W/∂x");
    expect_close(Wv[row], J + 12 * row + 6, 6, 1e-8, "∂W/∂v");
  }
}

Test(cut_element, gradients_of_the_wrench_are_exact) { at_elements(false, expect_gradients, all_forces); }

static void residuals_of(const void *context, const double *x, double *y) {
  const sample *s = context;
  cosim_motion m[2] = {{.x = {0}}};
  unpack(x, 9, m);
  memset(y, 0, 9 * sizeof *y);
  s->e.base.ops->residuals(&s->e.base, 0.3, m, y, y + 3, y + 6);
}

static void expect_changes(sample *s) {
  double x[18];
  double J[9 * 18];
  double change[9] = {0};
  double slope[9] = {0};
  double direction[18];
  cosim_motion along[2] = {{.x = {0}}};
  uint64_t seed = s->number + 1;
  for (int i = 0; i < 18; i++)
    direction[i] = random_between(&seed, -1, 1);
  pack(s->motion, x);
  unpack(direction, 9, along);
  differentiate(residuals_of, s, x, 18, 9, J);
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 18; j++)
      slope[i] += J[18 * i + j] * direction[j];
  s->e.base.ops->residual_derivatives(&s->e.base, s->motion, along, change, change + 3, change + 6);
  expect_close(change, slope, 9, 1e-7, "changes");
}

/* δg = J δx and δg' = J δv + J' δx are those of the changes. */
static void expect_residual_gradients(sample *s) {
  double change[9] = {0};
  double direction[18];
  double product[6] = {0};
  cosim_gradient J;
  cosim_gradient J_rate;
  cosim_motion along[2] = {{.x = {0}}};
  uint64_t seed = s->number + 1;
  for (int i = 0; i < 18; i++)
    direction[i] = random_between(&seed, -1, 1);
  unpack(direction, 9, along);
  s->e.base.ops->residual_derivatives(&s->e.base, s->motion, along, change, change + 3, change + 6);
  s->e.base.ops->residual_gradients(&s->e.base, s->motion, J, J_rate);
  cosim_add_product(s->e.base.n_rows, *J, along[0].x, along[1].x, product);
  cosim_add_product(s->e.base.n_rows, *J, along[0].v, along[1].v, product + 3);
  cosim_add_product(s->e.base.n_rows, *J_rate, along[0].x, along[1].x, product + 3);
  expect_close(product, change, 6, 1e-12, "products with the gradients");
}

Test(cut_element, gradients_of_residuals_give_their_changes) {
  at_elements(true, expect_residual_gradients, all_joints);
}

Test(cut_element, changes_of_residuals_are_exact) { at_elements(true, expect_changes, all_joints); }

static void expect_residuals(sample *s) {
  enum { MAX_ROWS = 64 };
  double of_model[3][MAX_ROWS];
  double y[3][3] = {{0}};
  const size_t row = mbs_joint_of(s->m->model, s->number).first_constraint;
  cr_assert_leq(mbs_n_constraints(s->m->model), MAX_ROWS);
  s->m->state->v[0] += 0.1; /* off the constraints */
  s->m->state->a[1] += 0.2;
  mbs_residuals(s->m->ws, s->m->state, of_model[0], of_model[1], of_model[2]);
  for (int side = 0; side < 2; side++)
    s->motion[side] = marker_motion(s->m->model, s->m->state, true, s->number, side);
  s->e.base.ops->residuals(&s->e.base, s->m->state->t, s->motion, y[0], y[1], y[2]);
  for (int level = 0; level < 3; level++)
    expect_close(y[level], of_model[level] + row, s->e.base.n_rows, 1e-11, "residual");
}

Test(cut_element, residuals_are_those_of_the_engine) { at_elements(true, expect_residuals, all_joints); }

/* ---- What is affine, what is refused ---- */

/* Row r of an affine constraint is the difference of the coordinate dim[r], but for a constant. */
static void expect_affine_rows(sample *s) {
  if (!s->e.base.is_affine)
    return;
  double g[2][3];
  double gd[3];
  double gdd[3];
  cosim_motion moved[2] = {s->motion[0], s->motion[1]};
  cr_assert_eq(s->e.base.n_rows, s->e.base.n_dims);
  for (int r = 0; r < s->e.base.n_rows; r++) {
    moved[0].x[s->e.base.dim[r]] += 0.25 * (r + 1);
    moved[1].x[s->e.base.dim[r]] -= 0.5 * (r + 1);
  }
  s->e.base.ops->residuals(&s->e.base, 0, s->motion, g[0], gd, gdd);
  s->e.base.ops->residuals(&s->e.base, 0, moved, g[1], gd, gdd);
  for (int r = 0; r < s->e.base.n_rows; r++)
    cr_expect_float_eq(g[1][r] - g[0][r], -0.75 * (r + 1), 1e-12);
}

Test(cut_element, rows_of_affine_constraints_are_differences_of_coordinates) {
  at_elements(true, expect_affine_rows, all_joints);
}

Test(cut_element, elements_on_one_body_are_not_cut) {
  mechanism m = driven_slider_crank();
  cosim_mechanism_element e;
  seam_error error = {0};
  cr_expect_eq(cosim_mechanism_element_of(m.model, false, mbs_find_force(m.model, "friction"), &e, &error),
               SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "'friction'"));
  cr_expect_eq(cosim_mechanism_element_of(m.model, true, mbs_find_joint(m.model, "guide"), &e, NULL), SEAM_BAD_INPUT);
  cr_expect_eq(cosim_mechanism_element_of(m.model, true, mbs_find_joint(m.model, "P"), &e, NULL), SEAM_OK);
  mechanism_free(&m);
}

/* ---- Wrenches that a joint cannot transmit ---- */

/* Nᵀ N W, the markers having moved on for a time. */
static void untransmittable_part(const sample *s, double time, const double W[4], double part[4]) {
  const cosim_element *element = &s->e.base;
  double rows[COSIM_MAX_FORCES][COSIM_MAX_FORCES];
  cosim_motion m[2] = {s->motion[0], s->motion[1]};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      m[side].x[i] += time * m[side].v[i];
  cosim_untransmittable(element, m, rows);
  memset(part, 0, 4 * sizeof *part);
  for (int k = 0; k < element->n_forces - element->n_rows; k++) {
    double sum = 0;
    for (int i = 0; i < 4; i++)
      sum += rows[k][i] * W[i];
    for (int i = 0; i < 4; i++)
      part[i] += sum * rows[k][i];
  }
}

static void expect_untransmittable(sample *s) {
  double W[4] = {0};
  double now[4];
  double ahead[4];
  double behind[4];
  double rate[4];
  const double h = 1e-5;
  if (!cosim_has_untransmittable(&s->e.base))
    return;
  for (int k = 0; k < s->e.base.n_forces; k++)
    W[s->e.base.force[k]] = 1 + 0.7 * k;
  double map[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
  s->e.base.ops->wrench_map(&s->e.base, s->motion, map);
  untransmittable_part(s, 0, W, now);
  for (int row = 0; row < s->e.base.n_rows; row++) {
    double power = 0;
    for (int i = 0; i < 4; i++)
      power += map[i][row] * now[i];
    cr_expect_float_eq(power, 0, 1e-12, "row %d: %g", row, power);
  }
  untransmittable_part(s, h, W, ahead);
  untransmittable_part(s, -h, W, behind);
  cosim_untransmittable_rate(&s->e.base, s->motion, s->motion, W, rate);
  for (int i = 0; i < 4; i++)
    cr_expect_float_eq(rate[i], (ahead[i] - behind[i]) / (2 * h), 1e-6 * (1 + fabs(rate[i])), "component %d", i);
}

Test(cut_element, wrenches_that_joints_cannot_transmit_turn_with_them) {
  at_elements(true, expect_untransmittable, all_joints);
}
