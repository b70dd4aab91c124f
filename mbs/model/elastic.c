/* An elastic element pulls with F(s, v) against its stretch s (less its rest value) of rate v = J q̇:
 *
 *   Q       = - Σ F Jᵀ
 *   ∂Q/∂q   = - Σ Jᵀ (F_s J + F_v J̇) + F H        ∂Q/∂v = - Σ F_v Jᵀ J
 *   V       =   Σ ∫ F(σ, 0) dσ, from 0 to s         P_dissipated = Σ (F(s, v) - F(s, 0)) v
 *
 * A positive F pulls the bodies together. Linear law: F = k s + c v, V = k s²/2, P = c v². Strand: V = T²/(2 k).
 * Contact: V = k δ^(n+1)/(n + 1). If F(0, 0) is not finite, as of a force m/s², V is zero at the initial s. For a
 * periodic law, V over n periods is n times V over one. A law of quantities in place of F(s, v) has no potential: its
 * power is driven in. */
#include "mbs/model/elastic.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "mbs/thresholds.h"

/* Returns the value of a law of quantities; 0 without one. */
static double given(const mbs_force *force, const double *z) { return force->law[0] >= 0 ? *z : 0; }

mbs_closing mbs_elastic_closing(const mbs_elastic_law *law, double s, double v) {
  if (law->exponent > 0)
    return (mbs_closing){-s, 1 - law->damping * v};
  const double depth = law->preload + law->stiffness * s;
  return (mbs_closing){depth, depth + law->damping * v};
}

mbs_one_sided_mode mbs_elastic_mode(const mbs_elastic_law *law, double s, double v) {
  const mbs_closing at = mbs_elastic_closing(law, s, v);
  if (!(at.depth > 0))
    return MBS_OPEN;
  return at.damped > 0 ? MBS_CLOSED : MBS_RELEASED;
}

double mbs_elastic_margin(const mbs_elastic_law *law, mbs_one_sided_mode mode, double s, double v) {
  const mbs_closing at = mbs_elastic_closing(law, s, v);
  if (mode == MBS_OPEN)
    return -at.depth;
  return fmin(at.depth, mode == MBS_CLOSED ? at.damped : -at.damped);
}

static bool is_closed(const mbs_elastic_law *law, double s, double v, mbs_one_sided_mode mode) {
  return (mode == MBS_BY_MOTION ? mbs_elastic_mode(law, s, v) : mode) == MBS_CLOSED;
}

/* Force -k δ^n (1 - c v), δ = -s. In a mode kept beyond s = 0 it is -k |δ|^(n-1) δ φ(1 - c v), which pulls back: φ(x) =
 * x above w = 1/10, else w²/(2 w - x), which stays positive; a negative factor would push away ever faster. */
static seam_jet contact_jet(const mbs_elastic_law *law, double s, double v) {
  const double w = mbs_contact_bend;
  const double n = law->exponent;
  const double damped = 1 - law->damping * v;
  const bool bends = s > 0 && damped < w;
  const double factor = bends ? w * w / (2 * w - damped) : damped;
  const double change = bends ? factor * factor / (w * w) : 1;
  const double slope = law->stiffness * pow(fabs(s), n - 1);
  const double pushing = -slope * s;
  return (seam_jet){.value = -pushing * factor, .d = {n * slope * factor, law->damping * pushing * change}};
}

seam_jet mbs_elastic_jet(const mbs_elastic_law *law, double s, double v, mbs_one_sided_mode mode) {
  if (law->exponent > 0)
    return is_closed(law, s, v, mode) ? contact_jet(law, s, v) : (seam_jet){.value = 0 * s * v};
  seam_jet jet = {.value = law->preload + law->stiffness * s + law->damping * v, .d = {law->stiffness, law->damping}};
  if (law->nonlinear.value != NULL)
    law->nonlinear.jet(law->nonlinear.data, (double[2]){s, v}, &jet);
  else if (law->is_strand && !is_closed(law, s, v, mode))
    jet = (seam_jet){.value = 0 * jet.value};
  return jet;
}

/* At v = 0 a released law counts as closed. */
seam_jet mbs_elastic_static_jet(const mbs_elastic_law *law, double s, mbs_one_sided_mode mode) {
  return mbs_elastic_jet(law, s, 0, mode == MBS_RELEASED ? MBS_CLOSED : mode);
}

/* Returns F, and the power it dissipates; NaN stays NaN. */
static double force_of(const mbs_elastic_law *law, double s, double v, mbs_one_sided_mode mode, double *dissipated) {
  double F = law->stiffness * s + law->damping * v;
  if (mbs_is_one_sided(law)) {
    F = mbs_elastic_jet(law, s, v, mode).value;
    *dissipated = (F - mbs_elastic_static_jet(law, s, mode).value) * v;
  } else if (law->nonlinear.value != NULL) {
    F = law->nonlinear.value(law->nonlinear.data, (double[2]){s, v});
    *dissipated = (F - law->nonlinear.value(law->nonlinear.data, (double[2]){s, 0})) * v;
  } else
    *dissipated = law->damping * v * v;
  return F;
}

void mbs_elastic_load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                      mbs_power *power) {
  (void)t;
  mbs_relative_coordinate m[3];
  force->type->find_coordinates(force, pair, m);
  memset(Q, 0, 6 * sizeof *Q);
  const double u = given(force, z);
  for (int k = 0; k < force->type->n_coordinates; k++) {
    double dissipated;
    const double v = mbs_relative_rate(&m[k], pair);
    const double F =
        u + force_of(&force->elastic[k], m[k].s - force->rest[k], v, mbs_mode_along(force, z, k), &dissipated);
    for (int i = 0; i < 6; i++)
      Q[i] -= F * m[k].J[i];
    power->dissipated += dissipated;
    power->driven -= u * v;
  }
}

void mbs_elastic_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z,
                             double Kq[restrict 6][6], double Kv[restrict 6][6]) {
  (void)t;
  mbs_relative_coordinate m[3];
  mbs_curvature c[3];
  force->type->find_coordinates(force, pair, m);
  force->type->curvature(force, pair, c);
  memset(Kq, 0, 36 * sizeof(double));
  memset(Kv, 0, 36 * sizeof(double));
  const double u = given(force, z);
  for (int k = 0; k < force->type->n_coordinates; k++) {
    const seam_jet F = mbs_elastic_jet(&force->elastic[k], m[k].s - force->rest[k], mbs_relative_rate(&m[k], pair),
                                       mbs_mode_along(force, z, k));
    double by_q[6];
    double by_v[6];
    for (int j = 0; j < 6; j++) {
      by_q[j] = F.d[0] * m[k].J[j] + F.d[1] * m[k].Jdot[j];
      by_v[j] = F.d[1] * m[k].J[j];
    }
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        Kq[i][j] -= m[k].J[i] * by_q[j] + (u + F.value) * c[k].H[i][j];
        Kv[i][j] -= m[k].J[i] * by_v[j];
      }
  }
}

void mbs_elastic_push(const mbs_force *force, const mbs_pair *pair, int component, const double *z, double push[6]) {
  (void)component;
  (void)z;
  mbs_relative_coordinate m;
  force->type->find_coordinates(force, pair, &m);
  for (int i = 0; i < 6; i++)
    push[i] = -m.J[i];
}

/* ∫ F(σ, 0) dσ by Lobatto's rule with 5 points, halving intervals until both halves agree with the whole, since laws
 * may have kinks and jumps. The rule includes the ends, so that a zone just entered by the stretch counts. */
typedef struct integral {
  const mbs_elastic_law *law;
  double negligible; /* absolute error that counts as none */
  int budget;        /* halvings left: the halves of a law that fades away never agree */
} integral;

static double force_at(const mbs_elastic_law *law, double s) {
  return law->nonlinear.value(law->nonlinear.data, (double[2]){s, 0});
}

static double lobatto(const mbs_elastic_law *law, double from, double to) {
  static const double node = 0.65465367070797714;
  const double middle = (from + to) / 2;
  const double half = (to - from) / 2;
  const double ends = force_at(law, from) + force_at(law, to);
  const double inner = force_at(law, middle - node * half) + force_at(law, middle + node * half);
  return half * (0.1 * ends + 49.0 / 90 * inner + 32.0 / 45 * force_at(law, middle));
}

/* `least`: number of halvings in any case, as an early agreement may be chance. */
static double work_between(integral *of, double from, double to, double whole, int depth, int least) {
  const double middle = (from + to) / 2;
  const double left = lobatto(of->law, from, middle);
  const double right = lobatto(of->law, middle, to);
  const double difference = fabs(left + right - whole);
  const bool agree = !(difference > fmax(mbs_work_agrees * (fabs(left) + fabs(right)), of->negligible));
  of->budget--;
  if (depth == 0 || of->budget < 0 || (agree && least <= 0))
    return left + right;
  return work_between(of, from, middle, left, depth - 1, least - 1) +
         work_between(of, middle, to, right, depth - 1, least - 1);
}

/* Returns the integral of |F| by equal pieces, the scale of negligible work. */
static double size_of_work(const mbs_elastic_law *law, double from, double to) {
  enum { pieces = 32 };
  double sum = 0;
  for (int i = 0; i <= pieces; i++)
    sum += fabs(force_at(law, from + (to - from) * i / pieces));
  return sum * fabs(to - from) / pieces;
}

/* Returns the first corner of the law from s towards `to`, by the rates of its arguments at s; `to`: none. */
static double corner_ahead(const mbs_elastic_law *law, double s, double to) {
  enum { MOST = 64 };
  seam_corner corner[MOST];
  const double direction = to > s ? 1 : -1;
  double way = fabs(to - s);
  if (law->nonlinear.n_corners == 0 || law->nonlinear.n_corners > MOST)
    return to;
  law->nonlinear.corners(law->nonlinear.data, (double[2]){s, 0}, (double[2]){direction, 0}, corner);
  for (size_t i = 0; i < law->nonlinear.n_corners; i++) {
    const seam_corner *at = &corner[i];
    const double left = at->rate > 0 ? at->above - at->value : at->rate < 0 ? at->value - at->below : INFINITY;
    if (left > at->noise)
      way = fmin(way, (left + 2 * at->noise) / fabs(at->rate));
  }
  return way < fabs(to - s) ? s + direction * way : to;
}

/* Integrates from corner to corner, so that no narrow zone is missed between the points. */
static double work_of_way(const mbs_elastic_law *law, double to) {
  enum { least = 2 };
  integral of = {law, fmax(mbs_negligible_work * size_of_work(law, law->zero, to), DBL_MIN), MBS_MAX_WORK_HALVINGS};
  double work = 0;
  double s = law->zero;
  if (isnan(to))
    return NAN;
  for (int i = 0; s != to; i++) {
    const double end = i < MBS_MAX_WORK_CORNERS ? corner_ahead(law, s, to) : to;
    work += work_between(&of, s, end, lobatto(law, s, end), MBS_MAX_WORK_DEPTH, least);
    s = end;
  }
  return work;
}

double mbs_elastic_potential(const mbs_force *force, const mbs_pair *pair) {
  mbs_relative_coordinate m[3];
  double potential = 0;
  force->type->find_coordinates(force, pair, m);
  for (int k = 0; k < force->type->n_coordinates; k++) {
    const mbs_elastic_law *law = &force->elastic[k];
    const double s = m[k].s - force->rest[k];
    if (mbs_is_one_sided(law)) {
      const double F = mbs_elastic_static_jet(law, s, law->mode).value;
      potential += law->is_strand ? F * F / (2 * law->stiffness) : F * s / (law->exponent + 1);
    } else if (law->nonlinear.value == NULL)
      potential += law->stiffness * s * s / 2;
    else {
      const double period = law->nonlinear.period;
      const double n = period > 0 ? trunc((s - law->zero) / period) : 0;
      const double within_period = work_of_way(law, s - n * period);
      potential += n != 0 ? n * work_of_way(law, law->zero + period) + within_period : within_period;
    }
  }
  return potential;
}
