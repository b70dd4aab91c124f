/* Control of the macro step on the quarter car; [Sadjina], read as docs/conventions.md says. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/coupling/exchange.h"
#include "cosim/coupling/step_control.h"
#include "tests/support/data_table.h"
#include "tests/support/exchange_radius.h"
#include "tests/support/quarter_car.h"

/* What a row of the tables says; means are weighted by time. */
typedef struct figures {
  double mean_H;        /* ms */
  double mean_power;    /* W, from the chassis to the wheel */
  double mean_error;    /* W, of that power */
  double mean_residual; /* W, half of the residual power */
  double residual_energy, end;
} figures;

static figures simulate(const quarter_car_def *def, const cosim_step_control *control) {
  cosim_exchange *exchange = quarter_car_create(def);
  quarter_car_motion *motion = quarter_car_motion_create(def->nonlinear);
  const cosim_bond *bond = exchange->bonds;
  cosim_step_control state = control != NULL ? *control : (cosim_step_control){0};
  figures sum = {0};
  double H = control != NULL ? control->shortest : 1e-3;
  double exact[4];
  int n = 0;
  for (; control != NULL ? exchange->t < def->end : n < lround(def->end / H); n++) {
    cr_assert_eq(cosim_exchange_advance(exchange, H, NULL), SEAM_OK);
    quarter_car_motion_advance(motion, exchange->t, exact);
    const double power = quarter_car_force(def->nonlinear, exact) * (def->spring_with_chassis ? exact[3] : exact[1]);
    sum.mean_power -= bond->energy.power * H;
    sum.mean_error += fabs(bond->energy.power + power) * H;
    sum.mean_residual += 0.5 * fabs(bond->energy.residual_power) * H;
    double indicator = 0;
    if (control != NULL && cosim_exchange_indicator(&state, exchange, &indicator))
      H = cosim_step_after(&state, indicator, exchange->H);
  }
  const double end = exchange->t;
  const figures means = {.mean_H = 1e3 * end / n,
                         .mean_power = sum.mean_power / end,
                         .mean_error = sum.mean_error / end,
                         .mean_residual = sum.mean_residual / end,
                         .residual_energy = bond->energy.residual_energy,
                         .end = end};
  quarter_car_motion_destroy(motion);
  cosim_exchange_destroy(exchange);
  return means;
}

/* ---- Rows of ecco_tables.csv ---- */

static quarter_car_def model_of(const char *table_name) {
  static const struct {
    const char *name;
    quarter_car_def def;
  } models[] = {{"III", {false, false, 10, 4}}, {"V", {true, false, 10, 2}},   {"VI", {false, true, 10, 4}},
                {"VII", {true, true, 10, 2}},   {"VIII", {false, true, 1, 4}}, {"IX", {false, false, 10, 4}},
                {"X", {true, false, 10, 2}},    {"XI", {false, true, 10, 4}},  {"XII", {true, true, 10, 2}}};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++)
    if (strcmp(models[i].name, table_name) == 0)
      return models[i].def;
  cr_assert_fail("no table %s", table_name);
  return models[0].def;
}

static figures simulate_row(const data_table *t) {
  const quarter_car_def model = model_of(t->word[0]);
  const bool by_energy = strcmp(t->word[1], "ecco") == 0;
  cosim_step_control control =
      cosim_default_step_control(by_energy ? COSIM_ENERGY_INDICATOR : COSIM_PREDICTION_INDICATOR, t->number[2]);
  control.shortest = 1e-4;
  control.longest = 1e-2;
  return simulate(&model, strcmp(t->word[1], "const") == 0 ? NULL : &control);
}

static bool is_row(const data_table *t, const char *control, const char *tables) {
  char name[16];
  snprintf(name, sizeof name, " %s ", t->word[0]);
  return strcmp(t->word[1], control) == 0 && strstr(tables, name) != NULL;
}

static void expect_near(const data_table *t, const figures *f, double tolerance) {
  const double found[6] = {f->mean_H, f->mean_power, f->mean_error, f->mean_residual, f->residual_energy, f->end};
  for (int i = 0; i < 6; i++)
    cr_expect_leq(fabs(found[i] - t->number[4 + i]), tolerance * fabs(t->number[4 + i]),
                  "table %s %s, column %d: %.10g, reference %.10g", t->word[0], t->word[1], i, found[i],
                  t->number[4 + i]);
}

Test(ecco, constant_and_controlled_rows_agree_to_six_digits) {
  data_table t = data_table_open("ecco_tables.csv");
  int n = 0;
  while (data_table_next(&t) == 15)
    if (is_row(&t, "const", " III V VI VII VIII ") || is_row(&t, "ecco", " III V VI ")) {
      const figures f = simulate_row(&t);
      expect_near(&t, &f, 1e-6);
      n++;
    }
  cr_assert_eq(n, 10);
}

/* Rounding decides the lengths of single steps here: 1e-13 in the tolerance moves the figures by up to 0.5 %. */
Test(ecco, rows_that_amplify_rounding_stay_in_a_band) {
  data_table t = data_table_open("ecco_tables.csv");
  int n = 0;
  while (data_table_next(&t) == 15)
    if (is_row(&t, "ecco", " VII VIII ")) {
      const figures f = simulate_row(&t);
      expect_near(&t, &f, 0.01);
      n++;
    }
  cr_assert_eq(n, 2);
}

static void widen(const figures *f, double low[6], double high[6]) {
  const double found[6] = {f->mean_H, f->mean_power, f->mean_error, f->mean_residual, f->residual_energy, f->end};
  for (int i = 0; i < 6; i++) {
    low[i] = fmin(low[i], found[i]);
    high[i] = fmax(high[i], found[i]);
  }
}

/* 1e-9 in TOL, or another BLAS, moves these by up to 30 %: the reference lies that near to the range of such
 * neighbours. */
static void expect_in_band(data_table *t) {
  enum { n_beside = 4 };
  const double given = t->number[2];
  double low[6];
  double high[6];
  for (int i = 0; i < 6; i++) {
    low[i] = INFINITY;
    high[i] = -INFINITY;
  }
  for (int j = -n_beside; j <= n_beside; j++) {
    t->number[2] = given * (1 + j * 1e-9);
    const figures f = simulate_row(t);
    widen(&f, low, high);
  }
  for (int i = 0; i < 6; i++) {
    const double reference = t->number[4 + i];
    const double band = 0.3 * fabs(reference);
    cr_expect(reference >= low[i] - band && reference <= high[i] + band,
              "table %s %s, column %d: %.10g to %.10g, reference %.10g", t->word[0], t->word[1], i, low[i], high[i],
              reference);
  }
}

Test(ecco, rows_of_the_predictor_stay_in_a_band) {
  data_table t = data_table_open("ecco_tables.csv");
  int n = 0;
  while (data_table_next(&t) == 15)
    if (strcmp(t.word[1], "pc") == 0) {
      expect_in_band(&t);
      n++;
    }
  cr_assert_eq(n, 4);
}

/* ---- Free numbers of the control ---- */

/* (15) with kI = 0.2, kP = 0.1, twice: the second time the indicator before counts. */
Test(ecco, gains_of_the_controller_are_free) {
  cosim_step_control control = cosim_default_step_control(COSIM_ENERGY_INDICATOR, 1e-6);
  control.integral_gain = 0.2;
  control.proportional_gain = 0.1;
  const double first = cosim_step_after(&control, 2, 1e-3);
  cr_expect_float_eq(first, 0.8 * pow(2, -0.3) * pow(2, 0.1) * 1e-3, 1e-17);
  cr_expect_float_eq(cosim_step_after(&control, 0.7, first), 0.8 * pow(0.7, -0.3) * pow(2, 0.1) * first, 1e-17);
}

/* (14) of one bond is inversely proportional to its r. */
Test(ecco, a_bond_has_its_own_tolerance) {
  const quarter_car_def def = {false, false, 10, 4};
  cosim_exchange *exchange = quarter_car_create(&def);
  const cosim_step_control control = cosim_default_step_control(COSIM_ENERGY_INDICATOR, 1e-6);
  double common = 0;
  double own = 0;
  for (int i = 0; i < 5; i++)
    cr_assert_eq(cosim_exchange_advance(exchange, 1e-3, NULL), SEAM_OK);
  cr_assert(cosim_exchange_indicator(&control, exchange, &common));
  exchange->bonds[0].tolerance = 4e-6;
  cr_assert(cosim_exchange_indicator(&control, exchange, &own));
  cr_expect_gt(common, 0);
  cr_expect_float_eq(own, common / 4, 1e-14 * common);
  cosim_exchange_destroy(exchange);
}

/* (16), (17) at equal distances, by differences of the outputs that are linked: 1, then (2, -1), then (3, -3, 1). */
Test(ecco, the_order_of_the_prediction_is_free) {
  static const double weight[3][3] = {{1}, {2, -1}, {3, -3, 1}};
  enum { n_points = 4, n_signals = 6 };
  const quarter_car_def def = {false, false, 10, 4};
  cosim_exchange *exchange = quarter_car_create(&def);
  double y[n_points][n_signals];
  cr_assert_leq(exchange->n_links, n_signals);
  for (int i = 0; i < n_points; i++) {
    cr_assert_eq(cosim_exchange_advance(exchange, 1e-3, NULL), SEAM_OK);
    for (int k = 0; k < exchange->n_links; k++)
      y[i][k] = cosim_exchange_output(exchange, exchange->links[k].from, exchange->links[k].output);
  }
  for (int r = 0; r < 3; r++) {
    cosim_step_control control = cosim_default_step_control(COSIM_PREDICTION_INDICATOR, 0.5);
    double expected = 0;
    double found = 0;
    control.prediction_order = r;
    for (int k = 0; k < exchange->n_links; k++) {
      const double now = y[n_points - 1][k];
      double predicted = 0;
      for (int i = 0; i <= r; i++)
        predicted += weight[r][i] * y[n_points - 2 - i][k];
      expected = fmax(expected, fabs(now - predicted) / (0.5 * (1 + 1e-4 * fmax(fabs(now), fabs(predicted)))));
    }
    cr_assert(cosim_exchange_indicator(&control, exchange, &found));
    cr_expect_float_eq(found, expected, 1e-9 * expected, "order %d: %g, not %g", r, found, expected);
  }
  cosim_exchange_destroy(exchange);
}

/* ---- Printed tables ---- */

/* By how many units of its last digit the printed text differs. */
static long units_off(const char *printed, double value) {
  const char *point = strchr(printed, '.');
  const double unit = pow(10, point == NULL ? 0 : -(double)strlen(point + 1));
  return labs(lround(value / unit) - lround(strtod(printed, NULL) / unit));
}

Test(ecco, printed_tables_are_met_within_one_unit_of_the_last_digit) {
  data_table t = data_table_open("ecco_tables.csv");
  int n = 0;
  int exactly = 0;
  while (data_table_next(&t) == 15) {
    if (strcmp(t.word[1], "pc") == 0)
      continue;
    const figures f = simulate_row(&t);
    const double unit = t.number[14];
    const double found[4] = {f.mean_H, f.mean_power / unit, f.mean_error / unit, f.residual_energy / unit};
    for (int i = 0; i < 4; i++) {
      const long off = units_off(t.word[10 + i], found[i]);
      cr_expect_leq(off, 1, "table %s %s, column %d: %g, printed %s", t.word[0], t.word[1], i, found[i],
                    t.word[10 + i]);
      exactly += off == 0;
      n++;
    }
  }
  cr_assert_eq(n, 48);
  cr_expect_geq(exactly, 41, "%d of 48 figures are exactly those printed", exactly);
}

/* ---- The models ---- */

Test(ecco, the_whole_moves_as_the_reference) {
  for (int nonlinear = 0; nonlinear < 2; nonlinear++) {
    data_table t = data_table_open("quarter_car.csv");
    quarter_car_motion *motion = quarter_car_motion_create(nonlinear);
    double state[4];
    int n = 0;
    while (data_table_next(&t) == 6) {
      if ((strcmp(t.word[0], "nonlinear") == 0) != nonlinear)
        continue;
      quarter_car_motion_advance(motion, t.number[1], state);
      for (int i = 0; i < 4; i++)
        cr_expect_lt(fabs(state[i] - t.number[2 + i]), 1e-8, "%s t = %g: %.15g, reference %.15g", t.word[0],
                     t.number[1], state[i], t.number[2 + i]);
      n++;
    }
    cr_assert_eq(n, 41);
    quarter_car_motion_destroy(motion);
  }
}

/* Error of the chassis' velocity at the end. */
static double velocity_error(bool nonlinear, double H) {
  const quarter_car_def def = {nonlinear, false, 10, 1};
  cosim_exchange *exchange = quarter_car_create(&def);
  quarter_car_motion *motion = quarter_car_motion_create(nonlinear);
  double exact[4];
  for (int k = 0; k < lround(def.end / H); k++)
    cr_assert_eq(cosim_exchange_advance(exchange, H, NULL), SEAM_OK);
  quarter_car_motion_advance(motion, def.end, exact);
  const double error = fabs(cosim_exchange_output(exchange, 0, 0) - exact[1]);
  quarter_car_motion_destroy(motion);
  cosim_exchange_destroy(exchange);
  return error;
}

Test(ecco, the_exchange_converges_to_the_reference) {
  for (int nonlinear = 0; nonlinear < 2; nonlinear++) {
    const double order = log2(velocity_error(nonlinear, 2e-4) / velocity_error(nonlinear, 1e-4));
    cr_expect_float_eq(order, 1, 0.05, "order %g", order);
  }
}

Test(ecco, stability_ends_at_the_published_macro_steps) {
  const quarter_car_def defs[2] = {{false, false, 10, 4}, {false, true, 10, 4}};
  const double limits[2][2] = {{53.195e-3, 53.205e-3}, {11.2295e-3, 11.2305e-3}};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 2; i++) {
      cosim_exchange *exchange = quarter_car_create(&defs[k]);
      const double rho = exchange_radius(exchange, limits[k][i]);
      cr_expect_eq(rho > 1 + 1e-9, i == 1, "H = %g: %.10g", limits[k][i], rho);
      cosim_exchange_destroy(exchange);
    }
}
