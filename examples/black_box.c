/* Couples a black box with every explicit method. The black box is the wheel of a quarter car, which can neither repeat
 * a step nor give derivatives. The other subsystem, the chassis, is linear, and the library integrates it exactly.
 *
 * Chassis (1) and wheel (2) have masses m, positions x and velocities v. A spring c and a damper d between them exert
 * the force F. c2 is the stiffness of the tyre, `road` the height of the road.
 *
 *   F = c (x1 - x2) + d (v1 - v2),   chassis:  m1 v1' = -F,   wheel:  m2 v2' = F - c2 (x2 - road)
 *
 * The wheel receives v1 and outputs F. The chassis receives -F and outputs v1. F v1 is the power that they exchange.
 *
 * Each method begins with exact past values. Its result is compared with a run in which both masses are one system. The
 * error must stay below the limit in the method's row of the table. The energy correction does not suit this model,
 * because the damper already dissipates most of the energy that the exchange creates. The model-based correction first
 * identifies the derivatives of the wheel, which takes 20 ms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <seam/cosim.h>

static const double m1 = 400, m2 = 40, c = 15000, d = 1000, c2 = 150000, road = 0.1;
static const double macro_step = 1e-3, end = 1;

/* ---- The black box: state (x1, x2, v2) ---- */

typedef struct wheel {
  cosim_part base; /* first member */
  double x[3];
  double v1; /* v1 at the end of the last step */
} wheel;

static double force(const double x[3], double v1) { return c * (x[0] - x[1]) + d * (v1 - x[2]); }

static void find_rates(const double x[3], double v1, double dx[3]) {
  dx[0] = v1;
  dx[1] = x[2];
  dx[2] = (force(x, v1) - c2 * (x[1] - road)) / m2;
}

/* Midpoint method, with ten steps in each macro step.
 * NOLINTNEXTLINE(readability-non-const-parameter): the type is that of cosim_part_ops */
static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  (void)derivatives;
  (void)error;
  wheel *self = (wheel *)base;
  const double h = step->H / 10;
  for (int i = 0; i < 10; i++) {
    double dx[3];
    double middle[3];
    find_rates(self->x, cosim_signal_value(&step->inputs[0], i / 10.0), dx);
    for (int j = 0; j < 3; j++)
      middle[j] = self->x[j] + h / 2 * dx[j];
    find_rates(middle, cosim_signal_value(&step->inputs[0], (i + 0.5) / 10), dx);
    for (int j = 0; j < 3; j++)
      self->x[j] += h * dx[j];
  }
  self->v1 = cosim_signal_value(&step->inputs[0], 1);
  outputs[0] = force(self->x, self->v1);
  return SEAM_OK;
}

static void get_outputs(cosim_part *base, double *outputs) {
  const wheel *self = (const wheel *)base;
  outputs[0] = force(self->x, self->v1);
}

static void destroy(cosim_part *base) { free(base); }

static seam_status create_wheel(const void *context, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {.advance = advance, .get_outputs = get_outputs, .destroy = destroy};
  (void)context;
  wheel *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the wheel");
  self->base = (cosim_part){.ops = &ops, .n_inputs = 1, .n_outputs = 1};
  *part = &self->base;
  return SEAM_OK;
}

static seam_status create_chassis(const void *context, cosim_part **part, seam_error *error) {
  const double A = 0;
  const double B = 1 / m1;
  const double C = 1;
  const double D = 0;
  (void)context;
  return cosim_linear_part_create(
      &(cosim_linear_def){.n_states = 1, .n_inputs = 1, .n_outputs = 1, .A = &A, .B = &B, .C = &C, .D = &D}, part,
      error);
}

/* ---- Both masses as one system: advances x and v1 by h, with the midpoint method ---- */

static void advance_monolithic(double x[3], double *v1, double h) {
  double dx[3];
  double middle[3];
  find_rates(x, *v1, dx);
  for (int j = 0; j < 3; j++)
    middle[j] = x[j] + h / 2 * dx[j];
  const double middle_v1 = *v1 - h / 2 * force(x, *v1) / m1;
  find_rates(middle, middle_v1, dx);
  for (int j = 0; j < 3; j++)
    x[j] += h * dx[j];
  *v1 -= h * force(middle, middle_v1) / m1;
}

/* ---- Methods ---- */

typedef enum kind { none, energy, balance, smooth_balance, model_based } kind;
typedef enum control { fixed, by_energy, by_prediction } control;

typedef struct method {
  const char *name;
  double allowed;     /* m/s, largest allowed error of v1, which reaches 0.53 m/s */
  int order;          /* order of the extrapolation of inputs */
  int extra_steps[2]; /* number of additional steps of chassis and wheel in a round */
  bool gauss_seidel, smooth;
  kind correction;
  int spread; /* number of rounds over which the balance correction is spread */
  control control;
  double tolerance;
} method;

static const method methods[] = {
    {.name = "Jacobi, order 0", .allowed = 1e-2},
    {.name = "Jacobi, order 1", .allowed = 1e-3, .order = 1},
    {.name = "Jacobi, order 2", .allowed = 5e-5, .order = 2},
    {.name = "Jacobi, order 3", .allowed = 1e-5, .order = 3},
    {.name = "Jacobi, order 4", .allowed = 1e-5, .order = 4},
    {.name = "Gauss-Seidel, order 0", .allowed = 1e-2, .gauss_seidel = true},
    {.name = "Gauss-Seidel, order 1", .allowed = 1e-3, .order = 1, .gauss_seidel = true},
    {.name = "smooth switching", .allowed = 2e-3, .order = 1, .smooth = true},
    {.name = "multirate 1 : 4", .allowed = 1e-3, .order = 1, .extra_steps = {0, 3}},
    {.name = "multirate 4 : 1", .allowed = 1e-3, .order = 1, .extra_steps = {3, 0}},
    {.name = "energy correction", .allowed = 2e-2, .correction = energy},
    {.name = "balance", .allowed = 4e-3, .correction = balance, .spread = 1},
    {.name = "balance, 2 rounds", .allowed = 4e-3, .correction = balance, .spread = 2},
    {.name = "smooth balance", .allowed = 4e-3, .correction = smooth_balance, .spread = 1},
    {.name = "smooth balance, 2 rounds", .allowed = 4e-3, .correction = smooth_balance, .spread = 2},
    {.name = "model-based, order 0", .allowed = 5.5e-3, .correction = model_based},
    {.name = "model-based, order 1", .allowed = 3e-4, .order = 1, .correction = model_based},
    {.name = "ECCO", .allowed = 4e-3, .control = by_energy, .tolerance = 2.8e-6},
    {.name = "predictor/corrector", .allowed = 1e-2, .control = by_prediction, .tolerance = 0.67},
};

/* ---- Coupling ---- */

static seam_status add_subsystems(cosim_builder *builder, const method *m, seam_error *error) {
  static const char *const force[] = {"force"}, *const v[] = {"v"};
  const cosim_user_part parts[2] = {{create_chassis, NULL, force, v, 1, 1, 0}, {create_wheel, NULL, v, force, 1, 1, 0}};
  seam_status status = SEAM_OK;
  for (int i = 0; i < 2 && status == SEAM_OK; i++) {
    cosim_subsystem_def def = cosim_default_subsystem_def();
    def.name = i == 0 ? "chassis" : "wheel";
    def.user = &parts[i];
    def.steps = 1 + (size_t)m->extra_steps[i];
    status = cosim_add_subsystem(builder, &def, error);
  }
  return status;
}

static seam_status connect(cosim_builder *builder, const method *m, seam_error *error) {
  cosim_connection_def to_wheel = cosim_default_connection_def();
  cosim_connection_def to_chassis = cosim_default_connection_def();
  const cosim_port_def ports[2] = {{"chassis.force", "chassis.v", 1}, {"wheel.v", "wheel.force", 1}};
  cosim_bond_def bond = cosim_default_bond_def();
  to_wheel.from = "chassis.v", to_wheel.to = "wheel.v";
  to_chassis.from = "wheel.force", to_chassis.to = "chassis.force", to_chassis.gain = -1;
  to_wheel.order = to_chassis.order = m->order;
  to_wheel.smooth = to_chassis.smooth = m->smooth;
  bond.name = "suspension", bond.ports = ports, bond.n_ports = 2, bond.energy_scale = c2 / 2 * road * road;
  seam_status status = cosim_add_connection(builder, &to_chassis, error);
  if (status == SEAM_OK)
    status = cosim_add_connection(builder, &to_wheel, error);
  return status == SEAM_OK ? cosim_add_bond(builder, &bond, error) : status;
}

static seam_status correct(cosim_builder *builder, const method *m, seam_error *error) {
  cosim_energy_correction_def of_energy = cosim_default_energy_correction_def();
  cosim_balance_correction_def of_balance = cosim_default_balance_correction_def();
  const cosim_model_based_def of_derivatives = cosim_default_model_based_def();
  of_energy.bond = "suspension", of_energy.part = "chassis";
  of_balance.input = "chassis.force", of_balance.smooth = m->correction == smooth_balance;
  of_balance.spread = m->spread;
  switch (m->correction) {
  case none:
    return SEAM_OK;
  case energy:
    return cosim_add_energy_correction(builder, &of_energy, error);
  case model_based:
    return cosim_set_model_based(builder, &of_derivatives, error);
  default:
    return cosim_add_balance_correction(builder, &of_balance, error);
  }
}

static seam_status choose_steps(cosim_builder *builder, const method *m, seam_error *error) {
  cosim_options options = cosim_default_options();
  cosim_step_control step = cosim_default_step_control(
      m->control == by_energy ? COSIM_ENERGY_INDICATOR : COSIM_PREDICTION_INDICATOR, m->tolerance);
  step.shortest = 1e-4;
  step.longest = 1e-2;
  options.macro_step = m->control == fixed ? macro_step : step.shortest;
  options.sequence = m->gauss_seidel ? COSIM_GAUSS_SEIDEL : COSIM_JACOBI;
  const seam_status status = cosim_set_options(builder, &options, error);
  return status == SEAM_OK ? cosim_set_step_control(builder, m->control == fixed ? NULL : &step, error) : status;
}

static seam_status create(const method *m, cosim_simulation **created, seam_error *error) {
  cosim_builder *builder = NULL;
  seam_status status = cosim_builder_create(NULL, &builder, error);
  if (status == SEAM_OK)
    status = add_subsystems(builder, m, error);
  if (status == SEAM_OK)
    status = connect(builder, m, error);
  if (status == SEAM_OK)
    status = correct(builder, m, error);
  if (status == SEAM_OK)
    status = choose_steps(builder, m, error);
  if (status == SEAM_OK)
    status = cosim_create(builder, created, error);
  cosim_builder_destroy(builder);
  return status;
}

/* ---- Runs ---- */

/* Starts with exact past values, at as many macro points as the extrapolation of highest order needs. */
static seam_status start(cosim_simulation *simulation, seam_error *error) {
  double x[3] = {0};
  double v1 = 0;
  seam_status status = cosim_start(simulation, NULL, error);
  for (int i = 1; i <= COSIM_MAX_HOLD && status == SEAM_OK; i++) {
    for (int j = 0; j < 100; j++)
      advance_monolithic(x, &v1, -macro_step / 100);
    const double F = force(x, v1);
    status = cosim_remember(simulation, 0, -i * macro_step, &v1, error);
    if (status == SEAM_OK)
      status = cosim_remember(simulation, 1, -i * macro_step, &F, error);
  }
  return status;
}

/* Returns the largest error of v1, the first signal, at macro points; negative: the run failed. */
static double run(const method *m, int *rounds, double *created) {
  seam_error error = {0};
  cosim_simulation *simulation = NULL;
  double x[3] = {0};
  double v1 = 0;
  double worst = 0;
  double t = 0;
  seam_status status = create(m, &simulation, &error);
  if (status == SEAM_OK)
    status = start(simulation, &error);
  for (*rounds = 0; status == SEAM_OK && t < end * (1 - 1e-12); ++*rounds) {
    status = cosim_advance_controlled(simulation, end, &error);
    const double H = cosim_state(simulation)->t - t;
    for (int i = 0; i < 100; i++)
      advance_monolithic(x, &v1, H / 100);
    t += H;
    worst = fmax(worst, fabs(cosim_signal_now(simulation, 0) - v1));
  }
  if (status != SEAM_OK)
    fprintf(stderr, "%s: %s\n", m->name, error.message);
  else
    *created = cosim_bond_energy_of(simulation, 0).residual_energy;
  cosim_destroy(simulation);
  return status == SEAM_OK ? worst : -1;
}

int main(void) {
  int failed = 0;
  printf("%-26s %8s %16s %12s %18s\n", "method", "rounds", "error of v1 m/s", "allowed m/s", "residual energy J");
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    int rounds = 0;
    double created = 0;
    const double worst = run(&methods[i], &rounds, &created);
    printf("%-26s %8d %16.2e %12.0e %18.4g\n", methods[i].name, rounds, worst, methods[i].allowed, created);
    failed += !(worst >= 0 && worst < methods[i].allowed);
  }
  return failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
