/* Conditions of events and measures with figures over the run, which do not act on the motion: b.x = v t, c.ax = r t.
 * No zone, pulse or tooth of them is shorter than it may be, and each is seen.
 *
 *   |x - x0| < w between t = (x0 ± w)/v,   exp(-((x - x0)/w)²) > 1/2 from t = (x0 - w sqrt(ln 2))/v on */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include <seam/events.h>

#include "analysis/results/over_run.h"
#include "tests/support/model_run.h"

static const struct {
  const char *name;
  double step;
} methods[] = {{"erk", 0}, {"radau", 0}, {"ida", 0}, {"cvode", 0}, {"rk4", 0.05}};
enum { N_METHODS = sizeof methods / sizeof *methods };

static const char bodies[] =
    "seam: 2\nbodies: {b: {mass: 1, inertia: 1, velocity: [20, 0]}, c: {mass: 1, inertia: 1, at: [0, 9]}}\n"
    "forces: {f: {type: force, body: c, x: \"7*t\"}}\n"
    "tables: {peak: {x: [0, 31.2344, 31.2345, 31.2346, 60], y: [0, 0, 1, 0, 0]}}\n";

static model_run begin(const char *text, int method) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method].name;
  options.step = methods[method].step;
  return model_run_begin(text, NULL, &options, 2.99);
}

/* ---- Events ---- */

static void expect_events_in(const char *text, size_t n, double first) {
  for (int k = 0; k < N_METHODS; k++) {
    model_run r = begin(text, k);
    mbs_events *events = NULL;
    mbs_event event = {0};
    cr_assert_eq(mbs_events_create(seam_model_mechanism(r.file), &events, &r.error), SEAM_OK);
    cr_assert_eq(mbs_events_start(events, r.state, &r.error), SEAM_OK);
    while (r.status == SEAM_OK && event.number != SEAM_NONE)
      r.status = mbs_integrator_advance_to_event(r.integrator, events, 2.99, r.state, &event, &r.error);
    cr_expect_eq(r.status, SEAM_OK, "%s", r.error.message);
    const mbs_event_record found = mbs_event_record_of(events, 0);
    cr_expect_eq(found.count, n, "%s, %s: %zu", methods[k].name, text, found.count);
    cr_expect_float_eq(found.first, first, 1e-11, "%s, %s: %.15g, not %.15g", methods[k].name, text, found.first,
                       first);
    mbs_events_destroy(events);
    model_run_end(&r);
  }
}

static void expect_events(const char *condition, size_t n, double first) {
  char text[800];
  snprintf(text, sizeof text, "%smeasures: {near: \"max(0, 1 - abs(b.x - 31.2345)/0.01)\"}\nevents: {e: \"%s\"}\n",
           bodies, condition);
  expect_events_in(text, n, first);
}

Test(watched, a_condition_passes_no_zone_unseen) {
  expect_events("if(abs(b.x - 31.2345) < 1e-4, 1, -1) > 0", 1, (31.2345 - 1e-4) / 20);
  expect_events("if(abs(b.x - 31.2345) < 2, 1, -1) > 0", 1, (31.2345 - 2) / 20);
  expect_events("if(abs(t - 1.2345) < 1e-4, 1, -1) > 0", 1, 1.2344);
  expect_events("if(abs(c.ax - 5.1) < 1e-3, 1, -1) > 0", 1, (5.1 - 1e-3) / 7);
  expect_events("near > 0.5", 1, (31.2345 - 0.005) / 20);
}

Test(watched, a_condition_passes_no_pulse_unseen) {
  for (double w = 0.1; w > 1e-6; w /= 10) {
    char of_place[80], of_time[80];
    snprintf(of_place, sizeof of_place, "exp(-((b.x - 31.2345)/%g)^2) > 0.5", w);
    snprintf(of_time, sizeof of_time, "exp(-((t - 1.2345)/%g)^2) > 0.5", w);
    expect_events(of_place, 1, (31.2345 - w * sqrt(log(2))) / 20);
    expect_events(of_time, 1, 1.2345 - w * sqrt(log(2)));
  }
}

/* The first tooth holds at the start, where it has no event, although a long step gives x there with round-off. */
Test(watched, a_condition_passes_no_tooth_unseen) {
  expect_events("floor(b.x/0.5) - floor((b.x - 0.01)/0.5) > 0", 119, 0.025);
  for (double v = 0.91; v < 20; v *= 1.1) {
    char text[300];
    snprintf(text, sizeof text,
             "seam: 2\nbodies: {b: {mass: 1, inertia: 1, velocity: [%.17g, 0]}}\n"
             "events: {e: \"floor(b.x/0.5) - floor((b.x - 0.01)/0.5) > 0\"}\n",
             v);
    expect_events_in(text, (size_t)floor(2.99 * v / 0.5), 0.5 / v);
  }
}

/* ---- Figures over the run ---- */

typedef struct figures {
  double max, max_uncertainty, integral, uncertainty; /* uncertainty of the integral */
  size_t evaluations;
} figures;

static figures figures_of(const char *expression, const char *over_run, int method) {
  char text[800];
  snprintf(text, sizeof text, "%smeasures: {m: {expression: \"%s\"%s}}\n", bodies, expression, over_run);
  model_run r = begin(text, method);
  const mbs_quantity m = {MBS_MEASURES, 0, 0};
  seam_over_run *statistics = NULL;
  cr_assert_eq(seam_over_run_create(seam_model_mechanism(r.file), &m, 1, &statistics, &r.error), SEAM_OK);
  seam_over_run_sample_steps(statistics, r.integrator, r.ws, 3e-3);
  mbs_integrator_set_stop(r.integrator, 2.99);
  model_run_reach(&r, 2.99);
  cr_assert_eq(seam_over_run_end(statistics, 2.99, &r.error), SEAM_OK);
  const seam_run_figure integral = seam_over_run_of(statistics, 0, SEAM_INTEGRAL);
  const seam_run_figure max = seam_over_run_of(statistics, 0, SEAM_MAX);
  const figures found = {max.value, max.uncertainty, integral.value, integral.uncertainty,
                         mbs_integrator_statistics(r.integrator).evaluations};
  seam_over_run_destroy(statistics);
  model_run_end(&r);
  return found;
}

static const char asked[] = ", over_run: [max, integral]";

/* The integral may be off by its uncertainty, at most by the part `off` of itself. */
static void expect_figures(const char *expression, double max, double integral, double off) {
  for (int k = 0; k < N_METHODS; k++) {
    const figures f = figures_of(expression, asked, k);
    cr_expect_float_eq(f.max, max, 1e-7 * max, "%s, %s: max %.9g", expression, methods[k].name, f.max);
    cr_expect_lt(fabs(f.integral - integral), fmin(1e-7 * integral + f.uncertainty, off * integral),
                 "%s, %s: integral %.9g, not %.9g", expression, methods[k].name, f.integral, integral);
  }
}

Test(watched, a_measure_passes_no_zone_unseen) {
  expect_figures("if(abs(b.x - 31.2345) < 0.01, 3, 0)", 3, 3 * 0.02 / 20, 1e-7);
  expect_figures("max(0, 1 - abs(b.x - 31.2345)/0.01)", 1, 0.01 / 20, 1e-7);
  expect_figures("peak(b.x)", 1, 1e-4 / 20, 1e-7);
  expect_figures("if(abs(t - 1.2345) < 1e-4, 1, 0)/1e-4", 1e4, 2, 1e-7);
  expect_figures("max(0, 1 - abs((t - 1.2345)/1e-4))", 1, 1e-4, 1e-7);
  expect_figures("if(abs(c.ax - 5.1) < 1e-3, 1, 0)", 1, 2e-3 / 7, 1e-7);
}

Test(watched, a_measure_passes_no_pulse_unseen) {
  const double pi = 3.14159265358979323846;
  for (double w = 0.1; w > 2e-6; w /= 10) {
    char of_place[80], of_time[80];
    snprintf(of_place, sizeof of_place, "exp(-((b.x - 31.2345)/%g)^2)", w);
    snprintf(of_time, sizeof of_time, "exp(-((t - 1.2345)/%g)^2)", w);
    expect_figures(of_place, 1, sqrt(pi) * w / 20, 1e-4);
    expect_figures(of_time, 1, sqrt(pi) * w, 1e-4);
  }
}

/* Each passes a pole, at a corner of abs() or at none, or comes as near to one as it says: its largest value is max. */
Test(watched, nothing_is_known_of_a_measure_with_a_pole) {
  static const struct {
    const char *expression;
    double max;
  } measures[] = {{"1/(b.x - 31.2345)", INFINITY},
                  {"-1/(b.x - 31.2345)", INFINITY},
                  {"1/(b.x - 31.2345)^2", INFINITY},
                  {"1/(t - 1.2345)^2", INFINITY},
                  {"tan(b.x/20)", INFINITY},
                  {"-log(abs(b.x - 31.2345))", INFINITY},
                  {"-log((b.x - 31.2345)^2)", INFINITY},
                  {"1/(c.ax - 5.1)", INFINITY},
                  {"1/((b.x - 31.2345)^2 + 1e-4)", 1e4},
                  {"-sqrt(abs(b.x - 31.2345))", 0},
                  {"-log(abs(b.x - 31.2345) + 0.1)", 2.302585092994046},
                  {"-abs(c.ax - 5.1)", 0}};
  for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
    for (int k = 0; k < N_METHODS; k++) {
      const figures f = figures_of(measures[i].expression, asked, k);
      const bool is_known = isfinite(measures[i].max);
      cr_expect_eq(isfinite(f.max_uncertainty), is_known, "%s, %s: max %.9g, off by up to %g", measures[i].expression,
                   methods[k].name, f.max, f.max_uncertainty);
      cr_expect_eq(isfinite(f.uncertainty), is_known, "%s, %s", measures[i].expression, methods[k].name);
      cr_expect(!is_known || fabs(f.max - measures[i].max) <= f.max_uncertainty + 1e-7 * measures[i].max,
                "%s, %s: max %.9g, off by up to %g", measures[i].expression, methods[k].name, f.max, f.max_uncertainty);
    }
}

Test(watched, what_is_watched_changes_no_step) {
  const size_t plain = figures_of("b.x", "", 0).evaluations;
  cr_expect_eq(figures_of("floor(b.x/0.5) - floor((b.x - 0.01)/0.5)", asked, 0).evaluations, plain);
}
