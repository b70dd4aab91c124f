/* Friction of joints by their impulsive reactions, where hard contacts hit. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/model_run.h"

/* A load on a guide along x, of 2 kg and at speed, on which a ball of 0.5 kg falls at 3 m/s. */
#define LOAD(FRICTION, CONTACT)                                                                                        \
  "seam: 1\n"                                                                                                          \
  "bodies: {load: {mass: 2, inertia: 0.1, at: [0, 0], velocity: [1, 0]},\n"                                            \
  "  ball: {mass: 0.5, inertia: 0.01, at: [0.2, 0.5], velocity: [0, -3]}}\n"                                           \
  "joints: {guide: {type: prismatic, bodies: [ground, load], at: [0, 0], axis: [1, 0], friction: {" FRICTION "}}}\n"   \
  "forces: {top: {type: contact, bodies: [load, ball], line: [1, 0], at: {load: [0, 0.1], ball: [0, 0]},\n"            \
  "  radius: 0.1, " CONTACT "}}\nsimulate: {end: 0.2}\n"

/* The guide takes Λ = (1 + e) m v, and friction μ Λ of the motion, or what there is of it. */
Test(impact_friction, a_load_on_a_guide_loses_speed_where_a_ball_falls_on_it) {
  static const struct {
    const char *text;
    double mu, e;
  } cases[] = {
      {LOAD("coefficient: 0.4, hard: true", "hard: true, restitution: 0.6"), 0.4, 0.6},
      {LOAD("coefficient: 0.4, slip_speed: 1e-4", "hard: true, restitution: 0.6"), 0.4, 0.6},
      {LOAD("coefficient: 0.4, hard: true", "hard: true, restitution: 0.6, impact: poisson"), 0.4, 0.6},
      {LOAD("coefficient: 0.9, hard: true", "hard: true, restitution: 0.9"), 0.9, 0.9},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    model_run run = model_run_by(cases[i].text, "erk");
    const double before = model_run_energy(&run);
    const double expected = fmax(1 - cases[i].mu * (1 + cases[i].e) * 0.5 * 3 / 2, 0);
    model_run_reach(&run, 0.2);
    cr_expect_float_eq(run.state->v[0], expected, 1e-12, "%zu: %g", i, run.state->v[0]);
    cr_expect_float_eq(run.state->v[4], 3 * cases[i].e, 1e-12, "%zu: %g", i, run.state->v[4]);
    cr_expect_lt(model_run_imbalance(&run, before), 1e-12);
    if (expected == 0)
      cr_expect_eq(model_run_read(&run, "guide.sticks"), 1);
    model_run_end(&run);
  }
}

/* A compliant contact does the same over its time, the better the stiffer it is. */
Test(impact_friction, it_is_what_stiff_contacts_come_to) {
  double off[2];
  for (int i = 0; i < 2; i++) {
    char text[900];
    snprintf(text, sizeof text,
             LOAD("coefficient: 0.4, hard: true", "stiffness: %s, exponent: 1, restitution: 0.6, impact_speed: 3"),
             i == 0 ? "1e6" : "1e8");
    model_run run = model_run_by(text, "erk");
    model_run_reach(&run, 0.2);
    off[i] = fabs(run.state->v[0] - 0.52);
    model_run_end(&run);
  }
  cr_expect_lt(off[0], 1e-8, "%g", off[0]);
  cr_expect_lt(off[1], 1e-8, "%g", off[1]);
}

/* A rod on a pin of the radius ρ hits a stop at d with e: it parts with e ω, and with the impulse Λ of the stop
 * I (1 + e) ω = Λ d + M, the pin's is |m (1 + e) ω l/2 - Λ|, and M = μ ρ times that is against the motion behind, that
 * of the stop. */
Test(impact_friction, a_rod_on_a_rubbing_pin_hits_a_stop) {
  const double l = 1;
  const double d = 0.5;
  const double m = 3;
  const double e = 0.5;
  const double share = 0.3 * 0.2;
  model_run run = model_run_by("seam: 1\n"
                               "bodies: {rod: {rod: [[0, 0], [1, 0]], mass: 3, rate: -2, velocity: [0, -1]}}\n"
                               "joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0],\n"
                               "  friction: {coefficient: 0.3, radius: 0.2, hard: true}}}\n"
                               "forces: {stop: {type: contact, bodies: [ground, rod], line: [1, 0], radius: 0,\n"
                               "  at: {ground: [0, -1e-9], rod: [0, 0]}, hard: true, restitution: 0.5}}\n"
                               "simulate: {end: 0.2}\n",
                               "erk");
  const double before = model_run_energy(&run);
  while (model_run_read(&run, "stop.impacts") == 0)
    model_run_reach(&run, run.state->t + 1e-9);
  const double turned = (1 + e) * 2;
  const double inertia = m * l * l / 3;
  /* Λ > m ω l/2 of the part that turns: R = Λ - m (1 + e) ω l/2, and friction of the pin against e ω pushes as the stop
   * does not: Λ d - share R = I (1 + e) ω */
  const double momentum = m * turned * l / 2;
  const double impulse = (inertia * turned - share * momentum) / (d - share);
  cr_expect_gt(impulse, momentum);
  cr_expect_float_eq(model_run_read(&run, "stop.impulse"), impulse, 1e-6, "%g, %g",
                     model_run_read(&run, "stop.impulse"), impulse);
  cr_expect_float_eq(run.state->v[2], 1, 1e-6, "%g", run.state->v[2]);
  cr_expect_lt(model_run_imbalance(&run, before), 1e-10);
  model_run_end(&run);
}

/* Friction of pins and floor depends on each other so that the search for both goes to and fro; there are impulses. */
Test(impact_friction, two_rods_on_rough_pins_fall_on_a_rough_floor) {
  model_run run = model_run_by(
      "seam: 2\ngravity: [0, -9.81]\npoints: {P: [0, 0], Q: [0.58, -0.55], R: [0.96, -1.06]}\n"
      "bodies: {a: {rod: [P, Q], mass: 0.34}, b: {rod: [Q, R], mass: 1.5}}\njoints:\n"
      "  A: {type: revolute, bodies: [ground, a], at: P, friction: {coefficient: 0.7, radius: 0.1, slip_speed: 0.01}}\n"
      "  B: {type: revolute, bodies: [a, b], at: Q, friction: {coefficient: 0.4, radius: 0.1, hard: true}}\n"
      "forces: {floor: {type: contact, bodies: [ground, b], at: [[0, -1.2], R], line: [1, 0], radius: 0,\n"
      "  friction: 0.5, hard: true, restitution: 0.3}}\nsimulate: {end: 1}\n",
      "erk");
  const double before = model_run_energy(&run);
  double rate = 0;
  model_run_reach(&run, 0.24);
  while (model_run_read(&run, "floor.impacts") == 0) {
    rate = model_run_read(&run, "floor.rate");
    model_run_reach(&run, run.state->t + 1e-5);
  }
  cr_expect_float_eq(model_run_read(&run, "floor.rate") / rate, -0.3, 1e-3, "%g",
                     model_run_read(&run, "floor.rate") / rate);
  cr_expect_leq(fabs(model_run_read(&run, "floor.friction_impulse")), 0.5 * model_run_read(&run, "floor.impulse"));
  cr_expect_lt(model_run_imbalance(&run, before), 1e-9);
  model_run_end(&run);
}

/* A slider on a rough guide of a driven rod falls from one bound of its way to the other. Its impacts end in rest at
 * the bound, where the stop and the guide hold the same motion. The motion does not depend on the units. */
Test(impact_friction, a_slider_on_a_rough_guide_comes_to_rest_at_its_bounds) {
  static const double units[][3] = {{1, 1, 1}, {1024, 1, 1}, {3, 1, 1}, {1e6, 1, 1}, {1, 3, 1}, {7, 5, 0.1}};
  for (int c = 0; c < 8; c++) {
    double expected[2] = {0};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
      char text[1200];
      const double L = units[i][0];
      const double T = units[i][2];
      const double energy = units[i][1] * L * L / (T * T);
      snprintf(text, sizeof text,
               "seam: 2\nparameters: {L: %.17g, M: %.17g, T: %.17g}\ngravity: [0, -10*L/T^2]\n"
               "points: {A: [0, 0], B: [L, 0]}\n"
               "bodies: {rod: {rod: [A, B], mass: M}, slider: {mass: M/2, inertia: M*L^2/100, at: B}}\n"
               "joints:\n  pin: {type: revolute, bodies: [ground, rod], at: A,\n"
               "    friction: {coefficient: 0.4, radius: L/10, hard: true}}\n"
               "  guide: {type: %s, bodies: [rod, slider], at: B, axis: [1, 0],\n"
               "    friction: {coefficient: %s, hard: true}}\n"
               "forces:\n  end: {type: stop, bodies: [rod, slider], of: distance, at: [A, B], lower: L/2,\n"
               "    upper: 1.5*L, hard: true, restitution: %s, impact: %s}\n"
               "  drive: {type: torque, body: rod, torque: \"3*M*L^2/T^2*sin(3*t/T)\"}\nsimulate: {end: 5*T}\n",
               L, units[i][1], T, c & 1 ? "slot" : "prismatic", c & 1 ? "0.6" : "0.2", c & 2 ? "0.5" : "0",
               c & 4 ? "poisson" : "newton");
      model_run run = model_run_by(text, "erk");
      const double before = model_run_energy(&run);
      model_run_reach(&run, 1.5 * T);
      const double *q = run.state->q;
      cr_expect_float_eq(hypot(q[3], q[4]) / L, 1.5, 1e-12, "%d, %zu: %g", c, i, hypot(q[3], q[4]) / L);
      cr_expect_lt(model_run_read(&run, "end.force"), 0);
      model_run_reach(&run, 5 * T);
      const double found[2] = {q[2], hypot(q[3], q[4]) / L};
      for (int k = 0; k < 2; k++) {
        expected[k] = i == 0 ? found[k] : expected[k];
        cr_expect_float_eq(found[k], expected[k], 1e-6, "%d, %zu: %g, not %g", c, i, found[k], expected[k]);
      }
      cr_expect_lt(model_run_imbalance(&run, before), 1e-7 * energy, "%d, %zu: %g", c, i,
                   model_run_imbalance(&run, before) / energy);
      model_run_end(&run);
    }
  }
}
