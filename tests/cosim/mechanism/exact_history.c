/* The past of a mechanism: the motion that leads to its present state, and consistent as that is. */
#include "cosim/steps/simulation.h"

#include <criterion/criterion.h>
#include <math.h>

#include "tests/support/mechanisms.h"

/* Residuals in the past are those of a projection, which leaves rounding, not those of an integrator. */
static void expect_consistent(mechanism *m, const char *name) {
  enum { MAX_ROWS = 64 };
  double g[MAX_ROWS];
  double gd[MAX_ROWS];
  double size = 1;
  for (size_t i = 0; i < 6 * mbs_n_bodies(m->model); i++)
    size = fmax(size, fabs(m->state->q[i]));
  mbs_residuals(m->ws, m->state, g, gd, NULL);
  for (size_t i = 0; i < mbs_n_constraints(m->model); i++)
    cr_expect(fabs(g[i]) <= 4e-15 * size && fabs(gd[i]) <= 4e-15 * size, "%s: %g, %g of %g", name, g[i], gd[i], size);
}

/* Back by H, and forward again by an integrator. */
static void expect_return(mechanism m, const char *name, double t, double H) {
  m.state->t = t;
  mechanism_assemble(&m);
  mbs_state *present = new_state(m.model);
  mbs_state_copy(present, m.state);
  cr_assert_eq(cosim_integrate_back(m.ws, m.state, H, &m.error), SEAM_OK, "%s: %s", name, m.error.message);
  cr_expect_float_eq(m.state->t, t - H, 1e-15);
  expect_consistent(&m, name);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-13, 0);
  mechanism_advance(&m, integrator, t);
  for (size_t i = 0; i < 6 * mbs_n_bodies(m.model); i++)
    cr_expect_float_eq(m.state->q[i], present->q[i], 1e-10, "%s: value %zu is %.15g, not %.15g", name, i, m.state->q[i],
                       present->q[i]);
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(present);
  mechanism_free(&m);
}

Test(exact_history, a_loop_swings_back) { expect_return(four_bar_fixed(), "four bar", 0, 0.2); }

Test(exact_history, pendula_swing_back) { expect_return(double_pendulum(), "double pendulum", 1, 0.1); }

/* Constraints that depend on time are met at the past time. */
Test(exact_history, a_drive_turns_back) { expect_return(driven_slider_crank(), "driven slider-crank", 0.5, 0.1); }

Test(exact_history, pressures_go_back) { expect_return(soft_crane(), "soft crane", 0.3, 0.05); }
