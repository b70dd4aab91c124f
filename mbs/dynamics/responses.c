/* A late law gives a value u, such as a force, as a function f of quantities that depend on the accelerations a or the
 * multipliers λ. In turn, a and λ depend on u. So Newton's method finds the values u of all late laws, the loop,
 * together with a and λ. M, G, S and Q are those of dynamics.c. f_a = ∂f/∂a, f_λ = ∂f/∂λ, b = ∂Q/∂u:
 *
 *   r(u) = u - f(q, v, z, a(u), λ(u)) = 0        ∂r/∂u = 1 - f_a ∂a/∂u - f_λ ∂λ/∂u
 *   S ∂λ/∂u = G M⁻¹ b,  ∂a/∂u = M⁻¹ (b - Gᵀ ∂λ/∂u)
 *
 * If f did not depend on a and λ, ∂r/∂u would be the unit matrix. As long as the determinant of ∂r/∂u is positive, the
 * loop has one solution. Otherwise friction may lock the mechanism, or forces may grow without bounds
 * ([Pfeiffer-Glocker] 5, Painlevé's paradox); this is an error. */
#include "mbs/dynamics/responses.h"

#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "base/sample.h"
#include "base/then.h"
#include "base/vector.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/model/laws.h"
#include "mbs/output/measurements.h"
#include "mbs/output/readout.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

/* ---- Responses ---- */

static double change_of(const mbs_workspace *ws, const mbs_state *at, const mbs_direction *along,
                        const mbs_response *r) {
  mbs_read_evaluated(r->inputs, ws, at, NULL, ws->inputs);
  mbs_read_evaluated(r->inputs, ws, at, along, ws->input_changes);
  return r->function.change(r->function.data, ws->inputs, ws->input_changes);
}

/* Returns *state at mbs_law_time(): at a kink of a law of time on the side of the present step. */
static mbs_state at_law_time(const mbs_workspace *ws, const mbs_state *state) {
  mbs_state at = *state;
  at.t = mbs_law_time(ws, state->t);
  return at;
}

/* Evaluates the responses of one phase; the workspace must have the stages that they need. */
static void respond_phase(mbs_workspace *ws, const mbs_state *at, mbs_eval_phase phase) {
  const mbs_laws *laws = &ws->model->laws;
  const mbs_responses_at *set = &laws->at[phase];
  mbs_measures_evaluated(set->readout, ws, at, NULL);
  for (int i = 0; i < set->n; i++) {
    const mbs_response *r = mbs_response_of(laws, set->number[i]);
    mbs_read_evaluated(r->inputs, ws, at, NULL, ws->inputs);
    ws->response[set->number[i]] = r->function.value(r->function.data, ws->inputs);
  }
}

/* Fills ws->response_change with the derivatives of one phase's responses, after respond_phase(). */
static void respond_along(mbs_workspace *ws, const mbs_state *at, const mbs_direction *along, mbs_eval_phase phase) {
  const mbs_responses_at *set = &ws->model->laws.at[phase];
  mbs_measures_evaluated(set->readout, ws, at, along);
  for (int i = 0; i < set->n; i++)
    ws->response_change[set->number[i]] = change_of(ws, at, along, mbs_response_of(&ws->model->laws, set->number[i]));
}

/* Runs the stages that the responses of one phase need, then evaluates these responses. */
static void respond_in(mbs_workspace *ws, const mbs_state *state, mbs_eval_phase phase) {
  if (ws->model->laws.at[phase].n == 0)
    return;
  const mbs_state at = at_law_time(ws, state);
  mbs_set_port_frames(ws, at.t);
  if (ws->model->laws.at[phase].readout->needs >= MBS_ROWS)
    mbs_stage_constraints(ws, at.t);
  respond_phase(ws, &at, phase);
}

void mbs_stage_laws(mbs_workspace *ws, const mbs_state *state) { respond_in(ws, state, MBS_EARLY); }

void mbs_respond(mbs_workspace *ws, const mbs_state *state) {
  for (mbs_eval_phase phase = MBS_EARLY; phase <= MBS_LATE; phase++)
    respond_in(ws, state, phase);
}

void mbs_respond_sampled(mbs_workspace *ws, const mbs_state *state) { respond_in(ws, state, MBS_SAMPLED); }

/* Returns a direction whose members q, v, z, a, lambda point into x, where they are stored in this order. */
static mbs_direction direction_in(const mbs_model *model, const double *x) {
  const int n = 3 * model->n_bodies;
  return (mbs_direction){
      .q = x, .v = x + n, .z = x + 2 * n, .a = x + 2 * n + model->n_states, .lambda = x + 3 * n + model->n_states};
}

double mbs_response_slope(mbs_workspace *ws, const mbs_state *state, int number, int column) {
  const mbs_response *response = mbs_response_of(&ws->model->laws, number);
  const mbs_state at = at_law_time(ws, state);
  const mbs_direction along = direction_in(ws->model, ws->unit);
  ws->unit[column] = 1;
  mbs_measures_evaluated(response->inputs, ws, &at, &along);
  const double slope = change_of(ws, &at, &along, response);
  ws->unit[column] = 0;
  return slope;
}

void mbs_response_gradient(mbs_workspace *ws, const mbs_state *state, int number, double *gradient) {
  const mbs_response *response = mbs_response_of(&ws->model->laws, number);
  for (int k = 0; k < response->n_columns; k++)
    gradient[k] = mbs_response_slope(ws, state, number, response->column[k]);
}

void mbs_respond_to_inputs(mbs_workspace *ws, const mbs_state *state, const double *inputs, double *changes) {
  const mbs_state at = at_law_time(ws, state);
  mbs_direction along = direction_in(ws->model, ws->unit);
  along.inputs = inputs;
  for (int i = 0; i < mbs_n_responses(&ws->model->laws); i++) {
    const mbs_response *response = mbs_response_of(&ws->model->laws, i);
    changes[i] = 0;
    if (!mbs_is_function(response))
      continue;
    mbs_measures_evaluated(response->inputs, ws, &at, &along);
    changes[i] = change_of(ws, &at, &along, response);
  }
}

void mbs_stage_variables(mbs_workspace *ws) {
  const mbs_laws *laws = &ws->model->laws;
  for (int i = 0; i < laws->n_variables; i++)
    if (mbs_is_function(&laws->variable[i].response) && laws->variable[i].sample == 0)
      ws->z_rates[laws->first_state + i] = ws->response[laws->n_laws + i];
}

/* ---- Quantities and loads of a state ---- */

/* Runs the stages and evaluates the measures that the quantities need; also their derivatives unless along is NULL. */
static void stage(const mbs_readout *self, mbs_workspace *ws, const mbs_state *state, const mbs_direction *along) {
  const bool needs_laws = self->reads_loads && ws->model->laws.n_laws > 0;
  const bool has_stages = mbs_has_stages(ws, state);
  if (!has_stages && (self->needs >= MBS_FRAMES || along != NULL))
    mbs_stage_kinematics(ws, state->q, state->v);
  if (self->reads_inputs)
    mbs_set_port_frames(ws, state->t);
  if (!has_stages && self->needs >= MBS_ROWS) {
    mbs_load_stick_states(ws, state->z);
    mbs_stage_constraints(ws, state->t);
    mbs_mark_stages(ws, state);
  }
  if (needs_laws)
    mbs_respond(ws, state);
  if (needs_laws && along != NULL) {
    const mbs_state at = at_law_time(ws, state);
    for (mbs_eval_phase phase = MBS_EARLY; phase <= MBS_LATE; phase++)
      if (ws->model->laws.at[phase].n > 0)
        respond_along(ws, &at, along, phase);
  }
  mbs_measures_evaluated(self, ws, state, along);
}

void mbs_read(const mbs_readout *self, mbs_workspace *ws, const mbs_state *state, double *values) {
  if (!mbs_state_fits(ws->model, state)) {
    mbs_fill_nan(values, (size_t)self->n);
    return;
  }
  stage(self, ws, state, NULL);
  mbs_read_evaluated(self, ws, state, NULL, values);
}

void mbs_read_changes(const mbs_readout *self, mbs_workspace *ws, const mbs_state *state, const mbs_direction *along,
                      double *changes) {
  stage(self, ws, state, along);
  mbs_read_evaluated(self, ws, state, along, changes);
}

static mbs_pair load(mbs_workspace *ws, const mbs_state *state, const mbs_force *force, double Q[6]) {
  mbs_stage_kinematics_of(ws, force->body, state->q, state->v);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_power power = {0};
  double buffer[2];
  if (force->law_is_state_dependent) {
    mbs_stage_kinematics(ws, state->q, state->v);
    mbs_respond(ws, state);
  }
  force->type->load(force, &pair, mbs_law_time(ws, state->t), mbs_numbers(ws, force, state->z, buffer), Q, &power);
  return pair;
}

double mbs_force_push(mbs_workspace *ws, const mbs_state *state, size_t force_index) {
  if (force_index >= mbs_n_forces(ws->model) || !mbs_state_fits(ws->model, state))
    return NAN;
  const mbs_force *force = &ws->model->forces[force_index];
  if (force->type->n_coordinates != 1)
    return 0;
  double Q[6];
  mbs_relative_coordinate s;
  const mbs_pair pair = load(ws, state, force, Q);
  force->type->find_coordinates(force, &pair, &s);
  return mbs_force_along(s.J, Q);
}

void mbs_force_wrench(mbs_workspace *ws, const mbs_state *state, size_t force_index, double wrench[3]) {
  if (force_index >= mbs_n_forces(ws->model) || !mbs_state_fits(ws->model, state)) {
    mbs_fill_nan(wrench, 3);
    return;
  }
  const mbs_force *force = &ws->model->forces[force_index];
  double Q[6];
  const mbs_pair pair = load(ws, state, force, Q);
  mbs_wrench_at(pair.frame[0], force->marker[0], Q, wrench);
}

double mbs_variable_rate(mbs_workspace *ws, const mbs_state *state, size_t variable) {
  if (ws == NULL || !mbs_state_fits(ws->model, state) || variable >= mbs_n_variables(ws->model))
    return NAN;
  const mbs_laws *laws = &ws->model->laws;
  const mbs_variable *of = &laws->variable[variable];
  if (!mbs_is_function(&of->response))
    return of->sample > 0 ? state->z[laws->first_state + (int)variable] : 0;
  mbs_respond(ws, state);
  mbs_respond_sampled(ws, state);
  return ws->response[laws->n_laws + (int)variable];
}

/* ---- The loop of late laws ---- */

void mbs_law_unit_load(const mbs_workspace *ws, const double *z, int number, int k, double unit_load[6]) {
  const mbs_law *law = &ws->model->laws.law[number];
  const mbs_force *force = &ws->model->forces[law->force + k];
  double buffer[2];
  if (force->type->unit_load == NULL) {
    memset(unit_load, 0, 6 * sizeof *unit_load);
    return;
  }
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  force->type->unit_load(force, &pair, law->component, mbs_numbers(ws, force, z, buffer), unit_load);
}

void mbs_influence(mbs_workspace *ws, const double *z, int number, double *a, double *lambda) {
  const mbs_force *force = &ws->model->forces[ws->model->laws.law[number].force];
  double unit_load[6];
  mbs_law_unit_load(ws, z, number, 0, unit_load);
  mbs_load_influence(ws, force, unit_load, a, lambda);
  if (ws->unilateral != NULL)
    mbs_unilateral_add(ws, a, lambda, false);
}

const char *mbs_response_text(const mbs_model *model, int number, const char **owner, const char **name) {
  const mbs_laws *laws = &model->laws;
  const bool is_law = number < laws->n_laws;
  *owner = is_law ? "force" : "variable";
  *name = is_law ? model->forces[laws->law[number].force].name : laws->variable[number - laws->n_laws].name;
  return is_law ? "law" : "equation";
}

bool mbs_is_friction_law(const mbs_model *model, int number) {
  return number < model->laws.n_laws && model->forces[model->laws.law[number].force].type->is_friction;
}

static seam_status not_closed(const mbs_workspace *ws, double t, const char *cause, seam_error *error) {
  const mbs_laws *laws = &ws->model->laws;
  const char *owner = NULL;
  const char *name = NULL;
  mbs_response_text(ws->model, laws->at[MBS_LATE].number[0], &owner, &name);
  if (mbs_is_friction_law(ws->model, laws->at[MBS_LATE].number[0]))
    return seam_fail(error, SEAM_SINGULAR,
                     "t = %.9g s: the friction of joint '%s'%s depends on reactions that depend on this friction, and "
                     "%s: the mechanism jams; reduce its coefficient, or load the joint elsewhere",
                     t, name, laws->n_loop > 1 ? " and others" : "", cause);
  return seam_fail(
      error, SEAM_SINGULAR,
      "t = %.9g s: the law of %s '%s'%s forms an algebraic loop through reactions or accelerations, and %s: lower its "
      "gain on them, such as a coefficient of friction, or filter them by a state of 'equations'",
      t, owner, name, laws->n_loop > 1 ? " and others" : "", cause);
}

/* Does one step of Newton's method for u; *step: largest change. Fails if the determinant of ∂r/∂u is not positive. */
static seam_status newton_step(mbs_workspace *ws, const mbs_state *at, double *step, seam_error *error) {
  const int n = ws->model->laws.n_loop;
  const int *number = ws->model->laws.at[MBS_LATE].number;
  for (int i = 0; i < n; i++)
    ws->loop.error[i] = ws->loop.value[i] - ws->response[number[i]];
  for (int j = 0; j < n; j++) {
    mbs_influence(ws, at->z, number[j], ws->loop.a, ws->loop.lambda);
    const mbs_direction along = {ws->zeros, ws->zeros, ws->loop.a, ws->loop.lambda, NULL, NULL};
    respond_along(ws, at, &along, MBS_LATE);
    for (int i = 0; i < n; i++)
      ws->loop.matrix[i + j * n] = (i == j) - ws->response_change[number[i]];
  }
  if (!finite_all(ws->loop.error, n) || !finite_all(ws->loop.matrix, n * n)) {
    for (int i = 0; i < n; i++) /* if a load is not finite without late laws, this load is the cause */
      ws->response[number[i]] = 0;
    mbs_stage_forces(ws, at->t, at->z);
    return finite_all(ws->Q + 3, 3 * ws->model->n_bodies) ? not_closed(ws, at->t, "is not finite", error)
                                                          : mbs_not_finite(ws, at->t, at->z, error);
  }
  const lapack_int info = LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, ws->loop.matrix, n, ws->loop.pivot, ws->loop.error, n);
  bool is_positive = info == 0;
  for (int i = 0; i < n; i++)
    is_positive ^= (ws->loop.matrix[i + i * n] < 0) ^ (ws->loop.pivot[i] != i + 1);
  if (info != 0 || !is_positive)
    return not_closed(ws, at->t, "has no single solution", error);
  for (int i = 0; i < n; i++)
    ws->loop.value[i] -= ws->loop.error[i];
  *step = largest_size(ws->loop.error, (size_t)n);
  return SEAM_OK;
}

/* Returns the largest round-off of the values of late laws: a share of Σ |∂f/∂x x| over the arguments x of a law. For a
 * reaction, |x| is replaced by the largest of all reactions and loads, since loads may cancel in a reaction. */
static double rounding_of_loop(mbs_workspace *ws, const mbs_state *at) {
  const mbs_model *model = ws->model;
  const mbs_laws *laws = &model->laws;
  const int n = 3 * model->n_bodies;
  const int z = 2 * n;
  const int a = z + model->n_states;
  double reaction = largest_size(at->lambda, (size_t)model->n_rows);
  for (int i = 3; i < 3 * (model->n_bodies + 1); i++)
    reaction = fmax(reaction, fabs(ws->Q[i]) / (i % 3 == 2 ? model->size : 1));
  double largest = 0;
  for (int i = 0; i < laws->n_loop; i++) {
    const int number = laws->at[MBS_LATE].number[i];
    const mbs_response *response = mbs_response_of(laws, number);
    double sum = 0;
    mbs_response_gradient(ws, at, number, ws->loop.gradient);
    for (int k = 0; k < response->n_columns; k++) {
      const int c = response->column[k];
      const double x = c < n       ? at->q[c]
                       : c < z     ? at->v[c - n]
                       : c < a     ? at->z[c - z]
                       : c < a + n ? at->a[c - a]
                                   : reaction;
      sum += fabs(ws->loop.gradient[k] * x);
    }
    largest = fmax(largest, sum);
  }
  return mbs_loop_rounding * largest;
}

seam_status mbs_close_loop(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const mbs_model *model = ws->model;
  const mbs_laws *laws = &model->laws;
  if (laws->at[MBS_LATE].n == 0)
    return SEAM_OK;
  const mbs_state at = at_law_time(ws, state);
  double step = 0;
  memset(ws->loop.value, 0, (size_t)laws->n_loop * sizeof *ws->loop.value);
  for (int i = 0; i <= MBS_MAX_STATE_STEPS; i++) {
    for (int k = 0; k < laws->n_loop; k++)
      ws->response[laws->at[MBS_LATE].number[k]] = ws->loop.value[k];
    mbs_stage_forces(ws, state->t, state->z);
    for (int k = 0; k < 3 * model->n_bodies; k++)
      state->a[k] = model->inverse_mass[3 + k] * ws->Q[3 + k];
    mbs_solve_multipliers(ws, state->a, state->lambda);
    respond_phase(ws, &at, MBS_LATE);
    if (laws->n_loop == 0 || (i > 0 && step <= mbs_loop_closed * largest_size(ws->loop.value, (size_t)laws->n_loop)))
      return SEAM_OK;
    if (i > MBS_QUICK_LOOP_STEPS && step <= rounding_of_loop(ws, &at))
      return SEAM_OK;
    TRY(newton_step(ws, &at, &step, error));
  }
  return not_closed(ws, state->t, "was not solved by Newton's method", error);
}

/* ---- Values that are not finite ---- */

/* Fails if a response is not finite; the message names the force element or variable. */
static seam_status law_not_finite(const mbs_workspace *ws, double t, seam_error *error) {
  const mbs_laws *laws = &ws->model->laws;
  for (int i = 0; i < mbs_n_responses(laws); i++)
    if (!isfinite(ws->response[i])) {
      const char *owner = NULL;
      const char *name = NULL;
      const char *what = mbs_response_text(ws->model, i, &owner, &name);
      const char *cause = i < laws->n_laws ? ws->model->forces[laws->law[i].force].type->not_finite : NULL;
      if (cause != NULL)
        return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: force '%s' is not finite: %s", t, name, cause);
      return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: the %s of %s '%s' is not finite: check its expression", t,
                       what, owner, name);
    }
  return SEAM_OK;
}

seam_status mbs_not_finite(mbs_workspace *ws, double t, const double *z, seam_error *error) {
  const mbs_model *model = ws->model;
  TRY(law_not_finite(ws, t, error));
  for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++) {
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    double buffer[2];
    double Q[6];
    mbs_power power = {0};
    force->type->load(force, &pair, mbs_law_time(ws, t), mbs_numbers(ws, force, z, buffer), Q, &power);
    const char *cause = force->type->not_finite;
    const bool has_gap = force->type->is_hard && ws->unilateral != NULL;
    if (!finite_all(Q, 6) || (has_gap && !isfinite(ws->unilateral->kinematics[force->hard].gap)))
      return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: force '%s' is not finite: %s", t, force->name,
                       cause != NULL ? cause : "check its law and that its points stay apart");
    const mbs_force_states *states = force->type->states;
    if (states != NULL && !finite_all(ws->z_rates + force->state, states->n)) {
      char why[200];
      states->not_finite(force, &pair, z + force->state, why, sizeof why);
      return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: force '%s': %s", t, force->name, why);
    }
  }
  for (const mbs_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++)
    if (joint->type->not_finite != NULL && !finite_all(ws->g + joint->row, joint->type->n_rows))
      return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: joint '%s' is not finite: %s", t, joint->name,
                       joint->type->not_finite);
  return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: the motion is not finite: it grew beyond all bounds", t);
}

/* ---- Sampled variables ---- */

double mbs_next_sample(const mbs_model *model, double t) {
  const mbs_laws *laws = &model->laws;
  double first = INFINITY;
  for (int i = 0; i < laws->n_variables; i++) {
    const double period = laws->variable[i].sample;
    if (period > 0)
      first = fmin(first, sample_after(period, t));
  }
  return fmax(first, nextafter(t, INFINITY));
}

static double *time_of_last(const mbs_laws *laws, const mbs_state *state) {
  return state->z + laws->first_state + laws->n_variables;
}

bool mbs_is_sample_due(const mbs_model *model, const mbs_state *state) {
  const mbs_laws *laws = &model->laws;
  const mbs_responses_at *set = &laws->at[MBS_SAMPLED];
  bool is_due = false;
  for (int i = 0; i < set->n; i++)
    is_due |= sample_is_due(laws->variable[set->number[i] - laws->n_laws].sample, *time_of_last(laws, state), state->t);
  return is_due;
}

bool mbs_samples_read_forces(const mbs_model *model) {
  const mbs_responses_at *set = &model->laws.at[MBS_SAMPLED];
  const int first = 6 * model->n_bodies + model->n_states; /* first column of a; columns of λ follow */
  bool has_forces = false;
  for (int i = 0; i < set->n; i++) {
    const mbs_response *response = mbs_response_of(&model->laws, set->number[i]);
    for (int k = 0; k < response->n_columns; k++)
      has_forces |= response->column[k] >= first;
  }
  return has_forces;
}

seam_status mbs_store_samples(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const mbs_laws *laws = &ws->model->laws;
  const mbs_responses_at *set = &laws->at[MBS_SAMPLED];
  const double before = *time_of_last(laws, state);
  respond_phase(ws, state, MBS_SAMPLED);
  for (int i = 0; i < set->n; i++) {
    const int variable = set->number[i] - laws->n_laws;
    const double period = laws->variable[variable].sample;
    if (sample_number(period, state->t) > sample_number(period, before))
      state->z[laws->first_state + variable] = ws->response[set->number[i]];
  }
  *time_of_last(laws, state) = state->t;
  return finite_all(state->z, ws->model->n_states) ? SEAM_OK : law_not_finite(ws, state->t, error);
}

void mbs_copy_constant_states(const mbs_model *model, const mbs_state *from, const mbs_state *to, mbs_state *between) {
  const mbs_laws *laws = &model->laws;
  for (int i = 0; i < laws->n_variables; i++) {
    const double period = laws->variable[i].sample;
    const int k = laws->first_state + i;
    if (period > 0)
      between->z[k] = sample_number(period, between->t) > sample_number(period, from->t) ? to->z[k] : from->z[k];
  }
  const mbs_switching_table *table = &model->switching;
  for (const mbs_switching *row = table->row; row < table->row + table->n; row++)
    for (int k = 0; k < row->type->n_modes; k++) {
      const int entry = row->first_mode + k;
      between->z[entry] = k < row->type->n_modes - row->type->n_records ? MBS_BY_MOTION : from->z[entry];
    }
}
