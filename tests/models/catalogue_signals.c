/* Models of the catalogue whose subsystems are equations coupled by signals, against the figures of their papers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solvers/expm.h"
#include "tests/support/cosim_fixture.h"
#include "tests/support/data_table.h"

enum { MAX_TEXT_OF_OVERRIDE = 120 };

static double signal_now(const cosim_fixture *p, const char *name) {
  for (size_t i = 0; i < cosim_n_signals(p->run); i++)
    if (strcmp(cosim_signal_of(p->run, i).name, name) == 0)
      return cosim_signal_now(p->run, i);
  cr_assert_fail("no signal %s", name);
  return NAN;
}

/* ---- Quarter cars: rows of ecco_tables.csv; means are weighted by time ---- */

typedef struct quarter_car {
  const char *tables; /* in which it stands */
  const char *name;
  const char *overrides[3];
  double end; /* s */
} quarter_car;

#define NONLINEAR "parameters.n=1.5", "parameters.dc=900"

static const quarter_car cars[] = {
    {" III IX ", "quarter_car_signals_1", {0}, 4},
    {" V X ", "quarter_car_signals_1", {NONLINEAR}, 2},
    {" VI XI ", "quarter_car_signals_2", {0}, 4},
    {" VII XII ", "quarter_car_signals_2", {NONLINEAR}, 2},
    {" VIII ", "quarter_car_signals_2", {"cosim.subsystems.wheel.micro_steps=1"}, 4},
};

static const quarter_car *car_of(const data_table *row) {
  char name[16];
  snprintf(name, sizeof name, " %s ", row->word[0]);
  for (size_t i = 0; i < sizeof cars / sizeof *cars; i++)
    if (strstr(cars[i].tables, name) != NULL)
      return &cars[i];
  cr_assert_fail("no table %s", row->word[0]);
  return NULL;
}

/* As a user would: the file, and what is to be otherwise. */
static cosim_fixture begin_row(const data_table *row) {
  const quarter_car *car = car_of(row);
  const char *overrides[5] = {0};
  char control[MAX_TEXT_OF_OVERRIDE];
  size_t n = 0;
  while (car->overrides[n] != NULL) {
    overrides[n] = car->overrides[n];
    n++;
  }
  if (strcmp(row->word[1], "const") != 0) {
    snprintf(control, sizeof control, "cosim.step_control={method: %s, tolerance: %s, shortest: 1e-4, longest: 1e-2}",
             strcmp(row->word[1], "ecco") == 0 ? "ecco" : "predictor", row->word[2]);
    overrides[n++] = control;
    overrides[n++] = "cosim.macro_step=1e-4";
  }
  cosim_fixture p = cosim_fixture_read(car->name, overrides);
  start(&p);
  return p;
}

static bool goes_on(const cosim_fixture *p, const data_table *row, int n) {
  return p->definition.step_control != NULL ? cosim_state(p->run)->t < car_of(row)->end : n < row->number[3];
}

/* Length of the macro step, power into the wheel, half of the residual power, residual energy, end. */
static void simulate_row(const data_table *row, double found[5]) {
  const double far = 1e6;
  cosim_fixture p = begin_row(row);
  double power = 0;
  double residual = 0;
  double t = 0;
  int n = 0;
  for (; goes_on(&p, row, n); n++) {
    const double before = t;
    cr_assert_eq(cosim_advance_controlled(p.run, far, NULL), SEAM_OK);
    const cosim_bond_energy energy = cosim_bond_energy_of(p.run, 0);
    t = cosim_state(p.run)->t;
    power -= energy.power * (t - before);
    residual += 0.5 * fabs(energy.residual_power) * (t - before);
  }
  const double figures[5] = {1e3 * t / n, power / t, residual / t, cosim_bond_energy_of(p.run, 0).residual_energy, t};
  memcpy(found, figures, sizeof figures);
  cosim_fixture_free(&p);
}

static void hold_rows(const char *control, const char *tables, double tolerance, int n_rows) {
  static const int columns[5] = {4, 5, 7, 8, 9};
  data_table t = data_table_open("ecco_tables.csv");
  int n = 0;
  while (data_table_next(&t) == 15) {
    char name[16];
    double found[5];
    snprintf(name, sizeof name, " %s ", t.word[0]);
    if (strcmp(t.word[1], control) != 0 || strstr(tables, name) == NULL)
      continue;
    simulate_row(&t, found);
    for (int i = 0; i < 5; i++)
      cr_expect_leq(fabs(found[i] - t.number[columns[i]]), tolerance * fabs(t.number[columns[i]]),
                    "table %s %s, column %d: %.10g, reference %.10g", t.word[0], control, columns[i], found[i],
                    t.number[columns[i]]);
    n++;
  }
  cr_assert_eq(n, n_rows);
}

Test(catalogue_signals, quarter_cars_with_constant_steps) { hold_rows("const", " III V VI VII VIII ", 1e-6, 5); }

Test(catalogue_signals, quarter_cars_under_ecco) { hold_rows("ecco", " III V VI ", 1e-6, 5); }

/* Rounding decides single steps here, as tests/cosim/exchange/ecco.c shows. */
Test(catalogue_signals, quarter_cars_under_ecco_that_amplify_rounding) { hold_rows("ecco", " VII VIII ", 0.01, 2); }
Test(catalogue_signals, quarter_cars_under_the_predictor) { hold_rows("pc", " IX X XI XII ", 0.5, 4); }

/* ---- Balance correction: orders of balance_slopes.csv ---- */

enum { coarsest = 4, finest = 8 };

/* x1 and x2 of x' = A x by signals, how it is overridden for linear extrapolation along derivatives, and for values. */
typedef struct balanced {
  const char *name, *x1, *x2;
  const char *along, *held;
} balanced;

static const balanced spring_mass = {
    "spring_mass", "spring.x", "mass.v",
    "cosim.signals=[{from: spring.force, to: mass.force, rate: spring.slope}, {from: mass.v, to: spring.v, rate: "
    "mass.a}]",
    "cosim.signals=[{from: spring.force, to: mass.force}, {from: mass.v, to: spring.v}]"};
static const balanced two_components = {
    "two_component_linear", "first.x", "second.x",
    "cosim.signals=[{from: second.x, to: first.u, rate: second.rate}, {from: first.x, to: second.u, rate: first.rate}]",
    "parameters.hold=0"};

/* Largest error at the macro points until t = 20. The file's run begins without a past: the first step holds values,
 * and the correction has removed that after two. */
static double error_of_row(const balanced *model, const data_table *row, const char *const *overrides, double H) {
  cosim_fixture p = cosim_fixture_read(model->name, overrides);
  const double *a = row->number;
  const double generator[4] = {a[0] * H, a[2] * H, a[1] * H, a[3] * H};
  double E[4];
  double x[2] = {1, 0};
  double largest = 0;
  cr_assert_eq(seam_expm(2, generator, E, NULL), SEAM_OK);
  p.definition.options.macro_step = H;
  start(&p);
  for (int k = 0; k < lround(20 / H); k++) {
    const double next[2] = {E[0] * x[0] + E[2] * x[1], E[1] * x[0] + E[3] * x[1]};
    memcpy(x, next, sizeof x);
    advance(&p, 1);
    if (k >= 2)
      largest = fmax(largest, hypot(signal_now(&p, model->x1) - x[0], signal_now(&p, model->x2) - x[1]));
  }
  cosim_fixture_free(&p);
  return largest;
}

/* Slope of a straight line through the logarithms. */
static void hold_order(const balanced *model, const data_table *row) {
  char matrix[4][32];
  const char *overrides[7] = {0};
  size_t n = 0;
  const char *hold = row->word[4];
  static const char *const names[4] = {"a11", "a12", "a21", "a22"};
  for (int i = 0; i < 4 && model == &two_components; i++) {
    snprintf(matrix[i], sizeof matrix[i], "parameters.%s=%s", names[i], row->word[i]);
    overrides[n++] = matrix[i];
  }
  overrides[n++] = strcmp(hold, "const") == 0     ? model->held
                   : strcmp(hold, "lin-fmi") == 0 ? model->along
                                                  : "parameters.hold=1";
  overrides[n] = row->number[5] != 0 ? NULL : "cosim.corrections={}";
  double order = 0;
  for (int i = coarsest; i <= finest; i++)
    order -= (i - 0.5 * (coarsest + finest)) * log2(error_of_row(model, row, overrides, 0.2 / (1 << i))) / 10;
  cr_expect_lt(fabs(order - row->number[8]), 0.05, "%s %s, balance %s: order %.4f, reference %.4f", model->name, hold,
               row->word[5], order, row->number[8]);
}

Test(catalogue_signals, orders_with_and_without_balance) {
  data_table t = data_table_open("balance_slopes.csv");
  int n = 0;
  while (data_table_next(&t) == 10) {
    const bool is_mutual = t.number[0] == 0 && t.number[2] == -1;
    const bool is_one_way = t.number[0] == -1;
    const bool is_offered = strcmp(t.word[6], "exact") == 0 && strcmp(t.word[4], "lin-fresh") != 0;
    if (!is_offered || !(is_mutual || is_one_way))
      continue;
    hold_order(&two_components, &t);
    if (is_mutual && strcmp(t.word[4], "lin-secant") != 0)
      hold_order(&spring_mass, &t);
    n++;
  }
  cr_assert_eq(n, 12);
}

/* Energy of spring and mass, which holds of values raise. */
static double energy_at_end(const char *const *overrides) {
  cosim_fixture p = cosim_fixture_read("spring_mass", overrides);
  p.definition.options.macro_step = 0.2;
  start(&p);
  advance(&p, 100);
  const double energy = 0.5 * (pow(signal_now(&p, "spring.x"), 2) + pow(signal_now(&p, "mass.v"), 2));
  cosim_fixture_free(&p);
  return energy;
}

Test(catalogue_signals, spring_and_mass_grow_where_values_are_held) {
  const char *const held[] = {spring_mass.held, NULL};
  const char *const uncorrected[] = {spring_mass.held, "cosim.corrections={}", NULL};
  cr_expect_gt(energy_at_end(uncorrected), 5);
  cr_expect_gt(energy_at_end(held), 0.51);
  cr_expect_leq(energy_at_end(NULL), 0.5);
}

/* Inputs of an earlier run have no effect. */
Test(catalogue_signals, a_second_start_is_as_the_first) {
  cosim_fixture p = cosim_fixture_read("spring_mass", NULL);
  double first[2];
  start(&p);
  for (int i = 0; i < 2; i++) {
    cr_assert_eq(cosim_start(p.run, p.state, NULL), SEAM_OK);
    advance(&p, 10);
    first[i] = signal_now(&p, "spring.x");
  }
  cr_expect_eq(first[0], first[1], "%.17g, then %.17g", first[0], first[1]);
  cosim_fixture_free(&p);
}
