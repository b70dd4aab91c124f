/* A black box under every explicit method: the wheel of a quarter car, which can neither go back nor give derivatives,
 * coupled with its chassis, a linear subsystem that the library integrates exactly.
 *
 *   chassis:  m1 v1' = -F            wheel:  m2 v2' = F - c2 (x2 - road),  F = c (x1 - x2) + d (v1 - v2)
 *
 * The wheel receives v1 and gives F; the chassis receives -F and gives v1: their product is a power, which every run
 * watches. Each method begins with the exact past and is compared with both masses integrated as one; its error must
 * stay below what its row allows. The energy correction is out of place here: the damper already takes most of what the
 * exchange creates. The model-based one has to learn how the wheel answers first, which takes the first 20 ms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/cosim.h>

static const double m1 = 400, m2 = 40, c = 15000, d = 1000, c2 = 150000, road = 0.1;
static const double macro_step = 1e-3, end = 1;

/* ---- The black box: state (x1, x2, v2) ---- */

typedef struct wheel {
  cosim_part base; /* first member */
  double x[3];
  double v1; /* at the end of the last step */
} wheel;

static double force(const double x[3], double v1) { return c * (x[0] - x[1]) + d * (v1 - x[2]); }

static void find_rates(const double x[3], double v1, double dx[3]) {
  dx[0] = v1;
  dx[1] = x[2];
  dx[2] = (force(x, v1) - c2 * (x[1] - road)) / m2;
}

/* Midpoint method, ten steps of its own in each macro step.
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

static cosim_part *create_wheel(void) {
  static const cosim_part_ops ops = {.advance = advance, .get_outputs = get_outputs, .destroy = destroy};
  wheel *self = calloc(1, sizeof *self);
  if (self == NULL)
    return NULL;
  self->base = (cosim_part){.ops = &ops, .name = "wheel", .n_inputs = 1, .n_outputs = 1};
  return &self->base;
}

static cosim_part *create_chassis(void) {
  const double A = 0;
  const double B = 1 / m1;
  const double C = 1;
  const double D = 0;
  const cosim_linear_def def = {
      .name = "chassis", .n_states = 1, .n_inputs = 1, .n_outputs = 1, .A = &A, .B = &B, .C = &C, .D = &D};
  cosim_part *part = NULL;
  return cosim_linear_part_create(&def, &part, NULL) == SEAM_OK ? part : NULL;
}

/* ---- Both masses as one: x and v1, from t over h, by the midpoint method ---- */

static void advance_whole(double x[3], double *v1, double h) {
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
  double allowed;    /* m/s, error of v1, whose largest value is 0.53 m/s */
  int order;         /* of the holds */
  int more_steps[2]; /* of chassis and wheel in a round, beside one */
  bool gauss_seidel, smooth;
  kind correction;
  int spread; /* rounds over which balance is restored */
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
    {.name = "multirate 1 : 4", .allowed = 1e-3, .order = 1, .more_steps = {0, 3}},
    {.name = "multirate 4 : 1", .allowed = 1e-3, .order = 1, .more_steps = {3, 0}},
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

static cosim_correction *create_correction(const method *m, seam_error *error) {
  const cosim_energy_correction_def of_energy = {
      .bond = "suspension", .part = "chassis", .mu = cosim_energy_fraction(1, 0), .limit = 0.1};
  const cosim_balance_correction_def of_balance = {
      .input = "chassis.force", .spread = m->spread, .smooth = m->correction == smooth_balance};
  const cosim_model_based_def of_answers = cosim_default_model_based_def();
  cosim_correction *created = NULL;
  if (m->correction == energy)
    cosim_energy_correction_create(&of_energy, &created, error);
  else if (m->correction == model_based)
    cosim_model_based_correction_create(&of_answers, &created, error);
  else
    cosim_balance_correction_create(&of_balance, &created, error);
  return created;
}

/* With the exact past, as many macro points as any hold needs. */
static void begin(cosim_exchange *exchange) {
  double x[3] = {0};
  double v1 = 0;
  cosim_exchange_start(exchange, 0);
  for (int i = 1; i <= COSIM_MAX_HOLD; i++) {
    for (int j = 0; j < 100; j++)
      advance_whole(x, &v1, -macro_step / 100);
    const double F = force(x, v1);
    cosim_exchange_remember(exchange, 0, -i * macro_step, &v1);
    cosim_exchange_remember(exchange, 1, -i * macro_step, &F);
  }
}

static cosim_exchange *connect(const method *m, seam_error *error) {
  static const char *const force_in[] = {"force"}, *const v_out[] = {"v"};
  static const char *const v_in[] = {"v"}, *const force_out[] = {"force"};
  cosim_correction *const correction = m->correction == none ? NULL : create_correction(m, error);
  if (m->correction != none && correction == NULL)
    return NULL;
  const cosim_member_def members[2] = {{create_chassis(), force_in, v_out, 1 + m->more_steps[0]},
                                       {create_wheel(), v_in, force_out, 1 + m->more_steps[1]}};
  const cosim_connection_def links[2] = {
      {.from = "wheel.force", .to = "chassis.force", .gain = -1, .order = m->order, .smooth = m->smooth},
      {.from = "chassis.v", .to = "wheel.v", .gain = 1, .order = m->order, .smooth = m->smooth}};
  const cosim_port_def ports[2] = {{"chassis.force", "chassis.v", 1}, {"wheel.v", "wheel.force", 1}};
  const cosim_bond_def bond = {
      .name = "suspension", .ports = ports, .n_ports = 2, .energy_scale = c2 / 2 * road * road};
  const cosim_exchange_def def = {.members = members,
                                  .n_members = 2,
                                  .links = links,
                                  .n_links = 2,
                                  .bonds = &bond,
                                  .n_bonds = 1,
                                  .corrections = &correction,
                                  .n_corrections = correction != NULL ? 1 : 0,
                                  .gauss_seidel = m->gauss_seidel};
  cosim_exchange *exchange = NULL;
  if (members[0].part == NULL || members[1].part == NULL || cosim_exchange_create(&def, &exchange, error) != SEAM_OK)
    return NULL;
  begin(exchange);
  return exchange;
}

/* ---- Runs ---- */

/* Largest error of v1 at the macro points; negative: the run failed. */
static double run(const method *m, int *rounds, double *created) {
  seam_error error = {0};
  cosim_exchange *exchange = connect(m, &error);
  cosim_step_control step = cosim_default_step_control(
      m->control == by_energy ? COSIM_ENERGY_INDICATOR : COSIM_PREDICTION_INDICATOR, m->tolerance);
  step.shortest = 1e-4;
  step.longest = 1e-2;
  double H = m->control == fixed ? macro_step : step.shortest;
  double x[3] = {0};
  double v1 = 0;
  double worst = 0;
  seam_status status = exchange == NULL ? SEAM_BAD_INPUT : SEAM_OK;
  for (*rounds = 0; status == SEAM_OK && cosim_exchange_time(exchange) < end - macro_step / 2; ++*rounds) {
    status = cosim_exchange_advance(exchange, H, &error);
    for (int i = 0; i < 100; i++)
      advance_whole(x, &v1, H / 100);
    worst = fmax(worst, fabs(cosim_exchange_output(exchange, 0, 0) - v1));
    if (m->control != fixed)
      H = cosim_next_step(&step, exchange);
  }
  if (status != SEAM_OK)
    fprintf(stderr, "%s: %s\n", m->name, error.message);
  else
    *created = cosim_exchange_energy(exchange, 0).residual_energy;
  cosim_exchange_destroy(exchange);
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
