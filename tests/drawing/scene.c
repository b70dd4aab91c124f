/* Rules by which poses place shapes, against points worked out by hand. */
#include <criterion/criterion.h>
#include <math.h>

#include "drawing/scene.h"

/* One body at (1, 2), turned by a quarter. */
static double pose[3] = {1, 2, 0};

static void set_up(void) { pose[2] = acos(0); }

TestSuite(scene, .init = set_up);

static void expect_at(const scene_shape *shape, double x, double y, double at_x, double at_y) {
  double point[2];
  path_apply(scene_shape_map(shape, pose), (double[2]){x, y}, point);
  cr_expect_lt(hypot(point[0] - at_x, point[1] - at_y), 1e-12, "(%g, %g) is at (%g, %g), not (%g, %g)", x, y, point[0],
               point[1], at_x, at_y);
}

Test(scene, a_shape_on_a_body_turns_with_it) {
  const scene_shape shape = {.anchor = SCENE_ON_BODY, .bodies = {0}};
  expect_at(&shape, 0, 0, 1, 2);
  expect_at(&shape, 3, 0, 1, 5);
  expect_at(&shape, 0, 1, 0, 2);
}

Test(scene, an_upright_shape_only_moves) {
  const scene_shape shape = {.anchor = SCENE_UPRIGHT, .bodies = {0}, .at = {{2, 0}}};
  expect_at(&shape, 0, 0, 1, 4);
  expect_at(&shape, 3, 1, 4, 5);
}

/* From (5, 4) on the ground to (1, 4) on the body: e = (-1, 0). */
static scene_shape between(scene_anchor anchor, double inset) {
  return (scene_shape){.anchor = anchor, .bodies = {MBS_GROUND, 0}, .at = {{5, 4}, {2, 0}}, .inset = inset};
}

Test(scene, ends_keep_their_size) {
  const scene_shape first = between(SCENE_AT_FIRST, 0.5);
  const scene_shape second = between(SCENE_AT_SECOND, 0.5);
  expect_at(&first, 0, 0, 4.5, 4);
  expect_at(&first, 1, 1, 3.5, 3);
  expect_at(&second, 0, 0, 1.5, 4);
  expect_at(&second, -1, 0, 2.5, 4);
}

Test(scene, what_is_stretched_reaches_from_end_to_end) {
  const scene_shape whole = between(SCENE_STRETCHED, 0);
  const scene_shape inner = between(SCENE_STRETCHED, 0.5);
  const scene_shape none = between(SCENE_STRETCHED, 3);
  expect_at(&whole, 0, 0, 5, 4);
  expect_at(&whole, 1, 0, 1, 4);
  expect_at(&whole, 0.5, 0.25, 3, 3.75);
  expect_at(&inner, 0, 0, 4.5, 4);
  expect_at(&inner, 1, 0, 1.5, 4);
  expect_at(&none, 1, 0, 2, 4); /* no length is left between the insets */
}

Test(scene, ends_that_coincide_look_along_x) {
  const scene_shape shape = {.anchor = SCENE_AT_FIRST, .bodies = {MBS_GROUND, 0}, .at = {{1, 4}, {2, 0}}};
  expect_at(&shape, 1, 1, 2, 5);
}

static void add_up(void *context, const double point[2]) {
  double *least = context;
  *least = fmin(*least, point[1]);
}

Test(scene, arcs_pass_where_they_should) {
  static const struct {
    const char *data;
    double least; /* y on the way */
  } arcs[] = {{"M1 0A1 0 1 -1 0", 0},
              {"M1 0A1 0 0 -1 0", -1},
              {"M0.6 0.8A1 1 0 -0.6 0.8", -1},
              {"M0.6 0.8A1 0 1 -0.6 0.8", 0.8}};
  for (size_t i = 0; i < sizeof arcs / sizeof *arcs; i++) {
    path_list list = {0};
    double least = INFINITY;
    path_symbol(&list, arcs[i].data, path_translation(0, 0));
    path_visit(list.at, list.n, path_translation(0, 0), 1e-3, add_up, &least);
    cr_expect_lt(fabs(least - arcs[i].least), 1e-5, "%s: %g", arcs[i].data, least);
    path_release(&list);
  }
}

/* A cable from (0, -2) past a disc of the radius r about the origin, on its left, to the body at D (cos θ, sin θ). */
static double length_of_line(double theta, double *turns) {
  enum { N = 15 };
  static scene_cable_node nodes[] = {{MBS_GROUND, {0, -2}, 0}, {MBS_GROUND, {0, 0}, 0.3}, {0, {0, 0}, 0}};
  const scene drawn = {.nodes = nodes, .n_nodes = 3};
  const scene_shape shape = {.anchor = SCENE_CABLE, .n_nodes = 3};
  double points[N][2];
  double length = 0;
  cr_assert_eq(scene_cable_n_points(&drawn, &shape), N);
  cr_assert(scene_cable_points(&drawn, &shape, (double[3]){1.5 * cos(theta), 1.5 * sin(theta), 0}, turns, points));
  for (int i = 1; i < N; i++)
    length += hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
  return length;
}

/* Twelve chords stand for an arc; turns are counted. */
Test(scene, cables_are_wound_up_pose_by_pose) {
  const double r = 0.3;
  double turns[3] = {NAN, NAN, NAN};
  for (int i = -10; i <= 120; i++) {
    const double theta = 0.1 * (i < 60 ? i : 120 - i);
    const double angle = theta - acos(r / 1.5) + acos(0) - acos(r / 2);
    const double arc = 24 * r * sin(fmax(0, angle) / 24);
    const double length =
        angle < 0 ? hypot(1.5 * cos(theta), 1.5 * sin(theta) + 2) : sqrt(4 - r * r) + arc + sqrt(1.5 * 1.5 - r * r);
    cr_expect_float_eq(length_of_line(theta, turns), length, 1e-12, "at %g rad", theta);
  }
}
