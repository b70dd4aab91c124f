/* Multibody subsystems: with the motion of the rest as input, a part follows the whole; its changes along
 * seeds are the derivatives of its steps; it goes back to the bit. */
#include "cosim/parts/signal.h"
#include "tests/support/subsystem_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/random.h"

#define BODIES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define DRIVES(...) ((const mbs_port_kind[]){__VA_ARGS__})

/* ---- Parts that are cut off in all ways ---- */

typedef struct example {
  const char *name;
  mechanism (*whole)(void);
  const char *const *bodies;
  const mbs_port_kind *drives;
} example;

enum { n_examples = 16 };

static example example_of(int number) {
  static const char *const left[] = {"bar1", "bar2", NULL};
  static const char *const right[] = {"bar3", "bar4", NULL};
  static const char *const link1[] = {"link1", NULL};
  static const char *const link2[] = {"link2", NULL};
  static const char *const crank[] = {"crank", NULL};
  static const char *const rest[] = {"rod", "block", NULL};
  static const char *const arm[] = {"arm", NULL};
  static const char *const load[] = {"load", NULL};
  static const char *const free[] = {"free", NULL};
  static const mbs_port_kind forces[] = {MBS_PORT_FORCE, MBS_PORT_FORCE, MBS_PORT_FORCE, MBS_PORT_FORCE};
  static const mbs_port_kind motions[] = {MBS_PORT_MOTION, MBS_PORT_MOTION, MBS_PORT_MOTION, MBS_PORT_MOTION};
  static const mbs_port_kind mixed[] = {MBS_PORT_FORCE, MBS_PORT_MOTION, MBS_PORT_MOTION, MBS_PORT_FORCE};
  static const mbs_port_kind accelerations[] = {MBS_PORT_ACCELERATION};
  static const example examples[n_examples] = {
      {"left half by force", four_bar_bushing, left, forces},
      {"left half by motion", four_bar_bushing, left, motions},
      {"right half by force", four_bar_bushing, right, forces},
      {"right half by motion", four_bar_bushing, right, motions},
      {"first link by force", double_pendulum, link1, forces},
      {"second link by force", double_pendulum, link2, forces},
      {"second link by acceleration", double_pendulum, link2, accelerations},
      {"crank by force", slider_crank, crank, forces},
      {"rod and block by acceleration", slider_crank, rest, accelerations},
      {"arm by motion", sprung_pair, arm, motions},
      {"free body by motion", sprung_pair, free, motions},
      {"free body by force", sprung_pair, free, forces},
      {"free body by both", sprung_pair, free, mixed},
      {"arm on a cylinder by force", soft_crane, arm, forces},
      {"arm on a cylinder by motion", soft_crane, arm, motions},
      {"load of a crane by motion", soft_crane, load, motions},
  };
  return examples[number];
}

/* Every body turns at a different rate, as far as the joints let it. */
static mechanism in_motion(mechanism m) {
  for (size_t b = 0; b < mbs_n_bodies(m.model); b++)
    m.state->v[3 * b + 2] += 2 - 1.3 * (double)b;
  return m;
}

/* ---- Following the whole ---- */

typedef struct errors {
  double motion, acceleration;
} errors;

/* Of the part after n macro steps over 0.06 s, with cubics through the motion of the whole as inputs. */
static errors follow(const example *e, int n, const mbs_integrator_options *options, double step) {
  subsystem_fixture c = cut(in_motion(e->whole()), e->bodies, e->drives, false, step, options);
  mbs_integrator *integrator = mechanism_start(&c.whole, 8, 1e-12, 0);
  mbs_state *end = new_state(c.whole.model);
  cosim_signal inputs[MAX_INPUTS];
  double outputs[MAX_OUTPUTS];
  seam_error error = {0};
  for (int k = 0; k < n; k++) {
    const double t = c.whole.state->t;
    record(&c, integrator, 0.06 / n, inputs);
    const cosim_step macro = {.t = t, .H = 0.06 / n, .inputs = inputs};
    cr_assert_eq(c.part->ops->advance(c.part, &macro, outputs, NULL, &error), SEAM_OK, "%s", error.message);
  }
  mbs_state_copy(end, c.whole.state);
  cosim_multibody_write(c.part, end);
  const errors made = {motion_error(&c, end, c.whole.state), acceleration_error(&c, end, c.whole.state)};
  mbs_state_destroy(end);
  mbs_integrator_destroy(integrator);
  subsystem_fixture_free(&c);
  return made;
}

Test(multibody_part, told_cubics_a_part_follows_the_whole_with_fourth_order) {
  for (int i = 0; i < n_examples; i++) {
    const example e = example_of(i);
    const errors coarse = follow(&e, 6, NULL, 0.0025);
    const errors fine = follow(&e, 12, NULL, 0.0025);
    cr_expect_lt(fine.motion, 1e-5, "%s: error %g", e.name, fine.motion);
    cr_expect(fine.motion < coarse.motion / 12 || fine.motion < 1e-11, "%s: errors %g, %g", e.name, coarse.motion,
              fine.motion);
    cr_expect_lt(fine.acceleration, 1e-2, "%s: accelerations wrong by %g", e.name, fine.acceleration);
  }
}

Test(multibody_part, an_adaptive_micro_step_follows_as_well) {
  const example e = example_of(1);
  mbs_integrator_options adaptive = mbs_default_integrator_options();
  adaptive.rtol = adaptive.atol = 1e-11;
  const errors fixed = follow(&e, 24, NULL, 0.0025);
  const errors found = follow(&e, 24, &adaptive, 0);
  cr_expect_float_eq(found.motion, fixed.motion, 1e-9);
}

Test(multibody_part, implicit_integrators_follow_as_well) {
  static const char *const methods[] = {"radau", "ida", "cvode"};
  const int numbers[] = {0, 1, 12, 13};
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      const example e = example_of(numbers[i]);
      mbs_integrator_options options = mbs_default_integrator_options();
      options.method = methods[m];
      options.rtol = options.atol = 1e-9;
      const errors made = follow(&e, 24, &options, 0);
      cr_expect_lt(made.motion, 2e-6, "%s, %s: error %g", methods[m], e.name, made.motion);
    }
}

Test(multibody_part, cvode_takes_prescribed_accelerations_as_well) {
  const example e = example_of(6);
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = "cvode";
  options.rtol = options.atol = 1e-9;
  cr_expect_lt(follow(&e, 24, &options, 0).motion, 2e-6);
}

/* ---- Outputs ---- */

Test(multibody_part, outputs_are_the_motion_of_the_marker_and_the_force_of_the_cut) {
  for (int i = 0; i < n_examples; i++) {
    const example e = example_of(i);
    subsystem_fixture c = cut(in_motion(e.whole()), e.bodies, e.drives, false, 0.001, NULL);
    mbs_integrator *integrator = mechanism_start(&c.whole, 8, 1e-12, 0);
    cosim_signal inputs[MAX_INPUTS];
    double outputs[MAX_OUTPUTS];
    record(&c, integrator, 0.001, inputs);
    const cosim_step macro = {.t = 0, .H = 0.001, .inputs = inputs};
    cr_assert_eq(c.part->ops->advance(c.part, &macro, outputs, NULL, NULL), SEAM_OK);
    for (int p = 0; p < c.n_ports; p++) {
      const mbs_port_def *port = &c.ports[p];
      const cosim_side side = cosim_multibody_side(c.part, p);
      const cosim_motion m = marker_motion(c.whole.model, c.whole.state, port->is_joint, port->element, port->side);
      double W[4];
      element_wrench(c.whole.model, c.whole.state, port->is_joint, port->element, W);
      for (int k = 0; k < 3; k++) {
        cr_expect_float_eq(outputs[side.position + k], m.x[k], 1e-11, "%s", e.name);
        cr_expect_float_eq(outputs[side.velocity + k], m.v[k], 1e-8, "%s", e.name);
        cr_expect_float_eq(outputs[side.acceleration + k], m.a[k], 1e-5, "%s", e.name);
      }
      for (int k = 0; k < 2 && side.multiplier >= 0; k++)
        cr_expect_float_eq(outputs[side.multiplier + k], W[k], 1e-5, "%s", e.name);
    }
    mbs_integrator_destroy(integrator);
    subsystem_fixture_free(&c);
  }
}

Test(multibody_part, the_multiplier_is_the_force_on_side_1_seen_from_either_side) {
  for (int side = 0; side < 2; side++) {
    mechanism m = free_chain(2);
    m.state->v[0] = 1;
    m.state->v[1] = -0.5;
    subsystem_fixture c =
        cut(m, side == 0 ? BODIES("rod0") : BODIES("rod1"), DRIVES(MBS_PORT_ACCELERATION), false, 0.001, NULL);
    mbs_integrator *integrator = mechanism_start(&c.whole, 8, 1e-12, 0);
    cosim_signal inputs[MAX_INPUTS];
    double outputs[MAX_OUTPUTS];
    double W[4];
    cr_assert_eq(c.ports[0].side, side);
    record(&c, integrator, 0.001, inputs);
    const cosim_step macro = {.t = 0, .H = 0.001, .inputs = inputs};
    cr_assert_eq(c.part->ops->advance(c.part, &macro, outputs, NULL, NULL), SEAM_OK);
    element_wrench(c.whole.model, c.whole.state, true, c.ports[0].element, W);
    cr_assert_gt(fabs(W[0]) + fabs(W[1]), 1e-3);
    for (int k = 0; k < 2; k++)
      cr_expect_float_eq(outputs[cosim_multibody_side(c.part, 0).multiplier + k], W[k], 1e-7);
    mbs_integrator_destroy(integrator);
    subsystem_fixture_free(&c);
  }
}

/* A free body under a constant force: x = F t² / 2m, p = F t³ / 6m, from zero in every step. */
Test(multibody_part, the_integral_is_that_of_the_position_over_the_step) {
  mechanism m = free_chain(2);
  subsystem_fixture c = cut(m, BODIES("rod1"), DRIVES(MBS_PORT_FORCE), true, 0.1, NULL);
  const cosim_side side = cosim_multibody_side(c.part, 0);
  const cosim_signal inputs[3] = {
      {.n_pieces = 1}, {.n_pieces = 1, .c = {{2}}}, {.n_pieces = 1, .c = {{1}}}}; /* the torque stops the turning */
  double outputs[MAX_OUTPUTS];
  for (int k = 0; k < 2; k++) {
    const double t = 0.1 * k;
    const double T = t + 0.1;
    const cosim_step macro = {.t = t, .H = 0.1, .inputs = inputs};
    cr_assert_eq(c.part->ops->advance(c.part, &macro, outputs, NULL, NULL), SEAM_OK);
    cr_expect_float_eq(outputs[side.position + 1], T * T, 1e-14);
    cr_expect_float_eq(outputs[side.position_integral + 1], (T * T * T - t * t * t) / 3, 1e-15);
    cr_expect_float_eq(outputs[side.position_integral], 0.1, 1e-15);
  }
  subsystem_fixture_free(&c);
}

/* Before its first step a part is driven by the rest of the whole, where motions drive it. */
Test(multibody_part, a_start_has_the_accelerations_of_the_whole) {
  int n_driven = 0;
  for (int i = 0; i < n_examples; i++) {
    const example e = example_of(i);
    subsystem_fixture c = cut(in_motion(e.whole()), e.bodies, e.drives, false, 0.0025, NULL);
    bool by_motion = true;
    for (int p = 0; p < c.n_ports; p++)
      by_motion = by_motion && c.ports[p].kind == MBS_PORT_MOTION;
    if (by_motion) {
      mbs_state *start = new_state(c.whole.model);
      cr_assert_eq(mbs_evaluate(c.whole.ws, c.whole.state, NULL), SEAM_OK);
      mbs_state_copy(start, c.whole.state);
      cosim_multibody_write(c.part, start);
      cr_expect_lt(acceleration_error(&c, start, c.whole.state), 1e-9, "%s: accelerations wrong by %g", e.name,
                   acceleration_error(&c, start, c.whole.state));
      mbs_state_destroy(start);
      n_driven++;
    }
    subsystem_fixture_free(&c);
  }
  cr_expect_eq(n_driven, 6, "%d", n_driven);
}

/* ---- Going back ---- */

static cosim_signal random_signal(uint64_t *seed, int n_pieces, double size) {
  cosim_signal s = {.n_pieces = n_pieces};
  for (int p = 0; p < n_pieces; p++)
    for (int j = 0; j <= COSIM_MAX_DEGREE; j++)
      s.c[p][j] = random_between(seed, -size, size);
  return s;
}

/* Inputs of the ports at the start, disturbed by a random part of their own size; pieces of all kinds. */
static void random_inputs(const subsystem_fixture *c, uint64_t *seed, cosim_signal *inputs) {
  double value[MAX_INPUTS];
  true_inputs(c, value);
  for (int i = 0; i < c->part->n_inputs; i++) {
    inputs[i] = random_signal(seed, 1 + i % 3, 0.01 * (1 + fabs(value[i])));
    for (int p = 0; p < inputs[i].n_pieces; p++)
      inputs[i].c[p][0] += value[i];
  }
}

static void expect_repeatable(const example *e, const mbs_integrator_options *options) {
  enum { MAX_STATE = 200 };
  uint64_t seed = 7;
  subsystem_fixture c = cut(in_motion(e->whole()), e->bodies, e->drives, true, 0.004, options);
  cosim_signal inputs[MAX_INPUTS];
  double saved[MAX_STATE];
  double out[3][MAX_OUTPUTS];
  cr_assert_leq(c.part->n_state, MAX_STATE);
  random_inputs(&c, &seed, inputs);
  const cosim_step macro[2] = {{.t = 0, .H = 0.01, .inputs = inputs}, {.t = 0.01, .H = 0.01, .inputs = inputs}};
  cr_assert_eq(c.part->ops->advance(c.part, &macro[0], out[0], NULL, NULL), SEAM_OK);
  c.part->ops->save(c.part, saved);
  for (int k = 1; k < 3; k++) {
    cr_assert_eq(c.part->ops->advance(c.part, &macro[1], out[k], NULL, NULL), SEAM_OK);
    if (k == 1)
      c.part->ops->restore(c.part, saved);
  }
  const size_t size = (size_t)c.part->n_outputs * sizeof(double);
  cr_expect_eq(memcmp(out[1], out[2], size), 0, "%s", e->name);
  c.part->ops->get_outputs(c.part, out[0]);
  cr_expect_eq(memcmp(out[0], out[2], size), 0, "%s: measured", e->name);
  subsystem_fixture_free(&c);
}

Test(multibody_part, a_step_restored_and_repeated_gives_the_same_bits) {
  mbs_integrator_options adaptive = mbs_default_integrator_options();
  mbs_integrator_options cvode = mbs_default_integrator_options();
  cvode.method = "cvode";
  for (int i = 0; i < n_examples; i++) {
    const example e = example_of(i);
    expect_repeatable(&e, NULL);
    expect_repeatable(&e, &adaptive);
    expect_repeatable(&e, &cvode);
  }
}

/* What a part keeps of an earlier pass over the same step is of that pass's inputs. */
static void expect_no_memory(const example *e) {
  enum { MAX_STATE = 200 };
  uint64_t seed = 11;
  subsystem_fixture again = cut(in_motion(e->whole()), e->bodies, e->drives, false, 0.004, NULL);
  cosim_signal inputs[MAX_INPUTS];
  double saved[MAX_STATE];
  double out[3][MAX_OUTPUTS];
  cr_assert_leq(again.part->n_state, MAX_STATE);
  again.part->ops->save(again.part, saved);
  random_inputs(&again, &seed, inputs);
  const cosim_step macro = {.t = 0, .H = 0.01, .inputs = inputs};
  for (int i = 0; i < again.part->n_inputs; i++) {
    subsystem_fixture fresh = cut(in_motion(e->whole()), e->bodies, e->drives, false, 0.004, NULL);
    cr_assert_eq(again.part->ops->advance(again.part, &macro, out[0], NULL, NULL), SEAM_OK);
    again.part->ops->restore(again.part, saved);
    inputs[i].c[0][0] += 0.01 * (1 + fabs(inputs[i].c[0][0]));
    cr_assert_eq(again.part->ops->advance(again.part, &macro, out[1], NULL, NULL), SEAM_OK);
    cr_assert_eq(fresh.part->ops->advance(fresh.part, &macro, out[2], NULL, NULL), SEAM_OK);
    cr_expect_arr_eq(out[1], out[2], (size_t)again.part->n_outputs * sizeof(double), "%s: input %d", e->name, i);
    again.part->ops->restore(again.part, saved);
    subsystem_fixture_free(&fresh);
  }
  subsystem_fixture_free(&again);
}

Test(multibody_part, a_pass_under_other_inputs_is_as_the_first) {
  for (int i = 0; i < n_examples; i++) {
    const example e = example_of(i);
    expect_no_memory(&e);
  }
}

/* ---- Directions ---- */

typedef struct probe {
  subsystem_fixture c;
  cosim_signal inputs[MAX_INPUTS];
  double state[200];
  double t;
} probe;

static const double probe_H = 0.01;

static void outputs_along(probe *p, const cosim_seed *seed, double factor, double *outputs) {
  cosim_signal inputs[MAX_INPUTS];
  memcpy(inputs, p->inputs, sizeof inputs);
  const cosim_signal *add = &seed->signal;
  cosim_signal *to = &inputs[seed->input];
  cr_assert_eq(add->n_pieces, to->n_pieces);
  for (int k = 0; k < add->n_pieces; k++)
    for (int j = 0; j <= COSIM_MAX_DEGREE; j++)
      to->c[k][j] += factor * add->c[k][j];
  const cosim_step macro = {.t = p->t, .H = probe_H, .inputs = inputs};
  p->c.part->ops->restore(p->c.part, p->state);
  cr_assert_eq(p->c.part->ops->advance(p->c.part, &macro, outputs, NULL, NULL), SEAM_OK);
}

/* Fourth-order central differences. */
static void difference(probe *p, const cosim_seed *seed, double h, double *slope) {
  double out[4][MAX_OUTPUTS];
  const double factor[4] = {-2 * h, -h, h, 2 * h};
  for (int k = 0; k < 4; k++)
    outputs_along(p, seed, factor[k], out[k]);
  for (int i = 0; i < p->c.part->n_outputs; i++)
    slope[i] = (out[0][i] - 8 * out[1][i] + 8 * out[2][i] - out[3][i]) / (12 * h);
}

/* Compares kind by kind, motions level by level. */
static void expect_slopes(const probe *p, const double *exact, const double *slope, const char *name) {
  const int n = p->c.part->n_outputs / p->c.n_ports;
  for (int port = 0; port < p->c.n_ports; port++)
    for (int first = 0; first < n; first += 3) {
      double size = 0;
      double error = 0;
      for (int i = port * n + first; i < port * n + n && i < port * n + first + 3; i++) {
        size = fmax(size, fabs(slope[i]));
        error = fmax(error, fabs(exact[i] - slope[i]));
      }
      cr_expect(error <= 1e-6 * size + 1e-11, "%s: port %d, outputs from %d: wrong by %g of %g", name, port, first,
                error, size);
    }
}

static void expect_exact(const example *e, bool late, const mbs_integrator_options *options) {
  uint64_t seed = 11;
  probe p = {.c = cut(in_motion(e->whole()), e->bodies, e->drives, true, 0.002, options)};
  cosim_seed seeds[MAX_INPUTS];
  double outputs[MAX_OUTPUTS];
  double plain[MAX_OUTPUTS];
  double slope[MAX_OUTPUTS];
  static double derivatives[MAX_INPUTS * MAX_OUTPUTS];
  const int n = p.c.part->n_inputs;
  random_inputs(&p.c, &seed, p.inputs);
  const cosim_step first = {.t = 0, .H = probe_H, .inputs = p.inputs};
  cr_assert(p.c.part->gives_derivatives);
  cr_assert_eq(p.c.part->ops->advance(p.c.part, &first, plain, NULL, NULL), SEAM_OK);
  p.c.part->ops->save(p.c.part, p.state);
  p.t = probe_H;
  for (int i = 0; i < n; i++) {
    seeds[i] = (cosim_seed){i, random_signal(&seed, p.inputs[i].n_pieces, 1)};
    if (late)
      memset(seeds[i].signal.c[0], 0, sizeof seeds[i].signal.c[0]);
  }
  const cosim_step step = {.t = p.t, .H = probe_H, .inputs = p.inputs, .n_seeds = n, .seeds = seeds};
  cr_assert_eq(p.c.part->ops->advance(p.c.part, &step, outputs, derivatives, NULL), SEAM_OK);
  for (int i = 0; i < n; i++) {
    const bool is_zero = late && seeds[i].signal.n_pieces == 1;
    difference(&p, &seeds[i], 2e-3 * (1 + fabs(p.inputs[i].c[0][0])), slope);
    expect_slopes(&p, derivatives + i * p.c.part->n_outputs, slope, e->name);
    for (int k = 0; k < p.c.part->n_outputs && is_zero; k++)
      cr_expect_eq(derivatives[i * p.c.part->n_outputs + k], 0);
  }
  outputs_along(&p, &seeds[0], 0, plain);
  cr_expect_arr_eq(outputs, plain, (size_t)p.c.part->n_outputs * sizeof *plain, "%s: derivatives change the step",
                   e->name);
  subsystem_fixture_free(&p.c);
}

Test(multibody_part, changes_along_directions_are_those_of_the_step) {
  for (int i = 0; i < n_examples; i++) {
    const example e = example_of(i);
    expect_exact(&e, false, NULL);
  }
}

Test(multibody_part, changes_are_those_of_other_explicit_methods_too) {
  mbs_integrator_options rk4 = mbs_default_integrator_options();
  rk4.method = "rk4";
  rk4.step = 5e-4;
  for (int i = 0; i < n_examples; i++) {
    const example e = example_of(i);
    expect_exact(&e, false, &rk4);
  }
}

Test(multibody_part, directions_that_begin_late_are_exact_too) {
  for (int i = 0; i < n_examples; i++) {
    const example e = example_of(i);
    expect_exact(&e, true, NULL);
  }
}

/* ---- Moments inside of a step ---- */

static const double inner[] = {0.07, 0.35, 0.5, 0.71};
enum { n_inner = sizeof inner / sizeof *inner };

/* Outputs at the nodes and at the end, and their changes along a seed (NULL: none). */
static void take_moments(probe *p, const cosim_signal *inputs, const cosim_seed *seed, double *moments,
                         double *derivatives) {
  const cosim_step step = {.t = p->t,
                           .H = probe_H,
                           .inputs = inputs,
                           .n_seeds = seed != NULL,
                           .seeds = seed,
                           .n_nodes = n_inner,
                           .nodes = inner};
  p->c.part->ops->restore(p->c.part, p->state);
  cr_assert_eq(p->c.part->ops->advance(p->c.part, &step, moments, derivatives, NULL), SEAM_OK);
}

static cosim_signal moved(const cosim_seed *seed, const cosim_signal *input, double factor) {
  cosim_signal sum = *input;
  cosim_signal_add(&sum, factor, &seed->signal);
  return sum;
}

/* Positions and velocities at the nodes are those of shorter steps; their changes are central differences. */
static void expect_moments(const example *e, const mbs_integrator_options *options, double tolerance) {
  uint64_t random = 5;
  static double moments[4][(n_inner + 1) * MAX_OUTPUTS];
  static double derivatives[(n_inner + 1) * MAX_OUTPUTS];
  double ends[MAX_OUTPUTS];
  cosim_signal inputs[MAX_INPUTS];
  probe p = {.c = cut(in_motion(e->whole()), e->bodies, e->drives, false, 0.002, options)};
  const int n = p.c.part->n_outputs;
  random_inputs(&p.c, &random, p.inputs);
  memcpy(inputs, p.inputs, sizeof inputs);
  p.c.part->ops->save(p.c.part, p.state);
  for (int i = 0; i < p.c.part->n_inputs; i++) {
    const cosim_seed seed = {i, random_signal(&random, p.inputs[i].n_pieces, 1)};
    const double h = 1e-3 * (1 + fabs(p.inputs[i].c[0][0]));
    take_moments(&p, p.inputs, &seed, moments[0], derivatives);
    take_moments(&p, p.inputs, NULL, moments[1], NULL);
    cr_expect_arr_eq(moments[0], moments[1], (size_t)n * sizeof(double), "%s: derivatives change outputs", e->name);
    for (int side = 0; side < 2; side++) {
      inputs[i] = moved(&seed, &p.inputs[i], side == 0 ? -h : h);
      take_moments(&p, inputs, NULL, moments[2 + side], NULL);
    }
    inputs[i] = p.inputs[i];
    for (int k = 0; k < (n_inner + 1) * n; k++)
      if (k % (n / p.c.n_ports) < 6) {
        const double slope = (moments[3][k] - moments[2][k]) / (2 * h);
        cr_expect_float_eq(derivatives[k], slope, tolerance + 1e-4 * fabs(slope), "%s: input %d, moment %d, output %d",
                           e->name, i, k / n, k % n);
      }
  }
  for (int k = 0; k < n_inner; k++) {
    for (int i = 0; i < p.c.part->n_inputs; i++)
      inputs[i] = cosim_signal_between(&p.inputs[i], 0, inner[k]);
    const cosim_step shorter = {.t = p.t, .H = inner[k] * probe_H, .inputs = inputs};
    p.c.part->ops->restore(p.c.part, p.state);
    cr_assert_eq(p.c.part->ops->advance(p.c.part, &shorter, ends, NULL, NULL), SEAM_OK);
    for (int i = 0; i < n; i++)
      if (i % (n / p.c.n_ports) < 6)
        cr_expect_float_eq(moments[1][k * n + i], ends[i], tolerance, "%s: node %d, output %d: %g", e->name, k, i,
                           moments[1][k * n + i] - ends[i]);
  }
  subsystem_fixture_free(&p.c);
}

Test(multibody_part, moments_inside_of_a_step_and_their_changes) {
  static const struct {
    const char *method;
    int order;
    double step, tolerance;
  } rows[] = {{"erk", 4, 0, 1e-7},    {"erk", 5, 0, 1e-7},    {"erk", 8, 0, 1e-7},
              {"rk4", 0, 1e-3, 1e-6}, {"rk2", 0, 2e-4, 1e-5}, {"euler", 0, 1e-4, 1e-3}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    for (int i = 0; i < n_examples; i++) {
      mbs_integrator_options options = mbs_default_integrator_options();
      const example e = example_of(i);
      options.method = rows[r].method;
      options.order = rows[r].order > 0 ? rows[r].order : options.order;
      options.step = rows[r].step;
      options.rtol = options.atol = 1e-10;
      expect_moments(&e, &options, rows[r].tolerance);
    }
}

/* ---- What cannot be ---- */

static seam_status create(mechanism *m, const char *const *bodies, const mbs_port_def *port, const char *method,
                          seam_error *error) {
  bool keep[MAX_CUT_BODIES] = {0};
  cosim_part *part = NULL;
  for (; *bodies != NULL; bodies++)
    keep[mbs_find_body(m->model, *bodies)] = true;
  cosim_multibody_def def = {.name = "part",
                             .model = m->model,
                             .bodies = keep,
                             .ports = port,
                             .n_ports = 1,
                             .integrator = mbs_default_integrator_options()};
  def.integrator.method = method;
  const seam_status status = cosim_multibody_part_create(&def, &part, error);
  cosim_part_destroy(part);
  return status;
}

Test(multibody_part, accelerations_that_the_own_joints_decide_are_refused) {
  mechanism m = double_pendulum();
  const mbs_port_def port = {.is_joint = true, .element = mbs_find_joint(m.model, "B"), .kind = MBS_PORT_ACCELERATION};
  seam_error error = {0};
  cr_expect_eq(create(&m, BODIES("link1"), &port, "erk", &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "'B'"), "%s", error.message);
  cr_expect_not_null(strstr(error.message, "link1"), "%s", error.message);
  mechanism_free(&m);
}

Test(multibody_part, accelerations_are_no_matter_for_index_2_forms) {
  mechanism m = double_pendulum();
  const mbs_port_def port = {
      .is_joint = true, .element = mbs_find_joint(m.model, "B"), .side = 1, .kind = MBS_PORT_ACCELERATION};
  seam_error error = {0};
  cr_expect_eq(create(&m, BODIES("link2"), &port, "radau", &error), SEAM_BAD_INPUT);
  cr_expect_eq(create(&m, BODIES("link2"), &port, "ida", &error), SEAM_BAD_INPUT);
  cr_expect_eq(create(&m, BODIES("link2"), &port, "cvode", &error), SEAM_OK);
  mechanism_free(&m);
}

Test(multibody_part, a_joint_is_not_driven_by_motion_nor_a_bushing_by_acceleration) {
  mechanism m = double_pendulum();
  mechanism bars = four_bar_bushing();
  const mbs_port_def joint = {
      .is_joint = true, .element = mbs_find_joint(m.model, "B"), .side = 1, .kind = MBS_PORT_MOTION};
  const mbs_port_def bushing = {.element = mbs_find_force(bars.model, "M"), .kind = MBS_PORT_ACCELERATION};
  const mbs_port_def air = {.element = mbs_find_force(bars.model, "air"), .kind = MBS_PORT_MOTION};
  seam_error error = {0};
  cr_expect_eq(create(&m, BODIES("link2"), &joint, "erk", &error), SEAM_BAD_INPUT);
  cr_expect_eq(create(&bars, BODIES("bar1", "bar2"), &bushing, "erk", &error), SEAM_BAD_INPUT);
  cr_expect_eq(create(&bars, BODIES("bar1", "bar2"), &air, "erk", &error), SEAM_BAD_INPUT);
  mechanism_free(&m);
  mechanism_free(&bars);
}
