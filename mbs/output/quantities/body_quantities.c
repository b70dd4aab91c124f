/* Quantities of bodies; time, energies of the mechanism, variables, and inputs of a part. */
#include <math.h>
#include <string.h>

#include "mbs/output/measurements.h"

static void find_motion(const mbs_reading *at, int body, double *values) {
  memcpy(values, (at->along == NULL ? at->state->q : at->along->q) + 3 * body, 3 * sizeof *values);
  memcpy(values + 3, (at->along == NULL ? at->state->v : at->along->v) + 3 * body, 3 * sizeof *values);
}

static void find_accelerations(const mbs_reading *at, int body, double *values) {
  memcpy(values, (at->along == NULL ? at->state->a : at->along->a) + 3 * body, 3 * sizeof *values);
}

void mbs_body_energies(const mbs_reading *at, int body, double energies[2]) {
  const double *mass = at->ws->model->mass + 3 * (body + 1);
  const double *weight = at->ws->model->gravity_load + 3 * (body + 1);
  const double *v = at->state->v + 3 * body;
  if (at->along == NULL) {
    energies[0] = (mass[0] * v[0] * v[0] + mass[1] * v[1] * v[1] + mass[2] * v[2] * v[2]) / 2;
    energies[1] = -(weight[0] * at->state->q[3 * body] + weight[1] * at->state->q[3 * body + 1]);
    return;
  }
  energies[0] = energies[1] = 0;
  for (int i = 0; i < 3; i++) {
    energies[0] += mass[i] * v[i] * at->along->v[3 * body + i];
    energies[1] -= weight[i] * at->along->q[3 * body + i];
  }
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
    .find = find_motion,
};
static const mbs_quantity_group accelerations = {
    .n = 3,
    .row = {{"ax", "m/s2", "acceleration of the centre of mass"},
            {"ay", "m/s2", "acceleration of the centre of mass"},
            {"alpha", "rad/s2", "angular acceleration"}},
    .needs_dynamics = MBS_ALL_ROWS,
    .needs_accelerations = MBS_ALL_ROWS,
    .find = find_accelerations,
};
static const mbs_quantity_group energies = {
    .n = 2,
    .row = {{"kinetic", "J", "kinetic energy"}, {"potential", "J", "potential energy of gravity, zero at y = 0"}},
    .find = mbs_body_energies,
};
const mbs_quantity_group *const mbs_quantities_of_body[] = {&motion, &accelerations, &energies, NULL};

static void find_time(const mbs_reading *at, int element, double *values) {
  (void)element;
  *values = at->along == NULL ? at->state->t : 0;
}

/* Dissipated and driven energies are integrals over time: NaN along a change of the state. */
static void find_energies(const mbs_reading *at, int element, double *values) {
  const mbs_model *model = at->ws->model;
  (void)element;
  if (at->along == NULL) {
    const mbs_energy energy = mbs_energy_evaluated(at->ws, at->state);
    const double all[] = {energy.kinetic, energy.potential, energy.total, energy.dissipated, energy.driven};
    memcpy(values, all, sizeof all);
    return;
  }
  values[0] = values[1] = 0;
  for (int body = 0; body < model->n_bodies; body++) {
    double of_body[2];
    mbs_body_energies(at, body, of_body);
    values[0] += of_body[0];
    values[1] += of_body[1];
  }
  for (int i = 0; i < model->n_forces; i++)
    values[1] += mbs_potential_change(at, i);
  values[2] = values[0] + values[1];
  values[3] = values[4] = NAN;
}

static const mbs_quantity_group time_itself = {.n = 1, .row = {{"", "s", "time"}}, .is_usual = true, .find = find_time};
static const mbs_quantity_group whole = {
    .n = 5,
    .row = {{"kinetic", "J", "kinetic energy"},
            {"potential", "J", "potential energy, zero at y = 0 and at rest lengths"},
            {"total", "J", "kinetic and potential energy"},
            {"dissipated", "J", "lost in dampers since the start"},
            {"driven", "J", "put in by laws of time and drives since the start"}},
    .is_usual = true,
    .needs = MBS_FRAMES,
    .find = find_energies,
};
const mbs_quantity_group *const mbs_quantities_of_time[] = {&time_itself, NULL};
const mbs_quantity_group *const mbs_quantities_of_energy[] = {&whole, NULL};

/* ---- Variables, and inputs of a part ---- */

static void find_variable(const mbs_reading *at, int variable, double *values) {
  const double *z = at->along == NULL ? at->state->z : at->along->z;
  *values = z != NULL ? z[at->ws->model->laws.first_state + variable] : 0;
}

static const mbs_quantity_group variable_itself = {
    .n = 1, .row = {{"", NULL, "variable of an equation"}}, .is_usual = true, .find = find_variable};
const mbs_quantity_group *const mbs_quantities_of_variable[] = {&variable_itself, NULL};

static void find_input(const mbs_reading *at, int port, double *values) {
  if (at->along == NULL)
    *values = at->ws->frames[mbs_frame_of_port(at->ws->model, port)].x;
  else
    *values = at->along->inputs != NULL ? at->along->inputs[port] : 0;
}

static const mbs_quantity_group input_itself = {
    .n = 1, .row = {{"", "", "what the part receives"}}, .needs = MBS_FRAMES, .find = find_input};
const mbs_quantity_group *const mbs_quantities_of_input[] = {&input_itself, NULL};
