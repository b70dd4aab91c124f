/* Every measure against differences at random poses: J, H, J̇, T, rate and convection. */
#include "mbs/model/kinematics.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/differences.h"
#include "tests/support/random.h"

enum { n_poses = 20 };
static const double tolerance = 1e-9;

/* ---- The measures, one by one ---- */

static const mbs_vector direction = {0.6, -0.8};

static void gap_x(const mbs_pair *pair, mbs_relative_coordinate *m) {
  mbs_relative_coordinate both[2];
  mbs_relative_gap(pair, both);
  *m = both[0];
}

static void gap_y(const mbs_pair *pair, mbs_relative_coordinate *m) {
  mbs_relative_coordinate both[2];
  mbs_relative_gap(pair, both);
  *m = both[1];
}

static void curvature_gap_x(const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature both[2];
  mbs_curvature_gap(pair, both);
  *c = both[0];
}

static void curvature_gap_y(const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature both[2];
  mbs_curvature_gap(pair, both);
  *c = both[1];
}

static void along(const mbs_pair *pair, mbs_relative_coordinate *m) { mbs_relative_along(pair, direction, m); }
static void curvature_along(const mbs_pair *pair, mbs_curvature *c) { mbs_curvature_along(pair, direction, c); }
static void across(const mbs_pair *pair, mbs_relative_coordinate *m) { mbs_relative_along_body(pair, direction, m); }
static void curvature_across(const mbs_pair *pair, mbs_curvature *c) { mbs_curvature_along_body(pair, direction, c); }

static const double radii[2] = {-1.7, 0.6};
static void mesh(const mbs_pair *pair, mbs_relative_coordinate *m) { mbs_relative_mesh(pair, radii, 0.4, m); }
static void curvature_mesh(const mbs_pair *pair, mbs_curvature *c) { mbs_curvature_mesh(pair, radii, c); }

static void no_curvature(const mbs_pair *pair, mbs_curvature *c) {
  (void)pair;
  *c = (mbs_curvature){0};
}

typedef struct measure_case {
  const char *name;
  void (*coordinate)(const mbs_pair *pair, mbs_relative_coordinate *coordinate);
  void (*curvature)(const mbs_pair *pair, mbs_curvature *curvature);
} measure_case;

static const measure_case cases[] = {
    {"gap x", gap_x, curvature_gap_x},
    {"gap y", gap_y, curvature_gap_y},
    {"along", along, curvature_along},
    {"across", across, curvature_across},
    {"distance", mbs_relative_distance, mbs_curvature_distance},
    {"chord", mbs_relative_chord, mbs_curvature_chord},
    {"angle", mbs_relative_angle, no_curvature},
    {"mesh", mesh, curvature_mesh},
};
enum { n_cases = sizeof cases / sizeof *cases };

/* ---- Poses; x = (q, v) of both bodies ---- */

static const mbs_vector markers[2] = {{0.7, -0.3}, {-0.4, 0.5}};

typedef struct placed {
  mbs_frame frame[2];
  mbs_pair pair;
} placed;

static void place(const double x[12], placed *p) {
  for (int b = 0; b < 2; b++) {
    const double *q = x + 3 * b;
    const double *v = x + 6 + 3 * b;
    p->frame[b] = (mbs_frame){q[0], q[1], q[2], cos(q[2]), sin(q[2]), v[0], v[1], v[2]};
    p->pair.frame[b] = &p->frame[b];
    p->pair.marker[b] = markers[b];
  }
}

/* Bodies about 4 m apart, so that the distance stays well away from zero. */
static void random_x(uint64_t *seed, double x[12]) {
  for (int i = 0; i < 12; i++)
    x[i] = random_between(seed, -1.5, 1.5);
  x[3] += 4;
}

static void measure_at(const measure_case *c, const double x[12], mbs_relative_coordinate *m,
                       mbs_curvature *curvature) {
  placed p;
  place(x, &p);
  c->coordinate(&p.pair, m);
  c->curvature(&p.pair, curvature);
}

static void value(const void *context, const double *x, double *y) {
  mbs_relative_coordinate m;
  mbs_curvature unused;
  measure_at(context, x, &m, &unused);
  *y = m.s;
}

static void jacobian(const void *context, const double *x, double *y) {
  mbs_relative_coordinate m;
  mbs_curvature unused;
  measure_at(context, x, &m, &unused);
  memcpy(y, m.J, sizeof m.J);
}

static void rate(const void *context, const double *x, double *y) {
  const measure_case *c = context;
  mbs_relative_coordinate m;
  placed p;
  place(x, &p);
  c->coordinate(&p.pair, &m);
  *y = mbs_relative_rate(&m, &p.pair);
}

static void convection(const void *context, const double *x, double *y) {
  const measure_case *c = context;
  mbs_relative_coordinate m;
  placed p;
  place(x, &p);
  c->coordinate(&p.pair, &m);
  *y = mbs_relative_convection(&m, &p.pair);
}

/* ---- Tests ---- */

typedef void check(const measure_case *c, const double x[12], const mbs_relative_coordinate *m,
                   const mbs_curvature *curvature);

static void at_random_poses(check *expect) {
  uint64_t seed = 1;
  for (int c = 0; c < n_cases; c++)
    for (int i = 0; i < n_poses; i++) {
      double x[12];
      mbs_relative_coordinate m;
      mbs_curvature curvature;
      random_x(&seed, x);
      measure_at(&cases[c], x, &m, &curvature);
      expect(&cases[c], x, &m, &curvature);
    }
}

static void expect_J(const measure_case *c, const double x[12], const mbs_relative_coordinate *m,
                     const mbs_curvature *curvature) {
  double differences[12];
  (void)curvature;
  differentiate(value, c, x, 12, 1, differences);
  expect_close(m->J, differences, 6, tolerance, c->name);
}

Test(kinematics, J_is_the_gradient) { at_random_poses(expect_J); }

static void jacobian_of_pose(const void *context, const double *q, double *y) {
  double x[12] = {0};
  memcpy(x, q, 6 * sizeof *q);
  jacobian(context, x, y);
}

static void expect_H(const measure_case *c, const double x[12], const mbs_relative_coordinate *m,
                     const mbs_curvature *curvature) {
  double differences[36];
  (void)m;
  differentiate(jacobian_of_pose, c, x, 6, 6, differences);
  expect_close(&curvature->H[0][0], differences, 36, tolerance, c->name);
}

Test(kinematics, H_is_the_gradient_of_J) { at_random_poses(expect_H); }

static void expect_Jdot(const measure_case *c, const double x[12], const mbs_relative_coordinate *m,
                        const mbs_curvature *curvature) {
  double product[6] = {0};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      product[i] += curvature->H[i][j] * x[6 + j];
  expect_close(m->Jdot, product, 6, 1e-14, c->name);
}

Test(kinematics, Jdot_is_H_times_v) { at_random_poses(expect_Jdot); }

static void expect_rate(const measure_case *c, const double x[12], const mbs_relative_coordinate *m,
                        const mbs_curvature *curvature) {
  double product = 0;
  double found = 0;
  (void)curvature;
  for (int i = 0; i < 6; i++)
    product += m->J[i] * x[6 + i];
  rate(c, x, &found);
  expect_close(&found, &product, 1, 1e-14, c->name);
}

Test(kinematics, the_rate_is_J_times_v) { at_random_poses(expect_rate); }

static void expect_Jdot_of_rate(const measure_case *c, const double x[12], const mbs_relative_coordinate *m,
                                const mbs_curvature *curvature) {
  double differences[12];
  (void)curvature;
  differentiate(rate, c, x, 12, 1, differences);
  expect_close(m->Jdot, differences, 6, tolerance, c->name);
  expect_close(m->J, differences + 6, 6, tolerance, c->name);
}

Test(kinematics, Jdot_and_J_are_the_gradients_of_the_rate) { at_random_poses(expect_Jdot_of_rate); }

static void expect_T(const measure_case *c, const double x[12], const mbs_relative_coordinate *m,
                     const mbs_curvature *curvature) {
  double differences[12];
  double twice_Jdot[6];
  differentiate(convection, c, x, 12, 1, differences);
  for (int i = 0; i < 6; i++)
    twice_Jdot[i] = 2 * m->Jdot[i];
  expect_close(curvature->T, differences, 6, tolerance, c->name);
  expect_close(twice_Jdot, differences + 6, 6, tolerance, c->name);
}

Test(kinematics, T_and_twice_Jdot_are_the_gradients_of_the_convection) { at_random_poses(expect_T); }

/* Along a motion without acceleration the second rate is the convection alone. */
typedef struct motion {
  const measure_case *c;
  const double *x;
} motion;

static void rate_along_motion(const void *context, const double *t, double *y) {
  const motion *along_x = context;
  double x[12];
  memcpy(x, along_x->x, sizeof x);
  for (int i = 0; i < 6; i++)
    x[i] += *t * x[6 + i];
  rate(along_x->c, x, y);
}

static void expect_convection(const measure_case *c, const double x[12], const mbs_relative_coordinate *m,
                              const mbs_curvature *curvature) {
  const motion along_x = {c, x};
  const double now = 0;
  double found = 0;
  double difference = 0;
  (void)m, (void)curvature;
  differentiate(rate_along_motion, &along_x, &now, 1, 1, &difference);
  convection(c, x, &found);
  expect_close(&found, &difference, 1, tolerance, c->name);
}

Test(kinematics, the_convection_is_the_second_rate_without_acceleration) { at_random_poses(expect_convection); }

Test(kinematics, the_distance_of_coincident_markers_is_not_finite) {
  placed p;
  mbs_relative_coordinate m;
  place((double[12]){0}, &p);
  p.pair.marker[1] = p.pair.marker[0];
  mbs_relative_distance(&p.pair, &m);
  cr_expect_eq(m.s, 0);
  cr_expect_not(isfinite(m.J[0]));
}
