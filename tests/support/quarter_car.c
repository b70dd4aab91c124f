#include "tests/support/quarter_car.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "cosim/parts/part.h"
#include "solvers/erk.h"
#include "tests/support/named_exchange.h"

static const double mc = 400, mw = 40, kc = 15000, kw = 150000, road = 0.1;

static double spring_damper(bool nonlinear, double s, double v) {
  const double dc = nonlinear ? 900 : 1000;
  return kc * s + (nonlinear ? dc * copysign(sqrt(fabs(v)), v) : dc * v);
}

double quarter_car_force(bool nonlinear, const double state[4]) {
  return spring_damper(nonlinear, state[0] - state[2], state[1] - state[3]);
}

/* ---- Parts: context is whether the damper is nonlinear ---- */

/* (20): the chassis alone, u = -Fc, y = zc'. */
static cosim_part *create_chassis_alone(void) {
  const double A[4] = {0, 1, 0, 0};
  const double B[2] = {0, 1 / mc};
  const double C[2] = {0, 1};
  const double D = 0;
  const cosim_linear_def def = {
      .name = "chassis", .n_states = 2, .n_inputs = 1, .n_outputs = 1, .A = A, .B = B, .C = C, .D = &D};
  cosim_part *part = NULL;
  cr_assert_eq(cosim_linear_part_create(&def, &part, NULL), SEAM_OK);
  return part;
}

/* (20): x = (zc, zw, zw'), u = zc', y = Fc. */
static void carry_rates(const void *context, double t, const double *x, const double *u, double *dx) {
  const bool *nonlinear = context;
  (void)t;
  dx[0] = u[0];
  dx[1] = x[2];
  dx[2] = (-kw * (x[1] - road) + spring_damper(*nonlinear, x[0] - x[1], u[0] - x[2])) / mw;
}

static void carry_outputs(const void *context, double t, const double *x, const double *u, double *y) {
  const bool *nonlinear = context;
  (void)t;
  y[0] = spring_damper(*nonlinear, x[0] - x[1], u[0] - x[2]);
}

/* (21): x = (zc, zc', zw), u = zw', y = Fc. */
static void hang_rates(const void *context, double t, const double *x, const double *u, double *dx) {
  const bool *nonlinear = context;
  (void)t;
  dx[0] = x[1];
  dx[1] = -spring_damper(*nonlinear, x[0] - x[2], x[1] - u[0]) / mc;
  dx[2] = u[0];
}

static void hang_outputs(const void *context, double t, const double *x, const double *u, double *y) {
  const bool *nonlinear = context;
  (void)t;
  y[0] = spring_damper(*nonlinear, x[0] - x[2], x[1] - u[0]);
}

/* (21): x = (zw, zw'), u = -Fc, y = zw'. */
static void wheel_rates(const void *context, double t, const double *x, const double *u, double *dx) {
  (void)context;
  (void)t;
  dx[0] = x[1];
  dx[1] = (-kw * (x[0] - road) - u[0]) / mw;
}

static void wheel_outputs(const void *context, double t, const double *x, const double *u, double *y) {
  (void)context;
  (void)t;
  (void)u;
  y[0] = x[1];
}

static cosim_part *create_euler_part(cosim_ode_def def) {
  static const double rest[3] = {0};
  cosim_part *part = NULL;
  def.n_inputs = 1;
  def.n_outputs = 1;
  def.start = rest;
  cr_assert_eq(cosim_ode_part_create(&def, &part, NULL), SEAM_OK);
  return part;
}

/* ---- The exchange ---- */

cosim_exchange *quarter_car_create(const quarter_car_def *def) {
  static const bool damper[2] = {false, true};
  static const char *const u[] = {"u"};
  static const char *const y[] = {"y"};
  const void *context = &damper[def->nonlinear];
  const bool hangs = def->spring_with_chassis;
  cosim_part *chassis = hangs ? create_euler_part((cosim_ode_def){.name = "chassis",
                                                                  .n_states = 3,
                                                                  .micro_steps = 10,
                                                                  .context = context,
                                                                  .rates = hang_rates,
                                                                  .outputs = hang_outputs})
                              : create_chassis_alone();
  cosim_part *wheel = create_euler_part((cosim_ode_def){.name = "wheel",
                                                        .n_states = hangs ? 2 : 3,
                                                        .micro_steps = def->wheel_steps,
                                                        .context = context,
                                                        .rates = hangs ? wheel_rates : carry_rates,
                                                        .outputs = hangs ? wheel_outputs : carry_outputs});
  const named_member members[2] = {{chassis, u, y, 1}, {wheel, u, y, 1}};
  const cosim_connection_def links[2] = {{.from = "wheel.y", .to = "chassis.u", .gain = hangs ? 1 : -1},
                                         {.from = "chassis.y", .to = "wheel.u", .gain = hangs ? -1 : 1}};
  const int sign = hangs ? -1 : 1;
  const cosim_port_def ports[2] = {{"chassis.u", "chassis.y", sign}, {"wheel.u", "wheel.y", sign}};
  const cosim_bond_def bond = {.name = "suspension", .ports = ports, .n_ports = 2, .energy_scale = 750};
  const named_exchange exchange = {
      .members = members, .n_members = 2, .links = links, .n_links = 2, .bonds = &bond, .n_bonds = 1};
  cosim_exchange *self = NULL;
  seam_error error = {0};
  cr_assert_eq(named_exchange_create(&exchange, &self, &error), SEAM_OK, "%s", error.message);
  cosim_exchange_start(self, 0);
  return self;
}

/* ---- The whole ---- */

struct quarter_car_motion {
  bool nonlinear;
  seam_integrator *integrator;
};

static seam_status rates(void *context, double t, const double *z, double *dz, seam_error *error) {
  const quarter_car_motion *self = context;
  const double force = quarter_car_force(self->nonlinear, z);
  (void)t;
  (void)error;
  dz[0] = z[1];
  dz[1] = -force / mc;
  dz[2] = z[3];
  dz[3] = (-kw * (z[2] - road) + force) / mw;
  return SEAM_OK;
}

quarter_car_motion *quarter_car_motion_create(bool nonlinear) {
  quarter_car_motion *self = calloc(1, sizeof *self);
  cr_assert_not_null(self);
  self->nonlinear = nonlinear;
  const double rest[4] = {0};
  const seam_ode ode = {.n = 4, .n_controlled = 4, .rhs = rates, .context = self};
  const seam_tolerances tolerances = {.rtol = 1e-11, .atol = 1e-13, .largest_step = 1};
  cr_assert_eq(seam_erk_create(&ode, "erk8", &tolerances, &self->integrator, NULL), SEAM_OK);
  cr_assert_eq(seam_integrator_start(self->integrator, 0, rest, NULL), SEAM_OK);
  return self;
}

void quarter_car_motion_advance(quarter_car_motion *self, double until, double state[4]) {
  double reached = 0;
  seam_error error = {0};
  cr_assert_eq(seam_integrator_advance(self->integrator, until, state, &reached, &error), SEAM_OK, "%s", error.message);
}

void quarter_car_motion_destroy(quarter_car_motion *self) {
  seam_integrator_destroy(self->integrator);
  free(self);
}
