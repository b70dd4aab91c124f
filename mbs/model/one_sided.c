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
 *   closed    e < 0: open (contacts);  h < 0: released (a strand with e <= 0: open)
 *   released  e < 0: open;  h > 0: closed */
#include <math.h>

#include "mbs/model/elastic.h"
#include "mbs/model/workspace.h"
#include "mbs/thresholds.h"

enum { OF_EXCESS, OF_FACTOR, N_FUNCTIONS };

/* Motion of a coordinate, with e and h and their rates; a rate is NaN if it needs an acceleration. */
typedef struct sides {
  double s, v;
  mbs_switch e, h;
} sides;

/* Finds the sides of each coordinate; returns the number of coordinates. The round-off of s is proportional to the
 * scale of length, or to 1 for angles. */
static int find_sides(const mbs_workspace *ws, const mbs_force *force, sides of[3]) {
  const bool is_angle = force->kind == MBS_STOP && force->stop.of == MBS_OF_ANGLE;
  const double noise = mbs_stretch_noise * (is_angle ? 1 : ws->model->scales.length);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_relative_coordinate m[3];
  force->type->find_coordinates(force, &pair, m);
  for (int k = 0; k < force->type->n_coordinates; k++) {
    const mbs_elastic_law *law = &force->elastic[k];
    const double s = m[k].s - force->rest[k];
    const double v = mbs_relative_rate(&m[k], &pair);
    const mbs_closing at = mbs_elastic_closing(law, s, v);
    const double e_rate = law->is_strand ? law->stiffness * v : -v;
    const double h_rate = law->damping != 0 ? NAN : law->is_strand ? e_rate : 0;
    const double of_e = law->is_strand ? noise * law->stiffness : noise;
    const double of_h = law->is_strand ? of_e : mbs_stretch_noise; /* h = 1 - c v of a contact */
    of[k] = (sides){s, v, {at.depth, e_rate, of_e}, {at.damped, h_rate, of_h}};
  }
  return force->type->n_coordinates;
}

static const mbs_switch never = {INFINITY, 0, 0};

static mbs_switch opposite(mbs_switch f) { return (mbs_switch){-f.value, -f.rate, f.noise}; }

static void read(const mbs_workspace *ws, const mbs_state *state, int element, mbs_switch *f) {
  const mbs_force *force = &ws->model->forces[element];
  sides of[3];
  const int n = find_sides(ws, force, of);
  for (int k = 0; k < n; k++) {
    const mbs_elastic_law *law = &force->elastic[k];
    const mbs_one_sided_mode mode = mbs_mode_along_in(force, state, k);
    f[N_FUNCTIONS * k + OF_EXCESS] = mode == MBS_OPEN                       ? opposite(of[k].e)
                                     : mode == MBS_CLOSED && law->is_strand ? never
                                                                            : of[k].e;
    f[N_FUNCTIONS * k + OF_FACTOR] = mode == MBS_RELEASED                                         ? opposite(of[k].h)
                                     : mode == MBS_CLOSED && (law->is_strand || law->damping > 0) ? of[k].h
                                                                                                  : never;
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
