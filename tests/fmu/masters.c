/* Masters over exported FMUs, against the same co-simulation inside of Seam. */
#include <criterion/criterion.h>
#include <math.h>
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

static double compare(const char *const *overrides, int n_steps) {
  const char *text = seam_catalogue_text("four_bar_bushing");
  const double H = 1e-3;
  side sides[2] = {{fmu_host_open(text, overrides, "left", 2), NULL},
                   {fmu_host_open(text, overrides, "right", 2), NULL}};
  cut_run native = cut_run_begin(text, overrides);
  double rest[3] = {0};
  double lambda[3];
  double largest = 0;
  double difference = 0;
  for (int i = 0; i < 2; i++)
    sides[i].instance = fmu_start_2(&sides[i].host);
  bushing(sides, rest, lambda);
  for (int k = 0; k < 3; k++)
    rest[k] = lambda[k] / 1e3; /* it is at rest at the start, but for the velocities of both sides */
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
    for (int i = 0; i < 2; i++) {
      for (int k = 0; k < 3; k++)
        fmu_set_2(&sides[i].host, sides[i].instance, wrench[k], i == 0 ? lambda[k] : -lambda[k]);
      cr_assert_eq(sides[i].host.fmi2.DoStep(sides[i].instance, n * H, H, FMI2_TRUE), FMI2_OK);
    }
  }
  cut_run_end(&native);
  for (int i = 0; i < 2; i++) {
    sides[i].host.fmi2.FreeInstance(sides[i].instance);
    fmu_host_close(&sides[i].host);
  }
  cr_log_info("difference %g of %g", difference, largest);
  return difference / largest;
}

Test(fmu, an_explicit_master_over_two_fmus_repeats_the_native_run) {
  cr_assert_lt(compare((const char *const[]){"cosim.scheme=ff-k0-explicit", NULL}, 1000), 1e-10);
}
