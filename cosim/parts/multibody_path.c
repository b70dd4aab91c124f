/* Motion of a part inside a macro step, by points (t, q, v, z, a) at the ends of micro steps. A jump has two points
 * with the same t. Between points at t0 and t0 + h, with s = (t - t0) / h:
 *
 *   q, v   Hermite's cubic through q and v or, if accelerations are known, quintic through q, v and a
 *   z      linear interpolation
 *
 * If a coupling changes the end by Δq and Δv without another step, a cubic is added, from zero at the beginning of the
 * macro step to Δq and Δv at its end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "cosim/parts/multibody_internal.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"
#include "mbs/integrate/kinks.h"

/* Returns the count of numbers in a point: t, q, v, z, a. */
static size_t width_of(const cosim_multibody *self) {
  return 1 + mbs_n_controlled(self->sub->model) + (size_t)cosim_multibody_coordinates(self);
}

static double *point_at(const cosim_multibody *self, int i) { return self->path.points + width_of(self) * (size_t)i; }

/* ---- Recording of steps ---- */

/* Adds a point at t, with accelerations inside the macro step; for its ends the undivided model has them. */
static seam_status add(cosim_multibody *self, double t, seam_error *error) {
  const size_t n = mbs_n_controlled(self->sub->model);
  const double begin = self->step->t, end = begin + self->step->H, same = mbs_same_time(end);
  const bool evaluates = self->path.has_accelerations && t > begin + same && t < end - same;
  const double end_tau = self->end_tau;
  mbs_state *at = self->path.state;
  double *points =
      array_grow(self->path.points, &self->path.capacity, (size_t)self->path.n + 1, width_of(self) * sizeof *points);
  if (points == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the steps of subsystem '%s'", self->base.name);
  self->path.points = points;
  const seam_status status = mbs_integrator_reach(self->integrator, t, at, NULL, evaluates, error);
  self->end_tau = end_tau;
  if (status != SEAM_OK)
    return status;
  double *point = point_at(self, self->path.n++);
  point[0] = t;
  memcpy(point + 1, at->q, n * sizeof *point);
  for (int i = 0; i < cosim_multibody_coordinates(self); i++)
    point[1 + n + (size_t)i] = evaluates ? at->a[i] : NAN;
  return SEAM_OK;
}

seam_status cosim_multibody_record_step(void *context, const mbs_step_piece *piece, seam_error *error) {
  cosim_multibody *self = context;
  if (self->path.n == 0 || piece->is_at_start)
    TRY(add(self, piece->from, error));
  return add(self, piece->to, error);
}

void cosim_multibody_store_accelerations(cosim_part *base) { ((cosim_multibody *)base)->path.has_accelerations = true; }

/* ---- Between ---- */

/* A coordinate at one end of the interval between two points. */
typedef struct end_of_piece {
  double x, v, a; /* `a` is NaN if accelerations are not known */
} end_of_piece;

/* Returns x and v of the cubic or quintic at s. */
static cosim_cubic between(end_of_piece begin, end_of_piece end, double h, double s) {
  if (isnan(begin.a) || isnan(end.a))
    return cosim_cubic_at((cosim_cubic){begin.x, begin.v}, (cosim_cubic){end.x, end.v}, h, s);
  const double curvature = h * h * begin.a;
  const double D = end.x - begin.x - h * begin.v - curvature / 2;
  const double V = h * (end.v - begin.v) - curvature;
  const double A = h * h * end.a - curvature;
  const double cube = 10 * D - 4 * V + A / 2;
  const double fourth = -15 * D + 7 * V - A;
  const double fifth = 6 * D - 3 * V + A / 2;
  return (cosim_cubic){begin.x + s * (h * begin.v + s * (curvature / 2 + s * (cube + s * (fourth + s * fifth)))),
                       begin.v + s * (curvature + s * (3 * cube + s * (4 * fourth + s * 5 * fifth))) / h};
}

/* Returns the index of the last point of the macro step from `begin` to `end`. At a jump there, this is the point whose
 * velocities are nearer to those of `end`. -1: the stored points belong to another step. */
static int end_of_path(const cosim_multibody *self, const mbs_state *begin, const mbs_state *end) {
  const double same = cosim_same_time * (end->t - begin->t) + 4 * mbs_same_time(end->t);
  const int n = cosim_multibody_coordinates(self);
  double least = INFINITY;
  int found = -1;
  if (self->path.n == 0 || fabs(point_at(self, 0)[0] - begin->t) > same)
    return -1;
  for (int i = self->path.n - 1; i > 0 && fabs(point_at(self, i)[0] - end->t) <= same; i--) {
    double off = 0;
    for (int b = 0; b < n; b++)
      off += fabs(point_at(self, i)[1 + n + b] - end->v[3 * (self->sub->body_of[b / 3 + 1] - 1) + b % 3]);
    if (off < least) {
      least = off;
      found = i;
    }
  }
  return found;
}

/* Returns the index of the point at which the interval with t begins: at a jump the one after it, if there is one. */
static int piece_at(const cosim_multibody *self, int last, double t) {
  int low = 0, high = last;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (point_at(self, middle)[0] <= t)
      low = middle;
    else
      high = middle;
  }
  while (low > 0 && point_at(self, low)[0] == point_at(self, low + 1)[0])
    low--;
  return low;
}

/* Returns coordinate i at a point. `outer`: the undivided model's state, with index k, if the point is an end of the
 * macro step; else NULL. point == NULL: there is no path, and `outer` gives the coordinate. */
static end_of_piece end_at(const cosim_multibody *self, const double *point, int i, const mbs_state *outer, int k) {
  const int n = cosim_multibody_coordinates(self);
  double a = point != NULL ? point[1 + mbs_n_controlled(self->sub->model) + (size_t)i] : NAN;
  if (outer != NULL && self->path.has_accelerations)
    a = outer->a[k];
  return point != NULL ? (end_of_piece){point[1 + i], point[1 + n + i], a}
                       : (end_of_piece){outer->q[k], outer->v[k], a};
}

void cosim_multibody_between(const cosim_part *base, const mbs_state *begin, const mbs_state *end, double t,
                             mbs_state *undivided) {
  const cosim_multibody *self = (const cosim_multibody *)base;
  const int n = cosim_multibody_coordinates(self);
  const int last = end_of_path(self, begin, end);
  const bool has_path = last > 0;
  const int piece = has_path ? piece_at(self, last, t) : 0;
  const double *from = has_path ? point_at(self, piece) : NULL;
  const double *to = has_path ? point_at(self, piece + 1) : NULL;
  const double H = end->t - begin->t;
  const double t0 = has_path ? from[0] : begin->t, h = has_path ? to[0] - t0 : H, s = (t - t0) / h;
  for (int i = 0; i < n; i++) {
    const int k = 3 * (self->sub->body_of[i / 3 + 1] - 1) + i % 3; /* index in the undivided model */
    cosim_cubic at = between(end_at(self, from, i, piece == 0 ? begin : NULL, k),
                             end_at(self, to, i, !has_path || piece + 1 == last ? end : NULL, k), h, s);
    if (has_path) {
      const double *before = point_at(self, last) + 1; /* the end, before couplings changed it */
      const cosim_cubic to_end = {end->q[k] - before[i], end->v[k] - before[n + i]};
      const cosim_cubic change = cosim_cubic_at((cosim_cubic){0, 0}, to_end, H, (t - begin->t) / H);
      at.x += change.x;
      at.v += change.v;
    }
    undivided->q[k] = at.x;
    undivided->v[k] = at.v;
  }
  for (int k = 0; k < self->sub->model->n_states && has_path; k++) {
    const int z = 1 + 2 * n + k;
    undivided->z[self->sub->state_of[k]] = from[z] + s * (to[z] - from[z]);
  }
}
