/* An elastic element pulls with a force F(s, v) along each of its coordinates. The stretch s is the coordinate less its
 * rest value, v = J q̇ its rate. Q is the load on the bodies, V the potential. Each Σ is a sum over the coordinates.
 * J = ∂s/∂q, H = ∂²s/∂q², F_s = ∂F/∂s, F_v = ∂F/∂v:
 *
 *   Q       = - Σ F Jᵀ
 *   ∂Q/∂q   = - Σ Jᵀ (F_s J + F_v J̇) + F H        ∂Q/∂v = - Σ F_v Jᵀ J
 *   V       =   Σ ∫ F(σ, 0) dσ, from 0 to s         P_dissipated = Σ (F(s, v) - F(s, 0)) v
 *
 * A positive F pulls the bodies together. Linear law with stiffness k and damping c: F = k s + c v, V = k s²/2,
 * P_dissipated = c v². Strand: V = T²/(2 k), T = F(s, 0). Contact with the exponent n: V = k δ^(n+1)/(n + 1), δ = -s.
 * If F(0, 0) is not finite, as for F = 1/s², V is zero at the initial s. For a periodic law, the work over n periods is
 * n times the work over one, so no other whole periods are integrated. The value u of a law of quantities is
 * added to F in Q. It has no potential: its power -u v counts as driven. */
#include "mbs/model/elastic.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "mbs/model/forces/along.h"
#include "mbs/model/workspace.h"
#include "mbs/thresholds.h"

/* Returns the value of the element's law of quantities; 0 if it has no such law. */
static double law_value(const mbs_force *force, const double *z) { return force->law[0] >= 0 ? *z : 0; }

/* depth: for a strand its tension without damping, N; for a contact its penetration, m or rad. damped: for a strand its
 * tension with damping, N; for a contact the factor 1 - c v of its force. The law acts where both are positive. */
typedef struct closing {
  double depth, damped;
} closing;

static closing closing_of(const mbs_elastic_law *law, double s, double v) {
  if (law->exponent > 0)
    return (closing){-s, 1 - law->damping * v};
  const double depth = law->preload + law->stiffness * s;
  return (closing){depth, depth + law->damping * v};
}

mbs_one_sided_mode mbs_elastic_mode(const mbs_elastic_law *law, double s, double v) {
  const closing at = closing_of(law, s, v);
  if (!(at.depth > 0))
    return MBS_OPEN;
  return at.damped > 0 ? MBS_CLOSED : MBS_RELEASED;
}

double mbs_elastic_margin(const mbs_elastic_law *law, mbs_one_sided_mode mode, double s, double v) {
  const closing at = closing_of(law, s, v);
  if (mode == MBS_OPEN)
    return -at.depth;
  return fmin(at.depth, mode == MBS_CLOSED ? at.damped : -at.damped);
}

static bool is_closed(const mbs_elastic_law *law, double s, double v, mbs_one_sided_mode mode) {
  return (mode == MBS_BY_MOTION ? mbs_elastic_mode(law, s, v) : mode) == MBS_CLOSED;
}

/* Returns the force F = -k δ^n (1 - c v) of a closed contact, δ = -s. At s > 0 the mode may still be closed, just
 * before the switch to open. There the force pulls: F = -k |δ|^(n-1) δ φ(1 - c v). With w = 1/10, φ(x) = x for x > w,
 * and φ(x) = w²/(2 w - x) > 0 for other x. A negative factor in place of φ would push the bodies apart ever faster. */
static seam_jet contact_jet(const mbs_elastic_law *law, double s, double v) {
  const double w = mbs_least_factor;
  const double n = law->exponent;
  const double damped = 1 - law->damping * v;
  const bool is_limited = s > 0 && damped < w;
  const double factor = is_limited ? w * w / (2 * w - damped) : damped;
  const double change = is_limited ? factor * factor / (w * w) : 1;
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

/* At v = 0 damping has no effect, so the mode released, which only damping causes, counts as closed. */
seam_jet mbs_elastic_static_jet(const mbs_elastic_law *law, double s, mbs_one_sided_mode mode) {
  return mbs_elastic_jet(law, s, 0, mode == MBS_RELEASED ? MBS_CLOSED : mode);
}

void mbs_elastic_load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                      mbs_power *power) {
  (void)t;
  mbs_relative_coordinate m[3];
  force->type->find_coordinates(force, pair, m);
  memset(Q, 0, 6 * sizeof *Q);
  const double u = law_value(force, z);
  for (int k = 0; k < force->type->n_coordinates; k++) {
    const mbs_elastic_law *law = &force->elastic[k];
    const double s = m[k].s - force->rest[k];
    const double v = mbs_relative_rate(&m[k], pair);
    double F = law->stiffness * s + law->damping * v;
    double dissipated = law->damping * v * v;
    if (mbs_is_one_sided(law)) {
      const mbs_one_sided_mode mode = mbs_mode_along(force, z, k);
      F = mbs_elastic_jet(law, s, v, mode).value;
      dissipated = (F - mbs_elastic_static_jet(law, s, mode).value) * v;
    } else if (law->nonlinear.value != NULL) {
      F = law->nonlinear.value(law->nonlinear.data, (double[2]){s, v});
      dissipated = (F - law->nonlinear.value(law->nonlinear.data, (double[2]){s, 0})) * v;
    }
    for (int i = 0; i < 6; i++)
      Q[i] -= (u + F) * m[k].J[i];
    power->dissipated += dissipated;
    power->driven -= u * v;
  }
}

void mbs_elastic_derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z,
                             double Kq[restrict 6][6], double Kv[restrict 6][6]) {
  mbs_relative_coordinate m[3];
  mbs_curvature c[3];
  force->type->find_coordinates(force, pair, m);
  force->type->curvature(force, pair, c);
  mbs_no_derivatives(force, pair, t, z, Kq, Kv);
  const double u = law_value(force, z);
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

void mbs_elastic_unit_load(const mbs_force *force, const mbs_pair *pair, int component, const double *z,
                           double unit_load[6]) {
  (void)component, (void)z;
  mbs_relative_coordinate m;
  force->type->find_coordinates(force, pair, &m);
  for (int i = 0; i < 6; i++)
    unit_load[i] = -m.J[i];
}

/* Data for the work ∫ F(σ, 0) dσ. It is found by a quadrature rule with 13 points and checked by one with 7 of these
 * points. Since laws may have jumps, an interval is halved until both rules agree. Both extend Lobatto's rule with 4
 * points [Gander-Gautschi]. They have points at both ends, so they notice a jump of F just before the end. Each
 * integral begins at a corner (kink) of the law, and σ = from + range u² with u from 0 to 1. So a square root of the
 * distance to this corner becomes a polynomial in u. */
typedef struct integral {
  const mbs_elastic_law *law;
  double from, range;
  double size; /* largest work of |F| in an interval so far, J */
  int budget;  /* number of halvings left; without this limit the intervals of a law that decays to zero would be halved
                  without end */
} integral;

/* Returns F dσ/du. */
static double force_along(const integral *of, double u) {
  const seam_law *law = &of->law->nonlinear;
  return law->value(law->data, (double[2]){of->from + of->range * u * u, 0}) * of->range * 2 * u;
}

/* Returns the work, J, between u = from and u = to. Halves the interval at most `depth` times, and at least `least`
 * times: on a long interval the two rules may agree by chance. */
static double work_between(integral *of, double from, double to, int depth, int least) {
  static const struct {
    double node, with_13, with_7;
  } rule[] = {{1, 0.01582719197348018309, 11.0 / 210},
              {0.94288241569547971906, 0.09427384021885004553, 0},
              {0.81649658092772603273, 0.15507198733658539625, 72.0 / 245},
              {0.64185334234578130578, 0.18882157396018245442, 0},
              {0.44721359549995793928, 0.19977340522685852679, 125.0 / 294},
              {0.23638319966214988028, 0.22492646533333952702, 0}};
  const double middle = (from + to) / 2;
  const double half = (to - from) / 2;
  const double at_middle = force_along(of, middle);
  double with_13 = 0.24261107190140773380 * at_middle;
  double with_7 = 16.0 / 35 * at_middle;
  double size = fabs(with_13); /* work of |F| */
  for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
    const double left = force_along(of, middle - rule[i].node * half);
    const double right = force_along(of, middle + rule[i].node * half);
    with_13 += rule[i].with_13 * (left + right);
    size += rule[i].with_13 * (fabs(left) + fabs(right));
    with_7 += rule[i].with_7 * (left + right);
  }
  size *= half;
  of->size = fmax(of->size, size);
  const double allowed = fmax(mbs_work_agrees * size, fmax(mbs_negligible_work * of->size, DBL_MIN));
  const bool agree = !(half * fabs(with_13 - with_7) > allowed);
  if (depth == 0 || of->budget-- <= 0 || (agree && least <= 0))
    return half * with_13;
  return work_between(of, from, middle, depth - 1, least - 1) + work_between(of, middle, to, depth - 1, least - 1);
}

/* Returns the stretch at the first corner (kink) of the law between s and `to`; `to`: there is none. Extrapolates the
 * arguments of conditions and tables in the law (seam_corner) linearly from s. */
static double next_corner(const mbs_elastic_law *law, double s, double to) {
  enum { MOST = 64 };
  seam_corner corner[MOST];
  const double direction = to > s ? 1 : -1;
  double range = fabs(to - s);
  if (law->nonlinear.n_corners == 0 || law->nonlinear.n_corners > MOST)
    return to;
  law->nonlinear.corners(law->nonlinear.data, (double[2]){s, 0}, (double[2]){direction, 0}, corner);
  for (size_t i = 0; i < law->nonlinear.n_corners; i++) {
    const seam_corner *at = &corner[i];
    const double left = at->rate > 0 ? at->above - at->value : at->rate < 0 ? at->value - at->below : INFINITY;
    if (left > at->noise)
      range = fmin(range, (left + 2 * at->noise) / fabs(at->rate));
  }
  return range < fabs(to - s) ? s + direction * range : to;
}

/* Returns the work, J, of the force from the stretch law->zero to `to`. Integrates from corner to corner of the law: a
 * narrow zone may lie between two points of a rule. */
static double work_to(const mbs_elastic_law *law, double to) {
  enum { least = 1 };
  integral of = {.law = law, .from = law->zero, .budget = MBS_MAX_WORK_HALVINGS};
  double work = 0;
  if (isnan(to))
    return NAN;
  for (int i = 0; of.from != to; i++) {
    const double end = i < MBS_MAX_WORK_CORNERS ? next_corner(law, of.from, to) : to;
    of.range = end - of.from;
    work += work_between(&of, 0, 1, MBS_MAX_WORK_DEPTH, least);
    of.from = end;
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
      const double within_period = work_to(law, s - n * period);
      potential += n != 0 ? n * work_to(law, law->zero + period) + within_period : within_period;
    }
  }
  return potential;
}

/* ---- Modes ---- */

/* Modes of one-sided elastic laws F(s, v) of contacts and strands, with the stretch s and its rate v. Each law has a
 * depth e, and a factor (contact) or force (strand) h, with stiffness k, damping c and preload T°:
 *
 *   contact  e = -s          h = 1 - c v
 *   strand   e = T° + k s    h = T° + k s + c v
 *
 * The law acts where e > 0 and h > 0. A mode ends when one of the conditions in its line is met; the next mode stands
 * after the colon:
 *
 *   open      e > 0: closed
 *   closed    e < 0: open (contacts);  h < 0: released, or open if e <= 0
 *   released  e < 0: open;  h > 0: closed */

enum { OF_EXCESS, OF_FACTOR, N_FUNCTIONS };

/* Motion of a coordinate, with e and h and their rates; a rate is NaN if it needs an acceleration. */
typedef struct sides {
  double s, v;
  mbs_switch e, h;
} sides;

/* Finds the sides of each coordinate; returns the number of coordinates. The round-off of s is proportional to the
 * scale of length, or to 1 for angles. */
static int find_sides(const mbs_workspace *ws, const mbs_force *force, sides of[3]) {
  const double noise = mbs_stretch_noise * (mbs_is_angle_stop(force) ? 1 : ws->model->scales.length);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_relative_coordinate m[3];
  force->type->find_coordinates(force, &pair, m);
  for (int k = 0; k < force->type->n_coordinates; k++) {
    const mbs_elastic_law *law = &force->elastic[k];
    const double s = m[k].s - force->rest[k];
    const double v = mbs_relative_rate(&m[k], &pair);
    const closing at = closing_of(law, s, v);
    const double e_rate = law->is_strand ? law->stiffness * v : -v;
    const double h_rate = law->damping != 0 ? NAN : law->is_strand ? e_rate : 0;
    const double of_e = law->is_strand ? noise * law->stiffness : noise;
    const double of_h = law->is_strand ? of_e : mbs_stretch_noise; /* h = 1 - c v of a contact */
    of[k] = (sides){s, v, {at.depth, e_rate, of_e}, {at.damped, h_rate, of_h}};
  }
  return force->type->n_coordinates;
}

static mbs_switch opposite(mbs_switch f) { return (mbs_switch){-f.value, -f.rate, f.noise}; }

static void read(const mbs_workspace *ws, const mbs_state *state, int element, mbs_switch *f) {
  const mbs_force *force = &ws->model->forces[element];
  sides of[3];
  const int n = find_sides(ws, force, of);
  for (int k = 0; k < n; k++) {
    const mbs_elastic_law *law = &force->elastic[k];
    const mbs_one_sided_mode mode = mbs_mode_along_in(force, state, k);
    f[N_FUNCTIONS * k + OF_EXCESS] = mode == MBS_OPEN                       ? opposite(of[k].e)
                                     : mode == MBS_CLOSED && law->is_strand ? mbs_no_switch
                                                                            : of[k].e;
    f[N_FUNCTIONS * k + OF_FACTOR] = mode == MBS_RELEASED                                         ? opposite(of[k].h)
                                     : mode == MBS_CLOSED && (law->is_strand || law->damping > 0) ? of[k].h
                                                                                                  : mbs_no_switch;
  }
}

static void enter(const mbs_workspace *ws, int element, mbs_state *state) {
  const mbs_force *force = &ws->model->forces[element];
  sides of[3];
  const int n = find_sides(ws, force, of);
  for (int k = 0; k < n; k++)
    state->z[force->state + k] = mbs_elastic_mode(&force->elastic[k], of[k].s, of[k].v);
}

static void pass(const mbs_workspace *ws, int element, int number, mbs_state *state) {
  const mbs_force *force = &ws->model->forces[element];
  const int k = number / N_FUNCTIONS;
  const mbs_elastic_law *law = &force->elastic[k];
  sides of[3];
  find_sides(ws, force, of);
  const mbs_one_sided_mode mode = mbs_mode_along_in(force, state, k);
  const bool of_factor = number % N_FUNCTIONS == OF_FACTOR;
  /* a strand without damping has e = h: at their common zero it opens, even if e is positive by round-off */
  const bool is_released = of_factor && of[k].e.value > 0 && !(law->is_strand && law->damping == 0);
  const bool is_closed = mode == MBS_OPEN || (mode == MBS_RELEASED && of_factor);
  state->z[force->state + k] = is_closed ? MBS_CLOSED : is_released ? MBS_RELEASED : MBS_OPEN;
}

const mbs_switches mbs_one_sided = {.n_modes = 1, .n = N_FUNCTIONS, .read = read, .enter = enter, .pass = pass};
const mbs_switches mbs_two_sided = {.n_modes = 2, .n = 2 * N_FUNCTIONS, .read = read, .enter = enter, .pass = pass};
