#include "mbs/dynamics/approach.h"

#include <math.h>

#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

static int factor_with(mbs_workspace *ws, const double *weight, double t, const double *q, const double *v) {
  mbs_stage_kinematics(ws, q, v);
  mbs_stage_constraints(ws, t);
  return mbs_stage_factor(ws, weight);
}

bool mbs_is_far_from_singular(mbs_workspace *ws, const mbs_state *state) {
  double quotient = 0;
  const int dependent = factor_with(ws, ws->model->assembly_weight, state->t, state->q, state->v);
  seam_ldl_smallest_quotient(ws->solver, &quotient);
  mbs_stage_factor(ws, ws->model->inverse_mass);
  return dependent < 0 && quotient > mbs_regular * mbs_regular;
}

/* Factorises S at the pose after the time h, with accelerations a (NULL: 0). Returns a dependent constraint or -1. */
static int factor_predicted(mbs_workspace *ws, const mbs_state *state, double h, const double *a) {
  for (int i = 0; i < 3 * ws->model->n_bodies; i++)
    ws->predicted_q[i] = state->q[i] + h * (state->v[i] + (a != NULL ? h / 2 * a[i] : 0));
  return factor_with(ws, ws->model->inverse_mass, state->t + h, ws->predicted_q, state->v);
}

/* Estimates from the largest velocity a time, s, in which d changes by about 1 %; infinity at rest. */
static double short_time(const mbs_workspace *ws, const mbs_state *state, double d) {
  double fastest = 0;
  for (int i = 0; i < 3 * ws->model->n_bodies; i++)
    fastest = fmax(fastest, fabs(state->v[i]));
  return mbs_approach_shift * d / fastest;
}

bool mbs_find_approach(mbs_workspace *ws, const mbs_state *state, double window, double h, mbs_approach *found) {
  const int m = ws->model->n_rows;
  const double *before = ws->quotient;
  const double *after = ws->row;
  double weakest = 0;
  seam_ldl_smallest_quotient(ws->solver, &weakest);
  const double step = copysign(short_time(ws, state, sqrt(weakest)), h);
  *found = (mbs_approach){.row = -1, .time_left = INFINITY};
  if (!isfinite(step))
    return false;
  seam_ldl_quotients(ws->solver, m, ws->quotient);
  const int dependent = factor_predicted(ws, state, step, NULL);
  if (dependent >= 0)
    *found = (mbs_approach){dependent, sqrt(before[dependent]), step};
  else
    seam_ldl_quotients(ws->solver, m, ws->row);
  for (int i = 0; i < m && dependent < 0; i++) {
    if (before[i] > window * window || after[i] >= before[i])
      continue;
    const double d = sqrt(before[i]);
    const double time_left = step * d / (d - sqrt(after[i]));
    const double fall = d / time_left * h; /* decrease of d in a step of length h */
    const bool is_suspect = mbs_soon_singular * fall >= d || ilogb((d - fall) * (d - fall)) < ilogb(d * d);
    if (fabs(time_left) < fabs(found->time_left) && is_suspect)
      *found = (mbs_approach){i, d, time_left};
  }
  return found->row >= 0;
}

/* Returns d by the last factors; 0 if their factorisation has found a dependent constraint (dependent >= 0). */
static double distance_of(mbs_workspace *ws, int row, int dependent) {
  if (dependent >= 0)
    return 0;
  seam_ldl_quotients(ws->solver, ws->model->n_rows, ws->row);
  return sqrt(ws->row[row]);
}

double mbs_distance(mbs_workspace *ws, int row, double t, const double *q, const double *v) {
  return distance_of(ws, row, factor_with(ws, ws->model->inverse_mass, t, q, v));
}

mbs_approach mbs_approach_of(mbs_workspace *ws, int row, const mbs_state *state) {
  const double d = mbs_distance(ws, row, state->t, state->q, state->v);
  const double step = short_time(ws, state, d);
  const double rate = (distance_of(ws, row, factor_predicted(ws, state, step, state->a)) - d) / step;
  return (mbs_approach){row, d, d / -rate};
}

bool mbs_is_approach(mbs_workspace *ws, const mbs_state *state, const double *a, const mbs_approach *approach) {
  const int dependent = factor_predicted(ws, state, approach->time_left, a);
  return distance_of(ws, approach->row, dependent) < mbs_approach_vanished * approach->d;
}
