/* Hard contacts whose forces the motion does not determine: of all that give the motion those of least norm. */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/support/model_run.h"

static const double g = 9.81;

typedef struct force {
  const char *name;
  double value;
} force;

/* On the way and at the end, by methods with and without multipliers among their unknowns. */
static void expect_forces(const char *text, double end, const force *forces, size_t n, size_t n_contacts) {
  static const char *const methods[] = {"erk", "radau"};
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    model_run run = model_run_by(text, methods[m]);
    for (int at = 1; at <= 2; at++) {
      model_run_reach(&run, end * at / 2);
      for (size_t k = 0; k < n_contacts; k++)
        cr_expect_eq(run.state->undetermined[k], 1, "%s: contact %zu", methods[m], k);
      for (size_t i = 0; i < n; i++)
        cr_expect_float_eq(model_run_read(&run, forces[i].name), forces[i].value, 1e-9 * 2 * g,
                           "%s: %s is %.15g not %.15g", methods[m], forces[i].name,
                           model_run_read(&run, forces[i].name), forces[i].value);
    }
    model_run_end(&run);
  }
}

#define POINT(name, x, more)                                                                                           \
  name ": {type: contact, bodies: [ground, box], at: {ground: [0, 0], box: [" x ", -0.1]}, line: [cos(al), sin(al)],"  \
       " radius: 0, hard: true" more "}\n"
#define ON_A_SLOPE(angle)                                                                                              \
  "seam: 1\ngravity: [0, -9.81]\nparameters: {al: " angle "}\nsimulate: {end: 1}\n"                                    \
  "bodies: {box: {mass: 2, inertia: 0.01, at: [-0.1*sin(al), 0.1*cos(al)], angle: al}}\n"

/* Three in a line under the middle carry a third each. */
Test(hyperstatic_contacts, three_points_share_a_block) {
  const double third = 2 * g * cos(0.35) / 3;
  const force forces[] = {{"l.force", third}, {"m.force", third}, {"r.force", third}};
  expect_forces(
      ON_A_SLOPE("0.35") "forces:\n  " POINT("l", "-0.1", "") "  " POINT("m", "0", "") "  " POINT("r", "0.1", ""), 0.4,
      forces, 3, 3);
}

/* Points at -3, -1, 1, 3 under a load 2 to the right: a straight line through all would pull at the first. Without it,
 * 1/3 + (x - 1)/8. */
Test(hyperstatic_contacts, no_force_of_least_norm_pulls) {
  const double W = 2 * g;
  const force forces[] = {{"a.force", 0}, {"b.force", W / 12}, {"c.force", W / 3}, {"d.force", W * 7 / 12}};
  expect_forces(
      ON_A_SLOPE("0") "forces:\n  " POINT("a", "-0.3", "") "  " POINT("b", "-0.1", "") "  " POINT(
          "c", "0.1", "") "  " POINT("d", "0.3", "") "  load: {type: torque, body: box, torque: -2*9.81*0.2}\n",
      0.4, forces, 4, 4);
}

/* Of two that stick the normal forces follow from the moment, half the friction of each is least, and where that is
 * more than the cone of one holds, the other takes the rest. */
Test(hyperstatic_contacts, friction_is_shared_within_its_cones) {
  const double al = 0.3;
  const double normal = 2 * g * cos(al) / 2;
  const double more = 2 * g * sin(al) / 2; /* the height of the middle is the half width */
  const double whole = 2 * g * sin(al);
  const force half[] = {{"r.force", normal - more}, {"r.friction", whole / 2}, {"l.friction", whole / 2}};
  const force bound[] = {
      {"r.friction", 0.4 * (normal - more)}, {"l.friction", whole - 0.4 * (normal - more)}, {"l.force", normal + more}};
  expect_forces(
      ON_A_SLOPE("0.3") "forces:\n  " POINT("l", "-0.1", ", friction: 0.9") "  " POINT("r", "0.1", ", friction: 0.9"),
      0.4, half, 3, 2);
  expect_forces(
      ON_A_SLOPE("0.3") "forces:\n  " POINT("l", "-0.1", ", friction: 0.4") "  " POINT("r", "0.1", ", friction: 0.4"),
      0.4, bound, 3, 2);
}

/* N1 x1 + N2 x2 = m g l/2 about the pin, which carries the rest. */
Test(hyperstatic_contacts, joints_take_what_contacts_do_not) {
  const double part = 2 * g * 0.5 / (0.4 * 0.4 + 0.8 * 0.8);
  const force forces[] = {{"a.force", 0.4 * part}, {"b.force", -0.8 * part}, {"pin.fy", 1.2 * part - 2 * g}};
  expect_forces("seam: 1\ngravity: [0, -9.81]\nsimulate: {end: 1}\nbodies: {bar: {rod: [[0, 0], [1, 0]], mass: 2}}\n"
                "joints: {pin: {type: revolute, bodies: [ground, bar], at: [0, 0]}}\nforces:\n"
                "  a: {type: contact, bodies: [ground, bar], at: {ground: [0.4, 0], bar: [-0.1, 0]}, line: [1, 0],"
                " radius: 0, hard: true}\n"
                "  b: {type: rope, bodies: [ground, bar], at: [[0.8, 1], [0.8, 0]], hard: true}\n",
                0.4, forces, 3, 2);
}
