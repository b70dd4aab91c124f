/* Stage 2, forces. The loads of each body are added in the order of the force elements. Powers are summed over fixed
 * ranges of elements. So results do not depend on the number of threads. */
#include <string.h>

#include "mbs/stages/stages.h"

/* Adds the load of one element to ws->Q, and its dissipated and driven power to `power`. An element that connects two
 * subsystems is cut. Its power Q · v, W, on the bodies of this subsystem is written to ws->port_power instead, and its
 * load on the frame of the port to ws->port_wrench. */
static void add_load(mbs_workspace *ws, const mbs_force *force, double law_time, const double *z, mbs_power *power) {
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_power elsewhere = {0};
  double buffer[2];
  double Q[6];
  const double *numbers = mbs_numbers(ws, force, z, buffer);
  force->type->load(force, &pair, law_time, numbers, Q, force->cut_port >= 0 ? &elsewhere : power);
  mbs_add_load(force, Q, ws->Q);
  if (force->cut_port < 0)
    return;
  ws->port_power[force->cut_port] = 0;
  for (int side = 0; side < 2; side++) {
    const mbs_frame *frame = pair.frame[side];
    if (force->body[side] != 0)
      ws->port_power[force->cut_port] +=
          Q[3 * side] * frame->vx + Q[3 * side + 1] * frame->vy + Q[3 * side + 2] * frame->omega;
    const int port = mbs_port_of_frame(ws->model, force->frame[side]);
    if (port >= 0)
      memcpy(ws->port_wrench + 3 * port, Q + 3 * side, 3 * sizeof *Q);
  }
}

typedef struct loading {
  mbs_workspace *ws;
  double law_time;
  const double *z;
  mbs_power power[THREAD_RANGES];
} loading;

static void add_loads(void *context, const thread_range *range) {
  loading *self = context;
  mbs_workspace *ws = self->ws;
  const int end = (int)range->end;
  mbs_power power = {0};
  for (int i = (int)range->first, n; i < end; i += n) {
    const mbs_force *first = &ws->model->forces[i];
    n = first->n_alike < end - i ? first->n_alike : end - i;
    if (first->type->is_hard) /* forces of hard elements are multipliers */
      continue;
    if (first->type->add_loads != NULL && first->cut_port < 0)
      first->type->add_loads(first, n, ws->frames, ws->Q, &power);
    else
      for (int k = 0; k < n; k++)
        add_load(ws, first + k, self->law_time, self->z, &power);
  }
  self->power[range->number] = power;
}

static void find_loads(void *context, const thread_range *range) {
  loading *self = context;
  const mbs_workspace *ws = self->ws;
  mbs_power power = {0};
  for (size_t i = range->first; i < range->end; i++) {
    const mbs_force *force = &ws->model->forces[i];
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    double buffer[2];
    if (!force->type->is_hard)
      force->type->load(force, &pair, self->law_time, mbs_numbers(ws, force, self->z, buffer), ws->loads + 6 * i,
                        &power);
  }
  self->power[range->number] = power;
}

static void gather_loads(void *context, const thread_range *range) {
  const mbs_workspace *ws = ((const loading *)context)->ws;
  const mbs_model *model = ws->model;
  for (size_t b = range->first; b < range->end; b++) {
    double *Q = ws->Q + 3 * (b + 1);
    memcpy(Q, model->gravity_load + 3 * (b + 1), 3 * sizeof *Q);
    for (int at = model->first_load[b]; at < model->first_load[b + 1]; at++)
      for (int i = 0; i < 3; i++)
        Q[i] += ws->loads[model->load_ends[at] + i];
  }
}

static void find_rates(void *context, const thread_range *range) {
  const loading *self = context;
  mbs_workspace *ws = self->ws;
  const mbs_model *model = ws->model;
  for (size_t i = range->first; i < range->end; i++) {
    const mbs_force *force = &model->forces[model->stateful[i]];
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    const double u = mbs_command(force, ws->response, self->law_time);
    force->type->states->rates(force, &pair, u, self->z + force->state, ws->z_rates + force->state);
  }
}

void mbs_stage_forces(mbs_workspace *ws, double t, const double *z) {
  const mbs_model *model = ws->model;
  const size_t n_forces = (size_t)model->n_forces;
  const size_t n_bodies = (size_t)model->n_bodies;
  loading self;
  int n_ranges = 1;
  self.ws = ws;
  self.law_time = mbs_law_time(ws, t);
  self.z = z;
  mbs_set_port_frames(ws, t);
  if (mbs_is_large(model)) {
    n_ranges = THREAD_RANGES;
    memset(self.power, 0, sizeof self.power); /* ranges without items stay zero */
  }
  if (ws->workers != NULL && ws->workers->pool != NULL && model->n_ports == 0) {
    if (n_forces > 0)
      worker_group_call(ws->workers, n_forces, find_loads, &self);
    worker_group_call(ws->workers, n_bodies, gather_loads, &self);
  } else {
    memcpy(ws->Q, model->gravity_load, 3 * (n_bodies + 1) * sizeof *ws->Q);
    if (mbs_is_large(model))
      worker_group_call(NULL, n_forces, add_loads, &self);
    else
      add_loads(&self, &(thread_range){0, n_forces, 0});
  }
  ws->power = (mbs_power){0};
  for (int i = 0; i < n_ranges; i++) {
    ws->power.dissipated += self.power[i].dissipated;
    ws->power.driven += self.power[i].driven;
  }
  worker_group_share(ws->workers, (size_t)model->n_stateful, find_rates, &self);
}
