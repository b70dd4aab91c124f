/* What bodies and the whole mechanism offer. */
#include <string.h>

#include "mbs/quantity.h"
#include "mbs/workspace.h"

static void read_motion(const mbs_workspace *ws, const mbs_state *state, int body, double *values) {
  (void)ws;
  memcpy(values, state->q + 3 * body, 3 * sizeof *values);
  memcpy(values + 3, state->v + 3 * body, 3 * sizeof *values);
}

static void read_accelerations(const mbs_workspace *ws, const mbs_state *state, int body, double *values) {
  (void)ws;
  memcpy(values, state->a + 3 * body, 3 * sizeof *values);
}

void mbs_body_energies(const mbs_workspace *ws, const mbs_state *state, int body, double energies[2]) {
  const double *mass = ws->model->mass + 3 * (body + 1);
  const double *weight = ws->model->gravity_load + 3 * (body + 1);
  const double *v = state->v + 3 * body;
  energies[0] = (mass[0] * v[0] * v[0] + mass[1] * v[1] * v[1] + mass[2] * v[2] * v[2]) / 2;
  energies[1] = -(weight[0] * state->q[3 * body] + weight[1] * state->q[3 * body + 1]);
}

static const mbs_quantity_group motion = {
    .n = 6,
    .row = {{"x", "m", "position of the centre of mass"},
            {"y", "m", "position of the centre of mass"},
            {"phi", "rad", "angle, counter-clockwise"},
            {"vx", "m/s", "velocity of the centre of mass"},
            {"vy", "m/s", "velocity of the centre of mass"},
            {"omega", "rad/s", "angular velocity"}},
    .is_usual = true,
    .read = read_motion,
};
static const mbs_quantity_group accelerations = {
    .n = 3,
    .row = {{"ax", "m/s2", "acceleration of the centre of mass"},
            {"ay", "m/s2", "acceleration of the centre of mass"},
            {"alpha", "rad/s2", "angular acceleration"}},
    .read = read_accelerations,
};
static const mbs_quantity_group energies = {
    .n = 2,
    .row = {{"kinetic", "J", "kinetic energy"}, {"potential", "J", "potential energy of gravity, zero at y = 0"}},
    .read = mbs_body_energies,
};
const mbs_quantity_group *const mbs_quantities_of_body[] = {&motion, &accelerations, &energies, NULL};

/* ---- The whole ---- */

static void read_time(const mbs_workspace *ws, const mbs_state *state, int element, double *values) {
  (void)ws;
  (void)element;
  *values = state->t;
}

static void read_whole(const mbs_workspace *ws, const mbs_state *state, int element, double *values) {
  (void)element;
  const mbs_energy energy = mbs_energy_at_hand(ws, state);
  const double all[] = {energy.kinetic, energy.potential, energy.total, energy.dissipated, energy.driven};
  memcpy(values, all, sizeof all);
}

static const mbs_quantity_group time_itself = {.n = 1, .row = {{"", "s", "time"}}, .is_usual = true, .read = read_time};
static const mbs_quantity_group whole = {
    .n = 5,
    .row = {{"kinetic", "J", "kinetic energy"},
            {"potential", "J", "potential energy, zero at y = 0 and at rest lengths"},
            {"total", "J", "kinetic and potential energy"},
            {"dissipated", "J", "lost in dampers since the start"},
            {"driven", "J", "put in by laws of time and drives since the start"}},
    .is_usual = true,
    .needs = MBS_FRAMES,
    .read = read_whole,
};
const mbs_quantity_group *const mbs_quantities_of_time[] = {&time_itself, NULL};
const mbs_quantity_group *const mbs_quantities_of_energy[] = {&whole, NULL};
