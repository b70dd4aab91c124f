#include "cosim/parts/ensemble.h"

#include <stdlib.h>

#include "base/arrays.h"
#include "base/then.h"
#include "base/vector.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"

/* ---- One part ---- */

static void roll_back(cosim_member *m) {
  if (m->part->ops->go_back != NULL)
    m->part->ops->go_back(m->part);
  else
    m->part->ops->restore(m->part, m->saved);
}

static bool gives_feedthrough(const cosim_member *m) { return m->repeats && m->part->ops->get_feedthrough != NULL; }

/* Advances a part that gives no outputs at nodes, by separate steps from node to node. */
static seam_status step_divided(cosim_parts *self, cosim_member *m, double *outputs) {
  double from = 0;
  for (int k = 0; k <= m->n_nodes; k++, outputs += m->part->n_outputs) {
    const double to = k < m->n_nodes ? self->nodes[k] : 1;
    for (int i = 0; i < m->part->n_inputs; i++)
      m->pieces[i] = cosim_signal_between(&m->inputs[i], from, to);
    const cosim_step step = {.t = self->t + from * self->H, .H = (to - from) * self->H, .inputs = m->pieces};
    TRY(m->part->ops->advance(m->part, &step, outputs, NULL, &m->error));
    if (self->with_feedthrough && k == self->middle && gives_feedthrough(m))
      m->part->ops->get_feedthrough(m->part, m->at_middle);
    from = to;
  }
  return SEAM_OK;
}

/* Advances a part. If derivatives by inertia are wanted (n_terms) but inertia does not dominate, repeats the step with
 * exact derivatives. Later steps take exact ones at once. */
static seam_status step_once(cosim_parts *self, cosim_member *m, int n_seeds, double *outputs, double *derivatives) {
  bool inertia_dominates = true;
  const cosim_step step = {.t = self->t,
                           .H = self->H,
                           .inputs = m->inputs,
                           .n_seeds = n_seeds,
                           .seeds = m->seeds,
                           .n_nodes = m->n_nodes,
                           .nodes = self->nodes,
                           .middle = self->middle,
                           .feedthrough = self->with_feedthrough && gives_feedthrough(m) ? m->at_middle : NULL,
                           .n_terms = m->is_stiff ? 0 : m->n_terms,
                           .by_inertia = &inertia_dominates,
                           .corrected = m->corrected};
  if (m->n_nodes > 0 && !m->part->gives_nodes)
    return step_divided(self, m, outputs);
  const seam_status status = m->part->ops->advance(m->part, &step, outputs, derivatives, &m->error);
  if (status != SEAM_OK || inertia_dominates)
    return status;
  m->is_stiff = true;
  roll_back(m);
  return step_once(self, m, n_seeds, outputs, derivatives);
}

/* Takes the step with `delta` times a seed added to its input, then rolls back. */
static seam_status try_seed(cosim_parts *self, cosim_member *m, int d, double delta, double *outputs) {
  cosim_signal *input = &m->inputs[m->seeds[d].input];
  const cosim_signal before = *input;
  cosim_signal_add(input, delta, &m->seeds[d].signal);
  const seam_status status = step_once(self, m, 0, outputs, NULL);
  *input = before;
  roll_back(m);
  return status;
}

/* Replaces exact derivatives that need inputs of one piece if inputs have several. Suffices for one correction. */
static seam_status take_central_differences(cosim_parts *self, cosim_member *m) {
  const int n = (m->n_nodes + 1) * m->part->n_outputs;
  for (int d = 0; d < m->n_seeds; d++) {
    const double delta = cosim_central_share * m->delta[d];
    double *ahead = cosim_member_derivatives(m, d);
    TRY(try_seed(self, m, d, delta, ahead));
    TRY(try_seed(self, m, d, -delta, m->node_outputs));
    for (int i = 0; i < n; i++)
      ahead[i] = (ahead[i] - m->node_outputs[i]) / (2 * delta);
  }
  return SEAM_OK;
}

/* Fails if one of n outputs is not finite. Puts the part's name before the message or text of a failure. */
static void check_step(const cosim_parts *self, cosim_member *m, const double *outputs, int n) {
  if (m->status == SEAM_OK && finite_all(outputs, n))
    return;
  if (m->status == SEAM_OK)
    m->status = seam_fail(&m->error, SEAM_NOT_FINITE, "t = %.9g s: its outputs are not finite", self->t + self->H);
  const seam_error cause = m->error;
  const char *text = cause.message[0] != '\0' ? cause.message : seam_status_text(m->status);
  if (m->part->name != NULL)
    seam_fail(&m->error, m->status, "subsystem '%s': %s", m->part->name, text);
  else
    seam_fail(&m->error, m->status, "%s", text);
}

/* Returns true if an input or seed has several pieces. */
static bool has_pieces(const cosim_member *m) {
  bool some = false;
  for (int i = 0; i < m->part->n_inputs; i++)
    some |= m->inputs[i].n_pieces > 1;
  for (int d = 0; d < m->n_seeds; d++)
    some |= m->seeds[d].signal.n_pieces > 1;
  return some;
}

static void advance_member(cosim_parts *self, cosim_member *m) {
  const bool with_derivatives = self->with_derivatives && m->n_seeds > 0;
  m->error.message[0] = '\0';
  m->has_node_outputs = true;
  const bool differ = with_derivatives &&
                      (self->differences || !m->part->gives_derivatives || (m->n_nodes > 0 && !m->part->gives_nodes));
  const bool is_central = with_derivatives && !differ && m->part->of_one_piece && has_pieces(m);
  m->status = is_central ? take_central_differences(self, m) : SEAM_OK;
  /* Trial steps for differences come first: afterwards the part must be at the end of the step itself. */
  for (int d = 0; differ && d < m->n_seeds && m->status == SEAM_OK; d++)
    m->status = try_seed(self, m, d, m->delta[d], cosim_member_derivatives(m, d));
  const int n_seeds = with_derivatives && !differ && !is_central ? m->n_seeds : 0;
  m->has_exact_derivatives = n_seeds > 0;
  THEN(m->status, step_once(self, m, n_seeds, m->node_outputs, m->derivatives));
  const int n = (m->n_nodes + 1) * m->part->n_outputs;
  check_step(self, m, m->node_outputs, n);
  if (m->status != SEAM_OK)
    return;
  for (int d = 0; d < m->n_seeds && differ; d++)
    for (int i = 0; i < n; i++)
      m->derivatives[d * n + i] = (m->derivatives[d * n + i] - m->node_outputs[i]) / m->delta[d];
  if (self->with_feedthrough && gives_feedthrough(m))
    m->part->ops->get_feedthrough(m->part, m->feedthrough);
}

/* Repeats the last step by the part's operation repeat(), which costs less than a new step. Returns false if the part
 * cannot; it is then at the beginning of the step. A failure returns true, with m->status and m->error. */
static bool repeat_by_part(cosim_parts *self, cosim_member *m) {
  const cosim_step step = {.t = self->t, .H = self->H, .inputs = m->inputs};
  bool is_made = false;
  m->error.message[0] = '\0';
  if (m->part->ops->repeat == NULL)
    return false;
  m->status = m->part->ops->repeat(m->part, &step, m->outputs, &is_made, &m->error);
  if (!is_made && m->status == SEAM_OK) {
    roll_back(m);
    return false;
  }
  m->has_node_outputs = m->n_nodes == 0;
  check_step(self, m, m->outputs, m->part->n_outputs);
  return true;
}

/* ---- All parts ---- */

static void take_pass(void *context, int number) {
  cosim_parts *self = context;
  cosim_member *m = &self->member[number];
  if (self->pass != COSIM_FIRST_PASS && !m->again)
    return;
  if (self->pass != COSIM_FIRST_PASS)
    roll_back(m);
  if (self->pass != COSIM_QUICK_REPETITION || !repeat_by_part(self, m))
    advance_member(self, m);
}

seam_status cosim_parts_advance(cosim_parts *self, double t, double H, cosim_pass pass, bool with_derivatives,
                                seam_error *error) {
  self->t = t;
  self->H = H;
  self->pass = pass;
  self->with_derivatives = with_derivatives;
  worker_group_begin(&self->workers);
  if (self->workers.pool != NULL)
    thread_pool_run(self->workers.pool, self->n, take_pass, self);
  for (int p = 0; p < self->n && self->workers.pool == NULL; p++)
    take_pass(self, p);
  worker_group_end(&self->workers);
  for (const cosim_member *m = self->member; m < self->member + self->n; m++)
    if (m->status != SEAM_OK)
      return seam_fail(error, m->status, "%s", m->error.message);
  return SEAM_OK;
}

seam_status cosim_parts_advance_one(cosim_parts *self, int number, double t, double H, bool with_derivatives,
                                    seam_error *error) {
  self->t = t;
  self->H = H;
  self->with_derivatives = with_derivatives;
  cosim_member *m = &self->member[number];
  advance_member(self, m);
  return m->status == SEAM_OK ? SEAM_OK : seam_fail(error, m->status, "%s", m->error.message);
}

void cosim_parts_get_outputs(cosim_parts *self) {
  for (cosim_member *m = self->member; m < self->member + self->n; m++)
    m->part->ops->get_outputs(m->part, m->outputs);
}

void cosim_parts_store(cosim_parts *self) {
  for (cosim_member *m = self->member; m < self->member + self->n; m++)
    if (m->repeats && m->part->ops->keep != NULL)
      m->part->ops->keep(m->part);
    else if (m->repeats)
      m->part->ops->save(m->part, m->saved);
}

void cosim_parts_copy(cosim_parts *self, cosim_image *image) {
  for (cosim_member *m = self->member; m < self->member + self->n; m++) {
    if (!cosim_part_can_repeat(m->part))
      continue;
    image->n += m->part->n_state;
    if (image->at == NULL)
      continue;
    if (image->saves)
      m->part->ops->save(m->part, image->at);
    else
      m->part->ops->restore(m->part, image->at);
    image->at += m->part->n_state;
  }
}

/* ---- Creation ---- */

seam_status cosim_parts_create(cosim_part **parts, int n, bool differences, int n_threads, cosim_parts **created,
                               seam_error *error) {
  cosim_parts *self = calloc(1, sizeof *self + (size_t)n * sizeof *self->member);
  if (self == NULL) {
    for (int p = 0; p < n; p++)
      cosim_part_destroy(parts[p]);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to couple %d subsystems", n);
  }
  self->n = n;
  self->differences = differences;
  self->workers = worker_group_of(n_threads, n > 0 ? n : 1);
  for (int p = 0; p < n; p++) {
    self->member[p].part = parts[p];
    self->max_inputs = parts[p]->n_inputs > self->max_inputs ? parts[p]->n_inputs : self->max_inputs;
  }
  *created = self;
  return SEAM_OK;
}

/* Arrays of a member with n seeds. */
#define MEMBER_ARRAYS(X)                                                                                               \
  X(m, inputs, (size_t)m->part->n_inputs)                                                                              \
  X(m, pieces, (size_t)m->part->n_inputs)                                                                              \
  X(m, node_outputs, n_node_outputs *n_outputs)                                                                        \
  X(m, seeds, n)                                                                                                       \
  X(m, delta, n)                                                                                                       \
  X(m, change, n)                                                                                                      \
  X(m, derivatives, n *n_node_outputs *n_outputs)                                                                      \
  X(m, feedthrough, (size_t)m->part->n_inputs *n_outputs)                                                              \
  X(m, at_middle, (size_t)m->part->n_inputs *n_outputs)                                                                \
  X(m, corrected, (size_t)m->part->n_inputs)                                                                           \
  X(m, saved, m->part->n_state)

seam_status cosim_parts_allocate(cosim_parts *self, seam_error *error) {
  for (int p = 0; p < self->n; p++) {
    cosim_member *m = &self->member[p];
    const size_t n = (size_t)m->n_seeds + 1;
    const size_t n_outputs = (size_t)m->part->n_outputs;
    const size_t n_node_outputs = (size_t)m->n_nodes + 1;
    if (m->repeats && !cosim_part_can_repeat(m->part))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "subsystem '%s' cannot repeat a macro step: take explicit schemes at its couplings, such as "
                       "ff-k1-explicit; rigid couplings have none",
                       m->part->name == NULL ? "" : m->part->name);
    const bool enough = true MEMBER_ARRAYS(ALLOCATE_ARRAY);
    if (!enough)
      return seam_fail(error, SEAM_NO_MEMORY, "no memory to couple %d subsystems", self->n);
    m->again = m->repeats;
    m->outputs = m->node_outputs + (size_t)m->n_nodes * n_outputs;
    for (int i = 0; i < m->part->n_inputs; i++)
      m->inputs[i].n_pieces = 1;
  }
  return SEAM_OK;
}

void cosim_parts_destroy(cosim_parts *self) {
  if (self == NULL)
    return;
  worker_group_release(&self->workers);
  for (cosim_member *m = self->member; m < self->member + self->n; m++) {
    cosim_part_destroy(m->part);
    MEMBER_ARRAYS(FREE_ARRAY)
  }
  free(self);
}
