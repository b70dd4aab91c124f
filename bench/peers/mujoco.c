/* MuJoCo with its Runge-Kutta method of order 4. The model has no geometry, so nothing can touch. The code by hand
 * computes a bushing, which is added to the passive forces. MuJoCo's angles are relative to the rod before. */
#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/peers/peers.h"

enum { MAX_RODS = 90, MAX_TEXT = 40000 }; /* MuJoCo refuses more deeply nested models */

static struct {
  mjModel *model;
  mjData *data;
} mujoco;
static const peer_mechanism *present; /* mechanism for add_load(), to which MuJoCo cannot pass it */

/* Reads angles and rates in global axes. */
static void read_state(const peer_mechanism *self, const mjData *data, double *y) {
  for (int i = 0; i < self->n; i++) {
    const bool begins = peer_begins_tree(self, i);
    y[i] = data->qpos[i] + (begins ? 0 : y[i - 1]);
    y[self->n + i] = data->qvel[i] + (begins ? 0 : y[self->n + i - 1]);
  }
}

static void add_load(const mjModel *model, mjData *data) {
  (void)model;
  double y[8], torque[4];
  read_state(present, data, y);
  present->load(y, torque);
  for (int i = 0; i < present->n; i++) { /* the joints of rods i and i - 1 change the angle of rod i */
    data->qfrc_passive[i] += torque[i];
    if (!peer_begins_tree(present, i))
      data->qfrc_passive[i - 1] += torque[i];
  }
}

typedef struct text {
  char *at;
  size_t length;
} text;

static void add(text *to, const char *format, ...) {
  va_list values;
  va_start(values, format);
  to->length += (size_t)vsnprintf(to->at + to->length, MAX_TEXT - to->length, format, values);
  va_end(values);
}

static void write_model(const peer_mechanism *self, text *to) {
  add(to, "<mujoco><compiler angle='radian'/><option gravity='0 -9.81 0' integrator='RK4'/><worldbody>");
  int depth = 0;
  for (int i = 0; i < self->n; i++, depth++) {
    const int k = peer_kind_of(i);
    const double l = self->length[k], m = self->mass[k], J = m * l * l / 12;
    if (peer_begins_tree(self, i)) {
      for (; depth > 0; depth--)
        add(to, "</body>");
      add(to, "<body pos='%.17g %.17g 0'>", self->pivot[i > 0][0], self->pivot[i > 0][1]);
    } else
      add(to, "<body pos='%.17g 0 0'>", self->length[peer_kind_of(i - 1)]);
    add(to,
        "<joint type='hinge' axis='0 0 1'/><inertial pos='%.17g 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
        l / 2, m, J, J, J);
  }
  for (; depth > 0; depth--)
    add(to, "</body>");
  add(to, "</worldbody></mujoco>\n");
}

/* Drops a warning about too long steps, which MuJoCo would write to a file. The result's error shows such steps. */
static void ignore(const char *message) { (void)message; }

static bool prepare(const peer_mechanism *mechanism) {
  char name[] = "/tmp/bench_mujoco_XXXXXX", error[500] = "";
  text made = {.at = malloc(MAX_TEXT)};
  if (mechanism->n > MAX_RODS || made.at == NULL) {
    free(made.at);
    return false;
  }
  mju_user_warning = ignore;
  write_model(mechanism, &made);
  const int file = mkstemp(name);
  if (file >= 0 && write(file, made.at, made.length) == (ssize_t)made.length)
    mujoco.model = mj_loadXML(name, NULL, error, sizeof error);
  free(made.at);
  if (file >= 0) {
    close(file);
    unlink(name);
  }
  if (mujoco.model == NULL) {
    fprintf(stderr, "MuJoCo does not read the model: %s\n", error);
    return false;
  }
  mujoco.data = mj_makeData(mujoco.model);
  present = mechanism;
  mjcb_passive = mechanism->load != NULL ? add_load : NULL;
  return true;
}

static void release(void) {
  mjcb_passive = NULL;
  mj_deleteData(mujoco.data);
  mj_deleteModel(mujoco.model);
}

static bool run(const peer_mechanism *mechanism, double setting, double *y) {
  const int n_steps = (int)(mechanism->end / setting + 1);
  mj_resetData(mujoco.model, mujoco.data);
  mujoco.model->opt.timestep = mechanism->end / n_steps;
  for (int i = 0; i < mechanism->n; i++) {
    const double angle = mechanism->angle[peer_kind_of(i)];
    const double before = peer_begins_tree(mechanism, i) ? 0 : mechanism->angle[peer_kind_of(i - 1)];
    mujoco.data->qpos[i] = angle - before;
  }
  for (int step = 0; step < n_steps; step++)
    mj_step(mujoco.model, mujoco.data);
  read_state(mechanism, mujoco.data, y);
  return true;
}

const peer peer_mujoco = {"MuJoCo, RK4", 0.1, 0.7071067811865476, prepare, run, release};
