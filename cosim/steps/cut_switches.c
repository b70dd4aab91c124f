/* Macro steps end where a strand or contact at a cut switches. Its law has three modes: open (slack), closed, and
 * released, when damping would reverse the sign of the closed force. During a macro step the law keeps its mode, even
 * if the motion leaves it: conditions, their derivatives and polynomials are those of a smooth law. If the motion
 * leaves the mode inside a step, the step is repeated with a length H that ends at the switch. H is a zero of
 *
 *   G(H) = c(H) - H,   c: time from the beginning of a step of length H to the point where its motion leaves the mode
 *
 * c depends on H only through the errors of the step: the iteration H ← c(H) converges fast. The next step begins in
 * the new mode, with its forces and without past values.
 *
 * Steps that end at a switch have a least length. A switch nearer to a macro point is shifted to that point. If an
 * element switches more than COSIM_MAX_BEGIN_SWITCHES times at the beginning of one step, its mode follows the motion
 * within the step. All modes follow the motion in three cases: the exchange, which repeats no step, has links; a part
 * has fixed steps or cannot restore its state; multipliers of joints are extrapolated from past values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cosim/steps/simulation.h"
#include "cosim/thresholds.h"
#include "mbs/model/elastic.h"
#include "mbs/model/model.h"

/* ---- Modes ---- */

static bool follows_motion(const cosim_element_cut *cut) {
  return cut->now.modes.n_begin_switches > COSIM_MAX_BEGIN_SWITCHES;
}

static cosim_element_cut *end_of_cuts(const cosim_simulation *self) {
  return self->partition.cuts + self->partition.n_cuts;
}

void cosim_switches_set(cosim_simulation *self, bool by_motion) {
  for (cosim_element_cut *cut = self->partition.cuts; cut < end_of_cuts(self) && self->ends_at_switches; cut++)
    for (int i = 0; i < cosim_mechanism_modes(&cut->law); i++) {
      const mbs_one_sided_mode mode =
          by_motion || follows_motion(cut) ? MBS_BY_MOTION : (mbs_one_sided_mode)cut->now.modes.of[i];
      cut->law.force.elastic[i].mode = mode;
      for (int side = 0; side < 2; side++)
        if (cut->port[side] >= 0)
          cosim_multibody_set_mode(self->partition.parts[cut->subsystem[side]], cut->port[side], i, mode);
    }
}

static void find_modes(const cosim_mechanism_element *law, const cosim_motion m[2], int32_t modes[3]) {
  double s[3], v[3];
  if (cosim_mechanism_modes(law) > 0)
    cosim_mechanism_stretches(law, m, s, v);
  for (int i = 0; i < cosim_mechanism_modes(law); i++)
    modes[i] = (int32_t)mbs_elastic_mode(&law->force.elastic[i], s[i], v[i]);
}

void cosim_switches_begin(cosim_simulation *self) {
  for (cosim_element_cut *cut = self->partition.cuts; cut < end_of_cuts(self); cut++) {
    cut->now.modes.n_begin_switches = 0;
    find_modes(&cut->law, cut->now.snapshot.motion, cut->now.modes.of);
  }
  cosim_switches_set(self, false);
}

seam_status cosim_switches_create(cosim_simulation *self, seam_error *error) {
  const bool repeats = !self->partition.by_exchange && !self->has_joint_with_past && self->can_shorten_steps;
  for (cosim_element_cut *cut = self->partition.cuts; cut < end_of_cuts(self); cut++) {
    cosim_element *element = &cut->law.base;
    self->ends_at_switches |= element->switches && repeats;
    if (!element->switches || repeats || cut->is_exchanged)
      continue;
    element->switches = false;
    seam_error cause = {0};
    if (cosim_cut_check_law(element, &cut->base.scheme, &cause) != SEAM_OK)
      return seam_fail(error, SEAM_BAD_INPUT, "coupling '%s': %s", cut->base.name, cause.message);
    element->switches = true;
  }
  return SEAM_OK;
}

/* ---- The motion over a step ---- */

typedef struct switch_path {
  const cosim_mechanism_element *law;
  int coordinate;
  mbs_one_sided_mode mode;
  cosim_path markers;
} switch_path;

static switch_path path_of(const cosim_simulation *self, const cosim_element_cut *cut, int coordinate, double H) {
  return (switch_path){.law = &cut->law,
                       .coordinate = coordinate,
                       .mode = (mbs_one_sided_mode)cut->now.modes.of[coordinate],
                       .markers =
                           cosim_master_path(self->engine->master, cut->master_index, cut->now.snapshot.motion, H)};
}

/* State of a cut element at the time tau H after the beginning of a step of length H. */
typedef struct switch_point {
  double tau;
  double margin;    /* distance from the limit of the mode; < 0: the motion has left the mode */
  bool leaves;      /* the motion approaches that limit */
  int32_t modes[3]; /* modes that the element would have in this state */
} switch_point;

static switch_point point_at(const switch_path *path, double tau) {
  const mbs_elastic_law *law = &path->law->force.elastic[path->coordinate];
  cosim_motion m[2];
  double s[3], v[3];
  cosim_path_at(&path->markers, tau, m);
  cosim_mechanism_stretches(path->law, m, s, v);
  const double rate = law->exponent > 0 ? v[path->coordinate] : -v[path->coordinate]; /* opening rate */
  switch_point at = {.tau = tau,
                     .margin = mbs_elastic_margin(law, path->mode, s[path->coordinate], v[path->coordinate]),
                     .leaves = path->mode == MBS_OPEN ? rate < 0 : rate > 0};
  find_modes(path->law, m, at.modes);
  return at;
}

/* Bisects between a and b for the point at which the motion reverses. Returns it or, if the motion leaves the mode
 * before, a point outside the mode. */
static switch_point reversal_between(const switch_path *path, switch_point a, switch_point b) {
  for (int i = 0; i < COSIM_MAX_BISECTIONS && a.margin >= 0; i++) {
    const switch_point middle = point_at(path, (a.tau + b.tau) / 2);
    *(middle.leaves ? &a : &b) = middle;
  }
  return a;
}

/* Returns the first point of a step outside the mode; if there is none, the end of the step (margin >= 0). */
static switch_point first_outside(const switch_path *path) {
  const double *tau = path->markers.tau;
  switch_point a = point_at(path, 0);
  for (int piece = 1; piece < path->markers.n && a.margin >= 0; piece++)
    for (int p = 1; p <= COSIM_SEARCH_INTERVALS && a.margin >= 0; p++) {
      const double width = tau[piece] - tau[piece - 1];
      const switch_point b = point_at(
          path, p == COSIM_SEARCH_INTERVALS ? tau[piece] : tau[piece - 1] + p * width / COSIM_SEARCH_INTERVALS);
      switch_point outside = b.margin >= 0 && a.leaves && !b.leaves ? reversal_between(path, a, b) : b;
      for (int i = 0; i < COSIM_MAX_BISECTIONS && outside.margin < 0; i++) {
        const switch_point middle = point_at(path, (a.tau + outside.tau) / 2);
        *(middle.margin < 0 ? &outside : &a) = middle;
      }
      a = outside.margin < 0 ? outside : b;
    }
  return a;
}

/* ---- The search for a length ---- */

/* Returns the first switch of all cuts in a step of length H, and sets *cut and *coordinate. margin >= 0: no switch. */
static switch_point find_first(const cosim_simulation *self, double H, cosim_element_cut **cut, int *coordinate) {
  switch_point first = {.tau = INFINITY};
  for (cosim_element_cut *at = self->partition.cuts; at < end_of_cuts(self); at++)
    for (int i = 0; i < cosim_mechanism_modes(&at->law) && !follows_motion(at); i++) {
      const switch_path path = path_of(self, at, i, H);
      const switch_point found = first_outside(&path);
      if (found.margin < 0 && found.tau < first.tau) {
        first = found;
        *cut = at;
        *coordinate = i;
      }
    }
  return first;
}

static double length_to_switch(cosim_simulation *self, cosim_step_search *search, double H) {
  const double tolerance = cosim_near_zero * search->usual;
  double least = search->usual * cosim_shortest_with_past; /* s, shortest step that may end at a switch */
  cosim_switch_search *at = &search->switches;
  cosim_element_cut *cut = self->partition.cuts;
  int coordinate = 0;
  double next = 0;
  if (self->stages > 0)
    least = search->usual * (self->has_joint ? cosim_shortest_of_joints : cosim_near_zero);
  const switch_point first = find_first(self, H, &cut, &coordinate);
  const bool is_inside = first.margin < 0;
  at->tried++;
  if (!is_inside && isinf(at->high))
    return 0;
  if (is_inside && first.tau * H <= least) { /* too close to the beginning: the step is repeated in the new mode */
    cut->now.modes.n_begin_switches++;
    cut->now.modes.of[coordinate] = first.modes[coordinate];
    cosim_switches_set(self, false);
    at->low = 0;
    at->high = INFINITY;
    at->begins = true;
    return search->wanted;
  }
  if (is_inside && (isinf(at->high) && (1 - first.tau) * H < least))
    return 0;
  if (is_inside && ((1 - first.tau) * H <= tolerance || at->high - at->low <= tolerance))
    return 0;
  if (is_inside) {
    at->high = H;
    at->cut = cut;
    at->coordinate = coordinate;
    next = first.tau * H + tolerance / 2;
  } else { /* the motion would leave the mode only after the step's end */
    const switch_path path = path_of(self, at->cut, at->coordinate, H);
    const double behind = point_at(&path, 1 - cosim_beyond_switch).margin;
    const double end = point_at(&path, 1).margin;
    at->low = H;
    next = (end < behind ? H * (1 + cosim_beyond_switch * end / (behind - end)) : INFINITY) + tolerance / 2;
  }
  if (at->high - at->low <= tolerance)
    return at->high;
  const bool is_between = next > at->low && next < at->high;
  return is_between && at->tried <= COSIM_MAX_SWITCH_TRIALS ? next : (at->low + at->high) / 2;
}

/* Returns the length up to the first switch. If the step failed numerically while an element was closed, returns H / 2:
 * far outside the closed mode the law of the element may have no solution. */
double cosim_length_by_switches(cosim_simulation *self, cosim_step_search *search, double H) {
  const seam_status taken = search->status;
  const bool is_numerical =
      taken != SEAM_NO_MEMORY && taken != SEAM_INTERRUPTED && taken != SEAM_BAD_INPUT && taken != SEAM_BAD_STATE;
  bool has_closed = false;
  if (!self->ends_at_switches)
    return 0;
  if (taken == SEAM_OK)
    return length_to_switch(self, search, H);
  for (const cosim_element_cut *cut = self->partition.cuts; cut < end_of_cuts(self); cut++)
    for (int i = 0; i < cosim_mechanism_modes(&cut->law); i++)
      has_closed |= cut->now.modes.of[i] == MBS_CLOSED;
  search->is_restarted = !search->checks_error && is_numerical && H > cosim_shortest_half * search->usual && has_closed;
  return search->is_restarted ? H / 2 : 0;
}

void cosim_switches_update(cosim_simulation *self) {
  bool changed = false;
  bool inside = false;
  for (cosim_element_cut *cut = self->partition.cuts; cut < end_of_cuts(self); cut++) {
    int32_t now[3] = {0};
    if (cosim_mechanism_modes(&cut->law) == 0)
      continue;
    find_modes(&cut->law, cut->now.snapshot.motion, now);
    /* A law that follows the motion may switch inside the step. */
    inside |= (!self->ends_at_switches || follows_motion(cut)) &&
              memcmp(now, cut->now.modes.of, (size_t)cosim_mechanism_modes(&cut->law) * sizeof *now) != 0;
    changed |= follows_motion(cut) || memcmp(now, cut->now.modes.of, sizeof now) != 0;
    memcpy(cut->now.modes.of, now, sizeof now);
    cut->now.modes.n_begin_switches = 0;
  }
  self->others.switches_inside += inside;
  self->is_at_switch = changed && self->ends_at_switches && !inside;
  if (!changed || !self->ends_at_switches)
    return;
  self->others.switches += !inside;
  cosim_switches_set(self, false);
  cosim_master_cross_switch(self->engine->master);
  for (cosim_element_cut *cut = self->partition.cuts; cut < end_of_cuts(self); cut++)
    cosim_engine_sample(self->engine, cut, self->now);
}

void cosim_switches_explain(const cosim_simulation *self, char *text, size_t size) {
  const cosim_statistics *count = &self->others;
  text[0] = '\0';
  for (const cosim_element_cut *at = self->partition.cuts; at < end_of_cuts(self) && text[0] == '\0'; at++) {
    const cosim_scheme *scheme = &at->base.scheme;
    const bool has_modes = cosim_mechanism_modes(&at->law) > 0;
    const double n = at->law.force.elastic[0].exponent;
    /* For a force δ^n of the overlap δ, n not an integer, errors of velocities have at most the order n + 1. */
    const bool is_limited =
        n != floor(n) && n < 2 && scheme->order > 1 &&
        (cosim_scheme_drives(scheme, 0, COSIM_FORCE) || cosim_scheme_drives(scheme, 1, COSIM_FORCE));
    if (at->is_joint)
      continue;
    if (!has_modes && at->law.base.has_kinks)
      snprintf(
          text, size,
          "macro steps do not end where the law of '%s' switches (if, abs, sign, floor, min, max): errors of "
          "velocities are of order 2 at most at a kink, of order 1 at a jump; a 'contact' or 'belt' has no such errors",
          at->base.name);
    else if (has_modes && count->switches_inside > 0)
      snprintf(text, size,
               "'%s' switches inside %zu macro steps: errors of velocities are of order 2 at most, of order 1 where a "
               "damped strand becomes taut",
               at->base.name, count->switches_inside);
    else if (has_modes && count->switches > 0 && is_limited)
      snprintf(text, size,
               "macro steps end where '%s' switches, but its force, overlap^%g, is no polynomial there: errors of "
               "velocities are of an order between 2 and %g",
               at->base.name, n, n + 1);
  }
}
