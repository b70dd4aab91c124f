/* Collocation at every force element and joint that can be cut: orders of convergence against the whole model. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cosim_fixture.h"

/* Two bodies: `l` on a pivot, `r` on soft springs, both moving at the start; a cut between them. */
#define BODIES                                                                                                         \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "bodies:\n"                                                                                                          \
  "  a: {rod: [[0, 0], [1, 0.3]], mass: 1, velocity: [-0.3, 1], rate: 2}\n"                                            \
  "  b: {rod: [[1, 0.3], [1.9, -0.4]], mass: 0.8, velocity: [0.4, 0.8], rate: -1}\n"                                   \
  "simulate: {end: 1}\n"                                                                                               \
  "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-2, scheme: ff-colloc-s1, order: 8, rtol: 1e-12, atol: "        \
  "1e-13}\n"
#define PIVOT "  pivot: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
#define AXLE "  axle: {type: revolute, bodies: [ground, b], at: [1.45, -0.05]}\n"
#define SOFT                                                                                                           \
  "  soft: {type: bushing, bodies: [ground, b], at: [1.6, -0.2], stiffness: [40, 60, 5], damping: [0.5, 0.4, 0.1]}\n"
#define JOINT(rows) BODIES "joints:\n" PIVOT rows "forces:\n" SOFT
#define FORCE(rows) BODIES "joints:\n" PIVOT "forces:\n" SOFT rows

static const struct element {
  const char *name, *text;
  bool at_joint;
} elements[] = {
    {"bushing with law markers",
     FORCE("  M: {type: bushing, bodies: [a, b], at: [1, 0.3], stiffness: [500, 300, 20], damping: [2, 3, 0.2]}\n"),
     false},
    {"bushing with law consistent",
     FORCE("  M: {type: bushing, law: consistent, bodies: [a, b], at: [1, 0.3], stiffness: [500, 300, 20],\n"
           "      damping: [2, 3, 0.2]}\n"),
     false},
    {"spring between points",
     FORCE("  M: {type: spring_damper, bodies: [a, b], at: [[0.8, 0.5], [1.4, 0.2]], stiffness: 200, damping: 3}\n"),
     false},
    {"spring with a nonlinear law",
     FORCE("  M: {type: spring_damper, bodies: [a, b], at: [[0.8, 0.5], [1.4, 0.2]], force: 200*s + 300*s^3 + "
           "2*v*(1 + s^2)}\n"),
     false},
    {"spring along an axis",
     FORCE("  M: {type: spring_damper, bodies: [a, b], at: [[0.8, 0.5], [1.4, 0.2]], axis: "
           "[0.6, 0.8], stiffness: 200, damping: 3}\n"),
     false},
    {"torsion", FORCE("  M: {type: torsion, bodies: [a, b], stiffness: 30, damping: 0.5}\n"), false},
    {"torsion with a nonlinear law", FORCE("  M: {type: torsion, bodies: [a, b], torque: 20*sin(s) + 4*s^3 + 0.5*v}\n"),
     false},
    {"revolute", JOINT("  M: {type: revolute, bodies: [a, b], at: [1, 0.3]}\n"), true},
    {"prismatic", JOINT("  M: {type: prismatic, bodies: [a, b], at: [1, 0.3], axis: [0.9, -0.7]}\n"), true},
    {"fixed", JOINT("  M: {type: fixed, bodies: [a, b], at: [1, 0.3]}\n"), true},
    {"distance", JOINT("  M: {type: distance, bodies: [a, b], at: [[0.8, 0.5], [1.4, 0.2]]}\n"), true},
    {"slot", JOINT("  M: {type: slot, bodies: [a, b], at: [1, 0.3], axis: [0.9, 0.5]}\n"), true},
    {"gear", JOINT(AXLE "  M: {type: gear, bodies: [a, b], ratio: -1.5}\n"), true},
    {"gear between centres",
     JOINT(AXLE "  M: {type: gear, bodies: [a, b], at: [[0, 0], [1.45, -0.05]], ratio: -1.5}\n"), true},
    {"gear between centres that move",
     JOINT("  M: {type: gear, bodies: [a, b], at: [[0.8, 0.5], [1.6, -0.2]], ratio: 2.5}\n"), true},
    {"rack", JOINT("  M: {type: rack, bodies: [a, b], at: [1.4, 0.1], axis: [0.9, 0.4], radius: -0.6}\n"), true},
    {"belt", JOINT("  M: {type: belt, bodies: [a, b], at: [[0.3, 0.5], [1.6, -0.2]], radii: [0.3, 0.6]}\n"), true},
    {"motion of the angle", JOINT("  M: {type: motion, of: angle, bodies: [a, b], law: 0.3*sin(4*t)}\n"), true},
    {"motion of the distance",
     JOINT("  M: {type: motion, of: distance, bodies: [a, b], at: [[0.8, 0.5], [1.4, 0.2]], law: \"sqrt(0.45) + "
           "0.1*sin(5*t)\"}\n"),
     true},
};
enum { n_elements = sizeof elements / sizeof *elements };

/* Of positions and velocities: 2s; of joints whose wrench has no other components than its rows, and where both sides
 * receive motions, 4, 5, 6, which is more with one stage and less with four. */
static double least_order(int s, bool at_joint, const char *decomposition) {
  return at_joint || strcmp(decomposition, "dd") != 0 ? 2 * s : 3 + s;
}

/* The macro step is halved twice; the last two errors above those of the subsystems' integrators count. */
static void expect_order(const struct element *e, const char *decomposition, int s) {
  static const double coarse[4] = {0, 0.01, 0.02, 0.04};
  const double floor = 3e-11;
  char scheme[32];
  double error[3];
  cosim_fixture p = cosim_fixture_read(e->text, NULL);
  snprintf(scheme, sizeof scheme, "%s-colloc-s%d", decomposition, s);
  use_scheme(&p, scheme);
  for (int k = 0; k < 3; k++)
    error[k] = error_at_macro_step(&p, coarse[s] / (1 << k), 0.4);
  const int last = error[2] > floor ? 2 : 1;
  const double order = log2(error[last - 1] / error[last]);
  cr_expect_gt(order, least_order(s, e->at_joint, decomposition) - 0.4, "%s, %s: %.2f, errors %.2e, %.2e, %.2e",
               e->name, scheme, order, error[0], error[1], error[2]);
  cr_expect_lt(error[2], 2e-3, "%s, %s: %.2e", e->name, scheme, error[2]);
  cosim_fixture_free(&p);
}

Test(collocation, orders_at_force_elements) {
  static const char *const decompositions[] = {"ff", "fd", "df", "dd"};
  for (const struct element *e = elements; e < elements + n_elements; e++)
    for (int d = 0; d < 4 && !e->at_joint; d++)
      for (int s = 1; s <= 3; s++)
        expect_order(e, decompositions[d], s);
}

Test(collocation, orders_at_joints) {
  for (const struct element *e = elements; e < elements + n_elements; e++)
    for (int s = 1; s <= 3 && e->at_joint; s++)
      expect_order(e, "ff", s);
}

/* Its strands may be slack, so that forces alone are exchanged. */
Test(collocation, order_at_a_belt_that_stretches) {
  static const struct element belt = {
      "belt that stretches",
      BODIES "joints:\n" PIVOT AXLE "forces:\n" SOFT
             "  M: {type: belt, bodies: [a, b], at: [[0.1, 0.2], [1.5, -0.2]], radii: [0.3, 0.6], stiffness: 60,\n"
             "      damping: 1, tension: 60}\n",
      false};
  for (int s = 1; s <= 3; s++)
    expect_order(&belt, "ff", s);
}

/* ---- Many subsystems ---- */

#define LINKS                                                                                                          \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "bodies:\n"                                                                                                          \
  "  hub: {rod: [[0, 0], [0.4, 0]], mass: 1}\n"                                                                        \
  "  a: {rod: [[0.4, 0], [0.8, -0.3]], mass: 0.5}\n"                                                                   \
  "  b: {rod: [[0.8, -0.3], [1.2, 0.1]], mass: 0.5}\n"                                                                 \
  "  c: {rod: [[1.2, 0.1], [1.6, 0.2]], mass: 0.5}\n"                                                                  \
  "  d: {rod: [[1.6, 0.2], [2, 0]], mass: 0.5}\n"                                                                      \
  "simulate: {end: 1}\n"
#define HINGES                                                                                                         \
  "joints:\n"                                                                                                          \
  "  O: {type: revolute, bodies: [ground, hub], at: [0, 0]}\n"                                                         \
  "  A: {type: revolute, bodies: [hub, a], at: [0.4, 0]}\n"                                                            \
  "  B: {type: revolute, bodies: [a, b], at: [0.8, -0.3]}\n"                                                           \
  "  C: {type: revolute, bodies: [b, c], at: [1.2, 0.1]}\n"                                                            \
  "  D: {type: revolute, bodies: [c, d], at: [1.6, 0.2]}\n"
#define EACH_ITS_OWN                                                                                                   \
  "cosim: {subsystems: {l0: [hub], l1: [a], l2: [b], l3: [c], l4: [d]}, macro_step: 0.01, scheme: ff-colloc-s2, "      \
  "order: 8, rtol: 1e-12, atol: 1e-13}\n"
#define STIFF "stiffness: [2000, 2000, 5], damping: [3, 3, 0.1]"

static const struct structure {
  const char *name, *text;
} structures[] = {
    {"chain of joints", LINKS HINGES EACH_ITS_OWN},
    {"chain of joints and bushings",
     LINKS "joints:\n"
           "  O: {type: revolute, bodies: [ground, hub], at: [0, 0]}\n"
           "  B: {type: revolute, bodies: [a, b], at: [0.8, -0.3]}\n"
           "  D: {type: revolute, bodies: [c, d], at: [1.6, 0.2]}\n"
           "forces:\n"
           "  A: {type: bushing, bodies: [hub, a], at: [0.4, 0], " STIFF "}\n"
           "  C: {type: bushing, law: consistent, bodies: [b, c], at: [1.2, 0.1], " STIFF "}\n" EACH_ITS_OWN},
    {"star",
     LINKS "joints:\n"
           "  O: {type: revolute, bodies: [ground, hub], at: [0, 0]}\n"
           "  A: {type: revolute, bodies: [hub, a], at: [0.4, 0]}\n"
           "  B: {type: distance, bodies: [hub, b], at: [[0.4, 0], [0.8, -0.3]]}\n"
           "forces:\n"
           "  C: {type: spring_damper, bodies: [hub, c], at: [[0.2, 0], [1.2, 0.1]], stiffness: 50, damping: 1}\n"
           "  D: {type: bushing, bodies: [hub, d], at: [0.4, 0], stiffness: [300, 300, 5]}\n" EACH_ITS_OWN},
    {"loop", LINKS HINGES "forces:\n"
                          "  E: {type: spring_damper, bodies: [hub, d], at: [[0.2, 0], [2, 0]], stiffness: 30, "
                          "damping: 1}\n"
                          "  F: {type: torsion, bodies: [a, d], stiffness: 2}\n" EACH_ITS_OWN},
    {"loop closed by a joint",
     LINKS HINGES "  E: {type: distance, bodies: [a, d], at: [[0.6, -0.15], [2, 0]]}\n" EACH_ITS_OWN},
};
enum { n_structures = sizeof structures / sizeof *structures };

Test(collocation, many_subsystems) {
  for (const struct structure *m = structures; m < structures + n_structures; m++) {
    cosim_fixture p = cosim_fixture_read(m->text, NULL);
    const double coarse = error_at_macro_step(&p, 0.01, 0.4);
    const double fine = error_at_macro_step(&p, 0.005, 0.4);
    cr_expect_gt(log2(coarse / fine), 3.6, "%s: errors %.2e, %.2e", m->name, coarse, fine);
    cosim_fixture_free(&p);
  }
}

/* ---- Bits ---- */

static cosim_fixture started(const struct structure *m, const char *scheme, bool reuse) {
  cosim_fixture p = cosim_fixture_read(m->text, NULL);
  use_scheme(&p, scheme);
  p.definition.options.reuse = reuse;
  p.definition.options.integrator.rtol = 1e-8;
  start(&p);
  return p;
}

Test(collocation, save_step_restore_step_gives_the_same_bits) {
  static const char *const schemes[] = {"ff-colloc-s1", "ff-colloc-s3", "ff-colloc-s5"};
  for (int i = 0; i < 2 * n_structures; i++) {
    const struct structure *m = &structures[i / 2];
    const char *scheme = schemes[i % 3];
    cosim_fixture p = started(m, scheme, i % 2 == 1);
    cosim_fixture fresh = started(m, scheme, i % 2 == 1);
    const size_t size = cosim_image_size(p.run);
    void *image = malloc(size);
    mbs_state *first = new_state(p.model);
    advance(&p, 3);
    cosim_save(p.run, image);
    advance(&p, 8);
    mbs_state_copy(first, cosim_state(p.run));
    cr_assert_eq(cosim_restore(p.run, image, size, NULL), SEAM_OK);
    advance(&p, 8);
    cr_expect(same_bits(first, cosim_state(p.run)), "%s, %s", m->name, scheme);
    cr_assert_eq(cosim_restore(fresh.run, image, size, NULL), SEAM_OK);
    advance(&fresh, 8);
    cr_expect(same_bits(first, cosim_state(fresh.run)), "%s, %s, fresh", m->name, scheme);
    free(image);
    mbs_state_destroy(first);
    cosim_fixture_free(&p);
    cosim_fixture_free(&fresh);
  }
}

Test(collocation, threads_do_not_change_a_bit) {
  for (const struct structure *m = structures; m < structures + n_structures; m++) {
    cosim_fixture p = started(m, "ff-colloc-s3", false);
    cosim_fixture q = started(m, "ff-colloc-s3", false);
    q.definition.options.n_threads = 3;
    start(&q);
    advance(&p, 10);
    advance(&q, 10);
    cr_expect(same_bits(cosim_state(p.run), cosim_state(q.run)), "%s", m->name);
    cosim_fixture_free(&p);
    cosim_fixture_free(&q);
  }
}

/* ---- Nodes inside of micro steps ---- */

/* A wrench of degree s moves a mass with degree s + 2: an interpolant of lower degree gives other gaps at the nodes
 * than the wrench makes, and correctors diverge. Here one micro step covers the macro step. */
Test(collocation, nodes_are_as_accurate_as_ends) {
  static const char *const schemes[] = {"ff-colloc-s2", "ff-colloc-s3", "ff-colloc-s4", "ff-colloc-s5"};
  cosim_fixture p = cosim_fixture_read("four_bar_fixed", NULL);
  p.definition.options.implicit_tolerance = 1e-7;
  for (int order = 4; order <= 5; order++)
    for (int i = 0; i < 4; i++) {
      use_scheme(&p, schemes[i]);
      p.definition.options.integrator.order = order;
      const double error = error_at_macro_step(&p, 2e-3, 0.1);
      cr_expect_lt(error, 1e-7, "%s, order %d: %.2e", schemes[i], order, error);
    }
  cosim_fixture_free(&p);
}
