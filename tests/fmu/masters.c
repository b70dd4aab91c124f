/* Masters over exported FMUs, against the same co-simulation inside of Seam. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/cosim.h>
#include <seam/models.h>

#include "tests/support/cut_run.h"
#include "tests/support/fmu_host.h"

/* The explicit master: forces of the bushing from the motion at each macro point, constant over the step. */
typedef struct side {
  fmu_host host;
  fmi2_component instance;
} side;

static const char *const motion[6] = {"M.x", "M.y", "M.phi", "M.vx", "M.vy", "M.omega"};
static const char *const wrench[3] = {"M.fx", "M.fy", "M.torque"};

static void read_motion(const side *of, double m[6]) {
  for (int i = 0; i < 6; i++)
    m[i] = fmu_get_2(&of->host, of->instance, motion[i]);
}

/* Of side 1; on side 2 its opposite acts. */
static void bushing(const side sides[2], const double rest[3], double lambda[3]) {
  const double c = 1e3;
  const double d = 10;
  double m[2][6];
  for (int i = 0; i < 2; i++)
    read_motion(&sides[i], m[i]);
  for (int k = 0; k < 3; k++)
    lambda[k] = c * (m[1][k] - m[0][k] - rest[k]) + d * (m[1][3 + k] - m[0][3 + k]);
}

typedef void (*exchange)(side sides[2], const double lambda[3]);

static void set_force(const side *of, const double lambda[3], double sign) {
  for (int k = 0; k < 3; k++)
    fmu_set_2(&of->host, of->instance, wrench[k], sign * lambda[k]);
}

static void set_other(const side *of, const side *from) {
  static const char *const other[6] = {"M.other.x",  "M.other.y",  "M.other.phi",
                                       "M.other.vx", "M.other.vy", "M.other.omega"};
  double m[6];
  read_motion(from, m);
  for (int i = 0; i < 6; i++)
    fmu_set_2(&of->host, of->instance, other[i], m[i]);
}

static void force_force(side sides[2], const double lambda[3]) {
  set_force(&sides[0], lambda, 1);
  set_force(&sides[1], lambda, -1);
}

static void force_displacement(side sides[2], const double lambda[3]) {
  set_other(&sides[1], &sides[0]);
  set_force(&sides[0], lambda, 1);
}

static void displacement_displacement(side sides[2], const double lambda[3]) {
  (void)lambda;
  set_other(&sides[1], &sides[0]);
  set_other(&sides[0], &sides[1]);
}

static double compare(const char *scheme, exchange give, int n_steps) {
  const char *text = seam_catalogue_text("four_bar_bushing");
  char setting[80];
  const char *const overrides[] = {setting, NULL};
  const double H = 1e-3;
  double rest[3] = {0};
  double lambda[3];
  double largest = 0;
  double difference = 0;
  snprintf(setting, sizeof setting, "cosim.scheme=%s", scheme);
  side sides[2] = {{fmu_host_open(text, overrides, "left", 2), NULL},
                   {fmu_host_open(text, overrides, "right", 2), NULL}};
  cut_run native = cut_run_begin(text, overrides);
  for (int i = 0; i < 2; i++)
    sides[i].instance = fmu_start_2(&sides[i].host);
  bushing(sides, rest, lambda);
  for (int k = 0; k < 3; k++)
    rest[k] = lambda[k] / 1e3; /* without load at the start, where both sides stand */
  for (int n = 0; n <= n_steps; n++) {
    double expected[2][3];
    bushing(sides, rest, lambda);
    cosim_coupling_wrenches(native.simulation, 0, expected);
    for (int k = 0; k < 3; k++) {
      largest = fmax(largest, fabs(expected[0][k]));
      difference = fmax(difference, fabs(lambda[k] - expected[0][k]));
    }
    if (n == n_steps)
      break;
    cut_run_advance(&native, H, 1);
    give(sides, lambda);
    for (int i = 0; i < 2; i++)
      cr_assert_eq(sides[i].host.fmi2.DoStep(sides[i].instance, n * H, H, FMI2_TRUE), FMI2_OK);
  }
  cut_run_end(&native);
  for (int i = 0; i < 2; i++) {
    sides[i].host.fmi2.FreeInstance(sides[i].instance);
    fmu_host_close(&sides[i].host);
  }
  cr_log_info("%s: %g of %g", scheme, difference, largest);
  return difference / largest;
}

Test(masters, an_explicit_master_over_two_fmus_repeats_the_native_run) {
  cr_expect_lt(compare("ff-k0-explicit", force_force, 1000), 1e-10);
  cr_expect_lt(compare("fd-k0-explicit", force_displacement, 200), 1e-10);
  cr_expect_lt(compare("dd-k0-explicit", displacement_displacement, 200), 1e-10);
}

/* The wrench of the cut joint is that of the whole, so that both sides accelerate alike. */
Test(masters, force_inputs_begin_as_in_the_whole) {
  static const char *const accelerations[3] = {"M.ax", "M.ay", "M.alpha"};
  const char *text = seam_catalogue_text("four_bar_fixed");
  double a[2][3];
  for (int i = 0; i < 2; i++) {
    fmu_host host = fmu_host_open(text, NULL, i == 0 ? "left" : "right", 2);
    fmi2_component instance = fmu_start_2(&host);
    for (int k = 0; k < 3; k++)
      a[i][k] = fmu_get_2(&host, instance, accelerations[k]);
    cr_assert_gt(fabs(fmu_get_2(&host, instance, "M.fy")), 0.1);
    host.fmi2.FreeInstance(instance);
    fmu_host_close(&host);
  }
  for (int k = 0; k < 3; k++)
    cr_expect_float_eq(a[0][k], a[1][k], 1e-9);
}
