/* The path of a cable through its places 0 ... n: points and discs on any number of bodies. Between two places it is
 * straight, along their common tangent. A disc of radius r on the left of the cable has ρ = r, a disc on its right ρ =
 * -r, a point ρ = 0. With the distance d and direction θ from the centre of place i to that of place j, and δ = ρ_j -
 * ρ_i, the span between them has
 *
 *   the length  w = √(d² - δ²)     the direction  ψ = θ - asin(δ/d)     its rate  ψ̇ = θ̇ + δ ḋ/(d w)
 *
 * A disc between two spans carries an arc of the angle α and the length |ρ| α = ρ (ψ_after - ψ_before), with ψ of the
 * spans after and before it. A disc at an end of the cable winds it up; φ is the angle of the disc's body. The length
 * of the path
 *
 *   L = Σ w + Σ |ρ| α + ρ_0 (ψ_first - φ_0) + ρ_n (φ_n - ψ_last) + const
 *     = Σ (w - (ρ_j - ρ_i) ψ) - ρ_0 φ_0 + ρ_n φ_n + const
 *
 * is a sum over the spans of functions s of the poses of two bodies, as for the strand of a belt (strand.c).
 *
 * The cable touches a disc where α >= 0. When α falls to 0, the cable leaves the disc: it is straight from the touched
 * place before the disc to the touched place after it. α is then the angle that an arc on the disc would have. When α
 * rises to 0, the cable touches the disc again. At α = 0 both paths are the same line: L and its gradient are
 * continuous, but H = ∂²L/∂q² jumps. So discs have modes, and zeros of switching functions end the modes. Each mode is
 * a sector of α, so full revolutions are counted. In the modes far and near the disc is not touched:
 *
 *   far   -2π ... -5π/4     near   -5π/4 ... 0     touched   (0 ... 5π/4) + k 5π/4,  k = 0, 1, ...
 *
 * At -2π the straight cable reaches the disc from its other side, where it cannot lie, so the mode becomes near. If
 * the mode of a disc is not known, α is taken between -π/2 and 3π/2. */
#include "mbs/model/cable.h"

#include <math.h>

#include "mbs/model/forces/strand.h"
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

static bool may_leave(const mbs_force *first, int place) {
  return place > 0 && place < first->cable->n_places - 1 && first[place].radius[0] != 0;
}

static int mode_of(const mbs_force *disc, const double *z) {
  return z != NULL && disc->has_modes ? (int)(z[disc->state] + 0.5) : BY_MOTION;
}

static double lower_end(int mode) {
  return mode == FAR ? -2 * pi : mode == BY_MOTION ? -pi / 2 : (mode - TOUCHED) * sector;
}
static double upper_end(int mode) {
  return mode == BY_MOTION ? 1.5 * pi : mode == FAR ? -sector : (mode - NEAR) * sector;
}

/* Returns an angle plus a multiple of 2π, as near as possible to the middle of the sector of a mode. */
static double nearest_angle(double angle, int mode) {
  const double middle = (lower_end(mode) + upper_end(mode)) / 2;
  return remainder(angle - middle, 2 * pi) + middle;
}

/* Angle α of the arc on a disc between two spans, and its rate. */
typedef struct wrap {
  double angle, rate;
} wrap;

static wrap wrap_between(double radius, const tangent *before, const tangent *after, int mode) {
  const double sense = radius < 0 ? -1 : 1;
  return (wrap){nearest_angle(sense * (after->direction - before->direction), mode),
                sense * (after->turning - before->turning)};
}

int mbs_cable_next(const mbs_cable *cable, uint64_t touched, int place) {
  do
    place++;
  while (place < cable->n_places && !(touched >> place & 1));
  return place;
}

/* Returns α of the disc at a place, in its mode, and the rate of α. If the cable does not touch the disc, finds the
 * values that an arc on the disc would have. */
static wrap wrap_at(const mbs_force *first, const mbs_frame *frames, uint64_t touched, int place, int mode) {
  int before = place - 1;
  while (!(touched >> before & 1))
    before--;
  const tangent to = tangent_of(mbs_cable_span(first, before, place), frames);
  const tangent from = tangent_of(mbs_cable_span(first, place, mbs_cable_next(first->cable, touched, place)), frames);
  return wrap_between(first[place].radius[0], &to, &from, mode);
}

/* ---- The path ---- */

/* Returns the touched places, as bits, if the modes of some discs are not known; `free` has the bits of these
 * discs. Starts from `touched`; removes a touched disc with α < 0 or adds a disc with α > 0 until nothing changes,
 * at most twice as often as there are places. */
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
    const int mode = may_leave(first, k) ? mode_of(&first[k], z) : TOUCHED;
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

/* Returns the change of ρ (ψ - φ) since the initial configuration, m, for the disc at an end (0 or 1) of the cable. ρ
 * is the signed radius of the disc, ψ the direction of the span, and φ the angle of the body. NaN: ψ has changed by
 * more than 135°. */
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

static void read(const mbs_workspace *ws, const mbs_state *state, int element, mbs_switch *f) {
  const mbs_force *disc = &ws->model->forces[element];
  const mbs_force *first = disc - disc->span;
  const int mode = mode_of(disc, state->z);
  const uint64_t touched = mbs_cable_touched(first, ws->frames, state->z);
  const wrap at = wrap_at(first, ws->frames, touched, disc->place[0], mode);
  f[0] = (mbs_switch){at.angle - lower_end(mode), at.rate, mbs_stretch_noise};
  f[1] = (mbs_switch){upper_end(mode) - at.angle, -at.rate, mbs_stretch_noise};
  if (!isfinite(at.angle)) /* an end of the cable is inside of the disc */
    f[0] = f[1] = (mbs_switch){INFINITY, 0, 0};
}

static void enter(const mbs_workspace *ws, int element, mbs_state *state) {
  const mbs_force *disc = &ws->model->forces[element];
  const mbs_force *first = disc - disc->span;
  double *mode = &state->z[disc->state];
  *mode = BY_MOTION;
  const uint64_t touched = mbs_cable_touched(first, ws->frames, state->z);
  const double angle = wrap_at(first, ws->frames, touched, disc->place[0], BY_MOTION).angle;
  *mode = touched >> disc->place[0] & 1 ? TOUCHED + (angle > sector) : NEAR;
}

static void pass(const mbs_workspace *ws, int element, int number, mbs_state *state) {
  double *mode = &state->z[ws->model->forces[element].state];
  if (number == 1)
    *mode += 1;
  else
    *mode = *mode == FAR ? NEAR : *mode - 1;
}

const mbs_switches mbs_cable_switches = {.n_modes = 1, .n = 2, .read = read, .enter = enter, .pass = pass};
