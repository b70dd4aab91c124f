/* Code written by hand, in the angles of the rods.
 *
 * Two rods in series have lengths l, masses m and angles φ from the horizontal; g is gravity. T are the generalised
 * forces of a bushing at the end of the second rod. With k = m₂ l₁ l₂ / 2, the equations of motion are
 *
 *   (m₁/3 + m₂) l₁² φ₁'' + k cos(φ₁ - φ₂) φ₂'' = T₁ - k sin(φ₁ - φ₂) φ₂'² - (m₁/2 + m₂) g l₁ cos φ₁
 *   k cos(φ₁ - φ₂) φ₁'' + m₂/3 l₂² φ₂''        = T₂ + k sin(φ₁ - φ₂) φ₁'² - m₂/2 g l₂ cos φ₂
 *
 * The bushing has the stiffness c and the damping b. The vector d is the gap between its ends, δ the angle between the
 * rods there. Its force is c d + b d', its torque c δ + b δ'.
 *
 * Chains of more rods use the limit code (bench/limit.h). */
#include <math.h>
#include <string.h>

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "bench/limit.h"
#include "bench/peers/peers.h"
#include "solvers/erk.h"
#include "solvers/multistep.h"

static const double g = 9.81, c = 1e3, b = 10, pi = 3.14159265358979323846;

/* ---- Mechanisms ---- */

void peer_positions(const peer_mechanism *self, const double *y, double *positions) {
  double x[2] = {0, 0}; /* beginning of the rod */
  for (int i = 0; i < self->n; i++) {
    const double half[2] = {self->length[peer_kind_of(i)] / 2 * cos(y[i]),
                            self->length[peer_kind_of(i)] / 2 * sin(y[i])};
    for (int j = 0; j < 2; j++) {
      x[j] = peer_begins_tree(self, i) ? self->pivot[i > 0][j] : x[j];
      positions[2 * i + j] = x[j] + half[j];
      x[j] += 2 * half[j];
    }
  }
}

static void two_rods_slope(const double l[2], const double m[2], const double phi[2], const double omega[2],
                           const double torque[2], double acceleration[2]) {
  const double k = m[1] * l[0] * l[1] / 2;
  const double kc = k * cos(phi[0] - phi[1]);
  const double ks = k * sin(phi[0] - phi[1]);
  const double first = (m[0] / 3 + m[1]) * l[0] * l[0];
  const double second = m[1] / 3 * l[1] * l[1];
  const double r0 = torque[0] - ks * omega[1] * omega[1] - (m[0] / 2 + m[1]) * g * l[0] * cos(phi[0]);
  const double r1 = torque[1] + ks * omega[0] * omega[0] - m[1] / 2 * g * l[1] * cos(phi[1]);
  const double determinant = first * second - kc * kc;
  acceleration[0] = (second * r0 - kc * r1) / determinant;
  acceleration[1] = (first * r1 - kc * r0) / determinant;
}

static void slope_of_pairs(const peer_mechanism *self, const double *y, double *slope) {
  const double *rate = y + self->n;
  double torque[4] = {0};
  if (self->load != NULL)
    self->load(y, torque);
  for (int i = 0; i < self->n; i += 2)
    two_rods_slope(self->length + i, self->mass + i, y + i, rate + i, torque + i, slope + self->n + i);
  memcpy(slope, rate, (size_t)self->n * sizeof *slope);
}

static void slope_of_chain(const peer_mechanism *self, const double *y, double *slope) {
  limit_chain_evaluate(self->limit, y, y + self->n, slope + self->n);
  memcpy(slope, y + self->n, (size_t)self->n * sizeof *slope);
}

static void load_of_bushing(const double *y, double torque[4]);

static const double half_root = 0.70710678118654752440;

#define EQUAL_RODS .length = {1, 1, 1, 1}, .mass = {1, 1, 1, 1}

static peer_mechanism mechanisms[] = {
    {.name = "double_pendulum", .n = 2, .end = 3, EQUAL_RODS, .slope = slope_of_pairs},
    {.name = "four_bar_bushing",
     .n = 4,
     .end = 10,
     .angle = {pi / 4, 0, -pi / 2, pi},
     .length = {1, 1, 2, 1},
     .mass = {1, 1, 2, 1},
     .first_of_tree = 2,
     .pivot = {{0, 0}, {half_root + 2, half_root + 2}},
     .slope = slope_of_pairs,
     .load = load_of_bushing},
    {.name = "chain_10", .n = 10, .end = 1, EQUAL_RODS, .slope = slope_of_chain},
    {.name = "chain_100", .n = 100, .end = 1, EQUAL_RODS, .slope = slope_of_chain},
    {.name = "chain_1000", .n = 1000, .end = 0.2, EQUAL_RODS, .slope = slope_of_chain},
};

static void load_of_bushing(const double *y, double torque[4]) {
  const peer_mechanism *self = &mechanisms[1];
  const double *rate = y + self->n;
  double arm[4][2]; /* m, vector from the beginning to the end of each rod */
  double gap[2], speed[2];
  for (int i = 0; i < 4; i++) {
    arm[i][0] = self->length[i] * cos(y[i]);
    arm[i][1] = self->length[i] * sin(y[i]);
  }
  for (int j = 0; j < 2; j++)
    gap[j] = self->pivot[1][j] + arm[2][j] + arm[3][j] - self->pivot[0][j] - arm[0][j] - arm[1][j];
  speed[0] = -arm[2][1] * rate[2] - arm[3][1] * rate[3] + arm[0][1] * rate[0] + arm[1][1] * rate[1];
  speed[1] = arm[2][0] * rate[2] + arm[3][0] * rate[3] - arm[0][0] * rate[0] - arm[1][0] * rate[1];
  const double f[2] = {c * gap[0] + b * speed[0], c * gap[1] + b * speed[1]};
  const double twist = c * (y[3] - y[1] - pi) + b * (rate[3] - rate[1]);
  for (int i = 0; i < 4; i++)
    torque[i] = (i < 2 ? 1 : -1) * (arm[i][0] * f[1] - arm[i][1] * f[0]);
  torque[1] += twist;
  torque[3] -= twist;
}

peer_mechanism *peer_mechanism_of(const char *case_name) {
  for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++)
    if (strcmp(mechanisms[i].name, case_name) == 0)
      return &mechanisms[i];
  return NULL;
}

static void start(const peer_mechanism *self, double *y) {
  memset(y, 0, 2 * (size_t)self->n * sizeof *y);
  for (int i = 0; i < self->n; i++)
    y[i] = self->angle[peer_kind_of(i)];
}

/* ---- Runge-Kutta method of order 8, fixed steps ---- */

static struct {
  limit_chain *chain;
  double k[SEAM_MAX_STAGES][2 * PEER_MAX_RODS], stage[2 * PEER_MAX_RODS];
} own;

static bool prepare(const peer_mechanism *mechanism) {
  own.chain = mechanism->slope == slope_of_chain ? limit_chain_create(mechanism->n) : NULL;
  peer_mechanism_of(mechanism->name)->limit = own.chain;
  return true;
}

static void release(void) {
  if (own.chain != NULL)
    limit_chain_destroy(own.chain);
  own.chain = NULL;
}

static bool run_runge_kutta(const peer_mechanism *mechanism, double setting, double *y) {
  const seam_tableau *t = seam_tableau_of("erk8");
  const int n = 2 * mechanism->n;
  const int n_steps = (int)ceil(mechanism->end / setting);
  const double h = mechanism->end / n_steps;
  start(mechanism, y);
  for (int step = 0; step < n_steps; step++) {
    for (int s = 0; s < t->n_sum; s++) {
      memcpy(own.stage, y, (size_t)n * sizeof *y);
      for (int j = 0; j < s; j++)
        for (int i = 0; i < n && t->A[s][j] != 0; i++)
          own.stage[i] += h * t->A[s][j] * own.k[j][i];
      mechanism->slope(mechanism, own.stage, own.k[s]);
    }
    for (int s = 0; s < t->n_sum; s++)
      for (int i = 0; i < n && t->b[s] != 0; i++)
        y[i] += h * t->b[s] * own.k[s][i];
  }
  return true;
}

/* ---- CVODE: Adams methods with fixed-point iteration ---- */

static int cvode_slope(sunrealtype time, N_Vector y, N_Vector slope, void *data) {
  (void)time;
  const peer_mechanism *mechanism = data;
  mechanism->slope(mechanism, N_VGetArrayPointer(y), N_VGetArrayPointer(slope));
  return 0;
}

static bool run_cvode(const peer_mechanism *mechanism, double setting, double *y) {
  SUNContext context = NULL;
  start(mechanism, y);
  if (SUNContext_Create(SUN_COMM_NULL, &context) != SUN_SUCCESS)
    return false;
  N_Vector at = N_VMake_Serial(2 * mechanism->n, y, context);
  SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(at, 0, context);
  void *cvode = CVodeCreate(CV_ADAMS, context);
  double time = 0;
  const bool done = CVodeInit(cvode, cvode_slope, 0, at) == 0 && CVodeSStolerances(cvode, setting, setting) == 0 &&
                    CVodeSetUserData(cvode, (void *)mechanism) == 0 && CVodeSetNonlinearSolver(cvode, solver) == 0 &&
                    CVodeSetMaxNumSteps(cvode, 1000000) == 0 && CVodeSetStopTime(cvode, mechanism->end) == 0 &&
                    CVode(cvode, mechanism->end, at, &time, CV_NORMAL) >= 0;
  CVodeFree(&cvode);
  SUNNonlinSolFree(solver);
  N_VDestroy(at);
  SUNContext_Free(&context);
  return done;
}

const peer *peer_list(int *n) {
  static peer list[4] = {
      {"by hand, order 8", 0.5, 0.7071067811865476, prepare, run_runge_kutta, release},
      {"by hand, CVODE", 1e-2, 0.31622776601683794, prepare, run_cvode, release},
  };
  *n = 2;
#ifdef BENCH_MUJOCO
  list[(*n)++] = peer_mujoco;
#endif
#ifdef BENCH_SIMBODY
  list[(*n)++] = peer_simbody;
#endif
  return list;
}
