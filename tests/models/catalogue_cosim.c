/* Explicit co-simulation of the catalogue's mechanisms, with the figures of the papers they come from: [Sadjina],
 * [Rodriguez]. Parameters of the files stand for columns of the reference data. Residual power of a coupling
 * is here that of (9) in [Rodriguez]. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/steps/simulation.h"
#include "tests/support/cosim_fixture.h"
#include "tests/support/data_table.h"

/* ---- A model with other parameters ---- */

enum { MAX_OVERRIDES = 10, MAX_OVERRIDE = 64 };

typedef struct overrides {
  char text[MAX_OVERRIDES][MAX_OVERRIDE];
  const char *list[MAX_OVERRIDES + 1];
  int n;
} overrides;

static void add(overrides *self, const char *text) {
  cr_assert_lt(self->n, MAX_OVERRIDES);
  snprintf(self->text[self->n], MAX_OVERRIDE, "%s", text);
  self->list[self->n] = self->text[self->n];
  self->n++;
}

static void set(overrides *self, const char *parameter, double value) {
  char text[MAX_OVERRIDE];
  snprintf(text, sizeof text, "parameters.%s=%.17g", parameter, value);
  add(self, text);
}

/* Columns of macro steps, mu, nu and limit; that of the order lies between. */
static void set_columns(overrides *self, const char *first, const char *second, const double *column) {
  set(self, first, column[0]);
  set(self, second, column[1]);
  set(self, "mu", column[3]);
  set(self, "nu", column[4]);
  set(self, "limit", column[5]);
}

static cosim_fixture begin(const char *name, const overrides *how) {
  cosim_fixture p = cosim_fixture_read(name, how->list);
  start(&p);
  return p;
}

/* One macro step of the file. */
static void step(cosim_fixture *p) {
  seam_error error = {0};
  cr_assert_eq(cosim_advance(p->run, p->definition.options.macro_step, &error), SEAM_OK, "%s", error.message);
}

static double energy_now(const cosim_fixture *p) { return mbs_energy_of(p->workspace, cosim_state(p->run)).total; }

/* Sum over all couplings. */
static cosim_bond_energy residual(const cosim_fixture *p) {
  cosim_bond_energy sum = {0};
  for (size_t k = 0; k < cosim_n_couplings(p->run); k++) {
    sum.residual_power += cosim_coupling_energy(p->run, k).residual_power;
    sum.residual_energy += cosim_coupling_energy(p->run, k).residual_energy;
  }
  return sum;
}

static double x_of(const cosim_fixture *p, const mbs_state *state, const char *body) {
  return state->q[3 * mbs_find_body(p->model, body)];
}

/* The whole model beside it. */
typedef struct whole {
  mbs_integrator *integrator;
  mbs_state *state;
} whole;

static whole begin_whole(const cosim_fixture *p) {
  whole self = {.state = new_state(p->model)};
  self.integrator = start_monolithic(p, self.state);
  return self;
}

static const mbs_state *whole_at(whole *self, double t) {
  cr_assert_eq(mbs_integrator_advance(self->integrator, t, self->state, NULL), SEAM_OK);
  return self->state;
}

static void whole_free(whole *self) {
  mbs_integrator_destroy(self->integrator);
  mbs_state_destroy(self->state);
}

static void expect_near(const char *what, double found, double reference, double tolerance) {
  cr_expect_lt(fabs(found - reference), tolerance * fabs(reference), "%s: %.10g, reference %.10g", what, found,
               reference);
}

/* ---- Quarter cars ---- */

Test(catalogue_cosim, quarter_cars_move_as_the_reference) {
  static const char *const names[] = {"quarter_car", "quarter_car_nonlinear"};
  for (int k = 0; k < 2; k++) {
    data_table t = data_table_open("quarter_car.csv");
    cosim_fixture p = cosim_fixture_read(names[k], NULL);
    whole car = begin_whole(&p);
    const size_t chassis = 3 * mbs_find_body(p.model, "chassis") + 1;
    const size_t wheel = 3 * mbs_find_body(p.model, "wheel") + 1;
    int n = 0;
    while (data_table_next(&t) == 6) {
      if (strcmp(t.word[0], k == 0 ? "linear" : "nonlinear") != 0)
        continue;
      const mbs_state *state = whole_at(&car, t.number[1]);
      const double found[4] = {state->q[chassis], state->v[chassis], state->q[wheel], state->v[wheel]};
      for (int i = 0; i < 4; i++)
        cr_expect_float_eq(found[i], t.number[2 + i], 1e-8, "%s, t = %g: %.12g, reference %.12g", names[k], t.number[1],
                           found[i], t.number[2 + i]);
      n++;
    }
    cr_assert_eq(n, 41);
    whole_free(&car);
    cosim_fixture_free(&p);
  }
}

/* Energy that the cut creates in half a second with macro steps H. */
static double energy_of_car(cosim_fixture *p, const char *scheme, double H) {
  use_scheme(p, scheme);
  p->definition.options.macro_step = H;
  start(p);
  advance(p, (size_t)lround(0.5 / H));
  return cosim_coupling_created(p->run, 0);
}

Test(catalogue_cosim, both_cuts_of_the_quarter_car_converge) {
  static const char *const schemes[] = {"fd-k0-explicit", "df-k0-explicit"};
  cosim_fixture p = cosim_fixture_read("quarter_car", NULL);
  for (int i = 0; i < 2; i++) {
    use_scheme(&p, schemes[i]);
    cr_expect_float_eq(log2(error_at_macro_step(&p, 2e-4, 0.5) / error_at_macro_step(&p, 1e-4, 0.5)), 1, 0.05, "%s",
                       schemes[i]);
    cr_expect_float_eq(log2(energy_of_car(&p, schemes[i], 2e-4) / energy_of_car(&p, schemes[i], 1e-4)), 1, 0.05, "%s",
                       schemes[i]);
  }
  const double with_wheel = energy_of_car(&p, schemes[0], 1e-3);
  const double with_chassis = energy_of_car(&p, schemes[1], 1e-3);
  cr_expect_gt(with_chassis, 2 * with_wheel, "%g, %g", with_chassis, with_wheel);
  cosim_fixture_free(&p);
}

/* ---- Oscillators ---- */

/* Cases of the reference, how many of their rows are held, and how near with a correction and without. With several
 * coupling springs the file limits the correction of each one, the reference that of their sum. */
static const struct oscillator {
  const char *name, *model, *set[2];
  size_t rows;
  double corrected;
} oscillators[] = {
    {"linear", "multiple_oscillator", {"parameters.n=2"}, 9, 1e-6},
    {"damped", "multiple_oscillator", {"parameters.d=0.1"}, 6, 1e-6},
    {"lightly_damped", "multiple_oscillator", {"parameters.d=0.01"}, 6, 1e-6},
    {"three", "multiple_oscillator", {"parameters.n=3"}, 6, 1e-6},
    {"five", "multiple_oscillator", {"parameters.n=5"}, 6, 1e-6},
    {"heavy_first", "nonlinear_oscillator", {"parameters.p=1", "parameters.m1=10"}, 6, 1e-6},
    {"root_springs", "nonlinear_oscillator", {"parameters.p=0.5"}, 3, 1e-6},
    {"quadratic_dampers", "nonlinear_oscillator", {"parameters.p=1", "parameters.c=1e-3"}, 3, 1e-6},
};

enum { n_oscillators = sizeof oscillators / sizeof *oscillators };

/* Energy after 10 s, relative to the first. */
static void expect_row(const struct oscillator *model, const data_table *row) {
  const double *column = row->number + 1;
  overrides how = {0};
  set_columns(&how, "h1", "h2", column);
  set(&how, "order", column[2]);
  for (int i = 0; i < 2 && model->set[i] != NULL; i++)
    add(&how, model->set[i]);
  cosim_fixture p = begin(model->model, &how);
  const double first = energy_now(&p);
  for (long k = lround(10 / p.definition.options.macro_step); k > 0; k--)
    step(&p);
  const double tolerance = column[3] > 0 ? model->corrected : 1e-6;
  char what[128];
  snprintf(what, sizeof what, "%s h %g %g order %g mu %g nu %g limit %g", model->name, column[0], column[1], column[2],
           column[3], column[4], column[5]);
  expect_near(what, energy_now(&p) / first, row->number[7], tolerance);
  if (tolerance < 1e-3)
    expect_near(what, residual(&p).residual_energy, row->number[14], 1e-6);
  cosim_fixture_free(&p);
}

/* Without SEAM_LONG every third row. */
Test(catalogue_cosim, energies_of_oscillators_are_those_of_the_reference) {
  data_table t = data_table_open("energy_oscillators.csv");
  const bool is_long = getenv("SEAM_LONG") != NULL;
  size_t rows[n_oscillators] = {0};
  int n = 0;
  while (data_table_next(&t) == 16)
    for (size_t i = 0; i < n_oscillators; i++)
      if (strcmp(t.word[0], oscillators[i].name) == 0 && rows[i]++ < oscillators[i].rows &&
          (is_long || rows[i] % 3 == i % 3)) {
        expect_row(&oscillators[i], &t);
        n++;
      }
  cr_expect_eq(n, is_long ? 45 : 15);
}

/* ---- Coupled pendula ---- */

enum { dE_end, MAX_DE, MAX_DX, mean_dP, residual_energy, n_figures };

/* At multiples of 0.02 s, as the reference. */
static void swing(const double *column, double *figures) {
  overrides how = {0};
  set_columns(&how, "h1", "h2", column);
  set(&how, "order", column[2]);
  cosim_fixture p = begin("coupled_pendula", &how);
  whole pendula = begin_whole(&p);
  const double first = energy_now(&p);
  const int every = (int)lround(0.02 / p.definition.options.macro_step);
  const int n_points = 3001;
  memset(figures, 0, n_figures * sizeof *figures);
  for (int i = 1; i < n_points; i++) {
    for (int k = 0; k < every; k++)
      step(&p);
    const mbs_state *now = cosim_state(p.run);
    const double exact = x_of(&p, whole_at(&pendula, now->t), "mass2");
    figures[dE_end] = energy_now(&p) - first;
    figures[MAX_DE] = fmax(figures[MAX_DE], fabs(figures[dE_end]));
    figures[MAX_DX] = fmax(figures[MAX_DX], fabs(x_of(&p, now, "mass2") - exact));
    figures[mean_dP] += residual(&p).residual_power / n_points;
  }
  figures[residual_energy] = residual(&p).residual_energy;
  whole_free(&pendula);
  cosim_fixture_free(&p);
}

/* Of the rows that rounding does not decide: without a correction, and with one that is limited. Steps of symplectic
 * Euler in coordinates of the tips are nearly those in the angles; a limit that is met brings out the difference. */
Test(catalogue_cosim, pendula_are_those_of_the_reference) {
  data_table t = data_table_open("energy_pendula.csv");
  int n = 0;
  while (data_table_next(&t) == 13) {
    const double *column = t.number;
    if (column[3] > 0 && column[5] > 0.1)
      continue;
    double figures[n_figures];
    swing(column, figures);
    for (int i = 0; i < n_figures; i++) {
      char what[128];
      snprintf(what, sizeof what, "h %g %g mu %g, column %d", column[0], column[1], column[3], i);
      expect_near(what, figures[i], column[6 + i], column[3] > 0 ? 0.02 : 5e-4);
    }
    n++;
  }
  cr_expect_eq(n, 8);
}

/* ---- Hydraulic crane ---- */

enum { n_seconds = 10 };

static double length_of_cylinder(const cosim_fixture *p, const mbs_state *state) {
  const double phi = state->q[3 * mbs_find_body(p->model, "link1") + 2];
  return hypot(cos(phi) / 2 - sqrt(3) / 2, sin(phi) / 2);
}

/* Error of the length in mm; largest residual power in each second. */
static double work_crane(const double *column, double most[n_seconds]) {
  overrides how = {0};
  set_columns(&how, "H", "h", column);
  cosim_fixture p = begin("hydraulic_crane", &how);
  whole crane = begin_whole(&p);
  double error = 0;
  memset(most, 0, n_seconds * sizeof *most);
  for (long i = 1; i <= lround(10 / p.definition.options.macro_step); i++) {
    step(&p);
    const mbs_state *now = cosim_state(p.run);
    const int second = (int)((double)i * p.definition.options.macro_step + 1e-9);
    error = fmax(error, fabs(length_of_cylinder(&p, now) - length_of_cylinder(&p, whole_at(&crane, now->t))) * 1e3);
    if (second < n_seconds)
      most[second] = fmax(most[second], fabs(residual(&p).residual_power));
  }
  whole_free(&crane);
  cosim_fixture_free(&p);
  return error;
}

/* Rows of 10 / 0.25 ms to 10 %, those of 11.5 / 0.1 ms to a factor of 2, without a correction. In the last second of
 * these the arm has fallen, and how far is chaotic. */
Test(catalogue_cosim, residual_power_of_the_crane_is_that_of_the_reference) {
  data_table t = data_table_open("energy_crane.csv");
  int n = 0;
  while (data_table_next(&t) > 0) {
    const double *column = t.number;
    const bool shakes = column[0] == 0.0115;
    if (column[2] != 1 || column[3] != 0 || column[0] == 0.011)
      continue;
    double most[n_seconds];
    const double error = work_crane(column, most);
    cr_expect_float_eq(error, column[6], 0.05 * column[6], "H %g: %g mm", column[0], error);
    for (int i = 0; i < n_seconds - shakes; i++) {
      const double factor = shakes ? 2 : 1.1;
      cr_expect(most[i] < factor * column[8 + i] && column[8 + i] < factor * most[i],
                "H %g, second %d: %g W, reference %g W", column[0], i, most[i], column[8 + i]);
    }
    n++;
  }
  cr_expect_eq(n, 3);
}
