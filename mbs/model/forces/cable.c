/* Cables: their path, and the elastic and the hard cable on it. The path goes through the places 0 ... n: points and
 * discs on any number of bodies. Between two places it is straight, along their common tangent. A disc of radius r on
 * the left of the cable has ρ = r, a disc on its right ρ = -r, a point ρ = 0. d and θ are the distance and direction
 * from the centre of place i to that of place j. With δ = ρ_j - ρ_i the span between them has
 *
 *   the length  w = √(d² - δ²)     the direction  ψ = θ - asin(δ/d)     its rate  ψ̇ = θ̇ + δ ḋ/(d w)
 *
 * A disc between two spans carries an arc of the angle α, with the length |ρ| α = ρ (ψ_after - ψ_before). A disc at an
 * end of the cable winds it up; φ is the angle of the disc's body. The length of the path
 *
 *   L = Σ w + Σ |ρ| α + ρ_0 (ψ_first - φ_0) + ρ_n (φ_n - ψ_last) + const
 *     = Σ (w - (ρ_j - ρ_i) ψ) - ρ_0 φ_0 + ρ_n φ_n + const
 *
 * is a sum over the spans of functions s of two bodies' poses, as for a strand of a belt (mbs_strand_coordinates()).
 *
 * The cable touches a disc where α >= 0. When α falls to 0, the cable leaves the disc: it is straight from the touched
 * place before the disc to the touched place after it. α is then the angle that an arc on the disc would have. When α
 * rises to 0, the cable touches the disc again. At α = 0 both paths are the same line: L and its gradient are
 * continuous, but H = ∂²L/∂q² jumps. So discs have modes, and zeros of switching functions end the modes. Each mode is
 * a sector of α, so full revolutions are counted. In the modes far and near the disc is not touched:
 *
 *   far   -2π ... -5π/4     near   -5π/4 ... 0     touched   (0 ... 5π/4) + k 5π/4,  k = 0, 1, ...
 *
 * At -2π the straight cable reaches the disc from its other side. It cannot lie there, so the mode becomes near. If the
 * mode of a disc is not known, α is taken between -π/2 and 3π/2. */
#include "mbs/model/cable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "mbs/model/elastic.h"
#include "mbs/model/forces/hard_contact.h"
#include "mbs/model/workspace.h"
#include "mbs/thresholds.h"

static const double pi = 3.14159265358979323846;

/* ---- A span ---- */

static bool is_end(const mbs_force *span, int side) {
  return side == 0 ? span->place[0] == 0 : span->place[1] == span->cable->n_places - 1;
}

/* A cable slides over a disc between two spans, so s does not depend on the angle of such a disc. */
void mbs_cable_coordinate(const mbs_force *span, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_coordinate mesh;
  mbs_relative_mesh(pair, span->radius, 0, &mesh);
  for (int side = 0; side < 2; side++) {
    if (is_end(span, side))
      continue;
    const double carried = side == 0 ? -span->radius[0] : span->radius[1];
    mesh.s -= carried * pair->frame[side]->phi;
    mesh.J[3 * side + 2] -= carried;
  }
  mbs_strand_coordinates(pair, span->radius, &mesh, 1, s);
}

void mbs_cable_curvature(const mbs_force *span, const mbs_pair *pair, mbs_curvature *c) {
  mbs_strand_curvatures(pair, span->radius, 1, c);
}

typedef struct tangent {
  double length, direction, turning;
} tangent;

static tangent tangent_of(const mbs_force *span, const mbs_frame *frames) {
  const mbs_pair pair = mbs_force_pair(span, frames);
  mbs_relative_coordinate gap[2];
  mbs_relative_gap(&pair, gap);
  const mbs_vector d = {gap[0].s, gap[1].s};
  const mbs_vector rate = {mbs_relative_rate(&gap[0], &pair), mbs_relative_rate(&gap[1], &pair)};
  const double carried = span->radius[1] - span->radius[0];
  const double distance = hypot(d.x, d.y);
  const double length = sqrt((distance - carried) * (distance + carried));
  return (tangent){length, atan2(d.y, d.x) - asin(carried / distance),
                   (mbs_cross(d, rate) + carried * mbs_dot(d, rate) / length) / (distance * distance)};
}

const mbs_force *mbs_cable_span(const mbs_force *first, int from, int to) {
  if (to == from + 1)
    return &first[from];
  for (int k = first->cable->n_places - 1; k < first->cable->n_spans; k++)
    if (first[k].place[0] == from && first[k].place[1] == to)
      return &first[k];
  return NULL;
}

/* ---- A disc between two spans ---- */

enum { BY_MOTION, FAR, NEAR, TOUCHED };
static const double sector = 1.25 * 3.14159265358979323846;

static int mode_of(const mbs_force *disc, const double *z) {
  return z != NULL && disc->has_modes ? (int)(z[disc->state] + 0.5) : BY_MOTION;
}

static double lower_end(int mode) {
  return mode == FAR ? -2 * pi : mode == BY_MOTION ? -pi / 2 : (mode - TOUCHED) * sector;
}
static double upper_end(int mode) {
  return mode == BY_MOTION ? 1.5 * pi : mode == FAR ? -sector : (mode - NEAR) * sector;
}

/* Angle α of the arc on a disc between two spans, in the full turn around the middle of its mode's sector; its rate. */
typedef struct wrap {
  double angle, rate;
} wrap;

static wrap wrap_between(double radius, const tangent *before, const tangent *after, int mode) {
  const double sense = radius < 0 ? -1 : 1;
  const double angle = sense * (after->direction - before->direction);
  const double middle = (lower_end(mode) + upper_end(mode)) / 2;
  return (wrap){remainder(angle - middle, 2 * pi) + middle, sense * (after->turning - before->turning)};
}

int mbs_cable_next(const mbs_cable *cable, uint64_t touched, int place) {
  do
    place++;
  while (place < cable->n_places && !(touched >> place & 1));
  return place;
}

/* Returns α of the disc at a place, in its mode, and the rate of α. A disc that is not touched gets the values of the
 * arc that would be on it. */
static wrap wrap_at(const mbs_force *first, const mbs_frame *frames, uint64_t touched, int place, int mode) {
  int before = place - 1;
  while (!(touched >> before & 1))
    before--;
  const tangent to = tangent_of(mbs_cable_span(first, before, place), frames);
  const tangent from = tangent_of(mbs_cable_span(first, place, mbs_cable_next(first->cable, touched, place)), frames);
  return wrap_between(first[place].radius[0], &to, &from, mode);
}

/* ---- The path ---- */

/* Returns the touched places, as bits, if the modes of some discs are not known; `free` has the bits of these discs.
 * Starts from `touched`. Each round removes a touched disc with α < 0 or adds another disc with α > 0. Ends when
 * nothing changes, after 2 n_places rounds at most. */
static uint64_t iterate_touched(const mbs_force *first, const mbs_frame *frames, uint64_t touched, uint64_t free) {
  const int n = first->cable->n_places;
  bool changes = true;
  for (int round = 0; round < 2 * n && changes; round++) {
    changes = false;
    for (int k = 1; k < n - 1 && !changes; k++) {
      if (!(free >> k & 1))
        continue;
      const bool touches = touched >> k & 1;
      const double angle = wrap_at(first, frames, touched, k, BY_MOTION).angle;
      changes = touches ? angle < -mbs_wrapped_at_least : angle > mbs_wrapped_at_least;
      if (changes)
        touched ^= (uint64_t)1 << k;
    }
  }
  return touched;
}

uint64_t mbs_cable_touched(const mbs_force *first, const mbs_frame *frames, const double *z) {
  uint64_t touched = 0;
  uint64_t free = 0;
  for (int k = 0; k < first->cable->n_places; k++) {
    const bool may_leave = k > 0 && k < first->cable->n_places - 1 && first[k].radius[0] != 0;
    const int mode = may_leave ? mode_of(&first[k], z) : TOUCHED;
    free |= (uint64_t)(mode == BY_MOTION) << k;
    touched |= (uint64_t)(mode == BY_MOTION || mode >= TOUCHED) << k;
  }
  return free == 0 ? touched : iterate_touched(first, frames, touched, free);
}

bool mbs_cable_has(const mbs_force *span, const mbs_frame *frames, const double *z) {
  const mbs_force *first = span - span->span;
  const uint64_t touched = mbs_cable_touched(first, frames, z);
  return touched >> span->place[0] & 1 && mbs_cable_next(span->cable, touched, span->place[0]) == span->place[1];
}

/* Returns the change of ρ (ψ - φ) since the initial configuration, m, for the disc at an end (0 or 1). ρ is its signed
 * radius, ψ the direction of the span, φ the angle of the body. NaN: ψ has changed by more than 135°. */
static double wound_length(const mbs_cable *cable, int end, double radius, double direction, double angle) {
  static const double farthest = 0.75 * 3.14159265358979323846;
  const double direction_change = remainder(direction - cable->direction[end], 2 * pi);
  return radius == 0                         ? 0
         : fabs(direction_change) > farthest ? NAN
                                             : radius * (direction_change - (angle - cable->angle[end]));
}

mbs_cable_length mbs_cable_length_of(const mbs_force *first, const mbs_frame *frames, const double *z) {
  const mbs_cable *cable = first->cable;
  const uint64_t touched = mbs_cable_touched(first, frames, z);
  mbs_cable_length path = {0};
  tangent before = {0};
  for (int k = 0, next; k < cable->n_places - 1; k = next) {
    next = mbs_cable_next(cable, touched, k);
    const mbs_force *span = mbs_cable_span(first, k, next);
    const mbs_pair pair = mbs_force_pair(span, frames);
    const tangent at = tangent_of(span, frames);
    mbs_relative_coordinate s;
    mbs_cable_coordinate(span, &pair, &s);
    path.length += at.length;
    if (k == 0)
      path.length += wound_length(cable, 0, span->radius[0], at.direction, pair.frame[0]->phi);
    else if (span->radius[0] != 0)
      path.length += fabs(span->radius[0]) * wrap_between(span->radius[0], &before, &at, mode_of(&first[k], z)).angle;
    if (next == cable->n_places - 1)
      path.length -= wound_length(cable, 1, span->radius[1], at.direction, pair.frame[1]->phi);
    path.rate += mbs_relative_rate(&s, &pair);
    before = at;
  }
  return path;
}

seam_jet mbs_cable_free_length(const mbs_cable *cable, double t) {
  seam_jet rest = {.value = cable->rest};
  if (cable->length.value != NULL)
    cable->length.jet(cable->length.data, (double[2]){t, 0}, &rest);
  return rest;
}

mbs_cable_slack mbs_cable_slack_of(const mbs_force *first, const mbs_frame *frames, const double *z, double t) {
  const mbs_cable_length path = mbs_cable_length_of(first, frames, z);
  const seam_jet rest = mbs_cable_free_length(first->cable, t);
  return (mbs_cable_slack){rest.value - path.length, rest.d[0] - path.rate, rest.d[0], rest.dd[0]};
}

void mbs_cable_set_reference(mbs_cable *cable, const mbs_force *first, const mbs_frame *frames) {
  const uint64_t touched = mbs_cable_touched(first, frames, NULL);
  for (int k = 0, next; k < cable->n_places - 1; k = next) {
    next = mbs_cable_next(cable, touched, k);
    const mbs_force *span = mbs_cable_span(first, k, next);
    for (int end = 0; end < 2; end++)
      if (is_end(span, end)) {
        cable->direction[end] = tangent_of(span, frames).direction;
        cable->angle[end] = frames[span->frame[end]].phi;
      }
  }
}

/* ---- Modes of discs ---- */

static void read_wrap(const mbs_workspace *ws, const mbs_state *state, int element, mbs_switch *f) {
  const mbs_force *disc = &ws->model->forces[element];
  const mbs_force *first = disc - disc->span;
  const int mode = mode_of(disc, state->z);
  const uint64_t touched = mbs_cable_touched(first, ws->frames, state->z);
  const wrap at = wrap_at(first, ws->frames, touched, disc->place[0], mode);
  f[0] = (mbs_switch){at.angle - lower_end(mode), at.rate, mbs_stretch_noise};
  f[1] = (mbs_switch){upper_end(mode) - at.angle, -at.rate, mbs_stretch_noise};
  if (!isfinite(at.angle)) /* an end of the cable is inside of the disc */
    f[0] = f[1] = mbs_no_switch;
}

static void enter_mode(const mbs_workspace *ws, int element, mbs_state *state) {
  const mbs_force *disc = &ws->model->forces[element];
  const mbs_force *first = disc - disc->span;
  double *mode = &state->z[disc->state];
  *mode = BY_MOTION;
  const uint64_t touched = mbs_cable_touched(first, ws->frames, state->z);
  const double angle = wrap_at(first, ws->frames, touched, disc->place[0], BY_MOTION).angle;
  *mode = touched >> disc->place[0] & 1 ? TOUCHED + (angle > sector) : NEAR;
}

static void pass_mode(const mbs_workspace *ws, int element, int number, mbs_state *state) {
  double *mode = &state->z[ws->model->forces[element].state];
  if (number == 1)
    *mode += 1;
  else
    *mode = *mode == FAR ? NEAR : *mode - 1;
}

static const mbs_switches disc_switches = {
    .n_modes = 1, .n = 2, .read = read_wrap, .enter = enter_mode, .pass = pass_mode};

/* ---- Elastic cable ---- */

/* There is no friction, so the tension T is the same along the cable. With the free length L°, s = L - L°, stiffness k
 * and damping c, T = max(0, k s + c ṡ) where s > 0, else 0: the law of a strand (elastic.c). V is the potential. L is
 * the sum of functions s_i of the spans in the path. Span i, with J_i = ∂s_i/∂q, H_i = ∂²s_i/∂q², T_s = ∂T/∂s and
 * T_ṡ = ∂T/∂ṡ, has the load Q_i:
 *
 *   Q_i = -T J_iᵀ      ∂Q_i/∂q = -T H_i - J_iᵀ T_s ∂s/∂q - J_iᵀ T_ṡ ∂ṡ/∂q      ∂Q_i/∂v = -J_iᵀ T_ṡ ∂ṡ/∂v
 *   V = k s²/2         P_dissipated = (T(s, ṡ) - T(s, 0)) ṡ                   P_driven = -T L°'
 *
 * T depends on the total L and L̇. So the force of each span depends on the motion of all bodies that the cable touches.
 * A span that is not in the path has no tension. */

/* Returns the tension, with its derivatives, from the law that all spans of the cable share. */
static seam_jet tension(const mbs_force *span, const double stretch[2]) {
  if (isinf(stretch[0])) /* the span is not in the path */
    return (seam_jet){0};
  const mbs_elastic_law law = {.stiffness = span->elastic[0].stiffness,
                               .damping = span->elastic[0].damping,
                               .is_strand = !span->cable->is_two_sided};
  return mbs_elastic_jet(&law, stretch[0], stretch[1], MBS_BY_MOTION);
}

/* At zero tension, s of the span is not computed: its discs may have no common tangent. */
static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)t;
  const double T = tension(force, z).value;
  memset(Q, 0, 6 * sizeof *Q);
  if (T != 0) {
    mbs_relative_coordinate s;
    mbs_cable_coordinate(force, pair, &s);
    for (int i = 0; i < 6; i++)
      Q[i] = -T * s.J[i];
    power->driven -= T * mbs_relative_rate(&s, pair);
  }
  if (force->place[0] > 0 || isinf(z[0])) /* the first span of the path adds the power of all spans */
    return;
  power->driven += T * z[1];
  power->dissipated += (T - mbs_elastic_static_jet(&force->cable->law, z[0], MBS_BY_MOTION).value) * z[1];
}

static void derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                        double Kv[6][6]) {
  const double T = tension(force, z).value;
  mbs_curvature c;
  mbs_no_derivatives(force, pair, t, z, Kq, Kv);
  if (T == 0)
    return;
  mbs_cable_curvature(force, pair, &c);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      Kq[i][j] = -T * c.H[i][j];
}

static void unit_load(const mbs_force *force, const mbs_pair *pair, int component, const double *z,
                      double unit_load[6]) {
  const double slope = tension(force, z).d[component];
  mbs_relative_coordinate s;
  memset(unit_load, 0, 6 * sizeof *unit_load);
  if (slope == 0)
    return;
  mbs_cable_coordinate(force, pair, &s);
  for (int i = 0; i < 6; i++)
    unit_load[i] = -slope * s.J[i];
}

void mbs_cable_stretch(const mbs_cable *cable, mbs_cable_length path, double t, double stretch[2]) {
  const seam_jet rest = mbs_cable_free_length(cable, t);
  stretch[0] = path.length - rest.value;
  stretch[1] = path.rate - rest.d[0];
}

double mbs_cable_potential(const mbs_force *first, const mbs_frame *frames, const double *z, double t) {
  const mbs_cable *cable = first->cable;
  double stretch[2];
  if (cable == NULL || cable->is_hard || first->span > 0)
    return 0;
  mbs_cable_stretch(cable, mbs_cable_length_of(first, frames, z), t, stretch);
  const double T = mbs_elastic_static_jet(&cable->law, stretch[0], MBS_BY_MOTION).value;
  return T * T / (2 * cable->law.stiffness);
}

/* Functions for mbs_cable_function(). x has t, L and the rate of L; dx has changes of these. */

static double stretch_of(const void *data, const double *x) { return x[1] - mbs_cable_free_length(data, x[0]).value; }
static double rate_of(const void *data, const double *x) { return x[2] - mbs_cable_free_length(data, x[0]).d[0]; }

static double stretch_change(const void *data, const double *x, const double *dx) {
  return dx[1] - mbs_cable_free_length(data, x[0]).d[0] * dx[0];
}
static double rate_change(const void *data, const double *x, const double *dx) {
  return dx[2] - mbs_cable_free_length(data, x[0]).dd[0] * dx[0];
}

static seam_corner corner_at(double value, double rate, double noise) {
  const bool is_above = value > 0 || (value == 0 && rate > 0);
  return (seam_corner){.value = value,
                       .rate = rate,
                       .noise = noise,
                       .below = is_above ? 0 : -INFINITY,
                       .above = is_above ? INFINITY : 0,
                       .resolve = INFINITY,
                       .is_single = true};
}

/* Finds the corners (kinks) of the law: where the cable becomes taut or slack and, with damping, where damping cancels
 * the tension. */
static void corners(const void *data, const double *x, const double *dx, seam_corner *at) {
  const mbs_cable *cable = data;
  const mbs_elastic_law *law = &cable->law;
  const double noise = mbs_stretch_noise * x[1];
  const double s[2] = {stretch_of(data, x), rate_of(data, x)};
  const double ds[2] = {stretch_change(data, x, dx), rate_change(data, x, dx)};
  at[0] = corner_at(s[0], ds[0], noise);
  if (law->damping > 0)
    at[1] = corner_at(law->stiffness * s[0] + law->damping * s[1], law->stiffness * ds[0] + law->damping * ds[1],
                      law->stiffness * noise);
}

mbs_function mbs_cable_function(mbs_cable *cable, int component) {
  if (component == 1)
    return (mbs_function){.value = rate_of, .change = rate_change, .data = cable};
  return (mbs_function){.value = stretch_of,
                        .change = stretch_change,
                        .destroy = free,
                        .data = cable,
                        .corners = corners,
                        .n_corners = cable->is_hard           ? 0
                                     : cable->law.damping > 0 ? 2
                                                              : 1};
}

static seam_status check(const mbs_force_def *def, seam_error *error) {
  if (def->contact.is_hard)
    TRY(mbs_hard_check(def, "cable", error));
  if (def->cable.two_sided && !def->contact.is_hard)
    return seam_fail(error, SEAM_BAD_INPUT, "cable '%s' has 'two_sided', which only a hard cable takes: set 'hard'",
                     def->name);
  if (def->cable.at == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "cable '%s' has no places: give one on each of its bodies", def->name);
  if (!def->contact.is_hard && !(def->stiffness[0] > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "cable '%s': its stiffness must be positive", def->name);
  if (def->law_is_state_dependent)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "cable '%s': the law of its length depends on quantities: write a law of time, or wind the cable "
                     "on a disc of a rotating body",
                     def->name);
  for (size_t i = 0; i < def->n_bodies && def->cable.radii != NULL; i++)
    if (!isfinite(def->cable.radii[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "cable '%s': the radii of its discs must be finite", def->name);
  return SEAM_OK;
}

#define PATH                                                                                                           \
  .find_coordinates = mbs_cable_coordinate, .curvature = mbs_cable_curvature,                                          \
  .not_finite = "two of its discs or places meet, or its direction has turned about one that it is wound on by more "  \
                "than 135 degrees since the start: keep them apart, or turn the cable less"
#define CABLE                                                                                                          \
  .min_bodies = 2, .max_bodies = MBS_MAX_CABLE_PLACES, .has_markers = true, .may_have_law = true, .load = load,        \
  .derivatives = derivatives, .unit_load = unit_load, .n_laws = MBS_CABLE_LAWS, .check = check, .n_coordinates = 1,    \
  PATH

const mbs_force_type mbs_force_cable = {CABLE};
const mbs_force_type mbs_cable_from_disc = {CABLE, .switches = &disc_switches};

/* ---- Hard cable ---- */

/* A hard cable does not stretch. It is a hard contact without friction (mbs/model/unilateral.h) with the gap
 *
 *   g = L° - L        N = -∂L/∂q        ġ = N v + L°'        g̈ = N a - vᵀ ∂²L/∂q² v + L°''
 *
 * The normal force is the tension T. The row N has entries for the bodies of all spans: the first span's element is the
 * contact, the other elements add their entries to its row. A winch, which changes L°, supplies the power -T L°'. A
 * two-sided cable keeps g = 0 with a tension of either sign: it is a contact that is always closed. */

void mbs_cable_row(const mbs_force *span, const mbs_frame *frames, const double *z, mbs_relative_coordinate *row,
                   mbs_curvature *c) {
  const mbs_pair pair = mbs_force_pair(span, frames);
  memset(row, 0, sizeof *row);
  if (c != NULL)
    memset(c, 0, sizeof *c);
  if (!mbs_cable_has(span, frames, z))
    return;
  mbs_cable_coordinate(span, &pair, row);
  mbs_scale_coordinate(-1, row);
  if (c == NULL)
    return;
  mbs_cable_curvature(span, &pair, c);
  mbs_scale_curvature(-1, c);
}

#define HARD PATH, .compliant = &mbs_force_cable
#define SPAN HARD, .load = mbs_hard_load, .derivatives = mbs_no_derivatives, .n_coordinates = 1
const mbs_force_type mbs_hard_cable = {MBS_HARD, HARD};
const mbs_force_type mbs_hard_cable_span = {SPAN};
const mbs_force_type mbs_hard_cable_from_disc = {SPAN, .switches = &disc_switches};
