/* Cuts a mechanism into the subsystems, ports and cuts of its co-simulation, and linearises it. Subsystems become
 * linear parts (linearised_part.c). Derivatives replace the laws of cut elements. The linear subsystems are coupled as
 * in co-simulations (recurrence.c). */
#include "analysis/linearised/linearised_mechanism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "base/then.h"
#include "cosim/schemes/element.h"
#include "mbs/dynamics/responses.h"
#include "mbs/output/readout.h"
#include "mbs/stages/stages.h"

static seam_status check_memory(bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory to linearise the mechanism");
}

/* ---- The linearised element of a cut ---- */

static void wrench(const cosim_element *base, const cosim_motion m[2], double W[COSIM_MAX_FORCES]) {
  const analysis_linearised_element *self = (const analysis_linearised_element *)base;
  cosim_law_change(*self->Wx, *self->Wv, m, W);
}

static void wrench_gradients(const cosim_element *base, const cosim_motion m[2], cosim_gradient Wx, cosim_gradient Wv) {
  const analysis_linearised_element *self = (const analysis_linearised_element *)base;
  (void)m;
  memcpy(Wx, self->Wx, sizeof self->Wx);
  memcpy(Wv, self->Wv, sizeof self->Wv);
}

static void residual_derivatives(const cosim_element *base, const cosim_motion m[2], const cosim_motion change[2],
                                 double *g, double *gd, double *gdd) {
  const analysis_linearised_element *self = (const analysis_linearised_element *)base;
  (void)m;
  for (int i = 0; i < base->n_rows; i++)
    g[i] = gd[i] = gdd[i] = 0;
  cosim_add_product(base->n_rows, *self->J, change[0].x, change[1].x, g);
  cosim_add_product(base->n_rows, *self->J, change[0].v, change[1].v, gd);
  cosim_add_product(base->n_rows, *self->J, change[0].a, change[1].a, gdd);
}

/* Returns the residuals. They are linear, so they equal their derivatives along the motions. */
static void residuals(const cosim_element *base, double t, const cosim_motion m[2], double *g, double *gd,
                      double *gdd) {
  (void)t;
  residual_derivatives(base, m, m, g, gd, gdd);
}

static void residual_gradients(const cosim_element *base, const cosim_motion m[2], cosim_gradient J,
                               cosim_gradient J_rate) {
  const analysis_linearised_element *self = (const analysis_linearised_element *)base;
  (void)m;
  memcpy(J, self->J, sizeof self->J);
  memset(J_rate, 0, sizeof(cosim_gradient));
}

static void wrench_map(const cosim_element *base, const cosim_motion m[2], double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS]) {
  const analysis_linearised_element *self = (const analysis_linearised_element *)base;
  (void)m;
  memcpy(S, self->S, sizeof self->S);
}

/* Linearises `element` about the motions m[2] of its markers. A constraint's wrench keeps its direction. */
static void linearise_element(const cosim_element *element, const cosim_motion m[2],
                              analysis_linearised_element *linearised) {
  static const cosim_element_ops ops = {.wrench = wrench,
                                        .wrench_gradients = wrench_gradients,
                                        .residuals = residuals,
                                        .residual_gradients = residual_gradients,
                                        .residual_derivatives = residual_derivatives,
                                        .wrench_map = wrench_map};
  *linearised = (analysis_linearised_element){.base = *element};
  linearised->base.ops = &ops;
  if (element->n_rows == 0) {
    linearised->base.is_affine = true;
    linearised->base.has_kinks = linearised->base.has_kinks && !element->switches; /* a contact stays open or closed */
    linearised->base.switches = false;
    element->ops->wrench_gradients(element, m, linearised->Wx, linearised->Wv);
  } else {
    cosim_gradient turning;
    element->ops->residual_gradients(element, m, linearised->J, turning);
    element->ops->wrench_map(element, m, linearised->S);
  }
}

/* Linearises the element of a cut and finds its wrenches on both sides. */
static void linearise_cut(seam_linearised *self, size_t number, const mbs_state *state) {
  cosim_element_cut *cut = &self->partition.cuts[number];
  const cosim_element *element = &cut->law.base;
  cosim_motion m[2];
  double W[COSIM_MAX_FORCES] = {0};
  double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
  for (int side = 0; side < 2; side++)
    m[side] = cosim_element_motion(self->model, cut->is_joint, cut->element, side, state->q, state->v, NULL);
  cut->law.z = state->z + cut->law.force.state;
  if (!cut->is_exchanged) /* an exchanged element is linearised in linearised_part.c */
    linearise_element(element, m, &self->elements[number]);
  if (element->n_rows == 0) {
    element->ops->wrench(element, m, W);
  } else {
    element->ops->wrench_map(element, m, S);
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      for (int k = 0; k < element->n_rows; k++)
        W[i] += S[i][k] * state->lambda[self->model->joints[cut->element].row + k];
  }
  const double on_second[3] = {-W[0], -W[1], element->n_forces == COSIM_MAX_FORCES ? -W[3] : -W[2]};
  memcpy(self->wrenches[number][0], W, sizeof on_second);
  memcpy(self->wrenches[number][1], on_second, sizeof on_second);
  if (!cut->is_exchanged)
    cut->base.element = &self->elements[number].base;
}

/* ---- Parts ---- */

static seam_status linearise_part(seam_linearised *self, size_t subsystem, const mbs_state *state, seam_error *error) {
  const cosim_partition *partition = &self->partition;
  double(*wrenches)[3] = calloc(2 * partition->n_cuts + partition->n_signal_ports + 1, sizeof *wrenches);
  TRY(check_memory(wrenches != NULL, error));
  for (size_t k = 0; k < partition->n_cuts; k++)
    for (int side = 0; side < 2; side++)
      if (partition->cuts[k].subsystem[side] == subsystem && partition->cuts[k].port[side] >= 0)
        memcpy(wrenches[partition->cuts[k].port[side]], self->wrenches[k][side], sizeof *wrenches);
  for (size_t k = 0; k < partition->n_signal_ports; k++)
    if (partition->signal_ports[k].subsystem == subsystem && partition->signal_ports[k].has_inputs)
      memcpy(wrenches[partition->signal_ports[k].number], self->signal_wrenches[k], sizeof *wrenches);
  const seam_status status = analysis_linearise_multibody(partition->parts[subsystem], state,
                                                          (const double(*)[3])wrenches, &self->parts[subsystem], error);
  free(wrenches);
  return status;
}

/* Returns a component of a signal's wrench, from the force element that represents it in `undivided_model`; 0: none. */
static double signal_of(const mbs_model *undivided_model, const mbs_workspace *ws, const char *name, int component) {
  mbs_quantity found;
  if (!mbs_find_element_of_length(undivided_model, name, strlen(name), &found) || found.owner != MBS_FORCES)
    return 0;
  const int law = undivided_model->forces[found.element].law[component];
  return law >= 0 ? ws->response[law] : 0;
}

/* Finds the wrenches of all signals at a state of self->undivided_model. models/sections/whole_model.c names the force
 * elements that represent them. */
static seam_status find_signal_wrenches(seam_linearised *self, const mbs_state *state, seam_error *error) {
  const cosim_partition *partition = &self->partition;
  mbs_workspace *ws = NULL;
  if (partition->n_signal_ports == 0 || self->undivided_model == self->model)
    return SEAM_OK;
  TRY(mbs_workspace_create(self->undivided_model, &ws, error));
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_stage_constraints(ws, state->t);
  mbs_respond(ws, state);
  for (size_t k = 0; k < partition->n_signal_ports; k++) {
    const cosim_signal_port *port = &partition->signal_ports[k];
    char name[300];
    if (!port->has_inputs)
      continue;
    snprintf(name, sizeof name, "%s.%s", partition->subsystems[port->subsystem].name,
             mbs_force_of(self->model, port->at.number).name);
    self->signal_wrenches[k][0] = signal_of(self->undivided_model, ws, name, 0);
    self->signal_wrenches[k][1] = signal_of(self->undivided_model, ws, name, 1);
    snprintf(name + strlen(name), sizeof name - strlen(name), ".torque");
    self->signal_wrenches[k][2] = signal_of(self->undivided_model, ws, name, 0);
  }
  mbs_workspace_destroy(ws);
  return SEAM_OK;
}

/* ---- Projection onto the constraints of cut joints ---- */

/* z are the minimal coordinates of all subsystems, in which the mass matrix is 1. C z are the residuals of the
 * constraints, C z' their rates. Cᵀ has the factors Q and R. Hence the projection in the mass norm is
 *
 *   z ← z - Cᵀ (C Cᵀ)⁻¹ C z = (1 - Q Qᵀ) z;   z' is projected in the same way. */

/* Adds to C (n_z) the constraint of row `row` of a cut joint. */
static void add_constraint(const seam_linearised *self, size_t number, int row, double *C) {
  const cosim_element_cut *cut = &self->partition.cuts[number];
  for (int side = 0; side < 2; side++) {
    const analysis_linearised_part *part = &self->parts[cut->subsystem[side]];
    const double *J = self->elements[number].J[row] + 3 * side;
    const double *X = part->X + 3 * cut->port[side] * part->f;
    for (int j = 0; j < part->f; j++)
      C[part->first + j] += J[0] * X[j] + J[1] * X[part->f + j] + J[2] * X[2 * part->f + j];
  }
}

/* Creates `onto` if a scheme uses projection; needs the linearised subsystems and cut elements. Fails with
 * SEAM_SINGULAR or SEAM_NO_MEMORY. */
static seam_status create_projection(seam_linearised *self, seam_error *error) {
  const int n = self->n_z;
  int n_rows = 0;
  bool wanted = false;
  for (size_t k = 0; k < self->partition.n_cuts; k++) {
    n_rows += self->elements[k].base.n_rows;
    wanted = wanted || self->partition.cuts[k].base.scheme.method == COSIM_PROJECTION;
  }
  if (!wanted)
    return SEAM_OK;
  if (n_rows > n)
    return seam_fail(error, SEAM_SINGULAR, "the constraints of cut joints depend on each other: cut fewer joints");
  double *C = calloc((size_t)n_rows * (size_t)(n + 1) + 1, sizeof *C); /* Cᵀ, column by column, later Q */
  self->onto = calloc((size_t)n * (size_t)n + 1, sizeof *self->onto);
  self->z = calloc((size_t)(n + self->n_states) + 1, sizeof *self->z);
  bool has_memory = C != NULL && self->onto != NULL && self->z != NULL;
  if (has_memory) {
    double *to = C;
    double *scales = C + n_rows * n; /* (n_rows) scratch of the factorisation */
    for (size_t k = 0; k < self->partition.n_cuts; k++)
      for (int row = 0; row < self->elements[k].base.n_rows; row++, to += n)
        add_constraint(self, k, row, to);
    has_memory = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, n_rows, C, n, scales) == 0 &&
                 LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n_rows, n_rows, C, n, scales) == 0;
  }
  for (int i = 0; i < n && has_memory; i++)
    for (int j = 0; j < n; j++) {
      self->onto[i * n + j] = i == j;
      for (int r = 0; r < n_rows; r++)
        self->onto[i * n + j] -= C[r * n + i] * C[r * n + j];
    }
  free(C);
  return has_memory ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for the constraints of cut joints");
}

/* Projects z and z' of all subsystems, at a macro point. `context` is the seam_linearised. */
static seam_status project(void *context, double t, seam_error *error) {
  (void)t;
  (void)error;
  const seam_linearised *self = context;
  double *projected = self->z;
  double *state = self->z + self->n_z; /* subsystem by subsystem, z before z' */
  const analysis_linearised_part *end = self->parts + self->partition.n_subsystems;
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    if (cosim_is_mechanical(&self->partition, s))
      self->parts[s].part->ops->save(self->parts[s].part, state + self->parts[s].first_state);
  for (int half = 0; half < 2; half++) { /* z, then z' */
    for (int row = 0; row < self->n_z; row++) {
      const double *onto = self->onto + row * self->n_z;
      projected[row] = 0;
      for (const analysis_linearised_part *part = self->parts; part < end; part++)
        for (int j = 0; j < part->f; j++)
          projected[row] += onto[part->first + j] * state[part->first_state + half * part->f + j];
    }
    for (const analysis_linearised_part *part = self->parts; part < end; part++)
      memcpy(state + part->first_state + half * part->f, projected + part->first, (size_t)part->f * sizeof *projected);
  }
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    if (cosim_is_mechanical(&self->partition, s))
      self->parts[s].part->ops->restore(self->parts[s].part, state + self->parts[s].first_state);
  return SEAM_OK;
}

/* ---- Coupling ---- */

static seam_status linearise_equations(seam_linearised *self, const mbs_state *state, seam_error *error) {
  const mbs_model *whole = self->undivided_model != self->model ? self->undivided_model : NULL;
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    const cosim_subsystem_def *def = &self->partition.subsystems[s];
    analysis_linearised_part *part = &self->parts[s];
    if (cosim_is_mechanical(&self->partition, s))
      continue;
    TRY(analysis_linearise_equations(def, self->partition.parts[s], whole, state, part, error));
    if (part->period > 0)
      TRY(analysis_common_period_add(&self->samples, part->period, def->name, error));
  }
  return SEAM_OK;
}

/* Rejects the model-based correction if a member of the exchange gives no derivatives. Sampled equations and the master
 * do not. */
static seam_status check_members(const cosim_parts *members, seam_error *error) {
  for (int m = 0; m < members->n; m++)
    if (!members->member[m].part->gives_derivatives)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "the stability of schemes cannot be computed, because 'model_based' identifies the derivatives "
                       "of '%s', which has samples or couplings with correctors, from the motion, which is not linear: "
                       "leave out 'model_based'",
                       members->member[m].part->name);
  return SEAM_OK;
}

/* Couples the linear parts at the partition's cuts. Omits power bonds, which only measure energies. */
static seam_status couple(seam_linearised *self, const cosim_definition *definition, seam_error *error) {
  cosim_master_options options = cosim_default_master_options();
  options.gauss_seidel = definition->options.sequence == COSIM_GAUSS_SEIDEL;
  options.tolerance = INFINITY; /* the coupling is linear, so one correction solves it up to rounding */
  options.n_threads = 1;
  options.project = project;
  options.context = self;
  cosim_definition reduced = *definition;
  reduced.options.n_threads = 1;
  reduced.n_bonds = 0;
  cosim_part **parts = malloc((self->partition.n_subsystems + 1) * sizeof(cosim_part *));
  TRY(check_memory(parts != NULL, error));
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    parts[s] = self->parts[s].part;
  self->is_coupled = true;
  TRY(cosim_engine_create(&self->partition, &reduced, &options, parts, &self->engine, error));
  cosim_exchange *exchange = self->engine->exchange;
  for (int k = 0; k < exchange->n_links; k++)
    exchange->links[k].offset = 0; /* Φ maps deviations, for which offsets are zero */
  return definition->model_based != NULL ? check_members(exchange->parts, error) : SEAM_OK;
}

/* ---- The coupled mechanism ---- */

#define ARRAYS(X)                                                                                                      \
  X(self, parts, self->partition.n_subsystems)                                                                         \
  X(self, elements, self->partition.n_cuts)                                                                            \
  X(self, wrenches, self->partition.n_cuts)                                                                            \
  X(self, signal_wrenches, self->partition.n_signal_ports)

/* Linearises the multibody subsystems, numbers their coordinates and states, and finds the period of their samples. */
static seam_status linearise_parts(seam_linearised *self, const mbs_state *state, seam_error *error) {
  for (size_t s = 0; s < self->partition.n_subsystems; s++) {
    analysis_linearised_part *part = &self->parts[s];
    if (cosim_is_mechanical(&self->partition, s))
      TRY(linearise_part(self, s, state, error));
    part->first = self->n_z;
    part->first_state = self->n_states;
    self->n_z += part->f;
    self->n_states += 2 * part->f + part->n_w;
    self->has_samples_inside = self->has_samples_inside || part->n_samples > 0;
  }
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    for (int k = 0; k < self->parts[s].n_samples; k++)
      TRY(analysis_common_period_add(&self->samples, self->parts[s].samples[k].period,
                                     self->partition.subsystems[s].name, error));
  return SEAM_OK;
}

static seam_status check_derivatives(const cosim_partition *partition, seam_error *error) {
  for (size_t s = 0; s < partition->n_subsystems; s++)
    if (!partition->parts[s]->gives_derivatives)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "the stability of schemes cannot be computed, because 'model_based' identifies the derivatives of subsystem "
          "'%s' from the motion, which is not linear: set 'integrator: erk', or leave out 'model_based'",
          partition->subsystems[s].name);
  return SEAM_OK;
}

/* `state` is a state of self->model; `all` is a state of self->undivided_model. */
static seam_status build(seam_linearised *self, const mbs_state *state, const mbs_state *all, seam_error *error) {
  const cosim_definition *definition = cosim_builder_definition(self->builder);
  cosim_definition reduced = *definition;
  if (definition->model_based == NULL) /* only the model-based correction needs integrators that give derivatives */
    reduced.options.integrator = mbs_default_integrator_options();
  TRY(seam_linearised_check(self->builder, error));
  TRY(cosim_partition_make(self->model, &reduced, &self->partition, error));
  if (definition->model_based != NULL)
    TRY(check_derivatives(&self->partition, error));
  const bool enough = true ARRAYS(ALLOCATE_ARRAY);
  TRY(check_memory(enough, error));
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    linearise_cut(self, k, state);
  TRY(find_signal_wrenches(self, all, error));
  TRY(linearise_parts(self, state, error));
  TRY(create_projection(self, error));
  TRY(seam_modes_create(self->undivided_model, all, &self->modes, error));
  const seam_modes *modes = self->modes;
  for (size_t k = 0; k < modes->n; k++)
    self->stiffness = fmax(self->stiffness, pow(hypot(modes->mode[k].s[0], modes->mode[k].s[1]), 2));
  self->growth = seam_modes_growth(modes);
  TRY(linearise_equations(self, all, error));
  TRY(couple(self, definition, error));
  TRY(analysis_recurrence_create(self, error));
  if (self->samples.period > 0) { /* the modes, which know no samples, do not give the growth */
    seam_equilibrium_stability found = {0};
    const seam_status known = seam_equilibrium_stability_find(self->undivided_model, all, &found, NULL);
    self->growth = known == SEAM_OK && found.period > 0 ? found.growth : 0;
    return SEAM_OK;
  }
  analysis_minimal_state at;
  seam_status status = analysis_minimal_state_create(&at, self->undivided_model, NULL, all, error);
  THEN(status, analysis_first_order_create(&self->undivided_system, &at, error));
  THEN(status, analysis_recurrence_store_phi(self, error));
  if (self->full != NULL)
    THEN(status, analysis_modal_release_create(self, &at, all->t, &self->modal_release, error));
  analysis_minimal_state_destroy(&at);
  return status;
}

seam_status seam_linearised_check(const cosim_builder *builder, seam_error *error) {
  ARGUMENTS(error, builder);
  const cosim_definition *definition = cosim_builder_definition(builder);
  const cosim_energy_correction_def *corrected = definition->energy_corrections;
  if (definition->n_energy_corrections > 0)
    return seam_fail_about(error, SEAM_BAD_INPUT, corrected->bond != NULL ? corrected->bond : corrected->part,
                           "the stability of schemes cannot be computed with the energy correction of '%s', which "
                           "divides an energy by a speed and so is not linear: remove the correction",
                           corrected->bond != NULL ? corrected->bond : corrected->part);
  if (definition->n_part_couplings > 0)
    return seam_fail_about(error, SEAM_BAD_INPUT, definition->part_couplings[0].name,
                           "the stability of schemes cannot be computed with coupling '%s', which joins equations or "
                           "FMUs: compare runs with several macro steps ('seam converge')",
                           definition->part_couplings[0].name);
  return SEAM_OK;
}

/* Copies a state of `undivided_model`, whose first bodies and elements are those of the mechanism. Omits variables that
 * `undivided_model` lacks; these represent outputs of subsystems. */
static seam_status copy_mechanism(const mbs_model *model, const mbs_model *undivided_model, const mbs_state *all,
                                  mbs_state **state, seam_error *error) {
  TRY(mbs_state_create(model, state, error));
  const size_t n = 3 * mbs_n_bodies(model);
  (*state)->t = all->t;
  memcpy((*state)->q, all->q, n * sizeof(double));
  memcpy((*state)->v, all->v, n * sizeof(double));
  memcpy((*state)->a, all->a, n * sizeof(double));
  memcpy((*state)->lambda, all->lambda, mbs_n_constraints(model) * sizeof(double));
  memcpy((*state)->z, all->z, (size_t)model->laws.first_state * sizeof(double));
  for (size_t v = 0; v < mbs_n_variables(model); v++) {
    const size_t same = mbs_find_variable(undivided_model, mbs_variable_of(model, v).name);
    if (same != SEAM_NONE)
      (*state)->z[mbs_variable_of(model, v).state] = all->z[mbs_variable_of(undivided_model, same).state];
  }
  return SEAM_OK;
}

seam_status seam_linearised_create_of(const mbs_model *whole, const mbs_state *state, const cosim_builder *builder,
                                      seam_linearised **created, seam_error *error) {
  ARGUMENTS(error, whole, state, builder, created);
  const mbs_model *model = cosim_builder_model(builder);
  TRY(mbs_state_check(__func__, whole, state, error));
  if (mbs_n_bodies(whole) != mbs_n_bodies(model) || mbs_n_constraints(whole) != mbs_n_constraints(model) ||
      mbs_n_forces(whole) < mbs_n_forces(model) || whole->laws.first_state < model->laws.first_state)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "the undivided model does not fit the mechanism of the co-simulation: create both from the same file");
  seam_linearised *self = calloc(1, sizeof *self);
  mbs_state *of_mechanism = NULL;
  TRY(check_memory(self != NULL, error));
  seam_status status = cosim_builder_copy(builder, &self->builder, error);
  THEN(status, copy_mechanism(model, whole, state, &of_mechanism, error));
  if (status == SEAM_OK) {
    self->model = cosim_builder_model(self->builder);
    self->undivided_model = whole != model ? whole : self->model; /* the copied builder may have its own model */
    status = build(self, of_mechanism, state, error);
  }
  mbs_state_destroy(of_mechanism);
  RETURN_CREATED(status, self, created, seam_linearised_destroy);
}

seam_status seam_linearised_create(const mbs_state *state, const cosim_builder *builder, seam_linearised **created,
                                   seam_error *error) {
  ARGUMENTS(error, state, builder, created);
  return seam_linearised_create_of(cosim_builder_model(builder), state, builder, created, error);
}

void seam_linearised_destroy(seam_linearised *self) {
  if (self == NULL)
    return;
  cosim_engine_destroy(self->engine);
  analysis_modal_release_destroy(self->modal_release);
  seam_modes_destroy(self->modes);
  analysis_first_order_free(&self->undivided_system);
  for (size_t s = 0; s < self->partition.n_subsystems && self->parts != NULL; s++) {
    if (!self->is_coupled)
      cosim_part_destroy(self->parts[s].part);
    analysis_linearised_part_free(&self->parts[s]);
  }
  cosim_partition_free(&self->partition);
  ARRAYS(FREE_ARRAY)
  free(self->onto);
  free(self->z);
  free(self->index);
  free(self->at_rest);
  free(self->is_retained);
  free(self->full);
  free(self->nonzero);
  free(self->Phi);
  free(self->state);
  cosim_builder_destroy(self->builder);
  free(self);
}

double seam_linearised_growth(const seam_linearised *self) { return self == NULL ? NAN : self->growth; }
