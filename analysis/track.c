/* Lists the quantities by which runs are compared, and stores their values (analysis/track.h). */
#include "analysis/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/thresholds.h"
#include "base/arrays.h"
#include "base/dotted.h"
#include "base/then.h"
#include "mbs/dynamics/scales.h"
#include "mbs/model/model.h"
#include "mbs/output/readout.h"

enum { BODY_VALUES = 6, MAX_VALUES = 1000000, LEAST_ROWS = 4 };

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the check of the run");
}

/* ---- Quantities ---- */

static const compared_quantity of_body[] = {
    {.name = "place", .unit = "m", .kind = COMPARED_POSITION, .n = 2, .never_jumps = true},
    {.name = "phi", .unit = "rad", .kind = COMPARED_ANGLE, .n = 1, .never_jumps = true},
    {.name = "velocity", .unit = "m/s", .kind = COMPARED_VELOCITY, .n = 2},
    {.name = "omega", .unit = "rad/s", .kind = COMPARED_RATE, .n = 1}};
enum { N_OF_BODY = sizeof of_body / sizeof *of_body };

/* Returns the kind of a quantity with this unit. Without bodies there are no scales of length and time, and every
 * quantity is a signal. */
static compared_kind kind_of_unit(const mbs_model *model, const char *unit) {
  static const struct {
    const char *unit;
    compared_kind kind;
  } kinds[] = {{"m", COMPARED_POSITION}, {"rad", COMPARED_ANGLE}, {"m/s", COMPARED_VELOCITY}, {"rad/s", COMPARED_RATE}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && mbs_n_bodies(model) > 0; i++)
    if (strcmp(unit, kinds[i].unit) == 0)
      return kinds[i].kind;
  return COMPARED_SIGNAL;
}

/* Owners of the quantities that are read from states. */
static const mbs_owner owners[] = {MBS_VARIABLES, MBS_MEASURES, MBS_JOINTS, MBS_FORCES, MBS_BODIES};

/* Returns the state that a quantity shows: a variable, or a state of a force element, such as a pressure. SEAM_NONE:
 * it shows none. */
static size_t state_of(const mbs_model *model, mbs_quantity quantity) {
  const mbs_quantity_info info = mbs_quantity_of(model, quantity);
  if (quantity.owner == MBS_VARIABLES)
    return mbs_variable_of(model, quantity.element).state;
  const mbs_force *force = quantity.owner == MBS_FORCES ? &model->forces[quantity.element] : NULL;
  for (int k = 0; force != NULL && force->type->states != NULL && k < force->type->states->n; k++)
    if (strcmp(force->type->states->name[k], info.name) == 0)
      return (size_t)force->state + (size_t)k;
  return SEAM_NONE;
}

/* Chooses the quantities to read. self->forces gets the forces and torques of force elements. Quantities of other
 * elements are added if they depend on accelerations, reactions or the energy of the mechanism. self->motion gets the
 * other quantities of variables and measures, and states of force elements. Omits quantities of joints that are not
 * usual (mbs_quantity_info). */
static seam_status choose_read(compared_list *self, seam_error *error) {
  const mbs_model *model = self->model;
  const size_t n_bodies = mbs_n_bodies(model), n_forces = mbs_n_elements(model, MBS_FORCES);
  bool *depends = malloc(n_bodies + n_forces + 1);
  if (depends == NULL)
    return no_memory(error);
  for (size_t k = 0; k < sizeof owners / sizeof *owners; k++)
    for (size_t i = 0; i < mbs_n_elements(model, owners[k]); i++)
      for (size_t j = 0; j < mbs_n_quantities(model, owners[k], i); j++) {
        const mbs_quantity quantity = {owners[k], i, j};
        const mbs_quantity_info info = mbs_quantity_of(model, quantity);
        if (quantity.owner == MBS_JOINTS && !info.is_usual)
          continue;
        memset(depends, 0, n_bodies + n_forces);
        mbs_dependence on = {.bodies = depends, .forces = depends + n_bodies};
        mbs_add_dependence(model, quantity, &on);
        const bool is_load = strcmp(info.unit, "N") == 0 || strcmp(info.unit, "Nm") == 0;
        if (quantity.owner == MBS_FORCES ? is_load : on.needs_dynamics || on.of_energies)
          self->forces.quantities[self->forces.n++] = quantity;
        else if (quantity.owner == MBS_VARIABLES || quantity.owner == MBS_MEASURES ||
                 state_of(model, quantity) != SEAM_NONE)
          self->motion.quantities[self->motion.n++] = quantity;
      }
  free(depends);
  return SEAM_OK;
}

/* Adds a quantity. If its size is unknown, this is the scale of its unit or kind. Reactions and accelerations with an
 * unknown unit use the scale of force. */
static void add(compared_list *self, compared_quantity quantity) {
  if (!(quantity.size > 0)) {
    const mbs_scales scales = mbs_scales_of(self->model);
    const double of_unit = mbs_n_bodies(self->model) > 0 ? mbs_scale_of_unit(&scales, quantity.unit) : 0;
    const double sizes[] = {
        [COMPARED_POSITION] = scales.length, [COMPARED_ANGLE] = 1,
        [COMPARED_VELOCITY] = scales.speed,  [COMPARED_RATE] = 1 / scales.time,
        [COMPARED_SIGNAL] = of_unit,         [COMPARED_FORCE] = of_unit > 0 ? of_unit : scales.force};
    quantity.size = sizes[quantity.kind];
    quantity.least = quantity.size * (quantity.kind == COMPARED_FORCE    ? analysis_least_range
                                      : quantity.kind == COMPARED_SIGNAL ? analysis_noise_of_signal
                                                                         : analysis_least_travel);
  }
  quantity.first = self->n_values;
  self->quantities[self->n++] = quantity;
  self->n_values += (size_t)quantity.n;
}

/* Returns the kind of a subsystem's output, from the end of its name: accelerations of markers count as forces. */
static compared_kind kind_of_signal(const char *name) {
  static const char *const ends[] = {".ax", ".ay", ".alpha"};
  const char *end = strrchr(name, '.');
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (end != NULL && strcmp(end, ends[i]) == 0)
      return COMPARED_FORCE;
  return COMPARED_SIGNAL;
}

/* Returns true if the signal is an integral over a macro step that a balance correction reads. Integrals without a name
 * are not signals. */
static bool is_integral(const cosim_builder *builder, const char *name) {
  const cosim_definition *of = cosim_builder_definition(builder);
  for (size_t i = 0; i < of->n_balance_corrections; i++)
    if (of->balance_corrections[i].integral != NULL && strcmp(of->balance_corrections[i].integral, name) == 0)
      return true;
  return false;
}

static void add_signals(compared_list *self, const cosim_simulation *simulation, const cosim_builder *builder) {
  const size_t n = simulation != NULL ? cosim_n_signals(simulation) : 0;
  for (size_t i = 0; i < n; i++) {
    const char *name = cosim_signal_of(simulation, i).name;
    const char *unit = cosim_signal_of(simulation, i).unit;
    mbs_quantity found;
    if (mbs_find_quantity_of_length(self->model, name, strlen(name), &found) /* a quantity of the model */ ||
        cosim_signal_of(simulation, i).is_of_step || is_integral(builder, name))
      continue;
    self->signals[self->n_signals] = i;
    self->signal_index[self->n_signals++] = self->n_values;
    add(self, (compared_quantity){
                  .element = name, .name = "", .unit = unit != NULL ? unit : "", .kind = kind_of_signal(name), .n = 1});
  }
}

/* Adds quantities that are read from states. If the model gives the nominal size of a variable, the lower limit of its
 * travel is 1e-3 of it. Other signals that are states get 1e-7 of their nominal size. */
static void add_read(compared_list *self, bool are_forces, compared_readout *by) {
  const mbs_model *model = self->model;
  for (size_t i = 0; i < by->n; i++) {
    const mbs_quantity quantity = by->quantities[i];
    const mbs_quantity_info info = mbs_quantity_of(model, quantity);
    const compared_kind kind = are_forces ? COMPARED_FORCE : kind_of_unit(model, info.unit);
    const size_t state = are_forces ? SEAM_NONE : state_of(model, quantity);
    const double given = quantity.owner == MBS_VARIABLES ? model->laws.variable[quantity.element].nominal : 0;
    compared_quantity one = {.element = info.element, .name = info.name, .unit = info.unit, .kind = kind, .n = 1};
    if (state != SEAM_NONE && (given > 0 || kind == COMPARED_SIGNAL)) {
      one.size = given > 0 ? given : mbs_state_of(model, state).nominal;
      one.least = (given > 0 ? analysis_least_travel : analysis_noise_of_signal) * one.size;
    }
    by->index[i] = self->n_values;
    add(self, one);
  }
}

static double finite_change(double a, double b) { return isfinite(b - a) ? fabs(b - a) : 0; }

/* Adds to the size of each of n quantities x one term for each coordinate, rate or state y. Let s be the scale of y.
 * The term is |∂x/∂y| s in the model's initial state or, if smaller, the change of x(y ± c s), divided by c. Each of
 * the two alone may be far too large: the derivative of log(y) near 0, the change of exp(y / small). */
static seam_status add_changes(const mbs_model *model, const mbs_quantity *list, size_t n, double *sizes,
                               seam_error *error) {
  const mbs_scales scales = mbs_scales_of(model);
  const double scale[] = {scales.length, scales.length, 1, scales.speed, scales.speed, 1 / scales.time};
  const size_t n_q = 3 * mbs_n_bodies(model), n_states = mbs_n_states(model), n_rows = mbs_n_constraints(model);
  bool *bodies = calloc(mbs_n_bodies(model) + 1, sizeof *bodies);
  double *y = calloc(3 * n_q + n_states + n_rows + 4 * n + 1, sizeof *y); /* (q, v, z, a, λ), then 4 times (n) */
  if (bodies == NULL || y == NULL) {
    free(bodies);
    free(y);
    return no_memory(error);
  }
  double *change = y + 3 * n_q + n_states + n_rows, *x = change + n, *below = x + n, *above = below + n;
  const mbs_direction along = {
      .q = y, .v = y + n_q, .z = y + 2 * n_q, .a = y + 2 * n_q + n_states, .lambda = y + 3 * n_q + n_states};
  mbs_dependence on = {.bodies = bodies};
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  mbs_readout *readout = NULL;
  seam_status status = mbs_workspace_create(model, &ws, error);
  THEN(status, mbs_state_create(model, &state, error));
  THEN(status, mbs_readout_create(model, list, n, &readout, error));
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    mbs_add_dependence(model, list[i], &on);
  if (status == SEAM_OK)
    mbs_read(readout, ws, state, x);
  for (size_t k = 0; k < 2 * n_q + n_states && status == SEAM_OK; k++) {
    const bool is_state = k >= 2 * n_q;
    if (is_state ? !on.of_states : !bodies[(k < n_q ? k : k - n_q) / 3])
      continue;
    const double s = is_state ? mbs_state_of(model, k - 2 * n_q).nominal : scale[k % 3 + (k < n_q ? 0 : 3)];
    const double at = state->q[k]; /* v and z follow q */
    y[k] = s;
    mbs_read_changes(readout, ws, state, &along, change);
    y[k] = 0;
    state->q[k] = at - analysis_size_shift * s;
    mbs_read(readout, ws, state, below);
    state->q[k] = at + analysis_size_shift * s;
    mbs_read(readout, ws, state, above);
    state->q[k] = at;
    for (size_t i = 0; i < n; i++)
      sizes[i] += fmin(finite_change(0, change[i]),
                       fmax(finite_change(x[i], below[i]), finite_change(x[i], above[i])) / analysis_size_shift);
  }
  mbs_readout_destroy(readout);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  free(bodies);
  free(y);
  return status;
}

/* Finds the sizes of quantities of motion whose unit has no scale. A difference, for example of two angles of gears,
 * may be zero up to rounding, and gets the size of its terms. `first`: index of the first quantity of motion. */
static seam_status find_sizes(compared_list *self, size_t first, seam_error *error) {
  compared_quantity *of = self->quantities + first;
  mbs_quantity *unknown = malloc((self->motion.n + 1) * sizeof *unknown);
  double *sizes = calloc(self->motion.n + 1, sizeof *sizes);
  seam_status status = unknown != NULL && sizes != NULL ? SEAM_OK : no_memory(error);
  size_t n = 0;
  for (size_t i = 0; i < self->motion.n && status == SEAM_OK; i++)
    if (!(of[i].size > 0))
      unknown[n++] = self->motion.quantities[i];
  if (n > 0)
    status = add_changes(self->model, unknown, n, sizes, error);
  for (size_t i = self->motion.n; i-- > 0 && status == SEAM_OK;)
    if (!(of[i].size > 0)) {
      of[i].size = sizes[--n];
      of[i].least = analysis_noise_of_signal * of[i].size;
    }
  free(unknown);
  free(sizes);
  return status;
}

#define LIST_ARRAYS(X)                                                                                                 \
  X(self, quantities, n)                                                                                               \
  X(self, bodies, n_bodies)                                                                                            \
  X(self, motion.quantities, n_read)                                                                                   \
  X(self, motion.index, n_read)                                                                                        \
  X(self, motion.values, n_read)                                                                                       \
  X(self, forces.quantities, n_read)                                                                                   \
  X(self, forces.index, n_read)                                                                                        \
  X(self, forces.values, n_read)                                                                                       \
  X(self, signals, n_signals)                                                                                          \
  X(self, signal_index, n_signals)

static compared_list *new_list(const mbs_model *model, size_t n, size_t n_bodies, size_t n_read, size_t n_signals) {
  compared_list *self = calloc(1, sizeof *self);
  if (self == NULL)
    return NULL;
  self->model = model;
  self->n_bodies = n_bodies;
  const bool enough = true LIST_ARRAYS(ALLOCATE_ARRAY);
  if (enough)
    return self;
  compared_list_destroy(self);
  return NULL;
}

static seam_status create_readouts(compared_list *self, seam_error *error) {
  compared_readout *motion = &self->motion, *forces = &self->forces;
  TRY(mbs_readout_create(self->model, motion->quantities, motion->n, &motion->readout, error));
  return mbs_readout_create(self->model, forces->quantities, forces->n, &forces->readout, error);
}

static seam_status fill(compared_list *self, const cosim_simulation *simulation, const cosim_builder *builder,
                        seam_error *error) {
  for (size_t i = 0; i < self->n_bodies; i++) {
    self->bodies[i] = i;
    for (int k = 0; k < N_OF_BODY; k++) {
      compared_quantity one = of_body[k];
      one.element = mbs_body_of(self->model, i).name;
      add(self, one);
    }
  }
  const size_t first = self->n;
  TRY(choose_read(self, error));
  add_read(self, false, &self->motion);
  TRY(find_sizes(self, first, error));
  add_signals(self, simulation, builder);
  add_read(self, true, &self->forces);
  return create_readouts(self, error);
}

seam_status compared_list_create(const mbs_model *model, const cosim_simulation *simulation,
                                 const cosim_builder *builder, compared_list **created, seam_error *error) {
  const size_t n_signals = simulation != NULL ? cosim_n_signals(simulation) : 0;
  const size_t n_bodies = mbs_n_bodies(model);
  size_t n = 0;
  for (size_t k = 0; k < sizeof owners / sizeof *owners; k++)
    for (size_t i = 0; i < mbs_n_elements(model, owners[k]); i++)
      n += mbs_n_quantities(model, owners[k], i);
  compared_list *self = new_list(model, N_OF_BODY * n_bodies + n + n_signals, n_bodies, n, n_signals);
  const seam_status status = self != NULL ? fill(self, simulation, builder, error) : no_memory(error);
  RETURN_CREATED(status, self, created, compared_list_destroy);
}

/* Returns true if `of` has the dotted name `name`. */
static bool has_name(const compared_quantity *of, const char *name) {
  const size_t length = strlen(of->element);
  if (strncmp(name, of->element, length) != 0)
    return false;
  return name[length] == '.' ? strcmp(name + length + 1, of->name) == 0 : name[length] == '\0' && *of->name == '\0';
}

seam_status compared_list_take_sizes(compared_list *self, const mbs_model *undivided, seam_error *error) {
  compared_list *of_whole = NULL;
  TRY(compared_list_create(undivided, NULL, NULL, &of_whole, error));
  for (compared_quantity *signal = self->quantities; signal < self->quantities + self->n; signal++) {
    if (signal->kind != COMPARED_SIGNAL || signal->size > 0)
      continue;
    const compared_quantity *same = of_whole->quantities, *end = same + of_whole->n;
    while (same < end && !has_name(same, signal->element))
      same++;
    if (same < end) {
      signal->size = same->size;
      signal->least = same->least;
    }
  }
  compared_list_destroy(of_whole);
  return SEAM_OK;
}

/* ---- The list of another model ---- */

/* Finds a quantity by its name, in the model or among the signals of the simulation. */
static void match(compared_list *self, const compared_quantity *of, const cosim_simulation *simulation) {
  const size_t n_signals = simulation != NULL ? cosim_n_signals(simulation) : 0;
  char name[256];
  mbs_quantity quantity;
  dotted_name(of->element, of->name, name, sizeof name);
  if (mbs_find_quantity_of_length(self->model, name, strlen(name), &quantity)) {
    compared_readout *by = of->kind == COMPARED_FORCE ? &self->forces : &self->motion;
    by->index[by->n] = of->first;
    by->quantities[by->n++] = quantity;
    return;
  }
  for (size_t i = 0; i < n_signals; i++)
    if (strcmp(cosim_signal_of(simulation, i).name, name) == 0) {
      self->signal_index[self->n_signals] = of->first;
      self->signals[self->n_signals++] = i;
      return;
    }
}

seam_status compared_list_match(const compared_list *list, const mbs_model *other, const cosim_simulation *simulation,
                                compared_list **created, seam_error *error) {
  compared_list *self = new_list(other, list->n, list->n_bodies, list->n, list->n);
  if (self == NULL)
    return no_memory(error);
  self->n = list->n;
  self->n_values = list->n_values;
  memcpy(self->quantities, list->quantities, list->n * sizeof *self->quantities);
  for (size_t i = 0; i < list->n_bodies; i++)
    self->bodies[i] = mbs_find_body(self->model, mbs_body_of(list->model, i).name);
  for (size_t i = N_OF_BODY * list->n_bodies; i < list->n; i++)
    match(self, &list->quantities[i], simulation);
  const seam_status status = create_readouts(self, error);
  RETURN_CREATED(status, self, created, compared_list_destroy);
}

void compared_list_destroy(compared_list *self) {
  if (self == NULL)
    return;
  mbs_readout_destroy(self->motion.readout);
  mbs_readout_destroy(self->forces.readout);
  LIST_ARRAYS(FREE_ARRAY)
  free(self);
}

static void read_values(const compared_readout *of, mbs_workspace *workspace, const mbs_state *state, double *row) {
  if (of->n > 0)
    mbs_read(of->readout, workspace, state, of->values);
  for (size_t i = 0; i < of->n; i++)
    row[of->index[i]] = of->values[i];
}

void compared_list_read(const compared_list *self, mbs_workspace *workspace, const mbs_state *state, bool is_evaluated,
                        const cosim_simulation *simulation, double *row) {
  for (size_t i = BODY_VALUES * self->n_bodies; i < self->n_values; i++)
    row[i] = NAN;
  for (size_t i = 0; i < self->n_bodies; i++)
    for (size_t k = 0; k < 3; k++) {
      const bool is_known = self->bodies[i] != SEAM_NONE;
      row[BODY_VALUES * i + k] = is_known ? state->q[3 * self->bodies[i] + k] : NAN;
      row[BODY_VALUES * i + 3 + k] = is_known ? state->v[3 * self->bodies[i] + k] : NAN;
    }
  read_values(&self->motion, workspace, state, row);
  if (is_evaluated)
    read_values(&self->forces, workspace, state, row);
  for (size_t i = 0; i < self->n_signals && simulation != NULL; i++)
    row[self->signal_index[i]] = cosim_signal_now(simulation, self->signals[i]);
}

/* ---- Rows ---- */

#define TRACK_ARRAYS(X)                                                                                                \
  X(self, times, self->capacity)                                                                                       \
  X(self, values, self->capacity * self->n_values)                                                                     \
  X(self, curvatures, self->capacity / 2)                                                                              \
  X(self, sorted, self->capacity / 2)                                                                                  \
  X(self, size, self->n_values)                                                                                        \
  X(self, low, self->n_values)                                                                                         \
  X(self, high, self->n_values)

size_t track_affordable_rows(const compared_list *list, size_t most) {
  const size_t rows = MAX_VALUES / (list->n_values + TRACK_ENERGIES + 1);
  return rows < most ? rows : most;
}

seam_status track_create(const compared_list *list, size_t rows, track **created, seam_error *error) {
  track *self = calloc(1, sizeof *self);
  if (self == NULL)
    return no_memory(error);
  *self = (track){
      .list = list, .n_values = list->n_values + TRACK_ENERGIES, .capacity = rows > LEAST_ROWS ? rows : LEAST_ROWS};
  const bool enough = true TRACK_ARRAYS(ALLOCATE_ARRAY);
  if (enough) {
    track_clear(self);
    *created = self;
    return SEAM_OK;
  }
  track_destroy(self);
  return no_memory(error);
}

void track_destroy(track *self) {
  if (self == NULL)
    return;
  TRACK_ARRAYS(FREE_ARRAY)
  free(self);
}

void track_clear(track *self) {
  self->n = 0;
  for (size_t k = 0; k < self->n_values; k++) {
    self->low[k] = INFINITY;
    self->high[k] = -INFINITY;
  }
}

void track_extend_ranges(track *self, const double *values) {
  for (size_t k = 0; k < self->list->n_values; k++) {
    self->low[k] = fmin(self->low[k], values[k]);
    self->high[k] = fmax(self->high[k], values[k]);
  }
}

/* Finds the size of each value: its range so far, but at least the lower limit of its travel. If there is no limit, a
 * share of the largest |value| replaces it. */
static void measure_sizes(track *self) {
  for (const compared_quantity *of = self->list->quantities; of < self->list->quantities + self->list->n; of++)
    for (size_t k = of->first; k < of->first + (size_t)of->n; k++) {
      double low = INFINITY, high = -INFINITY;
      for (size_t i = 0; i < self->n; i++) {
        const double value = track_row(self, i)[k];
        low = fmin(low, value);
        high = fmax(high, value);
      }
      const double least = of->least > 0 ? of->least : analysis_least_travel * fmax(fabs(low), fabs(high));
      self->size[k] = fmax(high - low, least);
    }
}

/* Returns the curvature of row i: the largest distance of a value from the line between the rows before and after,
 * divided by the value's size. */
static double curvature_at(const track *self, size_t i) {
  const double *before = track_row(self, i - 1), *at = track_row(self, i), *after = track_row(self, i + 1);
  const double s = (self->times[i] - self->times[i - 1]) / (self->times[i + 1] - self->times[i - 1]);
  double most = 0;
  for (size_t k = 0; k < self->list->n_values; k++) {
    const double curvature = fabs(at[k] - before[k] - s * (after[k] - before[k])) / self->size[k];
    most = curvature > most ? curvature : most; /* NaN counts as zero */
  }
  return most;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Drops rows with odd index whose curvature is at most the median of all rows with odd index. Retains the last row. */
static void thin_out(track *self) {
  const size_t n_second = (self->n - 1) / 2;
  measure_sizes(self);
  for (size_t i = 0; i < n_second; i++)
    self->curvatures[i] = self->sorted[i] = curvature_at(self, 2 * i + 1);
  qsort(self->sorted, n_second, sizeof *self->sorted, ascending);
  const double limit = self->sorted[(n_second - 1) / 2];
  size_t n = 0;
  for (size_t i = 0; i < self->n; i++) {
    if (i % 2 == 1 && i + 1 < self->n && self->curvatures[i / 2] <= limit)
      continue;
    self->times[n] = self->times[i];
    memmove(self->values + n * self->n_values, track_row(self, i), self->n_values * sizeof *self->values);
    n++;
  }
  self->n = n;
}

double *track_add(track *self, double t) {
  if (self->n > 0 && t <= self->times[self->n - 1])
    return NULL;
  if (self->n == self->capacity)
    thin_out(self);
  double *row = self->values + self->n * self->n_values;
  self->times[self->n++] = t;
  for (size_t i = self->list->n_values; i < self->n_values; i++)
    row[i] = NAN;
  return row;
}

void track_follow(track *self, const track *points, double point, double until, const compared_list *list,
                  mbs_workspace *workspace, const cosim_simulation *simulation, mbs_state *between) {
  const mbs_state *now = cosim_state(simulation);
  while (self->n < points->n && points->times[self->n] <= until) {
    const double at = points->times[self->n];
    const bool is_now = at >= point;
    if (!is_now)
      cosim_state_between(simulation, fmin(at, now->t), between);
    compared_list_read(list, workspace, is_now ? now : between, is_now, is_now ? simulation : NULL,
                       self->values + self->n * self->n_values);
    self->times[self->n++] = at;
  }
}

/* ---- Images ---- */

typedef struct track_image {
  size_t n_values, capacity, n;
} track_image;

/* Returns the size for a full track, so that it stays constant over a run. */
size_t track_image_size(const track *self) {
  return self != NULL ? sizeof(track_image) + self->capacity * (self->n_values + 1) * sizeof(double) : 0;
}

void track_save(const track *self, void *image) {
  if (self == NULL)
    return;
  const track_image head = {self->n_values, self->capacity, self->n};
  char *values = (char *)image + sizeof head;
  memcpy(image, &head, sizeof head);
  memcpy(values, self->times, self->n * sizeof *self->times);
  memcpy(values + self->capacity * sizeof *self->times, self->values, self->n * self->n_values * sizeof *self->values);
}

seam_status track_restore(track *self, const void *image, seam_error *error) {
  track_image head;
  if (self == NULL)
    return SEAM_OK;
  memcpy(&head, image, sizeof head);
  if (head.n_values != self->n_values || head.capacity != self->capacity || head.n > self->capacity)
    return seam_fail(error, SEAM_BAD_STATE, "the checkpoint is not of this run: run the model again");
  const char *values = (const char *)image + sizeof head;
  self->n = head.n;
  memcpy(self->times, values, self->n * sizeof *self->times);
  memcpy(self->values, values + self->capacity * sizeof *self->times, self->n * self->n_values * sizeof *self->values);
  return SEAM_OK;
}
