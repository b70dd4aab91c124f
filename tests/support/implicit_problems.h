/* Equations B y' = f(t, y) with exact solutions from t = 0, for implicit integrators. */
#ifndef TESTS_SUPPORT_IMPLICIT_PROBLEMS_H
#define TESTS_SUPPORT_IMPLICIT_PROBLEMS_H

#include "solvers/dae.h"
#include "solvers/stepper.h"

enum { MAX_VALUES = 8 }; /* unknowns and quadratures of a problem */

typedef struct problem {
  seam_dae dae;
  void (*exact)(double t, double *y); /* unknowns, then quadratures */
} problem;

/* y1 = cos t, towards which y1 goes at the rate 1e6; y2' = y1; w' = y2. */
extern const problem stiff_problem;

/* A pendulum (mass 2 kg, length 1 m, from rest at the horizontal) in its position, rate and multipliers λ, μ: the
 * stabilised index-2 form of [Gear-Gupta-Leimkuhler]. Quadratures: ∫ vy dt, the height; ∫ x λ dt. */
extern const problem pendulum_problem;
enum { PENDULUM_X, PENDULUM_Y, PENDULUM_VX, PENDULUM_VY, PENDULUM_LAMBDA, PENDULUM_MU, PENDULUM_HEIGHT };

/* Van der Pol's equation, ε = 1e-6; exact at t = 2 only ([Mazzia-Magherini], VDPOL). */
extern const problem van_der_pol_problem;

/* y = 1 / (1 - t): no solution beyond t = 1. */
extern const problem pole_problem;

/* y' = 0 until t = 0.5, where the equation says "no law at t = ..." with SEAM_NOT_FINITE. */
extern const problem ending_problem;

/* 0 = s (y - cos t) with s = 1 before t = 0.5, when the equation goes, and 0 after it. */
extern const problem fading_problem;

typedef seam_status (*create_integrator)(const seam_dae *dae, const seam_tolerances *tolerances,
                                         seam_integrator **integrator, seam_error *error);

/* An integrator of the problem, started at t = 0; it must succeed. step: 0 for adaptive steps. */
seam_integrator *started(create_integrator create, const problem *p, double tolerance, double step);

/* y at time t; it must be reached. */
void advance_to(seam_integrator *integrator, double t, double *y);

/* The same, to a time where the integrator must fail; its message is in *error. Returns the time reached. */
double fail_before(seam_integrator *integrator, double t, double *y, seam_status expected, seam_error *error);

/* Largest error of the entries first to last (not included) at time t. */
double error_at(seam_integrator *integrator, const problem *p, int first, int last, double t);

/* The same at the end of a run that stops there. */
double error_of_run(create_integrator create, const problem *p, int first, int last, double tolerance, double step,
                    double end);

/* ---- What every integrator of this interface keeps ---- */

/* The largest residual of position and rate of the pendulum over 10 s, at states between the steps too. */
double largest_residual(create_integrator create, double tolerance);

/* Asking for states changes neither the number of steps nor, to the bit, the end of a run. */
void expect_steps_of_their_own(create_integrator create);

/* No step is longer than the largest one allowed, and one is as long. */
void expect_largest_step_kept(create_integrator create);

/* A restart repeats what a start does, goes on counting, and takes the whole of y only. */
void expect_restarts(create_integrator create);

#endif
