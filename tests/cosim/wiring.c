/* Mechanisms by explicit exchange: couplings, elements of subsystems of their own, signals, corrections, bits. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/simulation.h"
#include "tests/analysis/table.h"
#include "tests/cosim/partitioned.h"

enum { most_subsystems = 5, most_choices = 4 };

/* ---- A run whose options are changed ---- */

typedef struct wired {
  partitioned p;
  cosim_subsystem subsystems[most_subsystems];
  cosim_choice choices[most_choices];
} wired;

static wired *read_wired(const char *text) {
  wired *w = calloc(1, sizeof *w);
  cr_assert_not_null(w);
  w->p = read_partitioned(text, NULL);
  memcpy(w->subsystems, w->p.options.subsystems, w->p.options.n_subsystems * sizeof *w->subsystems);
  w->p.options.subsystems = w->subsystems;
  w->p.options.choices = w->choices;
  w->p.options.n_choices = 0;
  return w;
}

static void wired_free(wired *w) {
  partitioned_free(&w->p);
  free(w);
}

static cosim_choice *choose(wired *w, const char *element, int force_order, int motion_order) {
  cosim_choice *choice = &w->choices[w->p.options.n_choices++];
  *choice = (cosim_choice){element, "fd-k0-explicit", true, force_order, motion_order, false};
  return choice;
}

static cosim_subsystem *add_subsystem(wired *w, const char *name) {
  cosim_subsystem *subsystem = &w->subsystems[w->p.options.n_subsystems++];
  *subsystem = (cosim_subsystem){.name = name};
  return subsystem;
}

/* ---- Two masses on springs along x, coupled by a third ---- */

#define MASSES(forces)                                                                                                 \
  "seam: 1\n"                                                                                                          \
  "parameters: {m1: 1, c: 0}\n"                                                                                        \
  "bodies:\n"                                                                                                          \
  "  first: {mass: m1, inertia: 1, velocity: [100, 0]}\n"                                                              \
  "  last: {mass: 1, inertia: 1, velocity: [-100, 0]}\n"                                                               \
  "forces:\n"                                                                                                          \
  "  k1: {type: spring_damper, bodies: [ground, first], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 10, "           \
  "damping: c}\n"                                                                                                      \
  "  k2: {type: spring_damper, bodies: [ground, last], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 1000, "          \
  "damping: c}\n"                                                                                                      \
  "  K: {type: spring_damper, bodies: [last, first], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 100, "             \
  "damping: c}\n" forces "simulate: {end: 1}\n"                                                                        \
  "cosim: {subsystems: {A: [first], B: [last]}, macro_step: 1e-3, scheme: fd-k0-explicit}\n"

static const char masses[] = MASSES("");

/* As the master couples them, and by exchange. */
static double error_by(wired *w, int order, double H, bool exchange) {
  w->p.options.n_choices = 0;
  w->p.options.exact_history = true;
  if (exchange)
    choose(w, "K", order, order);
  w->p.options.constitutive_scheme = order == 0 ? "fd-k0-explicit" : order == 1 ? "fd-k1-explicit" : "fd-k2-explicit";
  return error_at(&w->p, H, 0.2);
}

Test(wiring, exchange_has_the_order_of_its_holds_as_the_master_has) {
  wired *w = read_wired(masses);
  for (int order = 0; order <= 2; order++) {
    const double coarse = error_by(w, order, 1e-3, true);
    const double fine = error_by(w, order, 2.5e-4, true);
    const double master = error_by(w, order, 2.5e-4, false);
    const double slope = log(coarse / fine) / log(4);
    cr_expect_float_eq(slope, order + 1, 0.2, "order %d: %g, %g", order, coarse, fine);
    cr_expect(fine < 4 * master && master < 4 * fine, "order %d: %g, by the master %g", order, fine, master);
  }
  wired_free(w);
}

Test(wiring, exact_history_starts_at_full_order) {
  wired *w = read_wired(masses);
  choose(w, "K", 3, 3);
  const double raised = error_at(&w->p, 1e-3, 0.02);
  w->p.options.exact_history = true;
  const double exact = error_at(&w->p, 1e-3, 0.02);
  cr_expect_lt(exact, raised / 10, "%g, %g", exact, raised);
  wired_free(w);
}

Test(wiring, subsystems_take_steps_of_their_own) {
  wired *w = read_wired(masses);
  w->subsystems[0].steps = 4;
  w->p.options.exact_history = true;
  choose(w, "K", 2, 2);
  const double coarse = error_at(&w->p, 1e-3, 0.2);
  const double fine = error_at(&w->p, 2.5e-4, 0.2);
  cr_expect_float_eq(log(coarse / fine) / log(4), 3, 0.3, "%g, %g", coarse, fine);
  wired_free(w);
}

Test(wiring, gauss_seidel_and_smooth_switching_converge_too) {
  wired *w = read_wired(masses);
  choose(w, "K", 1, 1)->smooth = true;
  w->p.options.gauss_seidel = true;
  const double coarse = error_at(&w->p, 1e-3, 0.2);
  const double fine = error_at(&w->p, 2.5e-4, 0.2);
  cr_expect_gt(log(coarse / fine) / log(4), 1.7, "%g, %g", coarse, fine);
  wired_free(w);
}

/* ---- Wrenches and energies at macro points ---- */

Test(wiring, wrenches_are_those_of_the_element_to_the_order_of_the_holds) {
  wired *w = read_wired(masses);
  choose(w, "K", 2, 2);
  w->p.options.macro_step = 1e-4;
  start(&w->p);
  advance(&w->p, 100);
  const mbs_state *now = cosim_state(w->p.run);
  double wrench[2][3];
  cosim_coupling_wrenches(w->p.run, 0, wrench);
  const double pull = 100 * (now->q[0] - now->q[3]);
  cr_expect_float_eq(wrench[0][0], pull, 1e-3);
  cr_expect_float_eq(wrench[1][0], -pull, 1e-3);
  cr_expect_eq(cosim_n_couplings(w->p.run), 1);
  cr_expect_eq(cosim_statistics_of(w->p.run).macro_steps, 100);
  cr_expect_float_eq(now->t, 100 * 1e-4, 1e-15);
  wired_free(w);
}

/* Energies of energy-correction.txt as the reference has them: symplectic Euler, a step in each macro step. */
static double run_row(wired *w, const double *row) {
  const double h_df = row[0];
  const double h_ndf = row[1];
  const double H = fmax(h_df, h_ndf);
  const int steps[2] = {(int)lround(H / h_df), (int)lround(H / h_ndf)};
  mbs_integrator_options integrators[2] = {w->p.options.integrator, w->p.options.integrator};
  const cosim_energy_correction_def correction = {.bond = "K", .mu = row[3], .nu = row[4], .limit = row[5]};
  for (int i = 0; i < 2; i++) {
    integrators[i].method = "symplectic_euler";
    integrators[i].step = H / steps[i];
    w->subsystems[i].steps = (size_t)steps[i];
    w->subsystems[i].integrator = &integrators[i];
  }
  w->p.options.n_choices = 0;
  choose(w, "K", steps[1] > 1 ? (int)row[2] : 0, steps[0] > 1 ? (int)row[2] : 0);
  w->p.options.energy_corrections = &correction;
  w->p.options.n_energy_corrections = 1;
  w->p.options.macro_step = H;
  start(&w->p);
  const double E0 = mbs_energy_of(w->p.workspace, w->p.state).total;
  advance(&w->p, (size_t)lround(10 / H));
  return mbs_energy_of(w->p.workspace, cosim_state(w->p.run)).total / E0;
}

Test(wiring, energy_correction_of_a_coupling_is_that_of_the_reference) {
  static const struct {
    const char *name, *overrides[3];
  } models[] = {
      {"linear", {NULL}}, {"damped", {"parameters.c=0.1", NULL}}, {"heavy_first", {"parameters.m1=10", NULL}}};
  table t = table_open("energy_oscillators.csv");
  int n = 0;
  while (table_next(&t) == 16)
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
      if (strcmp(t.word[0], models[i].name) != 0)
        continue;
      wired *w = read_wired(masses);
      partitioned_free(&w->p);
      w->p = read_partitioned(masses, models[i].overrides);
      w->p.options.subsystems = w->subsystems;
      w->p.options.choices = w->choices;
      memcpy(w->subsystems, seam_model_cosim(w->p.file)->subsystems, 2 * sizeof *w->subsystems);
      const double found = run_row(w, t.number + 1);
      cr_expect_float_eq(found, t.number[7], 1e-6 * t.number[7], "%s h %g %g: %.9g, %.9g", t.word[0], t.number[1],
                         t.number[2], found, t.number[7]);
      wired_free(w);
      n++;
    }
  cr_assert_gt(n, 20);
}

Test(wiring, the_fraction_is_found_by_the_rules) {
  wired *w = read_wired(masses);
  const double found = run_row(w, (double[]){1e-2, 1e-3, 0, NAN, 0, 1});
  const double given = run_row(w, (double[]){1e-2, 1e-3, 0, cosim_energy_fraction(10, 0), 0, 1});
  cr_expect_eq(found, given);
  wired_free(w);
}

/* ---- Elements that a subsystem without bodies evaluates ---- */

static const char *const elements[] = {"K", "k2"};

static wired *read_with_springs_alone(void) {
  wired *w = read_wired(masses);
  cosim_subsystem *springs = add_subsystem(w, "springs");
  springs->forces = elements;
  springs->n_forces = 2;
  return w;
}

Test(wiring, elements_between_bodies_of_others_converge_to_the_whole) {
  wired *w = read_with_springs_alone();
  choose(w, "K", 2, 2);
  choose(w, "k2", 2, 2);
  w->p.options.exact_history = true;
  const double coarse = error_at(&w->p, 1e-3, 0.2);
  const double fine = error_at(&w->p, 2.5e-4, 0.2);
  cr_expect_float_eq(log(coarse / fine) / log(4), 3, 0.3, "%g, %g", coarse, fine);
  cr_expect_eq(cosim_n_couplings(w->p.run), 2);
  double wrench[2][3];
  cosim_coupling_wrenches(w->p.run, 0, wrench);
  cr_expect_float_eq(wrench[0][0], -1000 * -cosim_state(w->p.run)->q[3], 1e-2);
  wired_free(w);
}

/* ---- Hydraulics of their own: an element with states ---- */

static const char *const crane_bodies[] = {"link1", "load"};
static const char *const crane_forces[] = {"lift"};

static wired *read_crane(void) {
  wired *w = calloc(1, sizeof *w);
  cr_assert_not_null(w);
  const char *text = seam_catalogue_text("hydraulic_crane");
  cr_assert_eq(seam_model_file_parse("crane", text, strlen(text), NULL, 0, &w->p.file, NULL), SEAM_OK);
  w->p.model = seam_model_mechanism(w->p.file);
  w->p.workspace = mbs_workspace_create(w->p.model, NULL);
  w->p.state = mbs_state_create(w->p.model);
  cr_assert_eq(mbs_assemble(w->p.workspace, w->p.state, NULL, NULL, NULL), SEAM_OK);
  w->subsystems[0] = (cosim_subsystem){.name = "crane", .bodies = crane_bodies, .n_bodies = 2};
  w->subsystems[1] = (cosim_subsystem){.name = "hydraulics", .forces = crane_forces, .n_forces = 1, .steps = 10};
  w->p.options = cosim_default_options();
  w->p.options.subsystems = w->subsystems;
  w->p.options.n_subsystems = 2;
  w->p.options.choices = w->choices;
  w->p.options.macro_step = 1e-3;
  choose(w, "lift", 1, 1);
  return w;
}

Test(wiring, hydraulics_of_their_own_converge_to_the_whole) {
  wired *w = read_crane();
  const double coarse = error_at(&w->p, 2e-3, 0.5);
  const double fine = error_at(&w->p, 5e-4, 0.5);
  cr_expect_float_eq(log(coarse / fine) / log(4), 2, 0.4, "%g, %g", coarse, fine);
  cr_expect_lt(fine, 1e-4);
  mbs_state *state = mbs_state_create(w->p.model);
  mbs_integrator *whole = start_whole(&w->p, state);
  cr_assert_eq(mbs_integrator_advance(whole, cosim_state(w->p.run)->t, state, NULL), SEAM_OK);
  for (int i = 0; i < 2; i++)
    cr_expect_float_eq(cosim_state(w->p.run)->z[i], state->z[i], 1e-3 * state->z[i]);
  mbs_state_destroy(state);
  mbs_integrator_destroy(whole);
  wired_free(w);
}

/* Parts that have no bodies and perhaps not even states. */
Test(wiring, every_integrator_advances_elements_alone) {
  static const struct {
    const char *method;
    double step;
  } rows[] = {{"erk", 0}, {"radau", 0}, {"ida", 0}, {"cvode", 0}, {"euler", 1e-5}, {"symplectic_euler", 1e-5}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    wired *w = i % 2 == 0 ? read_with_springs_alone() : read_crane();
    w->p.options.integrator.method = rows[i / 2].method;
    w->p.options.integrator.step = rows[i / 2].step;
    if (i % 2 == 0) {
      choose(w, "K", 2, 2);
      choose(w, "k2", 2, 2);
    }
    w->p.options.macro_step = 1e-4;
    start(&w->p);
    advance(&w->p, 100);
    const double error = error_of(&w->p);
    cr_expect_lt(error, 0.05, "%s, %zu: %g", rows[i / 2].method, i % 2, error);
    wired_free(w);
  }
}

/* What the whole gains is what its couplings create. */
Test(wiring, energies_of_couplings_are_what_the_whole_gains) {
  for (int kind = 0; kind < 3; kind++) {
    wired *w = kind == 0 ? read_with_springs_alone() : kind == 1 ? read_wired(masses) : read_crane();
    if (kind < 2)
      choose(w, "K", 0, 1);
    w->subsystems[1].steps = 2;
    w->p.options.integrator.rtol = 1e-10;
    start(&w->p);
    const mbs_energy first = mbs_energy_of(w->p.workspace, cosim_state(w->p.run));
    advance(&w->p, 100);
    const mbs_energy last = mbs_energy_of(w->p.workspace, cosim_state(w->p.run));
    const double gain = last.total + last.dissipated - last.driven - first.total;
    double created = 0;
    for (size_t k = 0; k < cosim_n_couplings(w->p.run); k++)
      created += cosim_coupling_energy(w->p.run, k).residual_energy;
    cr_expect_float_eq(gain, created, 1e-3 * fabs(gain), "kind %d: %g, %g", kind, gain, created);
    cr_expect_neq(gain, 0);
    wired_free(w);
  }
}

/* ---- Signals ---- */

static const char *const no_names[] = {NULL};
static const char *const constant_names[] = {"one"};

/* y = 1 */
static seam_status create_constant(const void *context, cosim_part **part, seam_error *error) {
  const double zero = 0;
  const double one = 1;
  const cosim_linear_def def = {.n_states = 1, .n_outputs = 1, .A = &zero, .B = &zero, .C = &one, .D = &zero};
  (void)context;
  const seam_status status = cosim_linear_part_create(&def, part, error);
  if (status == SEAM_OK)
    (*part)->ops->restore(*part, &one);
  return status;
}

static const cosim_own_part constant = {create_constant, NULL, no_names, constant_names};

/* The same with no way back. */
static seam_status create_black_box(const void *context, cosim_part **part, seam_error *error) {
  static cosim_part_ops ops;
  const seam_status status = create_constant(context, part, error);
  if (status != SEAM_OK)
    return status;
  ops = *(*part)->ops;
  ops.save = NULL;
  ops.restore = NULL;
  (*part)->ops = &ops;
  return SEAM_OK;
}

static const cosim_own_part black_box = {create_black_box, NULL, no_names, constant_names};

#define THRUST(x) "  thrust: {type: force, body: first, at: [0, 0.2], x: " x ", y: 0}\n"

static const cosim_link_def thrust_signal = {.from = "source.one", .to = "A.thrust.fx", .gain = 300};

static wired *read_with_source(const cosim_own_part *own) {
  wired *w = read_wired(MASSES(THRUST("0")));
  add_subsystem(w, "source")->own = own;
  w->p.options.signals = &thrust_signal;
  w->p.options.n_signals = 1;
  return w;
}

Test(wiring, a_thrust_by_signal_is_one_by_law) {
  wired *w = read_with_source(&constant);
  wired *law = read_wired(MASSES(THRUST("300")));
  choose(law, "K", 0, 0);
  start(&w->p);
  start(&law->p);
  advance(&w->p, 300);
  advance(&law->p, 300);
  const mbs_state *now = cosim_state(w->p.run);
  const mbs_state *other = cosim_state(law->p.run);
  for (int i = 0; i < 12; i++)
    cr_expect_float_eq(now->q[i], other->q[i], 1e-9 * (1 + fabs(other->q[i])));
  cr_expect_float_eq(now->work[1], other->work[1], 1e-6 * fabs(other->work[1]));
  cr_expect_gt(fabs(now->work[1]), 1);
  cr_expect_eq(cosim_n_signals(w->p.run), 1);
  cr_expect_str_eq(cosim_signal_name(w->p.run, 0), "source.one");
  cr_expect_eq(cosim_signal_now(w->p.run, 0), 1);
  wired_free(w);
  wired_free(law);
}

/* A spring by signals: the motions of two markers make the forces there. */
Test(wiring, bodies_and_markers_give_their_motion_as_signals) {
  wired *w = read_wired(MASSES(THRUST("0") "  react: {type: force, body: last, at: [0, 0], x: 0, y: 0}\n"));
  partitioned law = read_partitioned(
      MASSES(
          "  S: {type: spring_damper, bodies: [last, first], at: [[0, 0], [0, 0.2]], axis: [1, 0], stiffness: 50}\n"),
      NULL);
  const cosim_link_def links[] = {{.from = "B.last.x", .to = "A.thrust.fx", .gain = 50, .order = 2},
                                  {.from = "A.thrust.x", .to = "A.thrust.fx", .gain = -50, .order = 2},
                                  {.from = "B.last.x", .to = "B.react.fx", .gain = -50, .order = 2},
                                  {.from = "A.thrust.x", .to = "B.react.fx", .gain = 50, .order = 2}};
  w->p.options.signals = links;
  w->p.options.n_signals = 4;
  w->p.options.constitutive_scheme = "fd-k2-explicit";
  w->p.options.macro_step = 1e-4;
  start(&w->p);
  advance(&w->p, 1000);
  mbs_state *state = mbs_state_create(law.model);
  mbs_integrator *whole = start_whole(&law, state);
  cr_assert_eq(mbs_integrator_advance(whole, cosim_state(w->p.run)->t, state, NULL), SEAM_OK);
  for (size_t i = 0; i < 12; i++)
    cr_expect_float_eq(cosim_state(w->p.run)->q[i], state->q[i], 2e-3, "%zu: %g, %g", i, cosim_state(w->p.run)->q[i],
                       state->q[i]);
  cr_expect_gt(fabs(state->q[2]), 0.01);
  mbs_state_destroy(state);
  mbs_integrator_destroy(whole);
  partitioned_free(&law);
  wired_free(w);
}

Test(wiring, names_that_are_none_are_refused) {
  static const struct {
    const char *from, *to, *message;
  } rows[] = {{"source.two", "A.thrust.fx", "source.two"},  {"nobody.one", "A.thrust.fx", "nobody"},
              {"source.one", "A.thrust.fz", "A.thrust.fz"}, {"source.one", "A.first.fx", "takes no signals"},
              {"source.one", "A.push.fx", "push"},          {"B.first.x", "A.thrust.fx", "'B' has no body"},
              {"source.one", "B.thrust.fx", "thrust"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    wired *w = read_with_source(&constant);
    const cosim_link_def link = {.from = rows[i].from, .to = rows[i].to, .gain = 1};
    w->p.options.signals = &link;
    expect_no_start(&w->p, rows[i].message);
    wired_free(w);
  }
}

/* ---- Under the master ---- */

#define PENDULA                                                                                                        \
  "seam: 1\ngravity: [0, -9.81]\n"                                                                                     \
  "bodies: {one: {rod: [[0, 0], [1, 0]], mass: 1}, two: {rod: [[1, 0], [2, 0]], mass: 1}}\n"                           \
  "joints: {A: {type: revolute, bodies: [ground, one], at: [0, 0]}, B: {type: revolute, bodies: [one, two], at: [1, "  \
  "0]}}\n"                                                                                                             \
  "forces: {push: {type: force, body: two, at: [2, 0], x: 0, y: 0},\n"                                                 \
  "  S: {type: spring_damper, bodies: [one, two], at: [[0.5, 0], [1.5, 0]], stiffness: 10, damping: 0.1}}\n"           \
  "simulate: {end: 1}\ncosim: {subsystems: {A1: [one], B1: [two]}, macro_step: 1e-3,\n"                                \
  "  scheme: {constraint: ff-index2-k1, constitutive: fd-k1-explicit}}\n"

static const cosim_link_def push_signal = {.from = "source.one", .to = "B1.push.fy", .gain = 5};

Test(wiring, joints_go_under_a_master_beside_signals) {
  wired *w = read_wired(PENDULA);
  add_subsystem(w, "source")->own = &constant;
  w->p.options.signals = &push_signal;
  w->p.options.n_signals = 1;
  start(&w->p);
  advance(&w->p, 300);
  partitioned law = read_partitioned(PENDULA, (const char *const[]){"forces.push.y=5", NULL});
  w->p.model = law.model;
  mbs_state *state = mbs_state_create(law.model);
  mbs_integrator *whole = start_whole(&law, state);
  cr_assert_eq(mbs_integrator_advance(whole, cosim_state(w->p.run)->t, state, NULL), SEAM_OK);
  for (size_t i = 0; i < 12; i++)
    cr_expect_float_eq(cosim_state(w->p.run)->q[i], state->q[i], 1e-4);
  double g[3], gd[3], gdd[3];
  cr_expect_eq(cosim_coupling_residuals(w->p.run, 0, g, gd, gdd), 2);
  cr_expect_float_eq(g[0], 0, 1e-9);
  cr_expect_gt(cosim_statistics_of(w->p.run).corrections, 299);
  mbs_state_destroy(state);
  mbs_integrator_destroy(whole);
  partitioned_free(&law);
  wired_free(w);
}

Test(wiring, what_a_master_cannot_do_is_refused_by_name) {
  wired *w = read_wired(PENDULA);
  w->subsystems[1].steps = 3;
  expect_no_start(&w->p, "coupling 'B' (ff-index2-k1)");
  w->subsystems[1].steps = 1;
  const cosim_model_based_def model_based = cosim_default_model_based_def();
  w->p.options.model_based = &model_based;
  expect_no_start(&w->p, "model-based");
  w->p.options.model_based = NULL;
  const cosim_energy_correction_def energy = {.bond = "B", .mu = 0.5, .limit = 1};
  w->p.options.energy_corrections = &energy;
  w->p.options.n_energy_corrections = 1;
  expect_no_start(&w->p, "fd-k0-explicit");
  wired_free(w);
}

/* ---- Model-based correction ---- */

Test(wiring, the_model_based_correction_raises_the_order) {
  const cosim_model_based_def def = cosim_default_model_based_def();
  wired *w = read_wired(masses);
  choose(w, "K", 0, 0);
  w->p.options.model_based = &def;
  const double coarse = error_at(&w->p, 1e-3, 0.2);
  const double fine = error_at(&w->p, 2.5e-4, 0.2);
  cr_expect_gt(log(coarse / fine) / log(4), 1.7, "%g, %g", coarse, fine);
  wired_free(w);
}

/* ---- Control of the macro step ---- */

Test(wiring, the_step_follows_the_energies) {
  const cosim_step_control control = cosim_default_step_control(cosim_energy_indicator, 1e-4);
  wired *w = read_wired(masses);
  seam_error error = {0};
  choose(w, "K", 0, 0);
  w->p.options.step_control = &control;
  w->p.options.macro_step = 1e-5;
  expect_no_start(&w->p, "energy scale at 'K'");
  w->p.options.energy_scale = 1e4;
  start(&w->p);
  while (cosim_state(w->p.run)->t < 0.1)
    cr_assert_eq(cosim_advance_controlled(w->p.run, 0.1, &error), SEAM_OK, "%s", error.message);
  const cosim_statistics count = cosim_statistics_of(w->p.run);
  cr_expect_eq(cosim_state(w->p.run)->t, 0.1);
  cr_expect_gt(count.longest, 5e-5);
  cr_expect_lt(count.longest, 1e-2);
  cr_expect_lt(count.macro_steps, 5000);
  wired_free(w);
}

Test(wiring, local_errors_control_no_exchange) {
  const cosim_step_control control = cosim_default_step_control(cosim_error_indicator, 1e-4);
  wired *w = read_wired(masses);
  choose(w, "K", 0, 0);
  w->p.options.step_control = &control;
  expect_no_start(&w->p, "repeats macro steps");
  wired_free(w);
}

/* ---- Bits ---- */

static wired *bits_of(int kind) {
  if (kind == 0) {
    wired *w = read_with_source(&constant);
    w->subsystems[0].steps = 3;
    choose(w, "K", 2, 1)->smooth = true;
    return w;
  }
  if (kind == 1)
    return read_with_springs_alone();
  if (kind == 2)
    return read_crane();
  wired *w = read_wired(PENDULA);
  add_subsystem(w, "source")->own = &constant;
  w->p.options.signals = &push_signal;
  w->p.options.n_signals = 1;
  return w;
}
enum { n_kinds = 4 };

Test(wiring, save_step_restore_step_gives_the_same_bits) {
  for (int kind = 0; kind < n_kinds; kind++) {
    wired *w = bits_of(kind);
    wired *fresh = bits_of(kind);
    mbs_state *first = mbs_state_create(w->p.model);
    start(&w->p);
    start(&fresh->p);
    const size_t size = cosim_image_size(w->p.run);
    void *image = malloc(size);
    advance(&w->p, 7);
    cosim_save(w->p.run, image);
    advance(&w->p, 20);
    mbs_state_copy(first, cosim_state(w->p.run));
    cr_assert_eq(cosim_restore(w->p.run, image, size, NULL), SEAM_OK);
    advance(&w->p, 20);
    cr_expect(same_bits(first, cosim_state(w->p.run)), "kind %d", kind);
    cr_assert_eq(cosim_restore(fresh->p.run, image, size, NULL), SEAM_OK);
    advance(&fresh->p, 20);
    cr_expect(same_bits(first, cosim_state(fresh->p.run)), "kind %d, fresh", kind);
    cr_expect_eq(cosim_statistics_of(fresh->p.run).macro_steps, 27);
    free(image);
    mbs_state_destroy(first);
    wired_free(w);
    wired_free(fresh);
  }
}

Test(wiring, a_second_start_is_the_first) {
  for (int kind = 0; kind < n_kinds; kind++) {
    wired *w = bits_of(kind);
    mbs_state *first = mbs_state_create(w->p.model);
    start(&w->p);
    advance(&w->p, 20);
    mbs_state_copy(first, cosim_state(w->p.run));
    cr_assert_eq(cosim_start(w->p.run, w->p.state, NULL), SEAM_OK);
    advance(&w->p, 20);
    cr_expect(same_bits(first, cosim_state(w->p.run)), "kind %d", kind);
    mbs_state_destroy(first);
    wired_free(w);
  }
}

Test(wiring, threads_do_not_change_a_bit) {
  for (int kind = 0; kind < n_kinds; kind++) {
    wired *w = bits_of(kind);
    wired *threaded = bits_of(kind);
    w->p.options.n_threads = 1;
    threaded->p.options.n_threads = 3;
    w->subsystems[0].steps = threaded->subsystems[0].steps = 1;
    start(&w->p);
    start(&threaded->p);
    advance(&w->p, 50);
    advance(&threaded->p, 50);
    cr_expect(same_bits(cosim_state(w->p.run), cosim_state(threaded->p.run)), "kind %d", kind);
    wired_free(w);
    wired_free(threaded);
  }
}

Test(wiring, a_black_box_has_no_image_and_no_second_start) {
  wired *w = read_with_source(&black_box);
  start(&w->p);
  advance(&w->p, 5);
  cr_expect_eq(cosim_image_size(w->p.run), 0);
  cr_expect_eq(cosim_restore(w->p.run, "", 0, NULL), SEAM_BAD_STATE);
  cr_expect_eq(cosim_start(w->p.run, w->p.state, NULL), SEAM_BAD_STATE);
  wired_free(w);
}
