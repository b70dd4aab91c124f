/* Mechanisms that tests share, and short ways to build others. A failure here fails the test. */
#ifndef TESTS_SUPPORT_MECHANISMS_H
#define TESTS_SUPPORT_MECHANISMS_H

#include <stdint.h>

#include "tests/support/engine.h"

static const double pi = 3.14159265358979323846;
static const double standard_gravity[2] = {0, -9.81};

/* ---- Elements; places are in the initial configuration ---- */

void add_body(mbs_builder *builder, const char *name, double mass, double inertia, const double pose[3]);
/* Uniform rod from P to Q: its pose is its middle, inertia m l²/12. */
void add_rod(mbs_builder *builder, const char *name, const double P[2], const double Q[2], double mass);
void add_joint(mbs_builder *builder, const char *name, mbs_joint_kind kind, const char *first, const char *second,
               const double P[2]);
/* The same at a place (ξ, η) of each body. */
void add_joint_in_bodies(mbs_builder *builder, const char *name, mbs_joint_kind kind, const char *first,
                         const double at_first[2], const char *second, const double at_second[2]);
void add_prismatic(mbs_builder *builder, const char *name, const char *first, const char *second, const double P[2],
                   const double axis[2]);
void add_slot(mbs_builder *builder, const char *name, const char *first, const char *second, const double P[2],
              const double axis[2]);
void add_distance(mbs_builder *builder, const char *name, const char *first, const double P[2], const char *second,
                  const double Q[2]);
void add_gear(mbs_builder *builder, const char *name, const char *first, const char *second, double ratio);
/* Of an angle, or of a coordinate of `first` (`second` is the ground). */
void add_motion(mbs_builder *builder, const char *name, mbs_motion_of of, const char *first, const char *second,
                seam_law law);
void add_motion_of_distance(mbs_builder *builder, const char *name, const char *first, const double P[2],
                            const char *second, const double Q[2], seam_law law);
/* A default definition of a force between two bodies, or on one (second NULL), at one place. `bodies` keeps the names
 * and must live until the definition is added. */
mbs_force_def force_between(const char *name, mbs_force_kind kind, const char *bodies[2], const char *first,
                            const char *second, const double P[2]);
void add_force(mbs_builder *builder, const mbs_force_def *def);

/* ---- Laws ---- */

/* a + b cos(ω t) of coefficients (a, b, ω) that the caller keeps. */
seam_law law_of_time(const double coefficients[3]);
/* a + b t of coefficients (a, b) that the caller keeps. */
seam_law law_of_steady_motion(const double coefficients[2]);
/* Pull k s + k3 s³ + c v + e s v of coefficients (k, k3, c, e) that the caller keeps: soft or hard, with mixed terms.
 */
seam_law law_of_stretch(const double coefficients[4]);

/* ---- A model with what is needed to use it ---- */

typedef struct mechanism {
  mbs_model *model;
  mbs_workspace *ws;
  mbs_state *state; /* as defined, not assembled */
  seam_error error;
} mechanism;

/* Consumes the builder. */
mechanism mechanism_build(mbs_builder *builder);
void mechanism_free(mechanism *m);
/* Assembles m->state. */
void mechanism_assemble(mechanism *m);
/* Integrators by Runge-Kutta methods of an order; rtol = atol = tolerance; step 0: adaptive. */
mbs_integrator *mechanism_integrator(const mechanism *m, int order, double tolerance, double step);
/* An integrator started at m->state. */
mbs_integrator *mechanism_start(mechanism *m, int order, double tolerance, double step);
/* The same of any method. */
mbs_integrator *mechanism_start_by(mechanism *m, const char *method, double tolerance, double step);
/* Brings m->state to time t. */
void mechanism_advance(mechanism *m, mbs_integrator *integrator, double t);
/* Largest |g| and |G v|. */
double mechanism_residual(mechanism *m);
/* Expects the wrench of the first force element on its first body. */
void expect_first_wrench(mechanism *m, const double expected[3]);

/* ---- Mechanisms ---- */

/* Li's four-bar mechanisms (dissertation 3.3 and 4.10.2): bars 1 to 4; the bushing "M" (undamped: without dampers and
 * air) or the fixed joint "M" between bars 2 and 3. */
mechanism four_bar_bushing(void);
mechanism four_bar_undamped(void);
mechanism four_bar_fixed(void);
/* Like four_bar_bushing(), with other stiffness (N/m, Nm/rad) and damping in all directions of the bushing. */
mechanism four_bar_stiff(double stiffness, double damping);
/* The loop as places in the bodies, `scale` times as large, every initial angle wrong by `error` rad. */
mechanism four_bar_unplaced(double scale, double error);
/* Li's double pendulum (4.6): its second joint is "B". */
mechanism double_pendulum(void);
/* n rods of 1 m and 1 kg, horizontal and at rest, the first on a pivot in the origin, or all free. */
mechanism chain(int n);
mechanism free_chain(int n);
/* Crank "crank" of 1 m, rod "rod" of 2 m, block "block" on the x axis. */
mechanism slider_crank(void);
/* The same with its crank's angle given by the motion "drive", 0.7 + 0.3 cos(4 t), friction on the block and a torque
 * of time on the rod. */
mechanism driven_slider_crank(void);
/* An arm "arm" on a pivot, lifted by the hydraulic cylinder "lift" from the ground, in numbers of order one; a bushing
 * at its tip bears the rod "load". */
mechanism soft_crane(void);
/* A gear, a rack and a belt at an arm that swings, with actuators and drag, assembled. */
mechanism drive_train(void);
/* Cylinder of such numbers, with its spool at 0.45 + 0.1 cos 3 t. */
mbs_force_def soft_cylinder(const char *name, const char *bodies[2], const char *first, const double P[2],
                            const char *second, const double Q[2]);
/* Some bodies on a tree of random joints, some loops closed, every kind of force, random time and velocities,
 * assembled; constraints may be redundant; far from any singular configuration. In random_mechanism.c. */
mechanism random_mechanism(uint64_t seed);

#endif
