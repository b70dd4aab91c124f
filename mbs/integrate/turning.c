#include "mbs/integrate/turning.h"

#include <math.h>
#include <stdlib.h>

#include "mbs/model/event.h"
#include "mbs/output/readout.h"

/* A function of quantities that is periodic in some argument. */
typedef struct source {
  const mbs_readout *inputs;
  const mbs_function *function;
  double *memory;
  double *from, *to; /* (inputs->n) at both ends */
} source;

struct mbs_turning {
  source *sources; /* (n) */
  int n;
  double fastest; /* rad/s, of periodic laws of time */
  double t, t_to; /* s, of `from` and `to`; NaN: not known */
};

/* ---- Creation ---- */

static void add(mbs_turning *self, const mbs_readout *inputs, const mbs_function *function) {
  if (inputs == NULL || function->turning == NULL)
    return;
  for (int i = 0; i < self->n; i++)
    if (self->sources[i].function == function)
      return;
  self->sources[self->n++] = (source){.inputs = inputs, .function = function};
}

seam_status mbs_turning_create(const mbs_model *model, mbs_turning **created, seam_error *error) {
  const double pi = 3.14159265358979323846;
  mbs_turning *self = calloc(1, sizeof *self);
  const size_t most = (size_t)model->n_events + (size_t)model->n_measures + (size_t)model->laws.n_laws + 1;
  if (self != NULL)
    self->sources = calloc(most, sizeof *self->sources);
  if (self == NULL || self->sources == NULL) {
    free(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for events");
  }
  mbs_turning_forget(self);
  for (const mbs_named_event *event = model->events; event < model->events + model->n_events; event++) {
    add(self, event->inputs, &event->function);
    for (int i = 0; i < event->inputs->n_measures; i++) {
      const mbs_named_measure *measure = &model->measures[event->inputs->measures[i]];
      add(self, measure->inputs, &measure->function);
    }
  }
  if (model->n_events > 0) { /* where the effect of a periodic law is small, error control may skip periods */
    for (int i = 0; i < model->laws.n_laws; i++)
      add(self, model->laws.law[i].response.inputs, &model->laws.law[i].response.function);
    for (int i = 0; i < 2 * model->n_forces; i++) {
      const double period = model->forces[i / 2].load[i % 2].period;
      self->fastest = period > 0 ? fmax(self->fastest, 2 * pi / period) : self->fastest;
    }
  }
  for (source *at = self->sources; at < self->sources + self->n; at++) {
    const size_t n = (size_t)at->inputs->n;
    at->memory = calloc(2 * n + 1, sizeof *at->memory);
    if (at->memory == NULL) {
      mbs_turning_destroy(self);
      return seam_fail(error, SEAM_NO_MEMORY, "no memory for events");
    }
    at->from = at->memory;
    at->to = at->memory + n;
  }
  *created = self;
  return SEAM_OK;
}

void mbs_turning_destroy(mbs_turning *self) {
  if (self == NULL)
    return;
  for (int i = 0; i < self->n; i++)
    free(self->sources[i].memory);
  free(self->sources);
  free(self);
}

/* ---- Along a motion ---- */

bool mbs_may_turn(const mbs_turning *self) { return self->n > 0 || self->fastest > 0; }

void mbs_turning_forget(mbs_turning *self) { self->t = self->t_to = NAN; }

bool mbs_turning_go_on(mbs_turning *self, double t) {
  if (t == self->t_to)
    for (source *at = self->sources; at < self->sources + self->n; at++) {
      double *from = at->from;
      at->from = at->to;
      at->to = from;
    }
  self->t = t == self->t_to ? t : self->t;
  self->t_to = NAN;
  return t == self->t;
}

void mbs_turning_begin(mbs_turning *self, mbs_workspace *ws, const mbs_state *state) {
  self->t = state->t;
  for (const source *at = self->sources; at < self->sources + self->n; at++)
    mbs_read(at->inputs, ws, state, at->from);
}

double mbs_turning_to(mbs_turning *self, mbs_workspace *ws, const mbs_state *state) {
  double largest = self->fastest * fabs(state->t - self->t);
  self->t_to = state->t;
  for (const source *at = self->sources; at < self->sources + self->n; at++) {
    mbs_read(at->inputs, ws, state, at->to);
    largest = fmax(largest, at->function->turning(at->function->data, at->from, at->to));
  }
  return largest;
}
