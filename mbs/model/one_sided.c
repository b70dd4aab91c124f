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

/* e and h with their rates; a rate is NaN if it needs an acceleration. */
typedef struct sides {
  mbs_switch e, h;
} sides;

/* Finds e and h at s and v. length: scale of length, to which the round-off of s is proportional; 1 for angles. */
static sides sides_of(const mbs_elastic_law *law, double length, double s, double v) {
  const bool is_damped = law->damping != 0;
  const mbs_closing at = mbs_elastic_closing(law, s, v);
  const double e_rate = law->is_strand ? law->stiffness * v : -v;
  const double h_rate = law->is_strand ? e_rate : 0;
  const double noise = mbs_stretch_noise * length;
  const double of_e = law->is_strand ? noise * law->stiffness : noise;
  const double of_h = law->is_strand ? of_e : mbs_stretch_noise; /* h = 1 - c v of a contact */
  return (sides){{at.depth, e_rate, of_e}, {at.damped, is_damped ? NAN : h_rate, of_h}};
}

static const mbs_switch never = {INFINITY, 0, 0};

static mbs_switch opposite(mbs_switch f) { return (mbs_switch){-f.value, -f.rate, f.noise}; }

typedef struct motion {
  double s, v;
} motion;

static double length_of(const mbs_workspace *ws, const mbs_force *force) {
  return force->kind == MBS_STOP && force->stop.of == MBS_OF_ANGLE ? 1 : ws->model->scales.length;
}

/* Finds s and v of each coordinate; returns their number. */
static int read_motion(const mbs_workspace *ws, const mbs_force *force, motion of[3]) {
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_relative_coordinate m[3];
  force->type->find_coordinates(force, &pair, m);
  for (int k = 0; k < force->type->n_coordinates; k++)
    of[k] = (motion){m[k].s - force->rest[k], mbs_relative_rate(&m[k], &pair)};
  return force->type->n_coordinates;
}

static void read(const mbs_workspace *ws, const mbs_state *state, int element, mbs_switch *f) {
  const mbs_force *force = &ws->model->forces[element];
  motion of[3];
  const int n = read_motion(ws, force, of);
  for (int k = 0; k < n; k++) {
    const mbs_elastic_law *law = &force->elastic[k];
    const sides at = sides_of(law, length_of(ws, force), of[k].s, of[k].v);
    const mbs_one_sided_mode mode = mbs_mode_along_in(force, state, k);
    f[N_FUNCTIONS * k + OF_EXCESS] = mode == MBS_OPEN                       ? opposite(at.e)
                                     : mode == MBS_CLOSED && law->is_strand ? never
                                                                            : at.e;
    f[N_FUNCTIONS * k + OF_FACTOR] = mode == MBS_RELEASED                                         ? opposite(at.h)
                                     : mode == MBS_CLOSED && (law->is_strand || law->damping > 0) ? at.h
                                                                                                  : never;
  }
}

static void enter(const mbs_workspace *ws, int element, mbs_state *state) {
  const mbs_force *force = &ws->model->forces[element];
  motion of[3];
  const int n = read_motion(ws, force, of);
  for (int k = 0; k < n; k++)
    state->z[force->state + k] = mbs_elastic_mode(&force->elastic[k], of[k].s, of[k].v);
}

static void pass(const mbs_workspace *ws, int element, int number, mbs_state *state) {
  const mbs_force *force = &ws->model->forces[element];
  const int k = number / N_FUNCTIONS;
  motion of[3];
  read_motion(ws, force, of);
  const mbs_elastic_law *law = &force->elastic[k];
  const sides at = sides_of(law, length_of(ws, force), of[k].s, of[k].v);
  const mbs_one_sided_mode mode = mbs_mode_along_in(force, state, k);
  const bool of_factor = number % N_FUNCTIONS == OF_FACTOR;
  /* a strand without damping has e = h: at their common zero it opens, even if e is positive by round-off */
  const bool is_released = of_factor && at.e.value > 0 && !(law->is_strand && law->damping == 0);
  const bool is_closed = mode == MBS_OPEN || (mode == MBS_RELEASED && of_factor);
  state->z[force->state + k] = is_closed ? MBS_CLOSED : is_released ? MBS_RELEASED : MBS_OPEN;
}

const mbs_switches mbs_one_sided = {.n_modes = 1, .n = N_FUNCTIONS, .read = read, .enter = enter, .pass = pass};
const mbs_switches mbs_two_sided = {.n_modes = 2, .n = 2 * N_FUNCTIONS, .read = read, .enter = enter, .pass = pass};
