/* How a step with collocation couplings is corrected: derivatives of earlier steps, the last small increment by
 * impulses, trust in the contraction, the end of increments that diverge. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/coupling/master.h"
#include "cosim/parts/multibody_internal.h"
#include "cosim/steps/simulation.h"
#include "tests/support/cosim_fixture.h"

static const char *const accurate[] = {"cosim.rtol=1e-12", "cosim.atol=1e-13", "cosim.order=8", NULL};

/* Of the catalogue; first those whose sides receive forces. */
static const struct example {
  const char *model, *scheme;
} examples[] = {
    {"four_bar_fixed", "ff-colloc-s2"},  {"four_bar_bushing", "ff-colloc-s2"}, {"four_bar_bushing", "ff-colloc-s3"},
    {"double_pendulum", "ff-colloc-s3"}, {"four_bar_bushing", "fd-colloc-s2"},
};
enum { n_examples = sizeof examples / sizeof *examples, n_by_forces = n_examples - 1 };

static cosim_fixture started(const struct example *e, const char *const *overrides, double H) {
  cosim_fixture p = cosim_fixture_read(e->model, overrides);
  use_scheme(&p, e->scheme);
  p.definition.options.macro_step = H;
  start(&p);
  return p;
}

static cosim_master *master_of(const cosim_fixture *p) { return p->run->engine->master; }

static void take_step(const cosim_fixture *p, double H) {
  seam_error error = {0};
  cr_assert_eq(cosim_advance(p->run, H, &error), SEAM_OK, "%s", error.message);
}

/* ---- Adapted derivatives ---- */

/* Largest difference of two sets of derivatives of the motions of markers over the largest of the second, of positions
 * and of velocities apart; at joints, whose gaps do not ask for others, of velocities at the end. */
static double difference_of(const cosim_master *a, const cosim_master *b) {
  double worst = 0;
  for (int p = 0; p < a->parts->n; p++)
    for (int i = 0; i < a->of_part[p].n_incidences; i++) {
      const cosim_incidence *at = &a->of_part[p].incidences[i];
      const cosim_side *side = &a->couplings[at->coupling].cut->side[at->side];
      const cosim_element *element = a->couplings[at->coupling].cut->element;
      const int first[2] = {side->position, side->velocity};
      const cosim_member *m = &a->parts->member[p];
      const cosim_member *n = &b->parts->member[p];
      for (int kind = 0; kind < 2; kind++) {
        double difference = 0;
        double largest = 0;
        for (int d = 0; d < m->n_seeds; d++)
          for (int row = kind == 1 && element->n_rows > 0 ? m->n_nodes : 0; row <= m->n_nodes; row++)
            for (int c = 0; c < element->n_dims; c++) {
              const int y = row * m->part->n_outputs + first[kind] + element->dim[c];
              const double fresh = cosim_member_derivatives(n, d)[y];
              difference = fmax(difference, fabs(cosim_member_derivatives(m, d)[y] - fresh));
              largest = fmax(largest, fabs(fresh));
            }
        worst = fmax(worst, difference / largest);
      }
    }
  return worst;
}

/* After some steps of length H one of `ratio` H, with the derivatives of the first step and with its own. */
static double adapted_error_after(const struct example *e, size_t n_steps, double H, double ratio) {
  cosim_fixture p = started(e, accurate, H);
  cosim_fixture q = started(e, accurate, H);
  advance(&p, n_steps);
  advance(&q, n_steps);
  cr_assert(master_of(&p)->adapts);
  const size_t before = master_of(&p)->count.refreshes;
  master_of(&q)->reuses = false;
  take_step(&p, ratio * H);
  take_step(&q, ratio * H);
  cr_assert_eq(master_of(&p)->count.refreshes, before);
  cr_assert_gt(master_of(&q)->count.refreshes, 0);
  const double error = difference_of(master_of(&p), master_of(&q));
  cosim_fixture_free(&p);
  cosim_fixture_free(&q);
  return error;
}

static double adapted_error(const struct example *e, double H, double ratio) {
  return adapted_error_after(e, 3, H, ratio);
}

/* Without what velocities and positions do to accelerations errors are 0.005 to 0.13, without the turning of directions
 * 5e-4 to 1e-2. */
Test(collocation_step, adapted_derivatives_follow_the_motion) {
  static const double ratios[] = {1, 0.6, 1.5};
  static const double most[n_by_forces] = {5e-5, 5e-5, 5e-5, 5e-3};
  for (int k = 0; k < n_by_forces; k++)
    for (int i = 0; i < 3; i++) {
      const double error = adapted_error_after(&examples[k], 30, 0.02, ratios[i]);
      cr_expect_lt(error, most[k], "%s, %s, ratio %g: %.2e", examples[k].model, examples[k].scheme, ratios[i], error);
    }
}

Test(collocation_step, adapted_derivatives_are_wrong_by_the_cube_of_the_macro_step) {
  static const double ratios[] = {1, 0.6, 1.7};
  for (const struct example *e = examples; e < examples + n_by_forces; e++)
    for (int i = 0; i < 3; i++) {
      const double coarse = adapted_error(e, 0.008, ratios[i]);
      const double fine = adapted_error(e, 0.004, ratios[i]);
      cr_expect_gt(log2(coarse / fine), 2.7, "%s, %s, ratio %g: %.2e, %.2e", e->model, e->scheme, ratios[i], coarse,
                   fine);
      cr_expect_lt(coarse, 1e-4, "%s, %s, ratio %g: %.2e", e->model, e->scheme, ratios[i], coarse);
    }
}

/* The bushing damps the driven side fast. */
Test(collocation_step, adapted_derivatives_of_a_driven_side_serve_other_lengths) {
  const struct example *driven = &examples[n_by_forces];
  cr_expect_lt(adapted_error(driven, 0.008, 1), 5e-3);
  cr_expect_lt(adapted_error(driven, 0.008, 0.6), 5e-3);
  cr_expect_lt(adapted_error(driven, 0.008, 1.7), 0.06);
}

Test(collocation_step, derivatives_are_fresh_in_few_steps) {
  for (const struct example *e = examples; e < examples + n_examples; e++) {
    cosim_fixture p = started(e, NULL, 0.01);
    advance(&p, 300);
    const cosim_statistics found = cosim_statistics_of(p.run);
    cr_expect_leq(found.refreshes, 5, "%s, %s: %zu", e->model, e->scheme, found.refreshes);
    cr_expect_leq(found.corrections, 4 * 300, "%s, %s: %zu", e->model, e->scheme, found.corrections);
    cosim_fixture_free(&p);
  }
}

/* ---- Short passes ---- */

enum { MAX_AT_NODES = 256 };

/* Largest difference of outputs of sides at the nodes, positions and, at force elements, velocities times H. */
static double difference_at_nodes(const cosim_master *master, double before[2][MAX_AT_NODES]) {
  double worst = 0;
  for (int p = 0; p < 2; p++)
    for (int i = 0; i < master->of_part[p].n_incidences; i++) {
      const cosim_incidence *at = &master->of_part[p].incidences[i];
      const cosim_cut *cut = master->couplings[at->coupling].cut;
      const cosim_side *side = &cut->side[at->side];
      const cosim_member *m = &master->parts->member[p];
      for (int row = 0; row < m->n_nodes; row++)
        for (int k = 0; k < cut->element->n_dims; k++) {
          const int x = row * m->part->n_outputs + side->position + cut->element->dim[k];
          const int v = row * m->part->n_outputs + side->velocity + cut->element->dim[k];
          worst = fmax(worst, fabs(m->node_outputs[x] - before[p][x]));
          if (cut->element->n_rows == 0)
            worst = fmax(worst, master->H * fabs(m->node_outputs[v] - before[p][v]));
        }
    }
  return worst;
}

/* After a step of which a increment of the size given is taken back by a short pass, and then by a pass with nodes. */
static double left_by_short_pass(const struct example *e, double size, double *effect) {
  seam_error error = {0};
  cosim_fixture p = started(e, accurate, 0.02);
  advance(&p, 10);
  cosim_master *master = master_of(&p);
  double before[2][MAX_AT_NODES];
  double prediction_error = 0;
  master->t -= 0.02;
  for (int i = 0; i < master->n_unknowns; i++)
    master->increment[i] = size * (i % 3 - 1);
  for (int k = 0; k < 2; k++) { /* the pass before has nodes too */
    cr_assert_eq(cosim_repeat_step(master, 0.02, false, &error), SEAM_OK, "%s", error.message);
    if (k == 0)
      *effect = cosim_change_at_end(master, 0, master->couplings[0].cut->side[0].position, master->increment);
  }
  cosim_predict_outputs(master);
  cosim_apply_increment(master);
  cosim_master_set_inputs(master, true);
  cr_assert_eq(cosim_repeat_end_only(master, 0.02, &prediction_error, &error), SEAM_OK, "%s", error.message);
  for (int part = 0; part < 2; part++) {
    const cosim_member *m = &master->parts->member[part];
    const int n = m->n_nodes * m->part->n_outputs;
    cr_assert_leq(n, MAX_AT_NODES);
    cr_assert_not(m->has_node_outputs, "%s", e->model);
    memcpy(before[part], m->node_outputs, (size_t)n * sizeof *m->node_outputs);
  }
  cr_assert_eq(cosim_repeat_step(master, 0.02, false, &error), SEAM_OK, "%s", error.message);
  const double left = difference_at_nodes(master, before);
  cosim_fixture_free(&p);
  return left;
}

Test(collocation_step, short_passes_know_the_nodes_that_passes_find) {
  for (const struct example *e = examples; e < examples + n_by_forces; e++) {
    double effect = 0;
    const double left = left_by_short_pass(e, 1e-2, &effect);
    cr_expect_gt(fabs(effect), 1e-8, "%s: %g", e->model, effect);
    cr_expect_lt(left, 3e-5 * fabs(effect), "%s, %s: %.2e of %.2e", e->model, e->scheme, left, effect);
  }
}

/* ---- Impulses ---- */

/* One part takes the last step once more. */
static void take_again(const cosim_fixture *p, int part, const cosim_signal *inputs, double *outputs) {
  seam_error error = {0};
  const cosim_parts *parts = master_of(p)->parts;
  const cosim_member *m = &parts->member[part];
  const cosim_step step = {.t = parts->t, .H = parts->H, .inputs = inputs};
  m->part->ops->restore(m->part, m->saved);
  cr_assert_eq(m->part->ops->advance(m->part, &step, outputs, NULL, &error), SEAM_OK, "%s", error.message);
}

/* Kinetic and potential energy without what ports have brought. */
static double balance_of(const cosim_part *part) {
  const cosim_multibody *self = (const cosim_multibody *)part;
  double sum = mbs_energy_of(self->ws, self->state).total;
  for (int port = 0; port < self->sub->model->n_work - 2; port++)
    sum -= self->state->work[2 + port];
  return sum;
}

/* Changes an input by δu = size (1 - τ + τ²), whose repeated integrals over the step are 5/6 size H, 5/12 size H²,
 * 17/120 size H³, 13/360 size H⁴. */
static void change_by_impulses(const cosim_fixture *p, int part, int input, double size, cosim_signal *inputs) {
  static const double of_step[COSIM_N_INTEGRALS] = {5.0 / 6, 5.0 / 12, 17.0 / 120, 13.0 / 360};
  seam_error error = {0};
  const double H = master_of(p)->parts->H;
  cosim_part *self = master_of(p)->parts->member[part].part;
  double integrals[COSIM_N_INTEGRALS * 16] = {0};
  double end[16];
  double power = size;
  bool is_made = false;
  cr_assert_leq(self->n_inputs, 16);
  inputs[input].c[0][0] += size;
  inputs[input].c[0][1] -= size;
  inputs[input].c[0][2] += size;
  for (int k = 0; k < COSIM_N_INTEGRALS; k++)
    integrals[k * self->n_inputs + input] = of_step[k] * (power *= H);
  for (int i = 0; i < self->n_inputs; i++)
    end[i] = cosim_signal_end(&inputs[i]);
  const double before = balance_of(self);
  cr_assert_eq(self->ops->apply_impulses(self, integrals, end, INFINITY, &is_made, &error), SEAM_OK, "%s",
               error.message);
  cr_expect(is_made);
  cr_expect_float_eq(balance_of(self), before, 1e-13 * (1 + fabs(before)), "balance changed by %g",
                     balance_of(self) - before);
}

/* Of three outputs. */
static double distance(const double *a, const double *b) {
  return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

/* What impulses leave of the change of a marker's motion over that change. */
static double left_over(const cosim_fixture *p, int part, const cosim_side *side, int input) {
  const cosim_member *m = &master_of(p)->parts->member[part];
  const double size = 1e-2;
  cosim_signal inputs[16];
  double plain[64];
  double after_impulses[64];
  double after_pass[64];
  cr_assert(m->part->n_inputs <= 16 && m->part->n_outputs <= 64);
  memcpy(inputs, m->inputs, (size_t)m->part->n_inputs * sizeof *inputs);
  take_again(p, part, inputs, plain);
  change_by_impulses(p, part, input, size, inputs);
  m->part->ops->get_outputs(m->part, after_impulses);
  take_again(p, part, inputs, after_pass);
  const double x = distance(after_impulses + side->position, after_pass + side->position) /
                   distance(plain + side->position, after_pass + side->position);
  const double v = distance(after_impulses + side->velocity, after_pass + side->velocity) /
                   distance(plain + side->velocity, after_pass + side->velocity);
  return fmax(x, v);
}

Test(collocation_step, impulses_do_what_a_pass_does_and_the_energy_enters_the_work) {
  for (const struct example *e = examples; e < examples + n_examples; e++) {
    cosim_fixture p = started(e, accurate, 0.01);
    advance(&p, 20);
    for (int part = 0; part < 2; part++) {
      const cosim_incidence *at = &master_of(&p)->of_part[part].incidences[0];
      const cosim_side *side = &master_of(&p)->couplings[at->coupling].cut->side[at->side];
      for (int c = 0; c < 3 && side->force_input >= 0; c++) {
        if (!master_of(&p)->parts->member[part].corrected[side->force_input + c])
          continue;
        const double left = left_over(&p, part, side, side->force_input + c);
        cr_expect_lt(left, 3e-4, "%s, %s, part %d, component %d: %.2e", e->model, e->scheme, part, c, left);
      }
    }
    cosim_fixture_free(&p);
  }
}

/* Over a long step the last terms are more than a tolerance. */
Test(collocation_step, impulses_that_may_leave_more_than_the_limit_are_not_made) {
  seam_error error = {0};
  cosim_fixture p = started(&examples[0], accurate, 0.05);
  advance(&p, 2);
  cosim_part *part = master_of(&p)->parts->member[0].part;
  const cosim_multibody *self = (const cosim_multibody *)part;
  const double integrals[COSIM_N_INTEGRALS * 16] = {[0] = 1e-4, [3] = 1e-5, [6] = 1e-6, [9] = 1e-7};
  const double end[16] = {0};
  const double before = self->state->q[0];
  bool is_made = true;
  cr_assert_eq(part->n_inputs, 3);
  cr_assert_eq(part->ops->apply_impulses(part, integrals, end, 1, &is_made, &error), SEAM_OK);
  cr_expect_not(is_made);
  cr_expect_eq(self->state->q[0], before);
  cr_assert_eq(part->ops->apply_impulses(part, integrals, end, 1e15, &is_made, &error), SEAM_OK);
  cr_expect(is_made);
  cr_expect_neq(self->state->q[0], before);
  cosim_fixture_free(&p);
}

/* A chain in three parts, so that the middle one has two ports. */
static const char three_parts[] =
    "seam: 1\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  a: {rod: [[0, 0], [1, 0]], mass: 1}\n"
    "  b: {rod: [[1, 0], [2, 0]], mass: 1}\n"
    "  c: {rod: [[2, 0], [3, 0]], mass: 1}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
    "  C: {type: revolute, bodies: [b, c], at: [2, 0]}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {p: [a], q: [b], r: [c]}, macro_step: 0.01, scheme: ff-colloc-s2, order: 8, rtol: 1e-12,\n"
    "        atol: 1e-13}\n";

/* What impulses bring through each port is what a pass brings, to a twentieth of the largest of the ports. */
static void expect_works(const cosim_fixture *p, int part, int input) {
  const cosim_member *m = &master_of(p)->parts->member[part];
  const int n_ports = master_of(p)->of_part[part].n_incidences;
  cosim_signal inputs[16];
  double outputs[64];
  double plain[2], after_impulses[2], after_pass[2];
  double largest = 0;
  memcpy(inputs, m->inputs, (size_t)m->part->n_inputs * sizeof *inputs);
  take_again(p, part, inputs, outputs);
  for (int port = 0; port < n_ports; port++)
    plain[port] = cosim_multibody_work(m->part, port);
  change_by_impulses(p, part, input, 1e-2, inputs);
  for (int port = 0; port < n_ports; port++)
    after_impulses[port] = cosim_multibody_work(m->part, port);
  take_again(p, part, inputs, outputs);
  for (int port = 0; port < n_ports; port++) {
    after_pass[port] = cosim_multibody_work(m->part, port);
    largest = fmax(largest, fabs(after_pass[port] - plain[port]));
  }
  for (int port = 0; port < n_ports; port++)
    cr_expect_float_eq(after_impulses[port], after_pass[port], 0.05 * largest,
                       "part %d, input %d, port %d: %.3e, not %.3e", part, input, port,
                       after_impulses[port] - plain[port], after_pass[port] - plain[port]);
}

Test(collocation_step, the_work_of_impulses_is_done_through_the_port_on_which_they_act) {
  cosim_fixture p = cosim_fixture_read(three_parts, NULL);
  start(&p);
  advance(&p, 30);
  for (int part = 0; part < 3; part++)
    for (int port = 0; port < master_of(&p)->of_part[part].n_incidences; port++)
      for (int k = 0; k < 2; k++) {
        const cosim_incidence *at = &master_of(&p)->of_part[part].incidences[port];
        expect_works(&p, part, master_of(&p)->couplings[at->coupling].cut->side[at->side].force_input + k);
      }
  cosim_fixture_free(&p);
}

/* ---- Trust ---- */

/* Steps without a second pass follow one another, but not many. */
Test(collocation_step, contraction_is_seen_again_within_ten_steps) {
  static const char *const loose[] = {"cosim.rtol=1e-5", "cosim.atol=1e-5", NULL};
  for (const struct example *e = examples; e < examples + n_examples; e++) {
    cosim_fixture p = started(e, loose, 0.002);
    int most = 0;
    for (int i = 0; i < 200; i++) {
      advance(&p, 1);
      most = master_of(&p)->contraction_age > most ? master_of(&p)->contraction_age : most;
    }
    cr_expect(most >= 2 && most <= 10, "%s, %s: %d", e->model, e->scheme, most);
    cosim_fixture_free(&p);
  }
}

/* ---- The end of what diverges ---- */

/* Corrections that the failed step found: the last one is the change that is named, not made. */
static void expect_iterations(const char *message, size_t found) {
  const char *after = strstr(message, " after ");
  if (strstr(message, "still changes") != NULL)
    cr_expect_eq(strtoul(after + strlen(" after "), NULL, 10) + 1, found, "%zu: %s", found, message);
}

Test(collocation_step, corrections_that_diverge_end_early) {
  static const double lengths[] = {0.5, 1};
  for (int i = 0; i < 2; i++)
    for (const struct example *e = examples; e < examples + n_examples; e++) {
      cosim_fixture p = started(e, NULL, lengths[i]);
      seam_error error = {0};
      seam_status status = SEAM_OK;
      size_t corrections = 0;
      for (int k = 0; k < 20 && status == SEAM_OK; k++) {
        corrections = cosim_statistics_of(p.run).corrections;
        status = cosim_advance(p.run, lengths[i], &error);
      }
      expect_iterations(error.message, cosim_statistics_of(p.run).corrections - corrections);
      const size_t n = cosim_statistics_of(p.run).integrators.evaluations;
      cr_expect_neq(status, SEAM_OK, "%s, %s, %g s", e->model, e->scheme, lengths[i]);
      cr_expect_not_null(strstr(error.message, "macro step"), "%s", error.message);
      cr_expect_lt(n, 100000, "%s, %s, %g s: %zu evaluations", e->model, e->scheme, lengths[i], n);
      cosim_fixture_free(&p);
    }
}
